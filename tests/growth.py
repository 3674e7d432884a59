"""How the cost of a function grows with its input: processor time, as a ratio, so that a busy machine changes nothing."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

SHORT, FACTOR = 5_000, 8
"""Repetitions of a piece in the small input, and how many times as many the large one has."""

SUPERLINEAR = 30.0
"""Growth that is not linear: 8 is linear, 64 quadratic."""

_LEAST = 0.002
"""Seconds: a small input that costs less says nothing about growth."""

_MEASURES = 3
"""Measures before growth counts as more than linear: what grows does so each time, a busy machine does not."""


def growth(call: Callable[[int], Any], short: int = SHORT) -> float:
    """Return how many times as long ``call(8 * short)`` takes as ``call(short)``: the least of up to three measures.

    Each side of a measure is the best of three runs.
    """

    def seconds(size: int) -> float:
        begun = time.process_time()
        call(size)
        return time.process_time() - begun

    least = math.inf
    for _ in range(_MEASURES):
        small, large = (min(seconds(size) for _ in range(3)) for size in (short, FACTOR * short))
        least = min(least, large / max(small, _LEAST))
        if least < SUPERLINEAR:
            break
    return least
