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
    assert [(each.line, each.severity) for each in findings_of("api/abstract-missing", head, base)] == [(line, "error")]


LESS = "from pkg.store import Store\n\n\nclass Disk(Store):\n    def get_all(self, key):\n        return key\n"
BELOW = f"{LESS}\n\nclass Cold(Disk):\n    kind = 1\n\n\nX = Cold()\n"


@pytest.mark.parametrize(
    ("disk", "expected"),
    [
        (f"{LESS}\n\nX = Disk()\n", [(5, "LEFT", "error")]),
        (BELOW, [(5, "LEFT", "error")]),
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


PLAIN = "from abc import ABC, abstractmethod\n\n\nclass Store(ABC):\n    def get(self, key):\n        return key\n"
ABSTRACT = PLAIN.replace("    def", "    @abstractmethod\n    def")
USER = "from pkg.store import Store\n\n\ndef run():\n    return Store()\n"


@pytest.mark.parametrize(
    ("old", "new", "user", "expected"),
    [
        (PLAIN, ABSTRACT, USER, ["error"]),
        (PLAIN, f"{PLAIN}\n    @abstractmethod\n    def put(self): ...\n", USER, ["error"]),
        (ABSTRACT.replace("(ABC)", ""), ABSTRACT, USER, ["error"]),
        (PLAIN, ABSTRACT, USER.replace("Store()", "Store"), []),
        (PLAIN, ABSTRACT.replace("(ABC)", ""), USER, []),
        (PLAIN, f"{ABSTRACT}\n    def __new__(cls):\n        return object.__new__(find(cls))\n", USER, []),
        (PLAIN, ABSTRACT, f"{USER}\n\nclass Disk(Store):\n    def get(self):\n        pass\n".replace("= Store", "= Disk").replace("return Store()", "return Disk()"), []),
        (PLAIN, ABSTRACT, "import pytest\nfrom pkg.store import Store\n\n\ndef test_run():\n    with pytest.raises(TypeError):\n        Store()\n", []),
        (PLAIN, ABSTRACT, f"{USER}\n\nStore.__abstractmethods__ = frozenset()\n", ["warning"]),
        (PLAIN, ABSTRACT.replace("class", "@register\nclass"), USER, []),
    ],
)  # fmt: skip
def test_a_class_that_becomes_abstract_itself(old: str, new: str, user: str, expected: list[str]) -> None:
    base = {"pkg/__init__.py": "", "pkg/store.py": old, "pkg/run.py": user}
    found = findings_of("api/abstract-missing", {"pkg/store.py": new}, base)
    assert [each.severity for each in found] == expected
    assert all("`Store` itself declares `" in each.message for each in found)
