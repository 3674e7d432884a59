"""What code does to objects whose class loses the method for it."""

from __future__ import annotations

import pytest

from tests.rule_cases import findings_of

RULE = "api/operation-lost"
BASE = "class Pool:\n    def size(self):\n        return 1\n\n    {}\n"
PACKAGE = {"pkg/__init__.py": ""}


def found(method: str, use: str, *, left: str = "kind = 1", imports: str = "") -> list[str]:
    run = f"{imports}from pkg.pool import Pool\n\n\n{use}\n"
    base = {**PACKAGE, "pkg/pool.py": BASE.format(method), "pkg/run.py": run}
    return [each.message for each in findings_of(RULE, {"pkg/pool.py": BASE.format(left)}, base)]


METHODS = {
    "call": "def __call__(self, *args):\n        return args",
    "len": "def __len__(self):\n        return 1",
    "iter": "def __iter__(self):\n        return iter(())",
    "next": "def __next__(self):\n        return 1",
    "getitem": "def __getitem__(self, at):\n        return at",
    "setitem": "def __setitem__(self, at, value):\n        pass",
    "contains": "def __contains__(self, at):\n        return True",
    "aenter": "async def __aenter__(self):\n        return self",
    "aiter": "def __aiter__(self):\n        return self",
    "await": "def __await__(self):\n        return iter(())",
    "assigned": "__call__ = size",
}


@pytest.mark.parametrize(
    ("method", "use"),
    [
        ("call", "def run():\n    return Pool()(1)"),
        ("call", "pool = Pool()\n\n\ndef run():\n    return pool(1)"),
        ("call", "def make():\n    return Pool()\n\n\ndef run():\n    return make()(1)"),
        (
            "call",
            "class Run:\n    def __init__(self):\n        self.pool = Pool()\n\n    def run(self):\n        return self.pool(1)",
        ),
        ("assigned", "def run():\n    return Pool()()"),
        ("len", "def run():\n    pool = Pool()\n    return len(pool)"),
        ("iter", "def run():\n    a, b = Pool()\n    return a"),
        ("iter", "def run():\n    return print(*Pool())"),
        ("iter", "def run():\n    return sorted(Pool())"),
        ("iter", "def run():\n    return 1 in Pool()"),
        ("next", "def run():\n    return next(Pool())"),
        ("getitem", "def run():\n    return Pool()[0]"),
        ("setitem", "def run():\n    pool = Pool()\n    pool[0] = 1"),
        ("contains", "def run():\n    pool = Pool()\n    return 1 not in pool"),
        ("aenter", "async def run():\n    async with Pool():\n        pass"),
        ("aiter", "async def run():\n    async for each in Pool():\n        print(each)"),
        ("await", "async def run():\n    return await Pool()"),
    ],
)
def test_code_that_needs_a_lost_method_is_reported(method: str, use: str) -> None:
    (message,) = found(METHODS[method], use)
    assert "an object of `Pool`, but this change removes `__" in message


@pytest.mark.parametrize(
    ("method", "use"),
    [
        ("call", "def run(pool):\n    return pool(1)"),
        ("call", "def run():\n    return Pool().size()"),
        ("call", "def run(other):\n    pool = Pool()\n    pool = other\n    return pool(1)"),
        ("call", "def run(pool: Pool):\n    return pool(1)"),
        ("call", "def run():\n    pool = Pool()\n    return pool(1) if callable(pool) else pool"),
        (
            "len",
            "def run():\n    pool = Pool()\n    try:\n        return len(pool)\n    except TypeError:\n        return 0",
        ),
        ("len", "def len(pool):\n    return pool.size()\n\n\ndef run():\n    return len(Pool())"),
        ("len", "Pool.__len__ = lambda pool: 1\n\n\ndef run():\n    return len(Pool())"),
        ("len", "setattr(Pool, '__len__', lambda pool: 1)\n\n\ndef run():\n    return len(Pool())"),
        ("len", "class Pool:\n    def __len__(self):\n        return 1\n\n\ndef run():\n    return len(Pool())"),
        (
            "len",
            "class Large(Pool):\n    def __len__(self):\n        return 1\n\n\ndef run():\n    return len(Large())",
        ),
        ("len", "import pytest\n\n\ndef test_run():\n    with pytest.raises(TypeError):\n        len(Pool())"),
        ("iter", "from lib import sorted\n\n\ndef run():\n    return sorted(Pool())"),
        ("getitem", "def run(x: Pool):\n    return x[0]"),
    ],
)
def test_code_that_may_not_need_it_is_left_alone(method: str, use: str) -> None:
    assert found(METHODS[method], use) == []


@pytest.mark.parametrize(
    ("method", "left", "use"),
    [
        ("iter", METHODS["getitem"], "def run():\n    return list(Pool()), 1 in Pool()"),
        ("contains", METHODS["iter"], "def run():\n    return 1 in Pool()"),
        ("call", "def __getattr__(self, name):\n        return print", "def run():\n    return Pool()()"),
        ("len", "def __new__(cls):\n        return []", "def run():\n    return len(Pool())"),
    ],
)
def test_another_method_may_do(method: str, left: str, use: str) -> None:
    assert found(METHODS[method], use, left=left) == []


@pytest.mark.parametrize("base", ["dict", "torch.nn.Module", "lib.Sized"])
def test_a_base_from_elsewhere_may_have_it(base: str) -> None:
    code = "import torch\nimport lib\n\n\nclass Pool({}):\n    {}\n\n\ndef run():\n    return Pool()(1)\n"
    old, new = code.format(base, METHODS["call"]), code.format(base, "kind = 1")
    assert findings_of(RULE, {"pkg/pool.py": new}, {**PACKAGE, "pkg/pool.py": old}) == []


def test_a_lost_base_class_takes_it_away_from_what_is_below() -> None:
    code = "class Sized:\n    def __len__(self):\n        return 1\n\n\nclass Pool{}:\n    kind = 1\n\n\nclass Large(Pool):\n    kind = 2\n\n\nX = len(Large())\n"
    base = {**PACKAGE, "pkg/pool.py": code.format("(Sized)")}
    (each,) = findings_of(RULE, {"pkg/pool.py": code.format("")}, base)
    assert (each.severity, each.side) == ("error", "LEFT")
