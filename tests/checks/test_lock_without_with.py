"""Which locks an exception leaves locked."""

from __future__ import annotations

import pytest

from tests.rule_cases import findings_of

RULE = "distributed/lock-without-with"


@pytest.mark.parametrize(
    ("body", "fires"),
    [
        ("lock.acquire()\n    work()\n    lock.release()", True),
        ("self._lock.acquire()\n    work()\n    self._lock.release()", True),
        ("lock.acquire()\n    try:\n        work()\n    finally:\n        lock.release()", False),
        ("lock.acquire()\n    try:\n        work()\n    except OSError:\n        lock.release()\n        raise", False),
        ("lock.acquire()\n    work()\n    other_lock.release()", False),
        ("pipeline.acquire()\n    work()\n    pipeline.release()", False),
        ("with lock:\n        work()", False),
    ],
)
def test_a_function(body: str, fires: bool) -> None:
    assert len(findings_of(RULE, f"def step(self, lock, other_lock, pipeline):\n    {body}\n")) == fires


def test_one_comment_for_a_file() -> None:
    function = "def {}(lock):\n    lock.acquire()\n    work()\n    lock.release()\n"

    [finding] = findings_of(RULE, "\n\n".join(function.format(name) for name in ("a", "b", "c")))

    assert finding.line == 2
    assert "(and 2 more in this file)" in finding.message
    assert [place.line for place in finding.related] == [8, 14]
