"""Functions that are tested and not called."""

from __future__ import annotations

import pytest

from tests.rule_cases import findings_of

RULE = "errors/uncalled-function"


def names(code: str) -> list[str]:
    return [each.message.split("`")[1] for each in findings_of(RULE, code)]


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("import torch\n\nassert torch.cuda.is_available\n", ["torch.cuda.is_available"]),
        ("from torch import cuda\n\nx = 1 if not cuda.is_available else 2\n", ["cuda.is_available"]),
        (
            "import torch.distributed as dist\n\nwhile a and (b or dist.is_initialized):\n    go()\n",
            ["dist.is_initialized"],
        ),
        ("def ready():\n    return 1\n\n\nif ready:\n    go()\n", ["ready"]),
        ("import torch\n\nif torch.cuda.is_available():\n    go()\n", []),
        ("import torch\n\nif torch.cuda:\n    go()\n", []),
        ("import torch\n\nasks = torch.cuda.is_available or other\n", []),
    ],
)
def test_conditions_that_are_functions(code: str, found: list[str]) -> None:
    assert names(code) == found


@pytest.mark.parametrize(
    "code",
    [
        "def ready():\n    return 1\n\n\ndef go(ready=None):\n    return 1 if ready else 2\n",
        "def ready():\n    return 1\n\n\nready = None\nif ready:\n    go()\n",
        "from a import ready\n\n\ndef ready():\n    return 1\n\n\nif ready:\n    go()\n",
        "@cached\ndef ready():\n    return 1\n\n\nif ready:\n    go()\n",
        "class A:\n    ready: bool = False\n\n    def ready(self):\n        return 1\n\n    def go(self):\n        return self.ready or 1\n",
    ],
)
def test_a_name_that_may_mean_something_else_is_left_alone(code: str) -> None:
    assert not names(code)
