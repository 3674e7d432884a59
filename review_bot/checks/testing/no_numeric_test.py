"""Numeric code in a change whose tests compare no numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from review_bot.analysis.project.added_tests import holds_tests
from review_bot.changes.codebase import Codebase
from review_bot.changes.source_file import SourceFile
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit
from review_bot.rules.scope import is_library
from review_bot.text.lazy_regex import LazyRegex

_NUMERIC_PLACE = LazyRegex(
    r"(?i)(?:^|/)(?=[^/]*(?:/|\.py$))[^/]*(?:layers|attention|kernel|ops|sampl|scheduler|quant|norm|rope|rotary)"
)
_NUMERIC = LazyRegex(
    r"\b(?:torch|F|nn\.functional)\.(?:softmax|log_softmax|scaled_dot_product_attention|matmul|bmm|einsum|exp|log|sqrt|rsqrt|mean"
    r"|var|std|norm|layer_norm|rms_norm|group_norm|silu|gelu|sigmoid|tanh|cumsum|cumprod|clamp|pow|sin|cos|linear|conv\d?d?|outer"
    r"|addmm|baddbmm|where|topk|multinomial|interpolate)\(|\btl\.(?:dot|exp|exp2|sum|max|sqrt|rsqrt)\("
)
_COMPARES = LazyRegex(
    r"isnan|isfinite|isclose|allclose|assert_close|torch\.equal|array_equal|approx|\.equal\(|almost|cosine|psnr|ssim"
    r"|\bdiff\b|[ar]tol|tolerance|\.item\(\)|< ?\d+?e-|snr|mse|similarity|\babs\(|\.all\(\)"
    r"|(?:[=!<>]=|[<>]) ?-?\d*\.\d|assert\w{0,30}Equal\([^\n]{0,200}?\d\.\d"
)
_COMPARES_TENSORS = LazyRegex(r"allclose\(|assert_close\(|isclose\(|array_equal\(")
"""What a test does that is in the file of the code itself."""
_ASIDE = LazyRegex(r"(?i)(?:^|/)(?:bench|example|script|tool)")
"""Places of programs that measure or show something, and compute nothing for others."""
_OTHER_LANGUAGES = (".c", ".cc", ".cpp", ".cu", ".cuh", ".go", ".js", ".rs", ".ts")
_FEWEST = 8


_BEGINNING = 24
"""Characters of a call, spaces aside, that identify it, however its lines are broken."""


class Facts(NamedTuple):
    """The beginnings of the calls that compute on added and on removed lines of a library file, one for each line.

    Of a test, which may be in such a file too, whether an added line compares numbers.
    """

    added: tuple[str, ...]
    removed: tuple[str, ...]
    is_test: bool
    compares: bool


def gather(source: SourceFile) -> Facts | None:
    """Return what the change adds to a file, and what it takes from it."""
    if holds_tests(source.change):
        return Facts((), (), True, any(_COMPARES.search(line) for line in source.added.values()))
    if not is_library(source.path) or not _NUMERIC_PLACE.search(source.path) or _ASIDE.search(source.path):
        return None
    if any(map(_COMPARES_TENSORS.search, source.added.values())):
        return Facts((), (), False, True)
    added, removed = (tuple(_calls([*lines.values()])) for lines in (source.added_code, source.removed_code))
    return Facts(added, removed, False, False) if added or removed else None


def _calls(lines: Sequence[str]) -> Iterator[str]:
    """Yield the beginning of the first call that computes on each line."""
    for number, line in enumerate(lines):
        call = _NUMERIC.search(line) if "(" in line and "." in line else None
        if call is not None:
            yield "".join("".join([line[call.start() :], *lines[number + 1 : number + 4]]).split())[:_BEGINNING]


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield one hit if tests are added, many new lines compute, and no added line of a test compares numbers.

    Lines that only moved, or are broken in another way, are not new. What a test in another language compares is not
    known.
    """
    if any(each.added and _is_other_test(each.path) for each in codebase.change.files):
        return
    tests = [each for each in facts.values() if each.is_test]
    if not tests or any(each.compares for each in facts.values()):
        return
    before = {call for each in facts.values() for call in each.removed}
    new = {path: sum(call not in before for call in each.added) for path, each in facts.items()}
    computing = {path: count for path, count in new.items() if count}
    if sum(computing.values()) < _FEWEST:
        return
    most = max(sorted(computing), key=lambda path: computing[path])
    yield Hit(None, values={"path": most}, statement="")


def _is_other_test(path: str) -> bool:
    """Return whether a path names a test in another language."""
    *folders, name = path.lower().split("/")
    stem, _, _ = name.partition(".")
    named = stem.startswith("test") or stem.endswith("test")
    return path.endswith(_OTHER_LANGUAGES) and (named or not {"test", "tests"}.isdisjoint(folders))


CHECK = change_check(
    gather, relate, CheckTraits(literals=("torch", "F", "tl", "def", "assert"), reads_text=False, on_lines=False)
)
