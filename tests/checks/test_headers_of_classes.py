"""Classes below one whose constructor changes are found, however their headers are written."""

from __future__ import annotations

import pytest

from tests.growth import SUPERLINEAR, growth
from tests.rule_cases import findings_of

BASE = "class Cache:\n    def __init__(self, size):\n        self.size = size\n"
CHANGED = "class Cache:\n    def __init__(self, size, depth):\n        self.size, self.depth = size, depth\n"
LINES = "\n" * 2_500


@pytest.mark.parametrize(
    "text",
    [
        "from pkg.core import Cache\n\n\nclass Fast(Cache):\n    pass\n",
        "from pkg.core import Cache\n\n\nclass Fast(  # note: it is fast\n    Cache,\n):\n    pass\n",
        f"from pkg.core import Cache\n\n\nclass Fast({LINES}    Cache,\n):\n    pass\n",
        f"from pkg.core import Cache\n\n\nclass Fast(  # {'x' * 2_500}\n    Cache,\n):\n    pass\n",
        "from pkg.core import Cache as Plain\n\n\nclass Fast(Plain):\n    pass\n",
        "from pkg.core import Cache \\\n    as\\\n    Plain\n\n\nclass Fast(Plain):\n    pass\n",
        "'''A class: (.'''\nfrom pkg.core import Cache\n\n\nclass Fast(  # :)\n    Cache,\n):\n    pass\n",
        "NAME = 'class'\nfrom pkg.core import Cache\n\n\nclass Fast(  # ':\n    Cache,\n):\n    pass\n",
    ],
)
def test_a_class_below_is_found_by_its_header(text: str) -> None:
    base = {
        "pkg/__init__.py": "",
        "pkg/core.py": BASE,
        "pkg/fast.py": "from pkg.core import Cache\n\n\nclass Fast(Cache):\n    pass\n",
        "pkg/user.py": "from pkg.fast import Fast\n\nFast(1)\n",
    }
    for before, head in ((base, {"pkg/fast.py": text}), (base | {"pkg/fast.py": text}, {})):
        found = findings_of("api/caller-left-behind", head | {"pkg/core.py": CHANGED}, before)
        assert [each.severity for each in found] == ["error"]


@pytest.mark.parametrize("part", ["class ", "class (", 'class """', "class '", "class as ", "class A(a as\n", "as as "])
def test_headers_without_an_end_need_linear_time(part: str) -> None:
    def examine(count: int) -> None:
        base = {"pkg/__init__.py": "", "pkg/core.py": BASE, "pkg/odd.py": f"x = 1\n# Cache\n{part * count}"}
        assert not findings_of("api/caller-left-behind", {"pkg/core.py": CHANGED}, base)

    assert growth(examine, 20_000) < SUPERLINEAR
