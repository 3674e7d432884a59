"""Text that comes from outside (environment, command line, query string), used as if it were a number.

::

    rank = os.environ.get("RANK")
    if rank == 0:                       never true: it is "0"
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from review_bot.analysis.python.bindings import binding_counts, shared_names
from review_bot.analysis.python.node_types import ORDERS
from review_bot.analysis.python.option_destination import destination, used_default
from review_bot.analysis.python.statements import Function, last_name
from review_bot.analysis.python.syntax import (
    dotted,
    full_name,
    hit_at,
    imported_names,
    is_literal,
    own_nodes,
    text_of,
    unpacks,
)
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_NEEDS_NUMBER = frozenset({"range", "time.sleep", "asyncio.sleep", "math.ceil", "math.floor", "math.sqrt"})
_CALCULATES = (ast.Sub, ast.FloorDiv, ast.Pow)
_HOLDERS = frozenset({"args", "opts", "cli_args", "parsed_args", "options"})
_CONVERT = frozenset({"type", "action", "nargs", "choices"})
"""Arguments of ``add_argument`` with which an option is something else than any text."""
_CONVERTERS = frozenset({"jsonargparse", "tap"})
"""Packages whose parsers know the type of an option by its default or an annotation."""


class _Text(NamedTuple):
    """``origin``: where the text comes from, in words. ``line``: that of the assignment, if a name holds it.

    ``when``: the only case in which it is text; nothing if it always is.
    """

    origin: str
    when: str = ""
    line: int | None = None


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such use. Raises CannotParse."""
    imported = imported_names(source.tree)
    options = _options(source)
    scopes: list[tuple[ast.Module | Function, list[ast.stmt]]] = [(source.tree, source.tree.body)]
    scopes += [(function, function.body) for function in source.functions]
    for scope, body in scopes:
        named = options | _named(scope, body, imported)
        for node in own_nodes(body):
            for text, operand, effect in _uses(node, named, imported):
                found = (Related(source.path, text.line, "read here"),) if text.line is not None else ()
                where = "there " if text.when else ""
                values = {
                    "text": ast.unparse(operand),
                    "origin": text.origin,
                    "effect": f"{where}{effect}",
                    "when": text.when,
                }
                yield hit_at(source, node, values=values, related=found)


def _named(scope: ast.Module | Function, body: list[ast.stmt], imported: Mapping[str, str]) -> dict[str, _Text]:
    """Return the names of a scope that hold such text and nothing else."""
    found: dict[str, _Text] = {}
    for each in own_nodes(body):
        if isinstance(each, ast.Assign) and len(each.targets) == 1 and isinstance(each.targets[0], ast.Name):
            text = _text(each.value, imported)
            if text is not None:
                found[each.targets[0].id] = text._replace(line=each.lineno)
    if not found:
        return found
    counts = binding_counts(scope)
    asked = (each for each in own_nodes(body) if isinstance(each, ast.Call) and dotted(each.func) == "isinstance")
    shared = shared_names(scope) | {each.id for call in asked for each in call.args if isinstance(each, ast.Name)}
    return {name: text for name, text in found.items() if counts[name] == 1 and name not in shared}


def _options(source: SourceFile) -> dict[str, _Text]:
    """Return the options of a script that nothing converts, as they are read: ``args.size``."""
    found: dict[str, _Text] = {}
    if not _CONVERTERS.isdisjoint(each.partition(".")[0] for each in imported_names(source.tree).values()):
        return {}
    changed = {each.attr for each in source.nodes(ast.Attribute) if not isinstance(each.ctx, ast.Load)}
    for call in source.nodes(ast.Call):
        name = last_name(call.func)
        if name in {"set_defaults", "setattr"} or (name == "vars" and call.args):
            return {}  # any option may be set there
        if name != "add_argument" or not call.args:
            continue
        option = destination(call) or ""
        default = used_default(call)
        is_number = default is not None and _is_number(default)
        is_text = default is None or is_literal(default, None) or text_of(default) is not None
        is_free = _CONVERT.isdisjoint(each.arg for each in call.keywords) and not unpacks(call)
        if option in found or option in changed or not is_free or not (is_number or is_text):
            changed.add(option)
            found.pop(option, None)
            continue
        when = " where the option is passed" if is_number else ""
        found[option] = _Text("the command line", when, call.lineno)
    return {f"{holder}.{option}": text for option, text in found.items() for holder in _HOLDERS}


