"""The parameters that ``dataclass`` makes of fields, compared with those that Python makes."""

from __future__ import annotations

import ast
import inspect
import sys
from types import ModuleType

import pytest

from review_bot.analysis.facts.dataclass_init import Fielded, init_signature, is_dataclass
from review_bot.analysis.facts.signatures import Signature

HEAD = (
    "from dataclasses import KW_ONLY, MISSING, InitVar, dataclass, field\n"
    "from functools import total_ordering\n"
    "from typing import Annotated, ClassVar, Literal, final\n\n"
)

CERTAIN = [
    # a class has a default under the name of the field
    "class B:\n    a = 1\n@dataclass\nclass C(B):\n    a: int\n    b: int = 2",
    "@dataclass\nclass B:\n    a: int = 1\n@dataclass\nclass C(B):\n    a: int",
    "@dataclass\nclass B:\n    a: list = field(default_factory=list)\n@dataclass\nclass C(B):\n    a: list",
    "@dataclass\nclass C:\n    a: int\n    @property\n    def a(self): ...",
    "@dataclass\nclass C:\n    a: int\n    a = 3",
    "class B:\n    a: int = 1\n    c: int\n@dataclass\nclass C(B):\n    b: int",
    "@dataclass\nclass C:\n    a: int\n    b: str = ''",
    "@dataclass\nclass C:\n    a: int\n    _: KW_ONLY\n    b: str\n    c: int = 0",
    "@dataclass\nclass C:\n    K: ClassVar[int] = 1\n    a: InitVar[int] = 2\n    def f(self): ...",
    "@dataclass\nclass C:\n    a: list = field(default_factory=list)\n    b: int = field(init=False, default=0)",
    "@dataclass(kw_only=True)\nclass C:\n    a: int\n    b: int = field(kw_only=False, default=1)",
    "@dataclass\nclass B:\n    a: int\n    b: int = 1\n@dataclass\nclass C(B):\n    a: str = ''\n    c: int = 2",
    "@final\n@dataclass\nclass C:\n    a: int",
    "@total_ordering\n@dataclass\nclass C:\n    a: int\n    def __lt__(self, other): return True",
    "@dataclass\nclass C:\n    import os\n    assert os\n    for _ in (): pass\n    a: int",
    "@dataclass\nclass C:\n    if True:\n        a: int\n    else:\n        b: int",
    "@dataclass\nclass C:\n    a: Annotated[int, 'ClassVar']\n    b: Literal['KW_ONLY']\n    c: 'ClassVar[int]' = 1",
    "class ClassVarBox: ...\n@dataclass\nclass C:\n    a: ClassVarBox\n    b: 'ClassVarBox'",
    "@dataclass\nclass C:\n    _: 'KW_ONLY'\n    a: int = MISSING\n    b: int = field(default=MISSING)",
    "@dataclass\nclass C:\n    a: int = 1\n    del a\n    b: int",
    "import dataclasses as d\nfrom dataclasses import field as f\n@d.dataclass\nclass C:\n    a: int = f()\n    b: int = d.field(default=1)",
    "@dataclass(frozen=True, slots=True)\nclass C:\n    '''Text.'''\n    a: int = field(repr=False)\n    D = 3",
]


def signature_of(tree: ast.Module) -> Signature | None:
    """Return the signature of the last class, whose bases are those before it."""
    classes = [each for each in tree.body if isinstance(each, ast.ClassDef)]
    chain = [each for each in classes if each is classes[-1] or classes[-1].bases]
    return init_signature(Fielded(each, tree) for each in chain)


@pytest.mark.parametrize("code", CERTAIN)
def test_the_parameters_are_those_that_python_makes(code, monkeypatch):
    tree = ast.parse(HEAD + code)
    assert is_dataclass(next(each for each in reversed(tree.body) if isinstance(each, ast.ClassDef)), tree)
    module = ModuleType("fields")  # in which ``dataclass`` looks for what quoted annotations mean
    monkeypatch.setitem(sys.modules, module.__name__, module)
    exec(compile(HEAD + code, "fields.py", "exec", dont_inherit=True), module.__dict__)
    real = [*inspect.signature(module.__dict__["C"]).parameters.values()]

    found = signature_of(tree)

    assert found is not None
    assert [(each.name, each.kind == "keyword", each.required) for each in found.parameters] == [
        (each.name, each.kind is each.KEYWORD_ONLY, each.default is each.empty) for each in real
    ]


@pytest.mark.parametrize(
    "code",
    [
        "@dataclass(init=False)\nclass C:\n    a: int",
        "@dataclass(**OPTIONS)\nclass C:\n    a: int",
        "@dataclass\nclass C:\n    if FAST:\n        a: int = 1",
        "@dataclass\nclass C:\n    a: int = field(**MORE)",
    ],
)
def test_what_the_text_does_not_show_is_not_certain(code):
    assert signature_of(ast.parse(HEAD + code)) is None


@pytest.mark.parametrize(
    ("head", "decorators"),
    [
        ("from flax.struct import dataclass\n", "@dataclass\n"),
        ("from dataclasses import dataclass\n", "@dataclass\n@register\n"),
        ("from dataclasses import dataclass\n", ""),
    ],
)
def test_another_decorator_may_do_anything(head, decorators):
    tree = ast.parse(f"{head}{decorators}class C:\n    a: int\n")
    assert not is_dataclass(next(each for each in tree.body if isinstance(each, ast.ClassDef)), tree)
