"""The parameters that ``dataclass`` makes of fields, compared with those that Python makes."""

from __future__ import annotations

import ast
import inspect
from typing import Any

import pytest

from review_bot.analysis.facts.dataclass_init import init_signature, is_dataclass

HEAD = "from dataclasses import KW_ONLY, InitVar, dataclass, field\nfrom typing import ClassVar\n\n"

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
    "@dataclass(frozen=True, slots=True)\nclass C:\n    '''Text.'''\n    a: int = field(repr=False)\n    D = 3",
]


@pytest.mark.parametrize("code", CERTAIN)
def test_the_parameters_are_those_that_python_makes(code):
    tree = ast.parse(HEAD + code)
    chain = [each for each in tree.body if isinstance(each, ast.ClassDef)]
    assert is_dataclass(chain[-1], tree)
    names: dict[str, Any] = {}
    exec(compile(HEAD + code, "fields.py", "exec", dont_inherit=True), names)
    real = [*inspect.signature(names["C"]).parameters.values()]

    found = init_signature(chain)

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
    tree = ast.parse(HEAD + code)
    assert init_signature([each for each in tree.body if isinstance(each, ast.ClassDef)]) is None


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
