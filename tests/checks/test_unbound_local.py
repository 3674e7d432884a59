"""Advice on local variables without a value."""

from __future__ import annotations

import pytest

from tests.rule_cases import findings_of

RULE = "errors/unbound-local"


@pytest.mark.parametrize(
    ("code", "advice"),
    [
        ("def f(x):\n    if x:\n        rows = read()\n    del rows\n", "Delete it on the paths that assign it"),
        ("def f(x):\n    if x:\n        rows = read()\n    return rows\n", "Assign it on every path"),
        (
            (
                "def f(x):\n    try:\n        check(x)\n        file = open(x)\n        file.read()\n    except OSError:\n"
                "        log(x)\n        raise\n    finally:\n        file.close()\n"
            ),
            "Assign it before the `try`, and handle",
        ),
        (
            (
                "def f(x):\n    try:\n        file = open(x)\n    except OSError:\n        log(x)\n    finally:\n"
                "        log(x)\n    return file\n"
            ),
            "Assign it on every path",
        ),
    ],
)
def test_the_advice_fits_the_use(code: str, advice: str) -> None:
    assert [each.instead.startswith(advice) for each in findings_of(RULE, code)] == [True]
