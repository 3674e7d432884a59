"""The time that a run lives by: the machine's, or one of a test, which need not wait."""

from __future__ import annotations

import time
from typing import Protocol


class Clock(Protocol):
    """Time, so that a test need not wait for it."""

    def now(self) -> float:
        """Return seconds that only go forward."""

    def wall(self) -> float:
        """Return seconds since the epoch."""

    def sleep(self, seconds: float) -> None:
        """Wait."""


class _SystemClock:
    def now(self) -> float:
        return time.monotonic()

    def wall(self) -> float:
        return time.time()

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds)


SYSTEM_CLOCK: Clock = _SystemClock()
