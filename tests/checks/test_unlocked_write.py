"""Which changes of an attribute count as made without its lock."""

from __future__ import annotations

import textwrap

import pytest

from tests.rule_cases import findings_of

RULE = "distributed/unlocked-write"
HEAD = """\
import threading

class Pool:
    def __init__(self):
        self._lock = threading.Lock()
        self.free = []

    def give(self, block):
        with self._lock:
            self.free.append(block)

    def take(self):
        with self._lock:
            return self.free.pop()

"""


def found(methods: str) -> list[int | None]:
    return [each.line for each in findings_of(RULE, HEAD + textwrap.indent(textwrap.dedent(methods), "    "))]


@pytest.mark.parametrize(
    "methods",
    [
        "def drop(self):\n    self.free.clear()",
        "def drop(self):\n    self.free = []",
        "def drop(self):\n    del self.free[0]",
        "def drop(self):\n    if self.free:\n        self.free.pop()",
        "def drop(self):\n    with self._lock:\n        size = len(self.free)\n    self.free.pop(size)",
        "def drop(self):\n    self._lock.acquire()\n    self._lock.release()\n    self.free.pop()",
        "def drop(self):\n    threading.Thread(target=self._drop)\n\ndef _drop(self):\n    self.free.pop()",
    ],
)
def test_a_change_without_the_lock_is_found(methods: str) -> None:
    assert len(found(methods)) == 1


@pytest.mark.parametrize(
    "methods",
    [
        "def size(self):\n    return len(self.free)",
        "def drop(self):\n    with self._lock:\n        self._drop()\n\ndef _drop(self):\n    self.free.pop()",
        "def drop_locked(self):\n    self.free.pop()",
        "def drop(self):\n    'Needs the lock.'\n    self.free.pop()",
        "def close(self):\n    self._drop()\n\ndef _drop(self):\n    self.free.pop()",
        "def drop(self):\n    self._lock.acquire()\n    self.free.pop()\n    self._lock.release()",
        "def drop(self):\n    other.free.pop()",
        "def drop(self):\n    self.used = []",
        "def a(self):\n    self.free.pop()\n\ndef b(self):\n    self.free.pop()",
    ],
)
def test_a_lock_a_word_or_a_habit_excuses_it(methods: str) -> None:
    assert found(methods) == []
