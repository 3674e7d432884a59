"""The writer of JSON text against the standard library's, byte for byte."""

from __future__ import annotations

import json
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review_bot.reports.json_text import written

LEAVES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(st.characters())
DATA = st.recursive(
    LEAVES, lambda inner: st.lists(inner) | st.tuples(inner) | st.dictionaries(st.text(), inner), max_leaves=20
)


class Place(NamedTuple):
    path: str
    line: int | None


@given(DATA)
def test_it_writes_what_the_standard_library_writes(data):
    assert written(data) == json.dumps(data, indent=2) + "\n"


def test_a_record_is_a_list():
    assert written({"place": Place("a.py", None)}) == json.dumps({"place": ["a.py", None]}, indent=2) + "\n"


def test_half_a_surrogate_pair_is_escaped():
    assert written("\ud83d") == '"\\ud83d"\n'


def test_what_is_no_data_is_refused():
    with pytest.raises(TypeError):
        written({"place": object()})
