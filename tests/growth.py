"""How the cost of a function grows with its input: processor time, as a ratio, so that a busy machine changes nothing."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

SHORT, FACTOR = 5_000, 8
"""Repetitions of a piece in the small input, and how many times as many the large one has."""

SUPERLINEAR = 30.0
"""Growth that is not linear: 8 is linear, 64 quadratic."""

_LEAST = 0.002
"""Seconds: a small input that costs less says nothing about growth."""


def growth(call: Callable[[int], Any], short: int = SHORT) -> float:
    """Return how many times as long ``call(8 * short)`` takes as ``call(short)``; the best of three each."""

    def seconds(size: int) -> float:
        begun = time.process_time()
        call(size)
        return time.process_time() - begun

    small, large = (min(seconds(size) for _ in range(3)) for size in (short, FACTOR * short))
    return large / max(small, _LEAST)
