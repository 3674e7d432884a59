"""Defaults of dataclass fields that ``dataclass`` refuses."""

from __future__ import annotations

import pytest

from tests.rule_cases import findings_of

RULE = "errors/dataclass-default"
HEAD = "import dataclasses\nfrom dataclasses import dataclass, field\n\n\n"


@pytest.mark.parametrize(
    "code",
    [
        "@dataclass\nclass A:\n    names: list = []\n",
        "@dataclass(frozen=True)\nclass A:\n    names: dict = dict()\n",
        "@dataclasses.dataclass\nclass A:\n    names: set = set()\n",
        "@dataclass\nclass A:\n    names: list = dataclasses.field(default=[])\n",
        "import collections\n\n\n@dataclass\nclass A:\n    names: dict = collections.OrderedDict()\n",
        "def make():\n    @dataclass\n    class A:\n        names: list = []\n    return A\n",
        "try:\n    @dataclass\n    class A:\n        names: list = []\nexcept ImportError:\n    pass\n",
    ],
)
def test_a_default_that_surely_fails_is_an_error(code: str) -> None:
    assert [each.severity for each in findings_of(RULE, f"{HEAD}{code}")] == ["error"]


@pytest.mark.parametrize(
    "code",
    [
        (
            "import pytest\n\n\ndef test_it():\n    with pytest.raises(ValueError):\n"
            "        @dataclass\n        class A:\n            names: list = []\n"
        ),
        "try:\n    @dataclass\n    class A:\n        names: list = []\nexcept ValueError:\n    pass\n",
        "from lib import without_defaults\n\n\n@dataclass\n@without_defaults\nclass A:\n    names: list = []\n",
        "@dataclass\nclass A:\n    size: int = 0\n\n\n@dataclass\nclass B:\n    a: A = A()\n",  # since Python 3.11
    ],
)
def test_a_default_that_may_not_fail_is_a_warning(code: str) -> None:
    assert [each.severity for each in findings_of(RULE, f"{HEAD}{code}")] == ["warning"]


@pytest.mark.parametrize(
    "code",
    [
        "@dataclass\nclass A:\n    names: dataclasses.InitVar[list] = []\n",
        "@dataclass\nclass A:\n    names: 'typing.ClassVar[list]' = []\n",
        "@dataclass\nclass A:\n    names = []\n",
        "@dataclass\nclass A:\n    names: list = field(default_factory=list)\n",
        "@dataclass\nclass A:\n    names: tuple = tuple()\n    more: frozenset = frozenset()\n",
        "def list():\n    return 1\n\n\n@dataclass\nclass A:\n    names: int = list()\n",
        "from pydantic.dataclasses import dataclass\n\n\n@dataclass\nclass A:\n    names: list = []\n",
        "from attrs import define\n\n\n@define\nclass A:\n    names: list = []\n",
        "class A:\n    names: list = []\n",
    ],
)
def test_a_default_that_dataclass_takes_is_left_alone(code: str) -> None:
    assert findings_of(RULE, f"{HEAD}{code}") == []
