"""Classes that Python cannot define, compared with what Python does."""

from __future__ import annotations

import pytest

from tests.rule_cases import findings_of

RULE = "errors/invalid-class"
HEAD = "from abc import ABC\nfrom enum import Enum, Flag, IntEnum, auto\nfrom typing import Generic, TypeVar\n\nT = TypeVar('T')\n\n\n"
SOME = "class A:\n    pass\n\n\nclass B(A):\n    pass\n\n\nclass D(A):\n    pass\n\n\n"


def _fails(code: str) -> bool:
    try:
        exec(compile(code, "case", "exec"), {"__name__": __name__})
    except (TypeError, ValueError):
        return True
    return False


@pytest.mark.parametrize(
    "code",
    [
        "class C(object, A):\n    pass\n",
        "class C(A, B):\n    pass\n",
        "class C(B, B):\n    pass\n",
        "class E(B, D):\n    pass\n\n\nclass F(D, B):\n    pass\n\n\nclass C(E, F):\n    pass\n",
        "class C(bool):\n    pass\n",
        "class C(range):\n    pass\n",
        "class C(int, str):\n    pass\n",
        "class E(dict):\n    pass\n\n\nclass F(list):\n    pass\n\n\nclass C(E, F):\n    pass\n",
        "class C(OSError, ImportError):\n    pass\n",
        "class E(Enum):\n    X = 1\n\n\nclass C(E):\n    pass\n",
        "class E(IntEnum):\n    X = auto()\n\n\nclass C(E):\n    Y = 2\n",
        "class C(Enum):\n    X = 1\n    Y = 2\n    X = 3\n",
        "class C(Flag):\n    X = auto()\n\n    def X(self):\n        return 1\n",
        "class E(str, Enum):\n    def show(self):\n        return 1\n\n\nclass C(E):\n    X = 'a'\n    X = 'b'\n",
        "class C:\n    __slots__ = ('size',)\n    size = 1\n",
        "class C(A):\n    __slots__ = ['size']\n\n    def size(self):\n        return 1\n",
        "class C(ABC):\n    size: int = 1\n    __slots__ = 'size'\n",
    ],
)
def test_a_class_that_python_cannot_define_is_an_error(code: str) -> None:
    assert _fails(HEAD + SOME + code)
    assert [each.severity for each in findings_of(RULE, HEAD + SOME + code)] == ["error"]


@pytest.mark.parametrize(
    "code",
    [
        "class C(A, object):\n    pass\n",
        "class C(B, A):\n    pass\n",
        "class C(B, D):\n    pass\n",
        "class C(ABC, Generic[T]):\n    pass\n",
        "class E(Generic[T]):\n    pass\n\n\nclass C(E[int], Generic[T]):\n    pass\n",
        "class C(int, A):\n    pass\n",
        "class C(ValueError, KeyError):\n    pass\n",
        "class bool:\n    pass\n\n\nclass C(bool):\n    pass\n",
        "class E(Enum):\n    def show(self):\n        return 1\n\n\nclass C(E):\n    X = 1\n",
        "class C(Enum):\n    X = 1\n    Y = 1\n",
        "class C(Enum):\n    X, Y = 1, 2\n",
        "class C(Enum):\n    _ignore_ = ['a']\n    a = 1\n    a = 2\n    X = 1\n",
        "class C:\n    X = 1\n    X = 2\n",
        "class C:\n    __slots__ = ('size',)\n    size: int\n",
        "class C:\n    __slots__ = ('size',)\n\n    def __init__(self):\n        self.size = 1\n",
        "class C:\n    __slots__ = ('size',)\n    size = 1\n    del size\n",
        "def make(base):\n    class C(base):\n        pass\n    return C\n",
        "if True:\n    class E:\n        pass\nelse:\n    class E(A):\n        pass\n\n\nclass C(A, E):\n    pass\n",
        "try:\n    class C(bool):\n        pass\nexcept TypeError:\n    C = int\n",
    ],
)
def test_a_class_that_python_defines_is_left_alone(code: str) -> None:
    assert not _fails(HEAD + SOME + code)
    assert findings_of(RULE, HEAD + SOME + code) == []


def test_a_base_of_another_file_is_followed() -> None:
    base = {"pkg/__init__.py": "", "pkg/a.py": SOME, "pkg/e.py": f"{HEAD}class E(Enum):\n    X = 1\n"}
    for head, start in (
        ("from pkg.a import A, B\n\n\nclass C(A, B):\n    pass\n", "`C` has its base `A` in front of `B`"),
        ("from pkg import a\n\n\nclass C(a.A, a.B):\n    pass\n", "`C` has its base `a.A` in front of `a.B`"),
        ("from pkg.e import E\n\n\nclass C(E):\n    pass\n", "`C` inherits from `E`, an enumeration that has members"),
    ):
        [finding] = findings_of(RULE, {"pkg/c.py": head}, base)
        assert finding.message.startswith(start)


def test_only_what_the_change_touches_is_reported() -> None:
    base = f"{HEAD}{SOME}class C(A, B):\n    pass\n"
    assert findings_of(RULE, {"a.py": f"{base}    size = 1\n"}, {"a.py": base}) == []
    color = f"{HEAD}class C(Enum):\n    X = 1\n"
    [finding] = findings_of(RULE, {"a.py": f"{color}    X = 2\n"}, {"a.py": color})
    assert finding.message.startswith("`X` is a member of `C` already, since line 9")


def test_an_unknown_decorator_of_a_base_may_make_another_class() -> None:
    code = "from lib import replaced\n\n\n@replaced\nclass A:\n    pass\n\n\nclass B(A):\n    pass\n\n\nclass C(A, B):\n    pass\n"
    assert findings_of(RULE, code) == []


_DATA = "from dataclasses import dataclass\n\n\n"


@pytest.mark.parametrize(
    "code",
    [
        "def load():\n    return 1\n\n\nclass Engine(load):\n    pass\n",
        f"{_DATA}@dataclass\nclass Base:\n    a: int\n\n\n@dataclass(frozen=True)\nclass Row(Base):\n    b: int\n",
        f"{_DATA}@dataclass(frozen=True)\nclass Base:\n    a: int\n\n\n@dataclass\nclass Row(Base):\n    b: int\n",
    ],
)
def test_a_base_of_another_kind_is_an_error(code: str) -> None:
    assert _fails(code)
    assert [each.severity for each in findings_of(RULE, code)] == ["error"]


@pytest.mark.parametrize(
    "code",
    [
        "def load():\n    return object\n\n\nclass Engine(load()):\n    pass\n",
        "def load():\n    return 1\n\n\nload.__mro_entries__ = lambda bases: (object,)\n\n\nclass Engine(load):\n    pass\n",
        f"{_DATA}@dataclass\nclass Base:\n    a: int\n\n\nclass Row(Base):\n    b: int\n",
        f"{_DATA}class Base:\n    a: int\n\n\n@dataclass(frozen=True)\nclass Row(Base):\n    b: int\n",
        f"{_DATA}@dataclass(frozen=True)\nclass Base:\n    a: int\n\n\n@dataclass(frozen=True)\nclass Row(Base):\n    b: int\n",
        f"{_DATA}@dataclass(frozen=False)\nclass Base:\n    a: int\n\n\n@dataclass(eq=False)\nclass Row(Base):\n    b: int\n",
    ],
)
def test_a_base_of_the_same_kind_is_left_alone(code: str) -> None:
    assert not _fails(code)
    assert not findings_of(RULE, code)
