"""Lines as they are usually spaced keep the number of their first, in time that grows with the text alone."""

import time

import pytest

from review_bot.changes.logical_lines import LONGEST_RUN, logical_lines


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        ({3: "class \\", 4: "  Cache :", 5: "def  load(path):"}, {3: "class Cache:", 5: "def load(path):"}),
        ({1: "a = 1", 2: "b = 2"}, {1: "a = 1", 2: "b = 2"}),
        ({7: "x"}, {7: "x"}),
        ({}, {}),
    ],
)
def test_each_line_has_its_number(lines, found):
    assert {number: line for number, line in logical_lines(lines).items() if line} == found


def test_many_lines_take_no_longer_each():
    def seconds(count):
        lines = dict.fromkeys(range(1, count + 1), "x = f(1)")
        begin = time.process_time()
        assert len(logical_lines(lines)) == count
        return time.process_time() - begin

    assert LONGEST_RUN > 80_000 * 9
    assert seconds(80_000) < 40 * max(seconds(8_000), 0.01)
