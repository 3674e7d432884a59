"""A key that a dictionary display holds twice, with different values: Python keeps the last one and says nothing.

::

    DEFAULTS = {
        "max_requests": 256,
        "max_length": 8192,
        "max_requests": 100,
    }
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.syntax import hit_at
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_LONGEST = 60
"""Characters of a key that a message shows."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each second entry of a key whose value differs, at the key. Raises CannotParse."""
    for display in source.nodes(ast.Dict):
        if len(display.keys) < 2:
            continue
        seen: dict[object, tuple[ast.Constant, str]] = {}
        for key, value in zip(display.keys, display.values, strict=True):
            if key is None:
                seen.clear()  # an unpacked dictionary is between the two, which may be there to override the first
            if not isinstance(key, ast.Constant):
                continue
            text = ast.dump(value)
            first = seen.setdefault((type(key.value), key.value), (key, text))
            if first[0] is not key and first[1] != text:
                line = first[0].lineno
                shown = ast.unparse(key)[:_LONGEST]
                added = key if key.lineno in source.added else first[0]
                yield hit_at(
                    source, added, values={"key": shown, "line": str(line)},
                    related=(Related(source.path, line if added is key else key.lineno, "has the key too"),),
                )  # fmt: skip


CHECK = file_check(examine, CheckTraits(literals=("{",)))
