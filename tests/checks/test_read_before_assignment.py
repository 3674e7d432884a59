from __future__ import annotations

import pytest

from tests.rule_cases import findings_of

RULE = "errors/read-before-assignment"


def found(body: str) -> list[tuple[int, str]]:
    text = "def run(items, flag):\n" + "".join(f"    {line}\n" for line in body.split("\n"))
    return [(each.line or 0, each.message.split("`")[1]) for each in findings_of(RULE, text)]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("print(a)\na = 1", [(2, "a")]),
        ("if flag:\n    print(a)\na = 1", [(3, "a")]),
        ("a, b = a, 1", [(2, "a")]),
        ("a = items.pop('a', a)", [(2, "a")]),
        ("a = flag and a", [(2, "a")]),
        ("b = a.copy()\na = b + a", [(2, "a")]),
        ("print(f'{a}')\nfor a in items:\n    pass", [(2, "a")]),
        ("print(json)\nimport json", [(2, "json")]),
        ("print(e)\ntry:\n    pass\nexcept OSError as e:\n    pass", [(2, "e")]),
    ],
)
def test_a_read_in_front_of_every_binding_is_reported(body, expected):
    assert found(body) == expected


@pytest.mark.parametrize(
    "body",
    [
        "for each in items:\n    if flag:\n        print(a)\n    a = each",
        "while flag:\n    a = a + 1 if flag else 0",
        "print([a for a in items])\na = 1",
        "later = lambda: a\na = 1",
        "def inner():\n    return a\na = 1",
        "global a\nprint(a)\na = 1",
        "print(items)\nitems = []",
        "print(a)",
        "def inner():\n    nonlocal a\n    a = 2\na = a + 1",
    ],
)
def test_a_read_that_may_find_a_value_is_left_out(body):
    assert found(body) == []
