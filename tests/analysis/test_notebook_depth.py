"""Whether a notebook can be read depends on its text alone, not on the calls around the one that reads it."""

from __future__ import annotations

import pytest

from review_bot.analysis.project.notebooks import DEEPEST, notebook_code

CELL = '{"cell_type": "code", "source": ["import pkg"], "metadata": {"x": DEEP}, "outputs": []}'


def notebook(levels):
    return f'{{"cells": [{CELL}], "metadata": {{}}, "nbformat": 4}}'.replace("DEEP", "[" * levels + "]" * levels)


def below(calls, text):
    """Return what is read where so many calls surround the one that reads."""
    return notebook_code(text) if not calls else below(calls - 1, text)


@pytest.mark.parametrize("calls", [0, 300])
def test_the_limit_is_the_same_wherever_it_is_read(calls):
    inside = 4  # the document, its cells, the cell, its metadata
    read = [levels for levels in range(DEEPEST - 8, DEEPEST + 2) if below(calls, notebook(levels) + " " * calls)]
    assert read == list(range(DEEPEST - 8, DEEPEST - inside + 1))


def test_a_notebook_that_is_no_longer_read_for_the_calls_around_is_an_error():
    with pytest.raises(RecursionError):
        below(850, notebook(DEEPEST - 4) + "\n")
