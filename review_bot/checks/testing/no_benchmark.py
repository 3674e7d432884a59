"""A pull request whose title promises speed or memory, and whose text holds no figure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.changes.codebase import Codebase
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_PROMISES = LazyRegex(
    r"(?i)\bperf\b|performance|\bspeed|faster|\bfast path|optimi[sz]|latency|throughput|\bgpu memory|memory usage"
    r"|memory footprint|reduce (?:peak )?memory|overhead|\bfuse[ds]?\b|cuda ?graph|torch\.?[ ]?compile"
)
_NOT_CODE = LazyRegex(
    r"(?i)\[(?:docs?|ci|tests?|misc|chore|bench\w*|rfc)\]|^(?:docs?|ci|tests?|chore)[:(]|revert|benchmark"
)
_FIGURE = LazyRegex(
    r"(?i)\d\s*(?:ms|µs|us|s|sec|secs|seconds?|min|minutes?|h|tok(?:ens?)?/s|it/s|s/it"
    r"|req/s|fps|gb/?s?|gib|mb|mib|tflops|x|×|%)(?![a-z])"
    r"|!\[|<img|user-attachments|(?:x|×)\s*\d"
)
_BENCHMARK = LazyRegex(r"(?i)(?:^|/)(?:\w*bench\w*|\w*perf\w*)[^/]*(?:/|$)")
_FEWEST_LINES = 20


def gather(source: SourceFile) -> int | None:
    """Return how many lines a library file gains."""
    return len(source.added) or None


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield one hit if the title is about speed or memory and neither description nor files measure anything."""
    title = codebase.change.title
    if title is None or sum(facts.values()) < _FEWEST_LINES or _NOT_CODE.search(title):
        return
    word = _PROMISES.search(title)
    if word is None or _FIGURE.search(codebase.change.body or ""):
        return
    if any(file.added and _BENCHMARK.search(file.path) for file in codebase.change.files):
        return
    yield Hit(None, values={"word": word[0]}, statement="")


CHECK = change_check(
    gather, relate, CheckTraits(literals=None, reads_text=False, reads_description=True, on_lines=False)
)
