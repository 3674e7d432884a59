"""Fields that named tuples and dataclasses lose, and named tuples that are unpacked into another number of names."""

import pytest

from tests.rule_cases import findings_of

LEFT, NEW, UNPACKED, RETURNED = (
    "api/left-unset", "errors/unknown-attribute", "api/unpack-misfit", "api/return-changed",
)  # fmt: skip
TUPLE = "from typing import NamedTuple\n\n\nclass Box(NamedTuple):\n    left: int\n    width: int\n"
CALLED = 'from collections import namedtuple\n\nBox = namedtuple(\n    "Box",\n    [\n        "left",\n        "width",\n    ],\n)\n'
TYPED = 'import typing\n\nBox = typing.NamedTuple("Box", [("left", int), ("width", int)])\n'
WORDS = 'import collections\n\nBox = collections.namedtuple("Box", "left width")\n'
BASED = 'from collections import namedtuple\n\n\nclass Box(namedtuple("Box", "left, width")):\n    __slots__ = ()\n'
DATA = "from dataclasses import dataclass\n\n\n@dataclass\nclass Box:\n    left: int\n    width: int\n"
MAKER = "\n\ndef unit():\n    return Box(0, 1)\n"
READS = "from pkg.core import Box\n\n\ndef run():\n    box = Box(0, 1)\n    return box.width\n"
RETURNS = "from pkg.core import unit\n\n\ndef run():\n    return unit().width\n"
ALL = [TUPLE, CALLED, TYPED, WORDS, BASED]


def severities(rule: str, base: dict[str, str], head: dict[str, str]) -> list[str]:
    """Return the severities of what is found."""
    return [each.severity for each in findings_of(rule, head, {"pkg/__init__.py": "", **base})]


@pytest.mark.parametrize("core", [*ALL, DATA])
@pytest.mark.parametrize("use", [READS, RETURNS])
def test_a_lost_field_that_is_still_read_is_an_error(core: str, use: str) -> None:
    before, after = core + MAKER, core.replace("width", "right") + MAKER
    assert severities(LEFT, {"pkg/core.py": before, "pkg/run.py": use}, {"pkg/core.py": after}) == ["error"]


@pytest.mark.parametrize(
    ("use", "expected"),
    [
        ("def run(box: Box):\n    return box.width\n", ["error"]),
        ("def run(box: Box | None = None):\n    return box.width\n", ["error"]),
        ("class Line:\n    width = 1\n\n\ndef run(box: Box):\n    return box.width\n", ["warning"]),
        ("def run(box):\n    return box.width\n", []),
        ("def run(box: Box):\n    return box.width if hasattr(box, 'width') else 1\n", []),
        ("def run():\n    box = Box(0, 1)\n    try:\n        return box.width\n    except AttributeError:\n        return 1\n", []),
        ("def run(x):\n    box = Box(0, 1)\n    box = x or box\n    return box.width\n", []),
        ("class Run:\n    def __init__(self):\n        self.box = Box(0, 1)\n\n    def go(self):\n        return self.box.width\n", ["error"]),
        ("class Run:\n    def __init__(self, box: Box):\n        self.box = box\n\n    def go(self):\n        return self.box.width\n", ["warning"]),
        ("BOX = Box(0, 1)\n\n\ndef run():\n    return BOX.width\n", ["error"]),
    ],
)  # fmt: skip
def test_the_object_has_to_be_known(use: str, expected: list[str]) -> None:
    base = {"pkg/core.py": TUPLE, "pkg/run.py": f"from pkg.core import Box\n\n\n{use}"}
    assert severities(LEFT, base, {"pkg/core.py": TUPLE.replace("width", "right")}) == expected


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("    def size(self):\n        return self.width\n", "error"),
        ("    def size(self):\n        attach(self)\n        return self.width\n", "warning"),
        ("    def size(self):\n        return self.width\n\n\ndel unit\n", "warning"),
    ],
)
def test_a_class_that_reads_its_own_lost_field_is_an_error_if_objects_of_it_are_made(body: str, expected: str) -> None:
    text = f"{DATA}\n{body}" if "del" in body else f"{DATA}\n{body}{MAKER}"
    after = text.replace("width: int", "right: int").replace("Box(0, 1)", "Box(0, 2)")
    assert severities(LEFT, {"pkg/core.py": text}, {"pkg/core.py": after}) == [expected]


