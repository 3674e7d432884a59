from __future__ import annotations

import pytest

from tests.rule_cases import findings_of

RULE = "errors/env-default-number"
PLAIN = "The default is the number `4`, but an environment variable that is set is a string."


@pytest.mark.parametrize(
    ("code", "line"),
    [
        ("for number in range(workers):\n    start(number)\n", 5),
        ("rest = workers - 1\n", 5),
        ("half = workers / 2\n", 5),
        ("if workers > 4:\n    warn()\n", 5),
        # A path is divided by a text, a text may be repeated, and these may be other values.
        ("place = root / workers\n", None),
        ("line = workers * 2\n", None),
        ("def start(workers):\n    return range(workers)\n", None),
        ("workers = count()\nrest = workers - 1\n", None),
    ],
)
def test_the_line_that_needs_a_number_is_named(code: str, line: int | None) -> None:
    (found,) = findings_of(RULE, f'import os\n\nworkers = os.environ.get("WORKERS", 4)\nuse(workers)\n{code}')

    raises = PLAIN.removesuffix(".") + f", with which line {line} raises TypeError."
    assert found.message == (PLAIN if line is None else raises)
