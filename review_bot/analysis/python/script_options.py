"""The options of a script whose file declares all of them: what ``python script.py --x`` may pass.

A parser that another module extends, one with commands of its own, and a script with two parsers are not read.
"""

from __future__ import annotations

import ast
from bisect import bisect_left
from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import TypeAlias

from review_bot.analysis.python.statements import Function, all_parameters, blocks, is_function, last_name
from review_bot.analysis.python.syntax import argument_values, keyword, text_of
from review_bot.changes.node_index import nodes_of
from review_bot.changes.node_lines import end_of, last_line
from review_bot.records import NamedTuple

_PARSERS = frozenset({"ArgumentParser", "FlexibleArgumentParser"})
_OPEN = frozenset({
    "add_arguments", "add_subparsers", "parse_args_into_dataclasses", "parse_known_args", "parse_known_intermixed_args",
})  # fmt: skip
"""Calls after which a script takes more than the options that ``add_argument`` declares."""
_GROUPS = frozenset({"add_argument_group", "add_mutually_exclusive_group"})
"""What makes a group of a parser: an option that is added to the group is one of the parser."""
_OPENING = frozenset({"parents", "prefix_chars", "fromfile_prefix_chars"})
_TEXTS = frozenset({"str", "int"})
_Place: TypeAlias = tuple[int, int]


class ScriptOptions(NamedTuple):
    """``lines``: option → line (1-based). ``choices``: option → what it takes, as written in a command.

    ``alike``: the parser takes ``_`` and ``-`` for the same. ``known`` are the long names as it compares them, sorted.
    """

    lines: Mapping[str, int]
    choices: Mapping[str, tuple[str, ...]]
    alike: bool
    known: tuple[str, ...]

    def takes(self, option: str) -> bool:
        """Return whether a command may pass an option: argparse takes the beginning of a name that is no other's."""
        written = _plain(option, alike=self.alike)
        found = self.known[(first := bisect_left(self.known, written)) : first + 2]
        return found[:1] == (written,) or sum(each.startswith(written) for each in found) == 1


def _plain(option: str, *, alike: bool) -> str:
    return option.replace("_", "-") if alike else option


def script_options(tree: ast.Module) -> ScriptOptions | None:
    """Return the options of a script; None if the file may take others too."""
    parser = _only_parser(tree)
    if parser is None or not _is_closed(tree, parser):
        return None
    lines: dict[str, int] = {}
    choices: dict[str, tuple[str, ...]] = {}
    for call in nodes_of(tree, ast.Call):
        if last_name(call.func) != "add_argument":
            continue
        names = [each for each in map(text_of, call.args) if each is not None]
        if last_name(keyword(call, "nargs")) == "REMAINDER" or text_of(keyword(call, "nargs")) == "...":
            return None  # what follows is of another program
        if len(names) != len(call.args) or any(each.arg is None for each in call.keywords):
            return None
        for each in (*names, *_negated(call, names)):
            lines[each] = call.lineno
            choices.update({each: taken} if (taken := _choices(call)) else {})
    if not lines:
        return None
    alike = _is_flexible(tree)
    known = {_plain(each, alike=alike) for each in lines if each.startswith("--")} | {"--help"}
    return ScriptOptions(MappingProxyType(lines), MappingProxyType(choices), alike, tuple(sorted(known)))


def _is_closed(tree: ast.Module, parser: str) -> bool:
    """Return whether a file parses what its command passes, and no other module can add an option."""
    own = {each.name: each for each in tree.body if is_function(each)}
    groups = {each for each in nodes_of(tree, ast.Call) if last_name(each.func) in _GROUPS}
    takers = _takers(tree, own, groups, {parser, *_names_of(tree, groups)})
    late = _after_parsing(tree)
    parses = False
    for call in nodes_of(tree, ast.Call):
        name = last_name(call.func)
        passed = argument_values(call)
        if name in _OPEN or (name == "parse_args" and len(passed) > 1):
            return False
        parses |= name == "parse_args"
        if (
            any(_is_taker(each, groups, takers) for each in passed)
            and not (isinstance(call.func, ast.Name) and name in own)
            and not any(first < (call.lineno, call.col_offset) < last for first, last in late)
        ):
            return False
    return parses and not any(each.attr == "argv" for each in nodes_of(tree, ast.Attribute))


