"""Pictures in the outputs of a notebook are reported; what its cells print is part of the example."""

from __future__ import annotations

import json

import pytest

from tests.rule_cases import findings_of

RULE = "notebooks/outputs-left"
BIG = "x" * 12_000


def notebook(*outputs):
    cells = [{"cell_type": "code", "source": ["1 + 1"], "outputs": [each]} for each in outputs]
    return {"demo.ipynb": json.dumps({"cells": cells})}


@pytest.mark.parametrize(
    ("outputs", "size"),
    [
        ([{"data": {"image/png": BIG}}], "12 kB of pictures and other media in the outputs of 1 cell."),
        ([{"data": {"image/png": BIG}}] * 2, "24 kB of pictures and other media in the outputs of 2 cells."),
        ([{"data": {"application/vnd.plotly.v1+json": {"x": BIG}, "text/html": BIG}}], "12 kB"),
        ([{"data": {"image/png": BIG}}, {"text": [BIG]}], "in the outputs of 1 cell."),
    ],
)
def test_media_are_reported(outputs, size):
    (finding,) = findings_of(RULE, notebook(*outputs))
    assert size in finding.message


@pytest.mark.parametrize(
    "outputs",
    [
        [{"text": [BIG]}],
        [{"data": {"text/plain": [BIG], "text/html": [BIG]}}],
        [{"data": {"image/png": BIG[:5_000]}}],
        [{"data": None}, {"data": [BIG]}, BIG, None],
    ],
)
def test_text_and_small_pictures_are_not(outputs):
    assert findings_of(RULE, notebook(*outputs)) == []
