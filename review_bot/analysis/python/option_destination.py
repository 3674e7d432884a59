"""The attribute of parsed arguments in which an option is stored: ``max_len`` for ``--max-len``."""

from __future__ import annotations

import ast

from review_bot.analysis.python.syntax import keyword, text_of


def destination(call: ast.Call) -> str | None:
    """Return the attribute in which ``add_argument`` stores an option; None if the text does not show it."""
    dest = keyword(call, "dest")
    if dest is not None:
        return text_of(dest)
    names = [each for each in map(text_of, call.args) if each]
    name = next((each for each in names if each.startswith("--")), names[0] if names else None)
    return None if name is None else name.lstrip("-").replace("-", "_")
