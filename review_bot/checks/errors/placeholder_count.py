"""A text that is formatted where it is written, with more or fewer values than it has placeholders.

::

    raise ValueError("%s is not one of %s" % (name,))           TypeError, in place of the error that was meant
    log.error("unknown format: {}, use {}".format(name))        IndexError
    print("rank {}: done".format(rank, seconds))                ``seconds`` is never shown

A template of another line is the matter of ``errors/template-field-missing``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.format_fields import field_names
from review_bot.analysis.python.statements import caught_lines
from review_bot.analysis.python.syntax import hit_at, joined_text, unpacks
from review_bot.changes.node_lines import last_line
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, FileCheck, without_options
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_EXPECTED = frozenset({"IndexError", "KeyError", "LookupError", "TypeError", "ValueError"})
_PERCENT = LazyRegex(
    r"(?s)%(?:\((?P<name>[^()]*)\))?[-+ #0]*(?P<width>\*|\d+)?(?:\.(?P<precision>\*|\d+)?)?[hlL]?(?P<kind>.|$)"
)
"""A conversion of ``%``, whatever its kind: https://docs.python.org/3/library/stdtypes.html#old-string-formatting"""
_KINDS = frozenset("diouxXeEfFgGcrsa")


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such expression. Raises CannotParse."""
    expected = caught_lines(source.nodes(ast.Try), _EXPECTED)
    for operation in source.nodes(ast.BinOp):
        if isinstance(operation.op, ast.Mod) and isinstance(operation.right, ast.Tuple):
            text = joined_text(operation.left)
            given = operation.right.elts
            if text is None or any(isinstance(each, ast.Starred) for each in given) or operation.lineno in expected:
                continue
            effect = _of_percent(text, len(given))
            if effect is not None:
                yield hit_at(source, operation, values={"effect": effect})
    for call in source.nodes(ast.Call):
        if isinstance(call.func, ast.Attribute) and call.func.attr == "format" and last_line(call) not in expected:
            text = joined_text(call.func.value)
            effect = None if text is None or unpacks(call) else _of_format(text, call)
            if effect is not None:
                yield hit_at(source, call, values={"effect": effect})


def _of_percent(text: str, given: int) -> str | None:
    """Return what ``%`` does with a text and a tuple of values; None if they fit, or if the text names its values."""
    needed = 0
    for each in _PERCENT.finditer(text):
        if each["name"] is not None:
            return None
        if each["kind"] == "%":
            continue
        if each["kind"] not in _KINDS:
            shown = each[0].strip() or "%"
            return f"`{shown}` is no placeholder, so `%` raises ValueError" if shown.isprintable() else None
        needed += 1 + (each["width"] == "*") + (each["precision"] == "*")
    if needed == given:
        return None
    return f"it has {_counted(needed, 'placeholder')} for {_counted(given, 'value')}, so `%` raises TypeError"


def _of_format(text: str, call: ast.Call) -> str | None:
    """Return what ``str.format`` does with a text and the arguments of a call; None if they fit."""
    try:
        names = list(field_names(text))
    except ValueError:
        return None
    numbered = [int(each) for each in names if each.isdigit()]
    needed = max([names.count(""), *(each + 1 for each in numbered)])
    given = len(call.args)
    if needed > given:
        return f"it has {_counted(needed, 'placeholder')} for {_counted(given, 'value')}, so `format` raises IndexError"
    passed = {each.arg for each in call.keywords}
    missing = next((each for each in names if each and not each.isdigit() and each not in passed), None)
    if missing is not None:
        return f"nothing is passed for `{{{missing}}}`, so `format` raises KeyError"
    if given > needed and not numbered:
        unused = ast.unparse(call.args[needed])
        return f"it has {_counted(needed, 'placeholder')} for {_counted(given, 'value')}, and `{unused}` is left out"
    return None


def _counted(number: int, what: str) -> str:
    return f"{number or 'no'} {what}{'' if number == 1 else 's'}"


CHECK = FileCheck(without_options(examine), CheckTraits(literals=("format (", "%")))
