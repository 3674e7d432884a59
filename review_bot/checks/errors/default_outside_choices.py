"""The default of an option, field or parameter that is none of the values which it may have.

::

    parser.add_argument("--model", choices=["sage", "gat"], default="SAGE")
    mode: Literal["fast", "exact"] = "quick"

A default such as ``""`` or ``"none"`` says that nothing was chosen.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from review_bot.analysis.python.option_destination import used_default
from review_bot.analysis.python.statements import defaults_of, last_name
from review_bot.analysis.python.syntax import dotted, hit_on, keyword, text_of, unquoted
from review_bot.changes.source_file import SourceFile
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_NOTHING_CHOSEN = frozenset({"auto", "default", "disable", "disabled", "no", "none", "null", "off", "unset"})
_OPTIONS = frozenset({"add_argument", "option", "argument"})
_FIELDS = frozenset({"Field", "field"})
_KEEPING = frozenset({"bool", "float", "int", "str"})
"""Types of options that change no default of theirs."""


class _Choice(NamedTuple):
    """A name with what it may be, as expressions, and its default."""

    name: str
    values: list[ast.expr]
    default: ast.expr


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such default. Raises CannotParse."""
    for name, values, default in (*_of_options(source), *_of_annotations(source)):
        allowed = [each.value for each in values if isinstance(each, ast.Constant)]
        if not allowed or len(allowed) < len(values):
            continue
        given = default.elts if isinstance(default, (ast.List, ast.Tuple)) else [default]
        for each in given:
            if isinstance(each, ast.Constant) and _is_outside(each.value, allowed):
                values_in_words = ", ".join(f"`{one!r}`" for one in allowed[:8]) + (
                    f" and {len(allowed) - 8} more" if len(allowed) > 8 else ""
                )
                shown = {"name": name, "default": repr(each.value), "choices": values_in_words}
                yield hit_on(source, each, values=shown)


def _of_options(source: SourceFile) -> Iterator[_Choice]:
    for call in source.nodes(ast.Call):
        default = used_default(call)
        flag = next((text for each in reversed(call.args) if (text := text_of(each)) is not None), None)
        if last_name(call.func) not in _OPTIONS or default is None or flag is None:
            continue
        choices, kind = keyword(call, "choices"), keyword(call, "type")
        if isinstance(kind, ast.Call) and last_name(kind.func) == "Choice" and kind.args:
            choices = kind.args[0] if not kind.keywords and len(kind.args) == 1 else None
        if kind is not None and dotted(kind) not in _KEEPING and not isinstance(kind, ast.Call):
            continue  # argparse converts the default too
        if isinstance(choices, (ast.List, ast.Tuple, ast.Set)):
            yield _Choice(flag, choices.elts, default)


def _of_annotations(source: SourceFile) -> Iterator[_Choice]:
    for each in source.nodes(ast.AnnAssign):
        default = each.value
        if isinstance(default, ast.Call) and last_name(default.func) in _FIELDS:
            if keyword(default, "converter") is not None:
                continue
            default = keyword(default, "default") or next(iter(default.args), None)
        if default is not None:
            yield _Choice(last_name(each.target), _literals(each.annotation), default)
    for function in source.functions:
        for parameter, default in defaults_of(function):
            yield _Choice(parameter.arg, _literals(parameter.annotation), default)


def _literals(annotation: ast.expr | None) -> list[ast.expr]:
    """Return the values of a ``Literal``; nothing for another annotation."""
    kind = unquoted(annotation)
    if not isinstance(kind, ast.Subscript) or last_name(kind.value) != "Literal":
        return []
    return kind.slice.elts if isinstance(kind.slice, ast.Tuple) else [kind.slice]


def _is_outside(default: object, allowed: Sequence[object]) -> bool:
    """Return whether a default stands for a choice and is none of those; a text may be converted before it is used."""
    if not default or type(default) not in {type(each) for each in allowed}:
        return False
    return default not in allowed and not (isinstance(default, str) and default.lower() in _NOTHING_CHOSEN)


CHECK = file_check(examine, CheckTraits(literals=("choices default", "Choice default", "Literal")))
