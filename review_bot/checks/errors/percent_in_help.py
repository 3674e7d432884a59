"""A percent sign in the help of a command-line option, where argparse formats the text with ``%``."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from review_bot.analysis.python.statements import last_name
from review_bot.analysis.python.syntax import hit_at, imported_names, keyword
from review_bot.changes.node_index import nodes_of
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_KNOWN = ("prog", "default", "type", "choices", "const", "dest", "metavar", "nargs", "option_strings", "required")


_OTHER_PARSERS = ("flask_restful", "flask_restx")
"""Packages whose parsers of requests do not format a help text."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each help text that cannot be formatted. Raises CannotParse."""
    if any(each.startswith(_OTHER_PARSERS) for each in imported_names(source.tree).values()):
        return
    for call in nodes_of(source.tree, ast.Call):
        if last_name(call.func) not in {"add_argument", "add_parser"}:
            continue
        text = keyword(call, "help")
        if isinstance(text, ast.Constant) and isinstance(text.value, str) and "%" in text.value:
            failing = _failing(text.value)
            if failing is not None:
                yield hit_at(source, text, values={"text": failing})


def _failing(text: str) -> str | None:
    """Return the words around the first percent sign at which formatting fails; None if it succeeds."""
    place = text.replace("%%", "\0\0").find("%")
    narrow = re.sub(r"[0-9]{3,}", "99", text)  # A width of many digits would make a text of that length.
    try:
        # Numbers, so that a format such as %(default)d is fine.
        narrow % dict.fromkeys(_KNOWN, 0)
    except KeyError:
        return None
    except (TypeError, ValueError):
        return text[max(0, place - 12) : place + 12].strip() if place >= 0 else None
    return None


CHECK = file_check(examine, CheckTraits(literals=("add_argument %",)))
