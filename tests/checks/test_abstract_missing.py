"""Methods that a change declares abstract, and classes below that are made without them."""

from __future__ import annotations

import pytest

from tests.rule_cases import findings_of

STORE = (
    "from abc import ABC, abstractmethod\n\n\nclass Store(ABC):\n    @abstractmethod\n    def get(self, key): ...\n\n"
    "    def close(self): ...\n"
)
DISK = (
    "from pkg.store import Store\n\n\nclass Disk(Store):\n    def get(self, key):\n        return key\n\n\nX = Disk()\n"
)


@pytest.mark.parametrize(
    ("decorators", "line"),
    [
        ("    @abstractmethod\n", 8),
        ("    @property\n    @abstractmethod\n", 8),
        ("    # It is.\n    @abstractmethod\n", 9),
    ],
)
def test_a_decorator_that_the_change_adds_declares_a_method_abstract(decorators: str, line: int) -> None:
    base = {"pkg/__init__.py": "", "pkg/store.py": STORE, "pkg/disk.py": DISK}
    head = {"pkg/store.py": STORE.replace("    def close", f"{decorators}    def close")}
    assert [(each.line, each.severity) for each in findings_of("api/abstract-missing", head, base)] == [
        (line, "warning")
    ]
