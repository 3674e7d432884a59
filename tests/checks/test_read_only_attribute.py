"""Assignments that a class refuses, which of them fail the gate, and what makes each of them doubtful."""

import pytest

from tests.rule_cases import findings_of

RULE = "errors/read-only-attribute"
TUPLE = "from typing import NamedTuple\n\n\nclass Point(NamedTuple):\n    left: int = 0\n    depth: int = 0\n"
CALLED = 'from collections import namedtuple\n\nPoint = namedtuple("Point", ["left", "depth"], defaults=[0, 0])\n'
DATA = "from dataclasses import dataclass\n\n\n@dataclass\nclass Point:\n    left: int = 0\n    depth: int = 0\n"
FROZEN = DATA.replace("@dataclass", "@dataclass(frozen=True)")
SLOTS = 'class Point:\n    __slots__ = ("left",)\n\n    def __init__(self):\n        self.left = 0\n'
PLAIN = SLOTS.replace('    __slots__ = ("left",)\n\n', "")
GETTER = "class Point:\n    @property\n    def depth(self):\n        return 1\n"
SETTER = f"{GETTER}\n    @depth.setter\n    def depth(self, value):\n        print(value)\n"
MADE = "from pkg.core import Point\n\n\ndef run():\n    point = Point()\n    point.depth = 2\n    return point\n"


def severities(base: dict[str, str], head: dict[str, str]) -> list[str]:
    """Return the severities of what is found."""
    return [each.severity for each in findings_of(RULE, head, {"pkg/__init__.py": "", **base})]


@pytest.mark.parametrize("core", [TUPLE, CALLED, FROZEN, SLOTS, GETTER])
def test_an_added_assignment_to_an_object_that_the_function_makes_is_an_error(core: str) -> None:
    assert severities({"pkg/core.py": core}, {"pkg/run.py": MADE}) == ["error"]


@pytest.mark.parametrize("core", [DATA, PLAIN, SETTER])
def test_what_takes_the_attribute_is_left_alone(core: str) -> None:
    assert severities({"pkg/core.py": core}, {"pkg/run.py": MADE}) == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (DATA, FROZEN),
        (PLAIN, SLOTS),
        (SETTER, GETTER),
        (DATA, TUPLE),
        (DATA, DATA.replace("@dataclass\n", "@dataclass(slots=True)\n").replace("    depth: int = 0\n", "")),
    ],
)
def test_a_class_that_refuses_what_old_code_sets_is_an_error(before: str, after: str) -> None:
    found = findings_of(
        RULE, {"pkg/core.py": after}, {"pkg/__init__.py": "", "pkg/core.py": before, "pkg/run.py": MADE}
    )
    assert [(each.severity, each.path) for each in found] == [("error", "pkg/core.py")]
    assert "`pkg/run.py:6` still sets `point.depth`" in found[0].message


@pytest.mark.parametrize(
    ("use", "expected"),
    [
        ("def run(point: Point):\n    point.depth = 2\n", ["error"]),
        ("class Other:\n    depth = 1\n\n\ndef run(point: Point):\n    point.depth = 2\n", ["warning"]),
        ("def run(point):\n    point.depth = 2\n", []),
        ("def make():\n    return Point()\n\n\ndef run():\n    point = make()\n    point.depth += 2\n", ["error"]),
        ("def make(x):\n    return Point() if x else x\n\n\ndef run(x):\n    point = make(x)\n    point.depth = 2\n", []),
        ("class Run:\n    def __init__(self):\n        self.point = Point()\n\n    def go(self):\n        self.point.depth = 2\n", ["error"]),
        ("POINT = Point()\n\n\ndef run():\n    POINT.depth = 2\n", ["error"]),
        ("POINT = Point()\n\n\ndef swap(x):\n    global POINT\n    POINT = x\n\n\ndef run():\n    POINT.depth = 2\n", []),
        ("def run(x):\n    point = Point()\n    for point in x:\n        point.depth = 2\n", []),
        ("def run():\n    point = Point()\n    try:\n        point.depth = 2\n    except AttributeError:\n        pass\n", []),
        ("def run():\n    point = Point()\n    object.__setattr__(point, 'depth', 2)\n", []),
    ],
)  # fmt: skip
def test_the_object_has_to_be_known(use: str, expected: list[str]) -> None:
    made = "from pkg.core import Point\n\nPoint()\n\n\n"
    assert severities({"pkg/core.py": FROZEN}, {"pkg/run.py": made + use}) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("        self.depth = 1\n", ["error"]),
        ("        self.depth: int = 1\n", ["error"]),
        ("        self.depth: int\n", []),
        ("        self = Other()\n        self.depth = 1\n", []),
        ("        self.left = 1\n", []),
    ],
)
def test_what_a_method_sets_is_looked_up_in_its_class(body: str, expected: list[str]) -> None:
    text = f"{SLOTS}\n    def go(self):\n{body}\n\nPoint().go()\n"
    assert severities({}, {"pkg/core.py": text}) == expected
    assert severities({}, {"pkg/core.py": text.replace("    def go", "    @classmethod\n    def go")}) == []
    assert severities({}, {"pkg/core.py": text.replace("\n\nPoint().go()\n", "")}) == []


def test_a_test_may_want_the_error_of_a_function_that_it_defines() -> None:
    text = f"import pytest\n\n{MADE}\n\ndef test_run():\n    pytest.raises(AttributeError, run)\n"
    assert severities({"pkg/core.py": FROZEN}, {"tests/test_run.py": text}) == []
    assert severities({"pkg/core.py": FROZEN}, {"tests/test_run.py": text.replace("Attrib", "Key")}) == ["error"]


@pytest.mark.parametrize(
    ("core", "other"),
    [
        (f"{SLOTS}\n    def __setattr__(self, name, value):\n        print(name)\n", ""),
        (SLOTS.replace("class Point:", "class Point(Outside):"), ""),
        (SLOTS.replace("class Point:", "@outside\nclass Point:"), ""),
        (SLOTS.replace("class Point:", "class Point(metaclass=Outside):"), ""),
        (SLOTS.replace('("left",)', "names()"), ""),
        (SLOTS.replace('("left",)', '("left", "__dict__")'), ""),
        (SLOTS.replace("class Point:", "class Base:\n    pass\n\n\nclass Point(Base):"), ""),
        (GETTER, "from pkg.core import Point\n\nPoint.depth = 1\n"),
        (GETTER, "from pkg.core import Point\n\nsetattr(Point, 'depth', 1)\n"),
        (GETTER.replace("@property", "@cached_property"), ""),
        (f"from pkg.lazy import property\n\n\n{GETTER}", ""),
        (f"{GETTER}\n    depth = print\n", ""),
    ],
)
def test_a_class_that_may_take_it_is_left_alone(core: str, other: str) -> None:
    assert severities({"pkg/core.py": core, "pkg/other.py": other}, {"pkg/run.py": MADE}) == []
