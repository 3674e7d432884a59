"""``hasattr`` and ``getattr`` with a name that no attribute can have, or without a name.

Parsed command lines are left alone: argparse sets the attribute ``engine.length`` for ``--engine.length``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.native_libraries import native_libraries
from review_bot.analysis.python.statements import last_name
from review_bot.analysis.python.syntax import dotted, hit_at, imported_names
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_NEEDED = {"hasattr": 2, "getattr": 2, "delattr": 2, "setattr": 3}
_PARSED = LazyRegex(r"args$|arguments$|opts?$|options$|namespace$|flags$")
_FRAME = LazyRegex(r"(?:^|_)(?:df|frame|row|series|table)$")
"""What has columns, which pandas makes attributes whatever they are called."""
_NEVER = (".", "(", " ")
"""What the name of an attribute never holds; a module may name a part of it ``0`` or ``conv-1``."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such call. Raises CannotParse."""
    libraries = native_libraries(source.tree)
    has_frames = "pandas" in imported_names(source.tree).values()
    for call in source.nodes(ast.Call):
        if not isinstance(call.func, ast.Name) or call.func.id not in _NEEDED or call.keywords:
            continue
        if any(isinstance(each, ast.Starred) for each in call.args):
            continue
        name = call.func.id
        if len(call.args) < _NEEDED[name]:
            lacking = "needs an object and the name of an attribute" + (", and a value" if name == "setattr" else "")
            yield hit_at(source, call, values={"fact": f"`{name}` {lacking}; this call raises TypeError"})
            continue
        text = call.args[1].value if isinstance(call.args[1], ast.Constant) else None
        owner = last_name(call.args[0]).lower()
        if _PARSED.search(owner) or dotted(call.args[0]) in libraries or (has_frames and _FRAME.search(owner)):
            continue
        if name in {"hasattr", "getattr"} and isinstance(text, str) and any(sign in text for sign in _NEVER):
            yield hit_at(source, call, values={"fact": f"No attribute is called `{text}`, so {_outcome(call)}"})


def _outcome(call: ast.Call) -> str:
    if isinstance(call.func, ast.Name) and call.func.id == "hasattr":
        return "this is never true"
    return "this always gives the default" if len(call.args) > 2 else "this raises AttributeError"


CHECK = file_check(examine, CheckTraits(literals=("hasattr", "getattr", "delattr", "setattr"), doubted=True))
