"""Attributes that are read and that nothing sets."""

from __future__ import annotations

import pytest

from tests.rule_cases import findings_of

RULE = "errors/unset-attribute"


def messages(code: str, others: dict[str, str] | None = None) -> list[str]:
    return [
        each.message for each in findings_of(RULE, {"pkg/cache.py": code}, {"pkg/__init__.py": "", **(others or {})})
    ]


def cache(body: str, bases: str = "") -> str:
    return f"class Cache{bases}:\n    def __init__(self, size):\n        self.size = size\n\n{body}"


READS = "    def blocks(self):\n        return self.n_blocks\n"


def test_the_message_names_attribute_and_class() -> None:
    assert messages(cache(READS)) == [
        (
            "`self.n_blocks` is never set: neither `Cache` nor other code of the repository "
            "assigns it to one of its objects."
        )
    ]


@pytest.mark.parametrize(
    "code",
    [
        cache("    n_blocks = 3\n\n" + READS),
        cache("    n_blocks: int\n\n" + READS),
        cache("    def reset(self):\n        self.n_blocks, self.rest = 1, 2\n\n" + READS),
        cache("    def reset(self):\n        for self.n_blocks in range(3):\n            pass\n\n" + READS),
        cache("    def __getattr__(self, name):\n        return 1\n\n" + READS),
        cache("    def reset(self, values):\n        self.__dict__.update(values)\n\n" + READS),
        cache(READS, "(Base)"),
        "@dataclass\n" + cache(READS),
        cache(READS).replace("class Cache", "class CacheMixin"),
        cache('    def blocks(self):\n        return getattr(self, "n_blocks", 0) or self.n_blocks\n'),
        "class Cache:\n" + READS,
    ],
)
def test_a_class_that_may_have_it_is_left_alone(code: str) -> None:
    assert not messages(code)


@pytest.mark.parametrize(
    ("other", "silent"),
    [
        ("def attach(cache):\n    cache.n_blocks = 3\n", True),
        ("def attach(caches):\n    caches[0].n_blocks += 3\n", True),
        ("def attach(cache):\n    setattr(cache, 'n_blocks', 3)\n", True),
        ("from pkg.cache import Cache\n\n\nclass Paged(Cache):\n    pass\n", False),
        ("from pkg.cache import Cache\n\n\nclass Paged(Cache):\n    n_blocks = 3\n", True),
        ("from pkg.cache import Cache\n\n\nclass Paged(Cache):\n    def n_blocks(self):\n        return 3\n", True),
        ("from pkg.cache import Cache\n\n\nclass Paged(Cache):\n    def f(self):\n        self.n_blocks = 3\n", True),
        ("from pkg.cache import Cache\n\n\nclass A(Cache):\n    pass\n\n\nclass B(A):\n    n_blocks = 3\n", True),
        ("import pkg.cache\nimport torch\n\n\nclass A(pkg.cache.Cache, torch.Elsewhere):\n    pass\n", True),
        ("from pkg.cache import Cache\n\n\nclass M:\n    n_blocks = 3\n\n\nclass A(Cache, M):\n    pass\n", True),
        ("class Other:\n    def __init__(self):\n        self.n_blocks = 3\n", False),
        ("def show(cache):\n    return cache.n_blocks == 3\n", False),
    ],
)
def test_other_code_may_set_it_or_extend_the_class(other: str, silent: bool) -> None:
    assert bool(messages(cache(READS), {"pkg/other.py": other})) is not silent


def test_what_a_module_of_torch_has_is_known() -> None:
    body = "    def forward(self, x):\n        return self.training, self.state_dict(), self._hooks, self.mask, self.head\n"
    code = cache('    def build(self):\n        self.register_buffer("mask", None)\n\n' + body, "(nn.Module)")
    assert messages(f"from torch import nn\n\n\n{code}") == [
        "`self.head` is never set: neither `Cache` nor other code of the repository assigns it to one of its objects."
    ]


def test_a_line_that_the_change_did_not_add_is_left_alone() -> None:
    before = cache(READS)
    base = {"pkg/cache.py": before}
    assert not findings_of(RULE, {"pkg/cache.py": f"{before}\n\nSIZE = 3\n"}, base)


@pytest.mark.parametrize(
    ("base", "silent"),
    [
        ("class Base:\n    pass\n", False),
        ("class Base:\n    n_blocks = 3\n", True),
        ("class Base:\n    n_blocks: int\n", True),
        ("class Base:\n    @property\n    def n_blocks(self):\n        return 3\n", True),
        ("class Base:\n    def __init__(self):\n        self.n_blocks = 3\n", True),
        ("class Base:\n    def __getattr__(self, name):\n        return 3\n", True),
        ("class Root:\n    n_blocks = 3\n\n\nclass Base(Root):\n    pass\n", True),
        ("class Root:\n    pass\n\n\nclass Base(Root):\n    pass\n", False),
        ("from elsewhere import Root\n\n\nclass Base(Root):\n    pass\n", True),
        ("@attr.s\nclass Base:\n    pass\n", True),
        ("class Base(metaclass=Meta):\n    pass\n", True),
        ("from abc import ABC\n\n\nclass Base(ABC):\n    pass\n", False),
        ("from torch import nn\n\n\nclass Base(nn.Module):\n    pass\n", False),
    ],
)
def test_a_base_of_the_tree_is_looked_at(base: str, silent: bool) -> None:
    code = "from pkg.base import Base\n\n\n" + cache(READS, "(Base)")
    assert bool(messages(code, {"pkg/base.py": base})) is not silent