@pytest.mark.parametrize(
    "after",
    [
        f"{TUPLE.replace('width', 'right')}\n    @property\n    def width(self):\n        return 1\n",
        TUPLE.replace("width", "right").replace("(NamedTuple)", "(NamedTuple, Outside)"),
        TUPLE.replace("width", "right").replace("class Box", "@outside\nclass Box"),
        TUPLE.replace("width: int", "right: int\n\n    def __getattr__(self, name):\n        return 1"),
        TUPLE.replace("width", "right") + "\n\nBox.width = 1\n",
    ],
)
def test_a_class_that_may_have_the_field_is_left_alone(after: str) -> None:
    assert severities(LEFT, {"pkg/core.py": TUPLE, "pkg/run.py": READS}, {"pkg/core.py": after}) == []


@pytest.mark.parametrize("core", [*ALL, DATA])
def test_an_added_read_of_what_no_field_is_called_is_an_error(core: str) -> None:
    assert severities(NEW, {"pkg/core.py": core}, {"pkg/run.py": READS.replace("box.width", "box.depth")}) == ["error"]
    assert severities(NEW, {"pkg/core.py": core}, {"pkg/run.py": READS}) == []


@pytest.mark.parametrize("core", ALL)
def test_an_added_unpacking_into_another_number_is_an_error(core: str) -> None:
    use = "from pkg.core import Box, unit\n\n\ndef run():\n    a, b, c = Box(0, 1)\n    d, e = unit()\n    f, *g = unit()\n    return a\n"
    base = {"pkg/core.py": core + MAKER}
    assert severities(UNPACKED, base, {"pkg/run.py": use}) == ["error"]
    assert severities(UNPACKED, base, {"pkg/run.py": use.replace("a, b, c", "a, b").replace("d, e", "d, e, h")}) == [
        "error"
    ]


@pytest.mark.parametrize("core", [TUPLE, CALLED, WORDS])
@pytest.mark.parametrize("call", ["Box(0, 1)", "unit()"])
def test_an_unpacking_that_a_new_field_breaks_is_an_error(core: str, call: str) -> None:
    use = f"from pkg.core import Box, unit\n\n\ndef run():\n    a, b = {call}\n    return a\n"
    after = core.replace("width: int", "width: int\n    depth: int = 0").replace('"width"', '"width", "depth"')
    after = (
        after.replace(' width"', ' width depth"')
        .replace("],\n)", "],\n    defaults=[0],\n)")
        .replace('h")', 'h", defaults=[0])')
    )
    base = {"pkg/core.py": core + MAKER, "pkg/run.py": use}
    found = findings_of(RETURNED, {"pkg/core.py": after + MAKER}, {"pkg/__init__.py": "", **base})
    assert [each.message for each in found] == [
        "`Box` had 2 fields and now has 3, but the call at `pkg/run.py:5` still unpacks 2 values."
    ]
    assert found[0].severity == "error"


@pytest.mark.parametrize("core", ALL)
def test_a_call_that_a_new_field_breaks_is_an_error(core: str) -> None:
    after = core.replace("width: int", "width: int\n    depth: int").replace('"width"', '"width", "depth"')
    after = after.replace("left width", "left width depth").replace("left, width", "left, width, depth")
    after = after.replace('("width", "depth", int)', '("width", int), ("depth", int)')
    base = {"pkg/core.py": core, "pkg/run.py": READS}
    assert severities("api/caller-left-behind", base, {"pkg/core.py": after}) == ["error"]
