"""Which names objects of a class have, and which methods a class leaves abstract."""

import pytest

from review_bot.analysis.facts.abstract_methods import left_abstract
from review_bot.analysis.facts.members import lacks, members
from review_bot.analysis.facts.runs import Symbol
from review_bot.changes.codebase import Codebase
from review_bot.changes.pull_request import PullRequest
from review_bot.changes.repository import closed

POOL = "class Pool:\n    kind = 1\n    def __init__(self):\n        self.size = 1\n    def take(self): ...\n"


def side(files):
    return Codebase(closed(files, files, files, files), PullRequest(())).head


@pytest.mark.parametrize(
    ("text", "is_closed"),
    [
        ("class A: ...", True),
        ("class A(object): ...", True),
        ("from torch import nn\nclass A(nn.Module): ...", True),
        ("from pydantic import BaseModel\nclass A(BaseModel): ...", True),
        ("from pydantic import BaseModel, Extra\nclass A(BaseModel, extra='allow'): ...", False),
        ("from pydantic import BaseModel\nclass A(BaseModel):\n    model_config = {'extra': 'allow'}", False),
        ("from outside import B\nclass A(B): ...", False),
        ("@dataclass\nclass A: ...", True),
        ("@register\nclass A: ...", False),
        ("def register(cls):\n    TABLE[cls.__name__] = cls\n    return cls\n\n@register\nclass A: ...", True),
        ("def register(cls):\n    cls.size = 1\n    return cls\n\n@register\nclass A: ...", False),
        ("def register(cls):\n    setattr(cls, 'size', 1)\n    return cls\n\n@register\nclass A: ...", False),
        ("def register(cls):\n    change(cls)\n    return cls\n\n@register\nclass A: ...", False),
        ("def register(cls):\n    return make(cls)\n\n@register\nclass A: ...", False),
        ("def register(cls):\n    cls = B\n    return cls\n\n@register\nclass A: ...", False),
        (
            (
                "def register(name):\n    def note(cls):\n        if name in TABLE:\n"
                "            raise KeyError(f'{name} {cls}')\n        TABLE[name] = cls\n        return cls\n    return note\n\n"
                "@register('a')\nclass A: ..."
            ),
            True,
        ),
        ("def register(name):\n    return lambda cls: cls\n\n@register('a')\nclass A: ...", False),
        (
            (
                "class Registry:\n    def register(self, cls):\n        self.table[cls.__name__] = cls\n        return cls\n\n"
                "ENGINES = Registry()\n\n@ENGINES.register\nclass A: ..."
            ),
            True,
        ),
        (
            (
                "class Registry:\n    @classmethod\n    def named(cls, name):\n        def note(kind):\n"
                "            cls.table[name] = kind\n            return kind\n        return note\n\n"
                "@Registry.named('a')\nclass A: ..."
            ),
            True,
        ),
        ("class A(metaclass=Meta): ...", False),
        ("class A:\n    def __getattr__(self, name): ...", False),
        ("class A:\n    def f(self, name): setattr(self, name, 1)", False),
        ("class A:\n    def f(self): setattr(self, 'x', 1)", True),
        ("class A:\n    def f(self, d): self.__dict__.update(d)", False),
        ("class A:\n    def f(self, n): self.register_buffer(n, None)", False),
        ("class A:\n    def f(self): self.register_buffer('n', None)", True),
        ("class A(B): ...\nclass B(A): ...", False),
    ],
)
def test_a_class_is_closed_if_its_text_shows_all_names(text, is_closed):
    assert members(side({"pkg/__init__.py": "", "pkg/a.py": text}), Symbol("pkg/a.py", "A")).closed is is_closed


@pytest.mark.parametrize(
    ("name", "expected"),
    [("size", False), ("kind", False), ("take", False), ("__class__", False), ("length", True), ("heir_only", False)],
)
def test_a_class_lacks_what_neither_bases_nor_subclasses_have(name, expected):
    files = {
        "pkg/__init__.py": "",
        "pkg/pool.py": POOL,
        "pkg/paged.py": "from pkg.pool import Pool\nclass Paged(Pool): ...\n",
        "pkg/heir.py": "from pkg.paged import Paged\nclass Heir(Paged):\n    heir_only = 1\n",
    }
    assert lacks(side(files), Symbol("pkg/paged.py", "Paged"), name) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("class B(A): ...", ["run"]),
        ("class B(A):\n    def run(self): ...", []),
        ("class B(A):\n    run = None", []),
        ("class B(A):\n    if True:\n        def run(self): ...", []),
        ("class M:\n    def run(self): ...\nclass B(M, A): ...", []),
        ("from outside import M\nclass B(M, A): ...", []),
        ("@register\nclass B(A): ...", []),
    ],
)
def test_a_method_is_left_abstract_until_a_class_defines_it(text, expected):
    base = "from abc import ABC, abstractmethod\nclass A(ABC):\n    @abstractmethod\n    def run(self): ...\n"
    found = left_abstract(side({"a.py": base + text}), Symbol("a.py", "B"))
    assert [name for name, _ in found] == expected
