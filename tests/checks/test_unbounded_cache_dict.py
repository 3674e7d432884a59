from __future__ import annotations

import pytest

from tests.rule_cases import findings_of

RULE = "kv-cache/unbounded-cache-dict"
CLASS = (
    "class Backend:\n    def __init__(self):\n        self.cache = {{}}\n\n"
    "    def put(self, key, chunk):\n        self.cache[key] = {}\n"
)


@pytest.mark.parametrize("value", ["chunk", "{'chunk': chunk}", "[chunk, 1]", "str(chunk)", "chunk.size"])
def test_a_cache_of_values_is_reported(value):
    (finding,) = findings_of(RULE, CLASS.format(value))

    assert finding.line == 3
    assert finding.message == "`cache` is filled by key, and nothing in this class ever removes an entry."


@pytest.mark.parametrize("value", ["True", "len(chunk)", "{'device': str(chunk.device)}", "(len(chunk), 'cpu')"])
def test_a_cache_of_numbers_or_short_records_is_not(value):
    assert findings_of(RULE, CLASS.format(value)) == []


def test_one_large_value_is_enough():
    text = CLASS.format("chunk") + "\n    def mark(self, key):\n        self.cache[key] = True\n"

    assert [finding.line for finding in findings_of(RULE, text)] == [3]
