"""Code that quantizes, added with nothing in the change that looks at its accuracy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.project.added_tests import holds_tests
from review_bot.changes.codebase import Codebase
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_QUANTIZES = LazyRegex(
    r"\s*def[ ]+"
    r"(\w*(?:(?<!de)quantize|quant_|_quant|(?:to|cast)_(?:fp8|int8|fp4|nvfp4|mxfp)|fp8_(?:gemm|linear|matmul))\w*)"
)
_ONLY_ASKS = LazyRegex(
    r"(?:^|_)(?:is|has|maybe|apply|get|load|supports?|check|parse|register|validate|test|create)_|config|_name|_type|_method$"
)
"""Names of functions that choose or load, and compute nothing."""

_COMPARES = LazyRegex(
    r"allclose|assert_close|assert_almost|psnr|lpips|ssim|snr|cosine_similarity|accuracy|rtol|atol|max_diff|mse"
)
_MEASURED = LazyRegex(
    r"(?i)accuracy|psnr|lpips|ssim|\bfid\b|\bwer\b|perplexity|lm[_-]?eval|gsm8k|mmlu|cosine|similarity|\bppl\b"
)


def gather(source: SourceFile) -> tuple[tuple[int, str], ...] | None:
    """Return (line, name) of each function that quantizes by its name and that the change adds; None for a test."""
    if holds_tests(source.change):
        return None
    found = []
    for line, text in source.added_code.items():
        match = _QUANTIZES.match(text)
        if match and not _ONLY_ASKS.search(match[1]):
            found.append((line, match[1]))
    return tuple(found) or None


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield one hit if no added line of a test compares values and the description names no measure of accuracy."""
    if not facts or _MEASURED.search(f"{codebase.change.title or ''}\n{codebase.change.body or ''}"):
        return
    for file in codebase.change.files:
        if file.added and holds_tests(file) and any(_COMPARES.search(text) for _, text in file.added_lines()):
            return
    gone = "\n".join(text for file in codebase.change.files for _, text in file.removed_lines())
    places = [(path, line, name) for path in sorted(facts) for line, name in facts[path] if name not in gone]
    if places:
        path, line, name = places[0]
        yield Hit(line, path=path, values={"name": name}, statement="")


CHECK = change_check(
    gather,
    relate,
    CheckTraits(literals=("quant", "Quant", "fp8", "int8", "nvfp4", "mxfp"), reads_text=False, reads_description=True),
)
