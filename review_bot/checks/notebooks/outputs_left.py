"""Notebooks that are committed with what their cells printed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from review_bot.changes.python_parsing import CannotRead
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.listing import count

_SMALLEST = 10_000
"""Characters of outputs up to which they are tolerated."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the whole file if its outputs are large, and it had none: where it had some, they are kept on purpose.

    Raises CannotRead.
    """
    if source.text is None:
        return
    size, cells = _outputs(source.text)
    try:
        before = 0 if source.old_text is None else _outputs(source.old_text)[0]
    except CannotRead:
        before = 0
    if size >= _SMALLEST and before < _SMALLEST:
        yield Hit(None, values={"size": f"{round(size / 1000):,}", "cells": count(cells, "cell")})


def _outputs(text: str) -> tuple[int, int]:
    """Return how many characters the outputs of a notebook have, and of how many cells. Raises CannotRead."""
    try:
        notebook: Any = json.loads(text.removeprefix("\ufeff"))
    except json.JSONDecodeError as error:
        raise CannotRead(f"not JSON: {error.msg}", error.lineno) from error
    except ValueError as error:  # a number of more digits than Python reads
        raise CannotRead(f"not read: {error}") from error
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    outputs = [cell.get("outputs") for cell in cells if isinstance(cell, dict)] if isinstance(cells, list) else []
    kept = [each for each in outputs if isinstance(each, list) and each]
    sizes = [size for each in kept if (size := sum(map(_size_of_media, each)))]
    return sum(sizes), len(sizes)


def _size_of_media(output: Any) -> int:
    """Return the characters of pictures, sound and widgets in an output; text in an example is there to be read."""
    data = output.get("data") if isinstance(output, dict) else None
    return (
        sum(len(json.dumps(data[kind])) for kind in data if not kind.startswith("text/"))
        if isinstance(data, dict)
        else 0
    )


CHECK = file_check(examine, CheckTraits(literals=("outputs", "\\u"), reads_old=True, on_lines=False))
