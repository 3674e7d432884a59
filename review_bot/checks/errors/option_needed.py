"""An option that may be left out, and a script that cannot run without it.

::

    parser.add_argument("--source", type=str)
    args = parser.parse_args()
    with open(args.source) as file:             TypeError: expected str, not NoneType

Only what every run reaches counts: statements of the module, and of functions that these call, up to the first that may
end the run. The script must not ask for the option anywhere, and nothing else may set it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from review_bot.analysis.project.wording import listed
from review_bot.analysis.python.namespaces import Scope, destinations, holders
from review_bot.analysis.python.node_types import COMPREHENSIONS
from review_bot.analysis.python.option_destination import destination
from review_bot.analysis.python.statements import is_function, last_name
from review_bot.analysis.python.syntax import (
    full_name,
    hit_at,
    imported_names,
    is_generator,
    is_literal,
    keyword,
    own_nodes,
    owners_of,
    text_of,
    unpacks,
)
from review_bot.changes.node_index import below, nodes_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_NEED_VALUE = frozenset({
    "enumerate", "float", "int", "iter", "len", "list", "open", "range", "reversed", "set", "sorted", "sum",
    "tuple", "os.makedirs", "os.path.abspath", "os.path.basename", "os.path.dirname", "os.path.exists",
    "os.path.isdir", "os.path.isfile", "os.path.join", "pathlib.Path",
})  # fmt: skip
"""Functions that raise if an argument is None."""
_ENDS = frozenset({"_exit", "abort", "error", "exit", "quit"})
_SHOWS = frozenset({"debug", "dumps", "info", "log", "pprint", "print", "str", "vars"})
_MISSING = frozenset(dir(None))


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield one hit for all such options, at the line that adds the first if that is new, else where it is needed.

    Raises CannotParse.
    """
    options = _optional(source.tree)
    if not options or destinations(source.tree) is None:
        return
    held, imported = holders(source.tree), imported_names(source.tree)
    asked = _asked_for(source.tree)
    seen: set[str] = set()
    found: list[tuple[ast.Attribute, str]] = []
    for scope, node, parent in _reached(source.tree):
        if isinstance(parent, ast.Call) and _may_fill(parent, node, scope, held, source.tree):
            break  # what it is given the arguments for may be to complete them
        if not isinstance(node, ast.Attribute) or node.attr not in options or node.attr in seen | asked:
            continue
        if isinstance(node.value, ast.Name) and (scope, node.value.id) in held:
            seen.add(node.attr)
            how = _failing(node, parent, imported)
            if how and not source.added.keys().isdisjoint({node.lineno, options[node.attr].lineno}):
                found.append((node, how))
    if found:
        yield _hit(source, found, options)


def _hit(source: SourceFile, found: list[tuple[ast.Attribute, str]], options: dict[str, ast.Call]) -> Hit:
    (first, how), *more = found
    others = listed(ast.unparse(node) for node, _ in more)
    values = {"name": ast.unparse(first), "use": how, "line": str(first.lineno)}
    values["others"] = f" (so is {others} without its own)" if others else ""
    related = tuple(Related(source.path, node.lineno, f"`{needs}` needs it") for node, needs in found)
    option = options[first.attr]
    return hit_at(source, option if option.lineno in source.added else first, values=values, related=related)


def _optional(tree: ast.Module) -> dict[str, ast.Call]:
    """Return the options that are None if they are not given, by their attribute."""
    found: dict[str, ast.Call] = {}
    doubtful: set[str] = set()
    for call in nodes_of(tree, ast.Call):
        if last_name(call.func) != "add_argument" or not call.args:
            continue
        name = destination(call)
        default = keyword(call, "default")
        is_flag = all((text_of(each) or "").startswith("-") for each in call.args)
        given = keyword(call, "required") is not None or keyword(call, "action") is not None or unpacks(call)
        if name is None or name in found or given or not is_flag or not (default is None or is_literal(default, None)):
            doubtful.add(name or "")
        else:
            found[name] = call
    return {name: call for name, call in found.items() if name not in doubtful}


def _asked_for(tree: ast.Module) -> set[str]:
    """Return the attributes that a file tests, sets, or names in a text."""
    tests = [each.test for each in nodes_of(tree, ast.If)] + [each.test for each in nodes_of(tree, ast.IfExp)]
    tests += [each.test for each in nodes_of(tree, ast.While)] + [each.test for each in nodes_of(tree, ast.Assert)]
    tests += [value for each in nodes_of(tree, ast.BoolOp) for value in each.values]
    found = {each.attr for test in tests for each in nodes_of(test, ast.Attribute)}
    found |= {each.attr for each in nodes_of(tree, ast.Attribute) if not isinstance(each.ctx, ast.Load)}
    return found | {text for each in nodes_of(tree, ast.Constant) if (text := text_of(each))}