def _is_taker(value: ast.expr, groups: Collection[ast.Call], takers: Collection[str]) -> bool:
    """Return whether a value is the parser, or a group of it."""
    return value in groups or (isinstance(value, ast.Name) and value.id in takers)


def _takers(
    tree: ast.Module, own: Mapping[str, Function], groups: Collection[ast.Call], known: Collection[str]
) -> set[str]:
    """Return the names of the parser and its groups, and of parameters to which the file passes one of them."""
    found = set(known)
    calls = [
        (call, own[call.func.id])
        for call in nodes_of(tree, ast.Call)
        if isinstance(call.func, ast.Name) and call.func.id in own
    ]
    before = -1
    while before < len(found):
        before = len(found)
        for call, function in calls:
            parameters = [each.arg for each in all_parameters(function)]
            given = zip(parameters, call.args, strict=False)
            found |= {name for name, value in given if _is_taker(value, groups, found)}
            named = ((each.arg, each.value) for each in call.keywords)
            found |= {name for name, value in named if name and _is_taker(value, groups, found)}
    return found


def _after_parsing(tree: ast.Module) -> list[tuple[_Place, _Place]]:
    """Return what lies behind a statement that parses, in its block: no option is added there any more."""
    calls = nodes_of(tree, ast.Call)
    parsing = [each.lineno for each in calls if last_name(each.func) == "parse_args"]
    wrappers = {each.name for each in tree.body if is_function(each) and _spans(each, parsing)}
    parsing += [each.lineno for each in calls if isinstance(each.func, ast.Name) and each.func.id in wrappers]
    found: list[tuple[_Place, _Place]] = []
    for block in blocks(tree.body) if parsing else ():
        simple = (each for each in block if isinstance(each, (ast.Assign, ast.Expr)))
        first = next((each for each in simple if _spans(each, parsing)), None)
        if first is not None:
            found.append((end_of(first), end_of(block[-1])))
    return found


def _spans(statement: ast.stmt, lines: Collection[int]) -> bool:
    return any(statement.lineno <= each <= last_line(statement) for each in lines)


def _only_parser(tree: ast.Module) -> str | None:
    """Return the name of the one parser that a file makes and that only ``add_argument`` fills."""
    made = [each for each in nodes_of(tree, ast.Call) if last_name(each.func).endswith("ArgumentParser")]
    names = _names_of(tree, made)
    if len(made) != 1 or len(names) != 1 or last_name(made[0].func) not in _PARSERS:
        return None
    return None if any(each.arg is None or each.arg in _OPENING for each in made[0].keywords) else names[0]


def _names_of(tree: ast.Module, calls: Collection[ast.Call]) -> list[str]:
    """Return the variables that hold what one of the calls returns."""
    return [
        target.id
        for each in nodes_of(tree, ast.Assign)
        for target in each.targets
        if isinstance(target, ast.Name) and each.value in calls
    ]


def _is_flexible(tree: ast.Module) -> bool:
    return any(last_name(each.func) == "FlexibleArgumentParser" for each in nodes_of(tree, ast.Call))


def _negated(call: ast.Call, names: list[str]) -> list[str]:
    action = keyword(call, "action")
    both = action is not None and last_name(action) == "BooleanOptionalAction"
    return [f"--no-{each[2:]}" for each in names if both and each.startswith("--")]


def _choices(call: ast.Call) -> tuple[str, ...]:
    """Return what an option takes where every choice is a literal and nothing converts what is passed."""
    listed, kind = keyword(call, "choices"), keyword(call, "type")
    if not isinstance(listed, (ast.List, ast.Tuple, ast.Set)) or keyword(call, "nargs") is not None:
        return ()
    if kind is not None and not (isinstance(kind, ast.Name) and kind.id in _TEXTS):
        return ()
    found = [each.value for each in listed.elts if isinstance(each, ast.Constant)]
    return tuple(map(str, found)) if len(found) == len(listed.elts) else ()
