"""The folder of a file that an option names, made without a look whether there is one.

::

    os.makedirs(os.path.dirname(args.output), exist_ok=True)        --output result.json: FileNotFoundError

Source: https://docs.python.org/3/library/os.path.html#os.path.dirname
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping

from review_bot.analysis.python.namespaces import reads_of_arguments
from review_bot.analysis.python.option_destination import destination
from review_bot.analysis.python.statements import caught_lines, last_name
from review_bot.analysis.python.syntax import full_name, hit_at, imported_names, keyword, text_of
from review_bot.changes.node_index import nodes_of, walk
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_EXIST = frozenset({"exists", "isdir", "isfile"})
_CAUGHT = frozenset({"BaseException", "Exception", "FileNotFoundError", "IOError", "OSError"})


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each call that fails for a file name without a folder. Raises CannotParse."""
    names = imported_names(source.tree)
    made = [call for call in source.nodes(ast.Call) if full_name(call.func, names) == "os.makedirs" and call.args]
    if not made:
        return
    read = {id(each): each for each in reads_of_arguments(source.tree)}
    folders = _folders(source.tree, names)
    caught = caught_lines(source.nodes(ast.Try), _CAUGHT)
    for call in made:
        given = call.args[0]
        folder = given.id if isinstance(given, ast.Name) else ""
        path = folders.get(folder) if folder else _named(given, names)
        if path is None or id(path) not in read or call.lineno in caught or _has_folder(path.attr, source.tree):
            continue
        if _is_made_again(call, source.tree):
            continue
        if not any(_asks(test, folder or "dirname", path.attr) for test in _tests_around(call, source.tree)):
            yield hit_at(source, call, values={"path": ast.unparse(path), "option": path.attr})


def _is_made_again(call: ast.Call, tree: ast.Module) -> bool:
    """Return whether a call makes a folder where that exists already, as the one without a name never does."""
    asked = [
        (each.test.args[0], each.body)
        for each in nodes_of(tree, ast.If)
        if isinstance(each.test, ast.Call) and last_name(each.test.func) in _EXIST and each.test.args
    ]
    folder = ast.dump(call.args[0])
    return any(
        ast.dump(what) == folder and any(inner is call for statement in body for inner in walk(statement))
        for what, body in asked
    )


def _named(value: ast.expr, names: Mapping[str, str]) -> ast.Attribute | None:
    """Return what ``os.path.dirname`` is asked for, if a value is a call of it with an attribute."""
    if not isinstance(value, ast.Call) or full_name(value.func, names) != "os.path.dirname" or len(value.args) != 1:
        return None
    return value.args[0] if isinstance(value.args[0], ast.Attribute) else None


def _folders(tree: ast.Module, names: Mapping[str, str]) -> dict[str, ast.Attribute]:
    """Return the names that a file binds once, to the folder of an attribute."""
    bound = Counter(each.id for each in nodes_of(tree, ast.Name) if isinstance(each.ctx, ast.Store))
    bound.update(each.arg for each in nodes_of(tree, ast.arg))
    return {
        each.targets[0].id: path
        for each in nodes_of(tree, ast.Assign)
        if len(each.targets) == 1 and isinstance(each.targets[0], ast.Name) and bound[each.targets[0].id] == 1
        if (path := _named(each.value, names)) is not None
    }


def _tests_around(call: ast.Call, tree: ast.Module) -> Iterator[ast.expr]:
    """Yield the conditions on which a call runs: of ``if``, of conditional expressions, and before ``and``."""
    conditions: list[ast.If | ast.IfExp | ast.While] = [
        *nodes_of(tree, ast.If), *nodes_of(tree, ast.IfExp), *nodes_of(tree, ast.While)
    ]  # fmt: skip
    yield from (each.test for each in conditions if any(inner is call for inner in nodes_of(each, ast.Call)))
    for each in nodes_of(tree, ast.BoolOp):
        if any(inner is call for inner in nodes_of(each, ast.Call)):
            yield from each.values[:-1]


def _asks(test: ast.expr, folder: str, option: str) -> bool:
    """Return whether a condition asks whether there is a folder; whether it exists is another question."""
    waiting: list[ast.AST] = [test]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Call) and last_name(node.func) in _EXIST:
            continue
        if isinstance(node, (ast.Name, ast.Attribute)) and last_name(node) in {folder, option, "sep"}:
            return True
        if isinstance(node, ast.Constant) and node.value in {"/", "\\"}:
            return True
        waiting += ast.iter_child_nodes(node)
    return False


def _has_folder(option: str, tree: ast.Module) -> bool:
    """Return whether the values of an option are listed, and each has a folder."""
    for call in nodes_of(tree, ast.Call):
        if isinstance(call.func, ast.Attribute) and call.func.attr == "add_argument" and destination(call) == option:
            choices = keyword(call, "choices")
            if isinstance(choices, (ast.List, ast.Tuple)):
                return all("/" in (text_of(each) or "") for each in choices.elts)
    return False


CHECK = file_check(examine, CheckTraits(literals=("dirname",)))
