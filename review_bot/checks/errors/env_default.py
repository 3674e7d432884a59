"""A default of an environment variable that is no text, as what is read is if the variable is set."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator, Mapping

from review_bot.analysis.python.node_types import ORDERS
from review_bot.analysis.python.statements import assignments_of, last_name, mentions_of, targets_of
from review_bot.analysis.python.syntax import argument_values, dotted, full_name, hit_at, imported_names, text_of
from review_bot.changes.node_index import nodes_of
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit, Options
from review_bot.text.lazy_regex import LazyRegex

_READS = frozenset({"os.environ.get", "os.getenv"})
_OF_NUMBERS = LazyRegex(r"%[-+ #0-9.*]*[diouxXeEfFgG]")
_DECODES = LazyRegex(r"(?i)^(?:int|str|isinstance|loads|literal_eval)$|bool|truth|flag|enabled")
"""Functions that distinguish the texts of yes and no."""
_CONVERTING = LazyRegex(r"(?:Config|Args|Arguments|Params|Settings|Options)$")
"""Classes that may convert what they are given, as pydantic does."""

_SHOWING = frozenset(
    {"critical", "debug", "error", "exception", "format", "info", "log", "print", "warn", "warning", "write"}
)
_OF_INTEGERS = frozenset({"range", "time.sleep"})
_ARITHMETIC = (ast.Sub, ast.FloorDiv, ast.Pow)


def examine(source: SourceFile, options: Options) -> Iterator[Hit]:
    """Yield each read with a default of one of the ``types``, unless what is read is compared or handed on at once.

    A number is reported where this file converts or stores what is read only if a line needs a number of it. What the
    environment is to hold fails where the variable is not set, unlike all others. Raises CannotParse.
    """
    types = options["types"]
    imported = imported_names(source.tree)
    found = [
        call for call in source.nodes(ast.Call) if len(call.args) == 2 and full_name(call.func, imported) in _READS
    ]
    reads = {id(call): call for call in found if type(_value(call.args[1])).__name__ in types and not call.keywords}
    if not reads:
        return
    is_number = "bool" not in types
    used = {id(each) for each in _used_at_once(source.tree)}
    values = ((each, each.value) for each in assignments_of(source.tree))
    assigned = {id(call): each for each, value in values if value is not None for call in nodes_of(value, ast.Call)}
    settled = _handed_to_settings(source.tree) | _shown_alone(source.tree)
    settled |= _decoded(source.tree) if not is_number else set()
    converted = _converted(source.tree) if is_number else set()
    stored = {id(value) for each in source.nodes(ast.Dict) for value in each.values} if is_number else set()
    for key, call in reads.items():
        statement = assigned.get(key)
        targets = [] if statement is None else targets_of(statement)
        names = set(map(dotted, targets)) - {None}
        is_whole = statement is not None and statement.value is call
        if key in used or not settled.isdisjoint(names) or (is_whole and _is_unread(targets, source)):
            continue
        default, message = ast.unparse(call.args[1]), None
        if any(_is_of_environment(each, imported) for each in targets):
            if not is_number:
                continue
            message = f"`os.environ` holds texts alone, and this stores the number `{default}` in it if nothing is set."
        elif is_number and is_whole and (needing := _needing_number(names, source.tree)):
            message = (
                f"The default is the number `{default}`, but an environment variable that is set is a string, "
                f"with which line {needing} raises TypeError."
            )
        elif not converted.isdisjoint(names) or key in stored or (is_number and targets and not names):
            continue
        yield hit_at(source, call, values={"default": default}, message=message)


def _is_unread(targets: Iterable[ast.expr], source: SourceFile) -> bool:
    """Return whether what is read goes into a name that nothing reads: not one in capitals, as other files read."""
    names = [each.id if isinstance(each, ast.Name) else "" for each in targets]
    if not names or not all(names) or any(map(str.isupper, names)):
        return False
    read = {each.id for each in source.nodes(ast.Name) if isinstance(each.ctx, ast.Load)}
    listed = {text_of(each) for shown in source.nodes(ast.List) for each in shown.elts}
    return (read | listed).isdisjoint(names)


def _needing_number(names: Collection[str | None], tree: ast.Module) -> int | None:
    """Return the first line on which a name that is bound once raises TypeError if it is a text.

    ::

        range(workers)      workers - 1      workers > 4
    """
    bound = [dotted(each) for each in mentions_of(tree) if isinstance(each.ctx, ast.Store)]
    bound += [each.arg for each in nodes_of(tree, ast.arg)]
    if sum(each in names for each in bound) != 1:
        return None
    needed: list[ast.expr] = [
        each for call in nodes_of(tree, ast.Call) if dotted(call.func) in _OF_INTEGERS for each in call.args
    ]
    for term in nodes_of(tree, ast.BinOp):
        sides = [term.left, term.right]
        # A path is divided by a text.
        if isinstance(term.op, _ARITHMETIC) or (isinstance(term.op, ast.Div) and any(map(_is_number, sides))):
            needed += sides
    for compared in nodes_of(tree, ast.Compare):
        sides = [compared.left, *compared.comparators]
        if all(isinstance(each, ORDERS) for each in compared.ops) and any(map(_is_number, sides)):
            needed += sides
    lines = [each.lineno for each in needed if dotted(each) is not None and dotted(each) in names]
    return min(lines, default=None)


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) in {int, float}


def _is_of_environment(target: ast.expr, imported: Mapping[str, str]) -> bool:
    """Return whether a target is a variable of the environment, which takes no number."""
    return isinstance(target, ast.Subscript) and full_name(target.value, imported) == "os.environ"


def _value(default: ast.expr) -> object:
    """Return the constant that a default is, a minus before it left out."""
    inner = default.operand if isinstance(default, ast.UnaryOp) and isinstance(default.op, ast.USub) else default
    return inner.value if isinstance(inner, ast.Constant) else None


def _used_at_once(tree: ast.Module) -> Iterator[ast.expr]:
    """Yield arguments, sides of comparisons and parts of formatted texts: something else decides what they become."""
    for call in nodes_of(tree, ast.Call):
        yield from argument_values(call)
    for compared in nodes_of(tree, ast.Compare):
        yield from (compared.left, *compared.comparators)
    yield from _formatted(tree)


def _formatted(tree: ast.Module) -> Iterator[ast.expr]:
    """Yield what is put into texts: ``f"{port}"``, ``"%s" % port``; not for ``%d``, which needs a number."""
    for formatted in nodes_of(tree, ast.FormattedValue):
        yield formatted.value
    for joined in nodes_of(tree, ast.BinOp):
        text = joined.left.value if isinstance(joined.left, ast.Constant) else None
        if isinstance(joined.op, ast.Mod) and isinstance(text, str) and not _OF_NUMBERS.search(text):
            yield from joined.right.elts if isinstance(joined.right, ast.Tuple) else (joined.right,)


def _shown_alone(tree: ast.Module) -> set[str | None]:
    """Return the names that a module reads only to put them into texts or to print them: a number is a text there."""
    shown = [*_formatted(tree)]
    for call in nodes_of(tree, ast.Call):
        shown += argument_values(call) if last_name(call.func) in _SHOWING else []
    texts, within = set(map(dotted, shown)) - {None}, set(map(id, shown))
    reads = (each for each in mentions_of(tree) if isinstance(each.ctx, ast.Load))
    return texts - {dotted(each) for each in reads if id(each) not in within}


def _handed_to_settings(tree: ast.Module) -> set[str | None]:
    """Return what the keyword arguments of calls of configuration classes are."""
    calls = (call for call in nodes_of(tree, ast.Call) if _CONVERTING.search(last_name(call.func)))
    return {dotted(each.value) for call in calls for each in call.keywords} - {None}


def _decoded(tree: ast.Module) -> set[str | None]:
    """Return the names whose text is compared or converted somewhere, so that `0` and `False` are known there."""
    found: set[str | None] = set()
    for compare in nodes_of(tree, ast.Compare):
        if not any(isinstance(each, (ast.Is, ast.IsNot)) for each in compare.ops):
            found |= set(map(dotted, (compare.left, *compare.comparators)))
    for call in nodes_of(tree, ast.Call):
        if _DECODES.search(last_name(call.func)):
            found |= set(map(dotted, argument_values(call)))
        if isinstance(call.func, ast.Attribute) and call.func.attr in {"lower", "strip", "upper", "casefold"}:
            found.add(dotted(call.func.value))
    return found - {None}


def _converted(tree: ast.Module) -> set[str | None]:
    """Return the names that some call converts to a number or a text."""
    calls = (call for call in nodes_of(tree, ast.Call) if last_name(call.func) in {"int", "float", "str", "isinstance"})
    return {dotted(each) for call in calls for each in argument_values(call)} - {None}


CHECK = file_check(examine, CheckTraits(literals=("environ", "getenv")))