def _text(node: ast.expr, imported: Mapping[str, str]) -> _Text | None:
    if isinstance(node, ast.Subscript):
        owner = full_name(node.value, imported)
        if owner == "os.environ":
            return _Text("the environment")
        is_one = isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, int)
        return _Text("the command line") if owner == "sys.argv" and is_one else None
    called = full_name(node.func, imported) if isinstance(node, ast.Call) else None
    if called is None or not isinstance(node, ast.Call):
        return None
    default = node.args[1].value if len(node.args) == 2 and isinstance(node.args[1], ast.Constant) else ""
    is_plain = not node.keywords and (len(node.args) < 2 or isinstance(node.args[1], ast.Constant))
    if called in {"os.environ.get", "os.getenv"} and node.args and is_plain:
        return _Text("the environment", "" if isinstance(default, str) else " where the variable is set")
    if called.endswith(".query_params.get") and node.args and is_plain and isinstance(default, str | None):
        return _Text("the query string")
    return _Text("the terminal") if called == "input" else None


def _uses(
    node: ast.AST, named: Mapping[str, _Text], imported: Mapping[str, str]
) -> Iterator[tuple[_Text, ast.expr, str]]:
    """Yield each text that a node uses as a number, with what comes of it."""

    def text_in(operand: ast.expr) -> _Text | None:
        name = dotted(operand)
        return _text(operand, imported) if name is None else named.get(name)

    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        for operand, other in ((node.left, node.comparators[0]), (node.comparators[0], node.left)):
            text = text_in(operand) if _is_number(other) else None
            effect = _of_comparison(node.ops[0], other) if text is not None else ""
            if text is not None and effect:
                yield text, operand, effect
    elif isinstance(node, ast.BinOp) and isinstance(node.op, (*_CALCULATES, ast.Add, ast.Div, ast.Mod)):
        for operand, other in ((node.left, node.right), (node.right, node.left)):
            # text is joined to text by ``+``, formatted by ``%`` and to a path by ``/``
            needs_number = isinstance(node.op, (ast.Add, ast.Div)) or operand is node.right
            is_certain = isinstance(node.op, _CALCULATES) or (needs_number and _is_number(other))
            text = text_in(operand) if is_certain else None
            if text is not None:
                yield text, operand, "calculating with it raises TypeError"
                return
    elif isinstance(node, ast.Call) and full_name(node.func, imported) in _NEEDS_NUMBER:
        for operand in node.args:
            text = text_in(operand)
            if text is not None:
                yield text, operand, f"`{dotted(node.func)}` raises TypeError"
                return


def _is_number(node: ast.expr) -> bool:
    """Return whether an expression is a number written out, or a truth value."""
    inner = node.operand if isinstance(node, ast.UnaryOp) else node
    return isinstance(inner, ast.Constant) and isinstance(inner.value, (bool, int, float))


def _of_comparison(operation: ast.cmpop, other: ast.expr) -> str:
    shown = ast.unparse(other)
    if isinstance(operation, (ast.Eq, ast.Is)):
        return f"it never equals `{shown}`"
    if isinstance(operation, (ast.NotEq, ast.IsNot)):
        return f"it always differs from `{shown}`"
    return f"comparing it with `{shown}` raises TypeError" if isinstance(operation, ORDERS) else ""


CHECK = file_check(
    examine, CheckTraits(literals=("environ", "getenv", "argv", "query_params", "input", "add_argument"))
)
