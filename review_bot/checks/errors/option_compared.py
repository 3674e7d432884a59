"""A command-line option without a default, calculated with or compared before anything asks whether it was given."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from review_bot.analysis.python.namespaces import changes_dictionary
from review_bot.analysis.python.node_types import ORDERS
from review_bot.analysis.python.option_destination import destination
from review_bot.analysis.python.statements import choices_of, last_name
from review_bot.analysis.python.syntax import hit_at, is_literal, joined_text, keyword, own_nodes, text_of, unpacks
from review_bot.changes.node_lines import last_line
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_HOLDERS = frozenset({"args", "opts", "cli_args", "parsed_args"})


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the first such use of each option in a function. Raises CannotParse."""
    options = _without_default(source)
    if not options or _changes_any(source):
        return
    asked = _asked(source)
    set_ = _set_attributes(source)
    setting_any = [each for each in source.nodes(ast.Call) if _sets_any(each)]
    for function in source.functions:
        nodes = list(own_nodes(function.body))
        known = {id(each) for each in nodes}
        if not all(id(each) in known for each in setting_any):
            continue  # another function may set any of them
        compared = {id(side) for node in nodes for side in _compared(node)}
        mentions = [node for node in nodes if isinstance(node, ast.Attribute) and node.attr in options]
        for name in sorted({each.attr for each in mentions} - asked):
            mine = [each for each in mentions if each.attr == name]
            stores = [each for each in mine if isinstance(each.ctx, ast.Store)]
            if len(stores) != set_[name]:
                continue
            first = min((each.lineno for each in (*stores, *setting_any)), default=last_line(function) + 1)
            uses = [each for each in mine if each.lineno < first and _is_held(each)]
            if uses and all(id(each) in compared for each in uses):
                related = (Related(source.path, options[name], "the option is added here"),)
                values = {"name": ast.unparse(uses[0]), "line": str(options[name])}
                yield hit_at(source, uses[0], values=values, related=related)


def _asked(source: SourceFile) -> set[str]:
    """Return the attributes that a file tests for a value somewhere: it may end the program where there is none."""
    tests = [each.test for each in (*choices_of(source.tree), *source.nodes(ast.Assert))]
    tests += [value for each in source.nodes(ast.BoolOp) for value in each.values]
    tests += [each.operand for each in source.nodes(ast.UnaryOp)]
    of_none = [each for each in source.nodes(ast.Compare) if isinstance(each.ops[0], (ast.Is, ast.IsNot, ast.Eq))]
    tests += [each.left for each in of_none if is_literal(each.comparators[0], None)]
    return {each.attr for each in tests if isinstance(each, ast.Attribute)}


def _changes_any(source: SourceFile) -> bool:
    """Return whether a file may set any option but by ``setattr``: by the dictionary, or by defaults for a parser."""
    defaults = [each for each in source.nodes(ast.Call) if last_name(each.func) == "set_defaults"]
    return any(map(unpacks, defaults)) or changes_dictionary(source.tree)


def _sets_any(call: ast.Call) -> bool:
    return last_name(call.func) == "setattr" and not _is_text(call.args[1:2])


def _set_attributes(source: SourceFile) -> Counter[str]:
    """Count how often the file sets an attribute of each name, also by ``setattr``."""
    found = Counter(each.attr for each in source.nodes(ast.Attribute) if isinstance(each.ctx, ast.Store))
    setting = (each.args[1] for each in source.nodes(ast.Call) if last_name(each.func) == "setattr" and each.args[1:])
    return found + Counter(str(each.value) for each in setting if isinstance(each, ast.Constant))


def _is_text(arguments: list[ast.expr]) -> bool:
    return all(isinstance(each, ast.Constant) for each in arguments)


def _without_default(source: SourceFile) -> dict[str, int]:
    """Return the numeric options that are None if they are not given, with the lines that add them."""
    found: dict[str, int] = {}
    doubtful: set[str] = set()
    for call in source.nodes(ast.Call):
        if last_name(call.func) == "set_defaults":
            doubtful.update(each.arg for each in call.keywords if each.arg)
        if last_name(call.func) != "add_argument" or not call.args:
            continue
        name = destination(call) or ""
        long = any((text_of(each) or "").startswith("--") for each in call.args)
        default, kind = keyword(call, "default"), last_name(keyword(call, "type"))
        is_none = default is None or is_literal(default, None)
        free = not unpacks(call) and keyword(call, "required") is None and keyword(call, "action") is None
        if long and is_none and free and kind in {"int", "float"} and name not in found:
            found[name] = call.lineno
        else:
            doubtful.add(name)
    return {name: line for name, line in found.items() if name not in doubtful}


def _is_held(node: ast.Attribute) -> bool:
    return isinstance(node.value, ast.Name) and node.value.id in _HOLDERS and isinstance(node.ctx, ast.Load)


def _compared(node: ast.AST) -> list[ast.expr]:
    if isinstance(node, ast.Compare) and isinstance(node.ops[0], ORDERS):
        return [node.left, *node.comparators]
    is_text = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod) and joined_text(node.left) is not None
    return [node.left, node.right] if isinstance(node, ast.BinOp) and not is_text else []


CHECK = file_check(examine, CheckTraits(literals=("add_argument",)))
