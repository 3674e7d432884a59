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

from review_bot.analysis.python.format_fields import conversions, field_names
from review_bot.analysis.python.statements import caught_lines
from review_bot.analysis.python.syntax import hit_at, joined_text, unpacks
from review_bot.changes.node_lines import last_line
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.listing import counted

_EXPECTED = frozenset({"IndexError", "KeyError", "LookupError", "TypeError", "ValueError"})


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
    found = list(conversions(text))
    if any(each.named for each in found):
        return None
    wrong = next((each.text or "%" for each in found if not each.valid), None)
    if wrong is not None:
        return f"`{wrong}` is no placeholder, so `%` raises ValueError" if wrong.isprintable() else None
    needed = sum(each.values for each in found)
    if needed == given:
        return None
    return f"it has {counted(needed, 'placeholder')} for {counted(given, 'value')}, so `%` raises TypeError"


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
        return f"it has {counted(needed, 'placeholder')} for {counted(given, 'value')}, so `format` raises IndexError"
    passed = {each.arg for each in call.keywords}
    missing = next((each for each in names if each and not each.isdigit() and each not in passed), None)
    if missing is not None:
        return f"nothing is passed for `{{{missing}}}`, so `format` raises KeyError"
    if given > needed and not numbered:
        unused = ast.unparse(call.args[needed])
        return f"it has {counted(needed, 'placeholder')} for {counted(given, 'value')}, and `{unused}` is left out"
    return None


CHECK = file_check(examine, CheckTraits(literals=("format (", "%")))
