"""Where parsed arguments have an option, ``max_len`` for ``--max-len``, and what it is when it is left out."""

from __future__ import annotations

import ast

from review_bot.analysis.python.statements import last_name
from review_bot.analysis.python.syntax import is_literal, keyword, text_of


def destination(call: ast.Call) -> str | None:
    """Return the attribute in which ``add_argument`` stores an option; None if the text does not show it."""
    dest = keyword(call, "dest")
    if dest is not None:
        return text_of(dest)
    names = [each for each in map(text_of, call.args) if each]
    name = next((each for each in names if each.startswith("--")), names[0] if names else None)
    return None if name is None else name.lstrip("-").replace("-", "_")


def used_default(call: ast.Call) -> ast.expr | None:
    """Return the default that an option has when it is left out; ``argparse`` never uses that of a required one."""
    is_required = last_name(call.func) == "add_argument" and is_literal(keyword(call, "required"), True)
    return None if is_required else keyword(call, "default")
