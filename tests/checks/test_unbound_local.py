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


@pytest.mark.parametrize(
    ("before", "after", "fires"),
    [
        ("", "", True),
        ("    error = None\n", "", True),
        ("    error = None\n", "        raise\n", False),
        ("", "        return None\n    else:\n        error = None\n", False),
        ("    error = None\n", "        last = error\n    error = 1\n", False),
    ],
)
def test_a_handler_deletes_the_name_of_its_error(before: str, after: str, fires: bool) -> None:
    code = f"def f(run):\n{before}    try:\n        run()\n    except ValueError as error:\n        run(error)\n{after}    return error\n"
    found = [*findings_of(RULE, code), *findings_of("errors/read-before-assignment", code)]
    assert len(found) == fires


def test_a_handler_that_gives_the_error_another_name_is_left_alone() -> None:
    code = (
        "def f(runs):\n    last = None\n    for run in runs:\n        try:\n            run()\n"
        "        except ValueError as error:\n            last = error\n    raise last\n"
    )
    assert findings_of(RULE, code) == []
