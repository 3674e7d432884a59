from __future__ import annotations

import pytest

from tests.rule_cases import findings_of

RULE = "errors/unset-attribute"
CACHE = """\
from pkg.setup import prepare


class Cache:
    def __init__(self, size):
        self.size = size
        prepare({arguments})

    def blocks(self):
        return self.n_blocks
"""


def found_with(setup: str, arguments: str = "self, size") -> bool:
    base = {"pkg/__init__.py": "", "pkg/setup.py": setup}
    return bool(findings_of(RULE, {"pkg/cache.py": CACHE.replace("{arguments}", arguments)}, base))


@pytest.mark.parametrize(
    ("setup", "reported"),
    [
        ("def prepare(cache, size):\n    cache.free = size\n", True),
        ("def prepare(cache, size):\n    cache.n_blocks = size\n", False),
        ("def prepare(cache, size):\n    print(hasattr(cache, 'size'), cache.size)\n", True),
        ("def prepare(cache, size):\n    print(getattr(cache, 'n_blocks'))\n", False),
        ("def prepare(cache, size):\n    setattr(cache, size, 1)\n", False),
        ("def prepare(cache, size):\n    cache.__dict__.update(size)\n", False),
        ("def prepare(cache, size):\n    return cache\n", False),
        ("def prepare(cache, size):\n    size.owner = cache\n", False),
        ("def prepare(cache, size):\n    size.fill(cache)\n", False),
        ("def prepare(cache, size):\n    cache = size\n", False),
        ("def prepare(*caches):\n    print(caches)\n", False),
        ("def prepare(size, cache): ...\n", True),
        ("@wrap\ndef prepare(cache, size):\n    cache.free = size\n", False),
        ("from outside import prepare\n", False),
        ("prepare = print\n", False),
        ("def prepare(cache, size):\n    check(cache)\ndef check(owner):\n    assert owner.size\n", True),
        ("def prepare(cache, size):\n    check(cache)\ndef check(owner):\n    vars(owner).update(a=1)\n", False),
        ("def prepare(cache, size):\n    prepare(cache, size)\n", False),
        ("from outside import fill\ndef prepare(cache, size):\n    fill(cache)\n", False),
    ],
)
def test_follows_an_object_to_what_is_set_on_it(setup: str, reported: bool) -> None:
    assert found_with(setup) is reported


def test_does_not_follow_an_object_behind_a_star() -> None:
    assert not found_with("def prepare(cache, size): ...\n", "self, *size")
