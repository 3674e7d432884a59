"""A branch whose work the next one does over again."""

from __future__ import annotations

import pytest

from tests.rule_cases import findings_of

RULE = "errors/overwritten-branch"


def test_the_message_names_what_is_lost_and_where_it_was_set() -> None:
    code = "def f(a):\n    if a < 8:\n        x, y = 1, 2\n    if a < 9:\n        x, y = 3, 4\n    else:\n        y = x = 5\n"
    assert [(each.line, each.message) for each in findings_of(RULE, code)] == [
        (4, "Every branch of this `if` reassigns `x`, `y` or raises, so the values from the `if` on line 2 are lost.")
    ]


@pytest.mark.parametrize(
    "second",
    [
        "    if a < 9:\n        x = x + 1\n    else:\n        x = 2\n",
        "    if x < 9:\n        x = 1\n    else:\n        x = 2\n",
        "    if a < 9:\n        log(x)\n        x = 1\n    else:\n        x = 2\n",
        "    if a < 9:\n        x = 1\n",
        "    if a < 9:\n        x = 1\n    else:\n        return\n",
        "    if a < 9:\n        x = 1\n    elif a < 7:\n        y = 2\n    else:\n        x = 2\n",
        "    log(a)\n    if a < 9:\n        x = 1\n    else:\n        x = 2\n",
    ],
)
def test_what_is_read_or_left_as_it_was_is_no_loss(second: str) -> None:
    assert not findings_of(RULE, f"def f(a, x, y):\n    if a < 8:\n        x = 1\n{second}    return x, y\n")


def test_a_branch_that_does_more_than_set_names_is_left_alone() -> None:
    code = "def f(a):\n    if a < 8:\n        x = load(a)\n        log(x)\n    if a < 9:\n        x = 3\n    else:\n        x = 5\n    return x\n"
    assert not findings_of(RULE, code)