def _reached(tree: ast.Module) -> Iterator[tuple[Scope, ast.AST, ast.AST]]:
    """Yield the expressions that every run evaluates, in order, each with the node it is in and its scope."""
    functions = {each.name: each for each in nodes_of(tree, ast.FunctionDef) if each not in owners_of(tree)}
    waiting: list[Scope] = [tree]
    for scope in waiting:
        for node, parent in _straight(scope.body):
            yield scope, node, parent
            called = (
                functions.get(node.func.id) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else None
            )
            if called is not None and called not in waiting and not (called.decorator_list or is_generator(called)):
                waiting.append(called)


def _straight(body: list[ast.stmt]) -> Iterator[tuple[ast.AST, ast.AST]]:
    """Yield what the statements of a block surely evaluate, up to one that may leave the block or end the run."""
    for statement in body:
        if is_function(statement) or isinstance(statement, (ast.ClassDef, ast.Try, ast.TryStar, ast.Match)):
            inner: list[ast.stmt] = []
        elif isinstance(statement, ast.If):
            yield from _evaluated(statement.test, statement)
            inner = statement.body if _is_entry(statement.test) else []
        elif isinstance(statement, (ast.For, ast.AsyncFor)):
            yield from _evaluated(statement.iter, statement)
            inner = []
        elif isinstance(statement, ast.While):
            inner = []
        elif isinstance(statement, (ast.With, ast.AsyncWith)):
            for item in statement.items:
                yield from _evaluated(item.context_expr, statement)
            inner = statement.body
        else:
            for child in reversed(below(statement)):
                yield from _evaluated(child, statement)
            if isinstance(statement, (ast.Return, ast.Raise)):
                return
            continue
        yield from _straight(inner)
        if not is_function(statement) and not isinstance(statement, ast.ClassDef) and _may_end(statement):
            return


def _is_entry(test: ast.expr) -> bool:
    """Return whether a condition holds whenever a script runs: ``__name__ == "__main__"``, or ``True``."""
    return is_literal(test, True) or (isinstance(test, ast.Compare) and last_name(test.left) == "__name__")


def _may_end(statement: ast.stmt) -> bool:
    return any(
        isinstance(each, (ast.Return, ast.Raise, ast.Break))
        or (isinstance(each, ast.Call) and last_name(each.func) in _ENDS)
        for each in own_nodes([statement])
    )


def _evaluated(node: ast.AST, parent: ast.AST) -> Iterator[tuple[ast.AST, ast.AST]]:
    """Yield an expression and what it surely evaluates, in the order of the text, each with the node it is in."""
    waiting = [(node, parent)]
    while waiting:
        each, within = waiting.pop()
        yield each, within
        if isinstance(each, ast.BoolOp):
            waiting.append((each.values[0], each))
        elif isinstance(each, COMPREHENSIONS):
            waiting.append((each.generators[0].iter, each.generators[0]))
        elif isinstance(each, ast.IfExp):
            waiting.append((each.test, each))
        elif not isinstance(each, ast.Lambda):
            waiting += [(child, each) for child in below(each)]


def _may_fill(call: ast.Call, node: ast.AST, scope: Scope, held: set[tuple[Scope, str]], tree: ast.Module) -> bool:
    """Return whether a call is given the arguments as a whole and may set some: it is no function of this file."""
    if not isinstance(node, ast.Name) or (scope, node.id) not in held or node is call.func:
        return False
    own = {each.name for each in nodes_of(tree, ast.FunctionDef)}
    return last_name(call.func) not in own | _SHOWS


def _failing(node: ast.Attribute, parent: ast.AST, imported: Mapping[str, str]) -> str:
    """Return the expression or statement that raises if the attribute is None, as written; nothing if none does."""
    if isinstance(parent, ast.Call) and node is not parent.func:
        needs = (full_name(parent.func, imported) or "") in _NEED_VALUE and node in parent.args
        return ast.unparse(parent) if needs else ""
    if isinstance(parent, (ast.For, ast.comprehension)) and node is parent.iter:
        return f"for {ast.unparse(parent.target)} in {ast.unparse(node)}"
    if isinstance(parent, ast.Subscript) and node is parent.value:
        return ast.unparse(parent)
    if isinstance(parent, ast.Attribute) and parent.attr not in _MISSING:
        return ast.unparse(parent)
    if isinstance(parent, ast.BinOp) and not isinstance(parent.op, (ast.Mod, ast.BitOr)):
        return ast.unparse(parent)
    return ""


CHECK = file_check(examine, CheckTraits(literals=("add_argument",)))
