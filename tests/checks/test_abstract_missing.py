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


LESS = "from pkg.store import Store\n\n\nclass Disk(Store):\n    def get_all(self, key):\n        return key\n"
BELOW = f"{LESS}\n\nclass Cold(Disk):\n    kind = 1\n\n\nX = Cold()\n"


@pytest.mark.parametrize(
    ("disk", "expected"),
    [
        (f"{LESS}\n\nX = Disk()\n", [(5, "LEFT", "warning")]),
        (BELOW, [(5, "LEFT", "warning")]),
        (LESS, []),
        (BELOW.replace("    kind = 1\n", "    def get(self, key):\n        return key\n"), []),
        (f"{LESS}\n    get = get_all\n\n\nX = Disk()\n", []),
        (f"{LESS.replace('(Store)', '')}\n\nX = Disk()\n", []),
        (f"{LESS.replace('(Store)', '(Store, Library)')}\n\nX = Disk()\n", []),
    ],
)
def test_a_method_that_goes_leaves_its_class_abstract(disk: str, expected: list[tuple[int, str, str]]) -> None:
    base = {"pkg/__init__.py": "", "pkg/store.py": STORE, "pkg/disk.py": disk.replace("def get_all", "def get")}
    if "get = get_all" in disk:
        base["pkg/disk.py"] = DISK
    found = findings_of("api/abstract-missing", {"pkg/disk.py": disk}, base)
    assert [(each.line, each.side, each.severity) for each in found] == expected
