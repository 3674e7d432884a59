"""The functions that are said to raise where an argument is None do so."""

from __future__ import annotations

import builtins
import importlib
from collections.abc import Callable
from typing import Any

import pytest

from review_bot.flow.uses import NEEDING_FIRST


def _function(name: str) -> Callable[..., Any]:
    module, _, last = name.replace("osp.", "os.path.").rpartition(".")
    owner = importlib.import_module(module) if module else builtins
    function: Callable[..., Any] = getattr(owner, last)
    return function


@pytest.mark.parametrize("name", sorted(NEEDING_FIRST))
def test_each_of_the_arguments_must_not_be_none(name: str) -> None:
    count = min(NEEDING_FIRST[name], 3)
    for position in range(count):
        arguments: list[str | None] = ["a"] * count
        arguments[position] = None
        with pytest.raises((TypeError, AttributeError), match=r"None|string or|bytes-like|path|buffer"):
            _function(name)(*arguments)
