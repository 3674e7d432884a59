"""The one printer to the terminal; the only user of rich."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any


def say(text: str) -> None:
    """Print text to standard output, as it is."""
    sys.stdout.write(text + "\n")


def warn(text: str) -> None:
    """Print text to standard error, as it is."""
    sys.stderr.write(text + "\n")


class progress:  # noqa: N801  # read as a function: `with progress("Reviewing", 50) as done: done(3)`
    """A progress bar on standard error while a block runs, if that is a terminal.

    The block is given a function that takes the number of steps made. The bar is drawn by its calls alone, by no thread
    of its own, so that the block may fork.
    """

    def __init__(self, title: str, total: int) -> None:
        self._title, self._total = title, total
        self._bar: Any = None

    def __enter__(self) -> Callable[[int], None]:
        if not sys.stderr.isatty():
            return lambda _steps: None
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        bar: Any = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
            auto_refresh=False,
        )
        self._bar = bar
        bar.start()
        task = bar.add_task(self._title, total=self._total)
        bar.refresh()
        return lambda steps: bar.update(task, completed=steps, refresh=True)

    def __exit__(self, *_error: object) -> None:
        if self._bar is not None:
            self._bar.stop()
