"""Notebooks that are committed with what their cells printed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from review_bot.changes.source_file import SourceFile
from review_bot.rules.rule import Hit, Options

LITERALS = ("outputs",)
READS_OLD = True

_SMALLEST = 10_000
"""Characters of outputs below which nobody minds."""


def examine(source: SourceFile, options: Options) -> Iterator[Hit]:
    """Yield the whole file if its outputs are large, and larger than they were."""
    del options
    size, cells = _outputs(source.text)
    before, _ = _outputs(source.old_text)
    if size >= _SMALLEST and size > before:
        yield Hit(
            None, values={"size": f"{round(size / 1000):,}", "cells": "1 cell" if cells == 1 else f"{cells} cells"}
        )


def _outputs(text: str | None) -> tuple[int, int]:
    """Return how many characters the outputs of a notebook have, and of how many cells; noughts if it is none."""
    try:
        notebook: Any = json.loads(text or "")
    except (ValueError, RecursionError):
        return 0, 0
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    outputs = [cell.get("outputs") for cell in cells if isinstance(cell, dict)] if isinstance(cells, list) else []
    kept = [each for each in outputs if isinstance(each, list) and each]
    return sum(len(json.dumps(each)) for each in kept), len(kept)
