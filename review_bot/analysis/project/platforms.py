"""The platforms for which a repository has files of their own, by the names of files and folders."""

from __future__ import annotations

from review_bot.text.lazy_regex import LazyRegex

PLATFORMS = "npu|gpu|cuda|rocm|hip|xpu|cpu|tpu|hpu|mlu|musa|sdaa|supa|ascend|neuron|mps|metal|gaudi"
"""Kinds of hardware and their software, as alternatives of a regular expression."""

_IN_A_PATH = LazyRegex(rf"(?:^|(?<=[/_]))(?:{PLATFORMS})(?=[/_.]|$)")


def platforms_of(path: str) -> frozenset[str]:
    """Return the platforms that a path names."""
    return frozenset(_IN_A_PATH.findall(path))
