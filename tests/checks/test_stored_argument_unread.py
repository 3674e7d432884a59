"""Arguments that ``__init__`` keeps in an attribute which nothing reads."""

from __future__ import annotations

import pytest

from tests.rule_cases import findings_of

RULE = "api/stored-argument-unread"
SHARED = {"pkg/__init__.py": ""}


def said(store: str, more: str = "", head: str = "class Pool:", others: dict[str, str] | None = None) -> list[str]:
    """Return what is said of a class that stores ``idle_limit`` in the given way."""
    code = (
        f"{head}\n    def __init__(self, size, idle_limit=8):\n        self.size = size\n        {store}\n\n"
        f"    def grow(self):\n        return [None] * self.size\n{more}"
    )
    return [each.message for each in findings_of(RULE, {"pkg/pool.py": code, **(others or {})}, SHARED)]


@pytest.mark.parametrize(
    "store",
    [
        "self.idle_limit = idle_limit",
        "self._limit: float = float(idle_limit)",
        "self.idle_limit = idle_limit or 1",
        "self.idle_limit = idle_limit if idle_limit is not None else max(1, idle_limit)",
    ],
)
def test_it_is_reported_however_it_is_stored(store: str) -> None:
    attribute = store.removeprefix("self.").partition(" ")[0].rstrip(":")
    assert [each.partition(",")[0] for each in said(store)] == [
        f"`Pool` keeps the argument `idle_limit` in `self.{attribute}`"
    ]


@pytest.mark.parametrize(
    ("store", "more", "head", "others"),
    [
        ("self.idle_limit = check(idle_limit)", "", "class Pool:", {}),
        ("self.idle_limit = idle_limit", "\ndef f(pool):\n    return pool.idle_limit\n", "class Pool:", {}),
        ("self.idle_limit = idle_limit", "", "class Pool:", {"pkg/run.py": "def f(p):\n    return p.idle_limit\n"}),
        ("self.idle_limit = idle_limit", "", "class PoolConfig:", {}),
        ("self.idle_limit = idle_limit", "", "@dataclass\nclass Pool:", {}),
        ("self.idle_limit = idle_limit  # unused, for compatibility", "", "class Pool:", {}),
        ("self.idle_limit = idle_limit; watch[0](self)", "", "class Pool:", {}),
        ("self.idle_limit = idle_limit; self.__dict__.update(a=1)", "", "class Pool:", {}),
        ("self.idle_limit = idle_limit; print(locals())", "", "class Pool:", {}),
        ("self.idle_limit = idle_limit", "", "from out import Base\n\n\nclass Pool(Base):", {}),
    ],
)
def test_what_may_be_read_is_left_alone(store: str, more: str, head: str, others: dict[str, str]) -> None:
    assert said(store, more, head, others) == []


def test_several_of_one_class_are_one_finding() -> None:
    code = (
        "class Pool:\n    def __init__(self, size, idle_limit=8, grace=2):\n        self.size = size\n"
        "        self.idle_limit = idle_limit\n        self._grace = grace\n\n"
        "    def grow(self):\n        return [None] * self.size\n"
    )
    (found,) = findings_of(RULE, {"pkg/pool.py": code}, SHARED)
    assert found.message.startswith("`Pool` keeps the arguments `idle_limit` and `grace` in attributes that nothing")
    assert (found.line, [each.line for each in found.related]) == (4, [5])