def test_names_of_a_module_below_are_known() -> None:
    code = "from pkg.base import Base\n\n\n" + cache(
        "    def move(self):\n        return self.to(1), self.training\n", "(Base)"
    )
    assert not messages(code, {"pkg/base.py": "from torch import nn\n\n\nclass Base(nn.Module):\n    pass\n"})


def test_a_package_that_is_there_twice_decides_nothing() -> None:
    code = "from pkg.base import Base\n\n\n" + cache(READS, "(Base)")
    twice = {"pkg/base.py": "class Base:\n    pass\n", "other/pkg/__init__.py": "", "other/setup.py": ""}
    assert not messages(code, {**twice, "other/pkg/base.py": "class Base:\n    n_blocks = 3\n", "setup.py": ""})


PART = "class Talker(nn.Module):\n    def __init__(self):\n        self.projection = build()\n{}"
MOVED = "\n    def decode(self, hidden):\n        hidden = self.projection(hidden)\n        return hidden\n"
WHOLE = "class Omni{}:\n    def __init__(self):\n        self.talker = load()\n\n    def prefill(self, x):\n        return {}\n"


@pytest.mark.parametrize(
    ("bases", "use", "others", "reported"),
    [
        ("(nn.Module, SupportsPP, VisionMixin)", "self.talker.projection(x)", {}, True),
        ("(Model)", "self.talker.projection(x)", {"pkg/b.py": "class Model(SupportsPP):\n    pass\n"}, True),
        ("(Model)", "self.talker.projection(x)", {}, False),
        ("(Model)", "self.talker.projection(x)", {"pkg/b.py": "class Model(Library):\n    pass\n"}, False),
        ("(Model)", "self.talker.projection(x)", {"pkg/b.py": "class Model:\n    def projection(self): ...\n"}, False),
        (
            "(Model)",
            "self.talker.projection(x)",
            {"pkg/b.py": "class Model:\n    def __getattr__(self, n): ...\n"},
            False,
        ),
        ("(SupportsPP)", "self.talker(x)", {}, False),
        ("(SupportsPP)", "self.talker.projection(self.projection(x))", {}, False),
        ("(SupportsPP)", "self.talker.projection(x)", {"pkg/b.py": "def tie(m):\n    m.projection = 1\n"}, False),
        ("(SupportsPP)", "self.talker.projection(x)", {"pkg/b.py": "class A(Omni):\n    projection = 1\n"}, False),
    ],
)
def test_a_line_moved_from_the_part_that_sets_it(bases: str, use: str, others: dict[str, str], reported: bool) -> None:
    whole = WHOLE.format(bases, use)
    base = {"pkg/talker.py": PART.format(MOVED), "pkg/omni.py": whole, **others}
    found = findings_of(RULE, {"pkg/talker.py": PART.format(""), "pkg/omni.py": whole + MOVED}, base)
    assert [each.message.rpartition(", and ")[2] for each in found] == (
        ["elsewhere `Omni` reads `self.talker.projection`."] if reported else []
    )
    stays = findings_of(RULE, {"pkg/omni.py": whole + MOVED.replace("projection", "other")}, base)
    assert not stays


BARE = "class Pool:\n    def run(self):\n        {}\n\n\n{}\n"


@pytest.mark.parametrize(
    ("body", "rest", "severities"),
    [
        ("return self.start()", "Pool().run()", ["error"]),
        ("total = self.size + 1\n        return total", "Pool().run()", ["error"]),
        ("return self.start()", "X = Pool", []),
        ("return self.start() if self.start else 1", "Pool.start = print\nPool().run()", []),
        ("return self.start()", "setattr(Pool, find(), print)\nPool().run()", []),
        ("return self.start()", "register(Pool)\nPool().run()", []),
        ("return self.start()", "pool = Pool()\npool.start = print\npool.run()", []),
        (
            "return self.start()",
            "class Large(Pool):\n    def start(self):\n        return 1\n\n\nPool\nLarge().run()",
            [],
        ),
        (
            "try:\n            return self.start()\n        except AttributeError:\n            return 1",
            "Pool().run()",
            [],
        ),
        ("return 1\n\n    def __getattr__(self, name):\n        return self.start()", "Pool().run()", []),
    ],
)
def test_a_class_without_init(body: str, rest: str, severities: list[str]) -> None:
    found = findings_of("errors/unset-attribute", {"pkg/__init__.py": "", "pkg/pool.py": BARE.format(body, rest)})
    assert [each.severity for each in found] == severities


@pytest.mark.parametrize(
    ("body", "severity"),
    [
        ("return self.sizes", "error"),
        ("return self.sizes if self.size else 0", "warning"),
        ("if self.size:\n            return self.sizes\n        return 0", "warning"),
    ],
)
def test_it_is_an_error_where_every_run_of_a_method_fails(body: str, severity: str) -> None:
    init = f"class Pool:\n    def __init__(self):\n        self.size = 1\n\n    def run(self):\n        {body}\n\n\n"
    for made, expected in (("Pool().run()\n", severity), ("X = Pool\n", "warning")):
        (found,) = findings_of("errors/unset-attribute", {"pkg/__init__.py": "", "pkg/pool.py": init + made})
        assert found.severity == expected
