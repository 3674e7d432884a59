from __future__ import annotations

import re

import pytest

from tests.rule_cases import findings_of

RULE = "errors/mutable-default"


@pytest.mark.parametrize(
    ("body", "default"),
    [
        ("x[0] = 1", "[]"),
        ("del x[0]", "[1]"),
        ("x[0] += 1", "[]"),
        ("x.append(1)", "[]"),
        ("if n:\n        x.update(n)", "set()"),
        ("return [x.pop() for _ in n]", "[1]"),
        ("x.pop()\n    x.append(n)", "[]"),
    ],
)
def test_a_change_of_the_default_is_told_with_its_line(body: str, default: str) -> None:
    (finding,) = findings_of(RULE, f"def f(n, x={default}):\n    {body}\n")

    assert re.fullmatch(
        r"The default of `x` is one object shared by all calls, and line \d modifies it\.", finding.message
    )


@pytest.mark.parametrize(
    "code",
    [
        "def f(n, x=()):\n    x.append(n)\n",
        "def f(n, x=[]):\n    return x\n",
        "def f(n, x=[]):\n    del x[0]\n",
        "def f(n, x=dict()):\n    return x.pop('rank', n)\n",
        "def f(n, x=[]):\n    x = x or [n]\n    x.append(n)\n",
        "def f(n, x=[]):\n    for x in n:\n        x.append(n)\n",
        "def f(n, x=[]):\n    n.append(x)\n",
        "class A:\n    def __init__(self, x=[]):\n        self.x = x\n\n    def get(self):\n        return self.x[0]\n",
        (
            "class A:\n    def __init__(self, x=[]):\n        self.x = x\n\n\n"
            "class B:\n    def __init__(self):\n        self.x = []\n\n    def put(self, k):\n        self.x.append(k)\n"
        ),
        "def f(n, x={}):\n    return sorted(n, key=lambda x: x.pop('rank'))\n",
    ],
)
def test_a_default_that_nothing_changes_is_fine(code: str) -> None:
    assert findings_of(RULE, code) == []


def test_what_a_class_below_changes_is_told() -> None:
    code = (
        "class A:\n    def __init__(self, x={}):\n        self.x = x\n\n\n"
        "class B(A):\n    def put(self, k):\n        self.x[k] = 1\n"
    )
    assert len(findings_of(RULE, code)) == 1


def test_several_defaults_of_one_name() -> None:
    (finding,) = findings_of(RULE, "def f(n, x=[]):\n    x.append(n)\n\n\ndef g(n, x=[]):\n    x.append(n)\n")

    assert finding.message == (
        "The default of `x` is one object shared by all calls, and line 2 modifies it; "
        "1 other default of this name that the change adds is modified or stored in the same way."
    )


def test_what_is_kept_and_changed_through_the_attribute_is_told() -> None:
    code = "class A:\n    def __init__(self, *, x={}):\n        self.x = x\n\n    def put(self, k):\n        self.x[k] = 1\n"

    (finding,) = findings_of(RULE, code)

    assert finding.message == (
        "The default of `x` is one object shared by all calls, "
        "and line 3 stores it in an attribute that is modified elsewhere."
    )
