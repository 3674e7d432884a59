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
