from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import find_spec

import pytest

from review_bot.analysis.python.newer_library import NEWER
from tests.rule_cases import findings_of

RULE = "api/min-python"


def lines(code: str, promise: str = ">=3.8", **more: str) -> list[int]:
    """Return the lines that are reported, the first one and those that it names."""
    base = {"pyproject.toml": f'[project]\nrequires-python = "{promise}"\n'} | more
    found = findings_of(RULE, {"pkg/run.py": code}, base)
    return sorted(
        {finding.line or 0 for finding in found}
        | {place.line or 0 for finding in found for place in finding.related if place.path == "pkg/run.py"}
    )


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("def f(a: list[int]): ...\n", [1]),
        ("def f(\n    a,\n    b: dict[str, int],\n) -> tuple[int, ...]: ...\n", [3, 4]),
        ("def f(*args: set[int], **kw: type[A]): ...\n", [1]),
        ("def f():\n    a: list[int] = []\n    def g(b: list[int]): ...\n", [3]),
        ("def f():\n    self.a: list[int] = []\n", []),
        ("a: list[int] = []\n", [1]),
        ("class A:\n    a: list[int]\n", [1 + 1]),
        ("def f():\n    class A:\n        a: list[int]\n", [3]),
        ("Alias = dict[str, int]\n", [1]),
        ("class A(dict[str, int]): ...\n", [1]),
        ("x = cast(list[int], y)\n", [1]),
        ("def f(a: 'list[int]'): ...\n", []),
        ("def f(a: List[int]): ...\n", []),
        ("x = items[0]\ny = type_[1]\n", []),
        ("from typing import Type as type\ndef f(a: type[int]): ...\n", []),
        ("from collections.abc import Mapping\ndef f(a: Mapping[str, int]): ...\n", [2]),
        ("from typing import Mapping\ndef f(a: Mapping[str, int]): ...\n", []),
        ("from __future__ import annotations\ndef f(a: list[int] | None): ...\n", []),
        ("from __future__ import annotations\nfrom .core import annotations\ndef f(a: list[int] | None): ...\n", []),
        ("from __future__ import annotations\nclass A(BaseModel):\n    a: list[int]\n", [3]),
        ("from __future__ import annotations\nclass A(msgspec.Struct):\n    a: list[int]\n", [3]),
        ("from __future__ import annotations\n@dataclass\nclass A:\n    a: list[int]\n", []),
        ("from __future__ import annotations\nAlias = list[int]\n", [2]),
        ("def f(a: int | None): ...\n", [1]),
        ("x = flags | mask\n", []),
        ("isinstance(x, int | str)\n", [1]),
        ("match x:\n    case 1:\n        pass\n", [1]),
        ("match = 1\nmatch.x: int = 2\n", []),
        ("try:\n    pass\nexcept* ValueError:\n    pass\n", [3]),
        ("if TYPE_CHECKING:\n    def f(a: list[int]): ...\n", []),
        ("if sys.version_info >= (3, 9):\n    A = list[int]\n", []),
        ("with (open(a) as f, open(b) as g):\n    pass\n", [1]),
        ("async def f():\n    async with (\n        one(),\n        two(),\n    ):\n        pass\n", [2]),
        ("with (open(a)) as f, (open(b)) as g:\n    pass\nwith (one()):\n    pass\nwith (a, b)[0]:\n    pass\n", []),
        ("from typing import NotRequired, TypedDict\n", [1]),
        ("import tomllib\n", [1]),
        ("import asyncio as aio\nasync def f():\n    async with aio.TaskGroup():\n        pass\n", [3]),
        ("from enum import StrEnum as Text\n", [1]),
        ("from dataclasses import dataclass\n@dataclass(frozen=True, slots=True)\nclass A:\n    a: int\n", [2]),
        ("for a, b in zip(x, y, strict=True):\n    pass\n", [1]),
        ("try:\n    import tomllib\nexcept ImportError:\n    import tomli as tomllib\n", []),
        ("if hasattr(asyncio, 'timeout'):\n    import asyncio\n    asyncio.timeout(1)\n", []),
        ("from typing_extensions import NotRequired\nfrom . import tomllib\nself.asyncio.timeout(1)\n", []),
    ],
)
def test_what_needs_a_newer_python(code: str, expected: list[int]) -> None:
    assert lines(code) == expected


@pytest.mark.parametrize(
    ("promise", "expected"),
    [
        (">=3.8", [1, 2]),
        (">=3.9,<3.13", [2]),
        (">3.8", [2]),
        ("~=3.9", [2]),
        ("^3.9", [2]),
        (">=3.10", []),
        ("==3.12.*", []),
    ],
)
def test_the_promise_decides(promise: str, expected: list[int]) -> None:
    assert lines("def f(a: list[int]): ...\ndef g(a: int | None): ...\n", promise) == expected


