"""A new module without the licence line with which nearly all modules of the repository begin."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.changes.codebase import Codebase
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Suggestion
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit, Options
from review_bot.rules.scope import is_library
from review_bot.text.lazy_regex import LazyRegex

_HEAD_LINES = 8
_LICENCE = LazyRegex(r"(?i)SPDX-License-Identifier|copyright|licen[sc]e|all rights reserved")
_SPDX = LazyRegex(r"#\s*SPDX-License-Identifier:\s*\S+[^\n]*")
_LARGEST_SAMPLE = 60


def gather(source: SourceFile) -> str | None:
    """Return the first line of a new module that begins without a licence; None for any other file."""
    if source.change.status != "added" or not (source.text or "").strip():
        return None
    return None if _LICENCE.search(_head(source.text or "")) is not None else source.lines[0]


def relate(facts: Mapping[str, Any], codebase: Codebase, options: Options) -> Iterator[Hit]:
    """Yield a hit for each such module if nine in ten modules of its folder carry the same licence line at the base."""
    for folder in sorted({_top(path) for path in facts}):
        yield from _lacking(
            {path: facts[path] for path in sorted(facts) if _top(path) == folder}, folder, codebase, options
        )


def _lacking(added: Mapping[str, Any], folder: str, codebase: Codebase, options: Options) -> Iterator[Hit]:
    """Yield a hit for each new module of a folder at the root, whose other modules are compared."""
    paths = (path for path in codebase.base.paths if path.endswith(".py") and _top(path) == folder)
    modules = sorted(filter(is_library, paths))
    step = max(1, len(modules) // _LARGEST_SAMPLE)
    texts = [text for path in modules[::step] if (text := codebase.base.text(path) or "").strip()]
    if len(texts) < options["fewest_files"]:
        return
    lines = Counter(match[0].rstrip() for text in texts if (match := _SPDX.search(_head(text))))
    usual = max(lines, key=lines.__getitem__, default="")
    if 10 * lines[usual] < 9 * len(texts):
        return
    share = f"{lines[usual]} of {len(texts)} {'sampled ' * (step > 1)}modules"
    for path, first in added.items():
        starts_with_code = not first.startswith("#!")
        suggestion = Suggestion(1, 1, f"{usual}\n{first}") if starts_with_code else None
        yield Hit(
            1, values={"line": usual, "share": share, "folder": folder}, suggestion=suggestion, statement="", path=path
        )


def _top(path: str) -> str:
    return path.partition("/")[0] if "/" in path else "."


def _head(text: str) -> str:
    return "\n".join(text.split("\n", _HEAD_LINES)[:_HEAD_LINES])


CHECK = change_check(gather, relate, CheckTraits(literals=None))
