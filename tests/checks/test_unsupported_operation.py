"""Added operations on objects that the code makes, compared with what Python does with them."""

from __future__ import annotations

import pytest

from tests.rule_cases import findings_of

RULE = "errors/unsupported-operation"
PLAIN = "class Box:\n    def __init__(self, size=1):\n        self.size = size\n\n\n"


@pytest.mark.parametrize(
    "line",
    [
        "with Box() as box: pass",
        "for each in Box(): pass",
        "print(Box()[0])",
        "box = Box(); box[0] = 1",
        "len(Box())",
        "print(1 in Box())",
        "box = Box(); box()",
        "a, b = Box()",
        "print([each for each in Box()])",
        "print(*Box())",
        "next(Box())",
        "list(Box())",
    ],
)
def test_an_operation_that_fails_is_an_error(line: str) -> None:
    code = f"{PLAIN}def run():\n    {line}\n"
    with pytest.raises((TypeError, AttributeError)):
        exec(f"{code}\n\nrun()\n", {})
    assert [each.severity for each in findings_of(RULE, code)] == ["error"]


@pytest.mark.parametrize(
    ("head", "line"),
    [
        (
            "from typing import TypedDict\n\n\nclass Box(TypedDict, total=False):\n    a: int\n",
            "box = Box(a=1); print(box['a'])",
        ),
        ("from typing import NamedTuple\n\n\nclass Box(NamedTuple):\n    a: int\n    b: int\n", "a, b = Box(1, 2)"),
        (
            "from collections import namedtuple\n\n\nclass Box(namedtuple('B', 'a b')):\n    pass\n",
            "print(Box(1, 2)[0])",
        ),
        ("class Box(dict):\n    pass\n", "box = Box(); box['a'] = 1; print(len(box), *box)"),
        ("class Box(list):\n    pass\n", "print(len(Box()), 1 in Box())"),
        ("class Box(str):\n    pass\n", "print(Box('a')[0])"),
        ("class Box(Exception):\n    pass\n", "print(Box('a').args[0])"),
        (
            "from enum import Enum\n\n\nclass Box(Enum):\n    A = 1\n",
            "print([each for each in Box], len(Box), 1 in [Box(1)])",
        ),
        ("from threading import Lock\n\n\ndef Box():\n    return Lock()\n", "with Box(): pass"),
        ("import contextlib\n\n\n@contextlib.contextmanager\ndef Box():\n    yield 1\n", "with Box(): pass"),
        ("class A:\n    def __len__(self):\n        return 0\n\n\nclass Box(A):\n    pass\n", "len(Box())"),
        ("class Box:\n    pass\n\n\nBox.__len__ = lambda self: 1\n", "len(Box())"),
        ("class Box:\n    def __getitem__(self, at):\n        raise IndexError\n", "print(*Box(), 1 in Box())"),
        (
            "class Meta(type):\n    def __call__(cls):\n        return []\n\n\nclass Box(metaclass=Meta):\n    pass\n",
            "len(Box())",
        ),
        ("class Box:\n    def __new__(cls):\n        return []\n", "len(Box())"),
        ("class Box:\n    __len__ = lambda self: 1\n", "len(Box())"),
        (PLAIN, "try:\n        len(Box())\n    except TypeError:\n        pass"),
        (PLAIN, "if hasattr(Box, '__len__'): len(Box())"),
        (PLAIN, "box = Box(); box = []; len(box)"),
        (PLAIN, "print(str(Box()), bool(Box()), Box() == 1, hash(Box()))"),
    ],
)
def test_an_operation_that_may_succeed_is_left_alone(head: str, line: str) -> None:
    code = f"{head}\n\ndef run():\n    {line}\n"
    exec(f"{code}\n\nrun()\n", {"__name__": "case"})
    assert findings_of(RULE, code) == []


@pytest.mark.parametrize(
    ("line", "count"),
    [
        ("box = await made()\n    return box.size", 0),
        ("async with Box() as box:\n        return box", 1),
        ("async for each in Box():\n        return each", 1),
        ("await Box()", 1),
        ("return [each async for each in Box()]", 1),
    ],
)
def test_what_a_coroutine_gives_is_awaited_first(line: str, count: int) -> None:
    code = f"{PLAIN}async def made():\n    return Box()\n\n\nasync def run():\n    {line}\n"
    assert len(findings_of(RULE, code)) == count


def test_a_class_with_a_base_from_elsewhere_and_lines_of_the_base_are_left_alone() -> None:
    elsewhere = "from lib import Base\n\n\nclass Box(Base):\n    pass\n\n\ndef run():\n    len(Box())\n"
    assert findings_of(RULE, elsewhere) == []
    code = f"{PLAIN}def run():\n    len(Box())\n"
    assert findings_of(RULE, {"a.py": f"{code}    return 1\n"}, {"a.py": code}) == []