def test_the_nearest_manifest_counts() -> None:
    base = {
        "setup.py": "setup(python_requires='>=3.12')\n",
        "old/setup.cfg": "[options]\npython_requires = >=3.8\n",
    }
    head = {"old/pkg/a.py": "def f(a: list[int]): ...\n", "pkg/a.py": "def f(a: list[int]): ...\n"}

    (finding,) = findings_of(RULE, head, base)

    assert finding.path == "old/pkg/a.py"
    assert [(place.path, place.line) for place in finding.related] == [("old/setup.cfg", 2)]


def test_without_a_promise_nothing_is_said() -> None:
    assert findings_of(RULE, {"pkg/a.py": "def f(a: list[int]): ...\n"}, {"pyproject.toml": "[project]\n"}) == []


def test_one_warning_for_a_change_and_none_where_the_promise_was_broken_before() -> None:
    promise = {"pyproject.toml": '[project]\nrequires-python = ">=3.8"\n'}
    code = "def f(a: list[int]): ...\n"

    first = findings_of(RULE, {"pkg/a.py": code, "pkg/b.py": code}, promise)
    later = findings_of(RULE, {"pkg/a.py": code}, promise | {"pkg/old.py": code})

    assert [(finding.path, finding.severity) for finding in first] == [("pkg/a.py", "warning")]
    assert [(place.path, place.line) for place in first[0].related] == [("pyproject.toml", 2), ("pkg/b.py", 1)]
    assert later == []


@pytest.mark.parametrize(
    ("base", "head"),
    [
        ({"pkg/a.py": "def f(a: list[int]): ...\n"}, {"pkg/a.py": "def f(\n    a: list[int],\n): ...\n"}),
        ({"pkg/a.py": "def f(a: list[int]): ...\n"}, {"pkg/a.py": "", "pkg/b.py": "def f(a: list[int]): ...\n"}),
        ({"pkg/a.py": "def f(a: list[int]): ...\n"}, {"pkg/a.py": None, "pkg/b.py": "def g(a: dict[str, int]): ...\n"}),
        ({"pkg/a.py": "def f(a: int | None): ...\n"}, {"pkg/a.py": "def f(a: list[int]): ...\n"}),
    ],
)
def test_what_the_files_of_the_change_needed_before_is_not_reported(base: dict[str, str], head: dict[str, str]) -> None:
    promise = {"pyproject.toml": '[project]\nrequires-python = ">=3.8"\n'}

    assert findings_of(RULE, head, base | promise) == []


@pytest.mark.parametrize(
    "before",
    [
        "def f(a: list[int]): ...\n",
        "from collections import deque\ndef f(\n    a: deque\n    [int],\n): ...\n",
        "def f(a: int | None): ...\n",
        "def f(\n    a: (\n        int\n        | None\n    ),\n): ...\n",
        "class A:\n    def f(self):\n        return isinstance(\n            self,\n            int\n            | str,\n        )\n",
        "def f():\n    with a:\n        match x:\n            case 1:\n                pass\n",
        "def f():\n    try:\n        pass\n    except \\\n        * ValueError:\n        pass\n",
    ],
)
def test_any_file_nearby_shows_what_was_needed_before(before: str) -> None:
    base = {"pyproject.toml": '[project]\nrequires-python = ">=3.8"\n', "pkg/old.py": "import os\n\n" + before}

    assert findings_of(RULE, {"pkg/a.py": "def g(b: dict[int, str]): ...\n"}, base) == []
    assert bool(findings_of(RULE, {"pkg/a.py": "def g(b: int | str): ...\n"}, base)) == ("[" in before)


def test_one_finding_for_a_manifest_starts_at_the_newest_python() -> None:
    base = {"pyproject.toml": '[project]\nrequires-python = ">=3.8"\n', "lib/a.py": "def f(a: list[int]): ...\n"}
    head = {"lib/b.py": "def f(a: list[int]): ...\n", "pkg/b.py": "A = list[int]\ndef f(a: int | None): ...\n"}

    (finding,) = findings_of(RULE, head, base)

    assert (finding.path, finding.line) == ("pkg/b.py", 2)
    assert [(place.path, place.line) for place in finding.related] == [("pyproject.toml", 2)]
    (finding,) = findings_of(RULE, head, {"pyproject.toml": base["pyproject.toml"]})
    assert (finding.path, finding.line) == ("pkg/b.py", 2)
    assert [(place.path, place.line) for place in finding.related] == [
        ("pyproject.toml", 2),
        ("lib/b.py", 1),
        ("pkg/b.py", 1),
    ]


@pytest.mark.parametrize("name", sorted(NEWER))
def test_the_library_has_a_name_from_its_version_on(name: str) -> None:
    owner, _, attribute = name.rpartition(".")
    try:
        here = find_spec(name) is not None if not owner else hasattr(import_module(owner), attribute)
    except ModuleNotFoundError:
        here = False
    assert here is (sys.version_info >= (3, NEWER[name]))


def test_a_module_that_the_file_imports_shows_what_was_needed_before() -> None:
    base = {
        "pyproject.toml": "[project]\nrequires-python = '>=3.8'\n",
        "pkg/__init__.py": "",
        "apps/serve.py": "",
        "pkg/core.py": "def f(a: list[int]): ...\n",
    }
    code = "def g(a: list[int]): ...\n"
    assert len(findings_of(RULE, {"apps/run.py": code}, base)) == 1
    assert findings_of(RULE, {"apps/run.py": f"from pkg.core import f\n\n\n{code}"}, base) == []
    assert findings_of(RULE, {"apps/run.py": f"from pkg import core\n\n\n{code}"}, base) == []
    late = f"def f():\n    import pkg.core\n    return pkg\n\n\n{code}"
    assert len(findings_of(RULE, {"apps/run.py": late}, base)) == 1


def test_classifiers_promise_versions_where_nothing_is_required() -> None:
    classifiers = "".join(f"        'Programming Language :: Python :: 3.{minor}',\n" for minor in (9, 8, 10))
    setup = {"setup.py": f"setup(\n    classifiers=[\n{classifiers}    ],\n)\n"}
    (finding,) = findings_of(RULE, {"pkg/run.py": "def f(a: list[int]): ...\n"}, setup)
    assert "declares support for Python 3.8" in finding.message
    assert finding.instead.startswith("Remove the classifiers of the older versions from `setup.py` and set")
    assert (finding.related[0].path, finding.related[0].line) == ("setup.py", 4)
    bound = {"pyproject.toml": "requires-python = '>=3.9'\nclassifiers = ['Programming Language :: Python :: 3.8']\n"}
    assert findings_of(RULE, {"pkg/run.py": "def f(a: list[int]): ...\n"}, bound) == []


def test_another_feature_at_another_place_is_named_with_its_own_python() -> None:
    code = (
        "from collections.abc import Iterable\n\n\n"
        "def one(a: int | None): ...\n\n\n"
        "def two(a: Iterable[int]): ...\n\n\n"
        "def three(a: str | None): ...\n"
    )

    (found,) = findings_of(RULE, {"pkg/run.py": code}, {"pyproject.toml": '[project]\nrequires-python = ">=3.8"\n'})

    assert "uses `X | Y` in an annotation, which requires Python 3.10" in found.message
    assert [(each.line, each.note) for each in found.related if each.path == "pkg/run.py"] == [
        (7, "uses `Iterable[...]`, which requires Python 3.9"),
        (10, "also here"),
    ]


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("Size = int | None\n", [1]),
        ("Size = None | list[int]\n", [1]),
        ("def f(a, kind=int | str): ...\n", [1]),
        ("from typing import Optional as O\nSize = O[int] | str\n", [2]),
        ("import numpy as np\nSize = np.ndarray | float\n", [2]),
        ("from collections.abc import Callable\nSize = Callable[[int], int] | None\n", [2]),
        ("class A: ...\nSize = A | None\n", [2]),
        ("class A(metaclass=B): ...\nSize = A | None\n", []),
        ("class A(B): ...\nSize = A | None\n", []),
        ("class A: ...\nA = wrap(A)\nSize = A | None\n", []),
        ("def f(int, str): return int | str\n", []),
        ("from numpy import *\nSize = float | None\n", []),
        ("from lib import float\nSize = float | None\n", []),
        ("Size = None | None\n", []),
        ("Size = int & str\n", []),
        ("Size = lib.A | None\n", []),
        ("try:\n    Size = int | None\nexcept TypeError:\n    Size = None\n", []),
        ("try:\n    Size = int | None\nexcept KeyError:\n    Size = None\n", [2]),
        ("try:\n    run()\nexcept TypeError:\n    Size = int | None\n", [4]),
    ],
)
def test_reports_unions_of_what_surely_are_types(code: str, expected: list[int]) -> None:
    assert lines(code, ">=3.9") == expected
    assert lines(code, ">=3.10") == []
