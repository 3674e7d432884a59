"""The defaults that prose states, and what contradicts them."""

from __future__ import annotations

import ast

import pytest

from review_bot.analysis.python.stated_defaults import Known, Value, contradicts, literal, stated_defaults


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("The port (default: 8080).", [8080]),
        ("steps (`int`, *optional*, defaults to 50):", [50]),
        ("Defaults to `0.5`.", [0.5]),
        ('output (`str`, defaults to `"pil"`): the format', ["pil"]),
        ("Whether to tile. Default is True", [True]),
        ("mask (optional). Default: None.", [None]),
        ("Defaults to 1e-6.", [1e-6]),
        ("Defaults to 1_000.", [1000]),
        ("Default value is -1; default = 3", [-1, 3]),
        # A condition, a unit, an expression, another word
        ("Defaults to 5 if the model is small, or 7.", []),
        ("Defaults to 4.0. For images 2.0.", []),
        ("Defaults to 2 GB.", []),
        ("Defaults to `self.vae.size`.", []),
        ("Defaults to the working directory.", []),
        ("The default scheduler has 50 steps.", []),
        ("default: 0.5x", []),
    ],
)
def test_values_are_read_where_nothing_qualifies_them(text: str, values: list[Value]) -> None:
    assert [each.value for each in stated_defaults(text)] == values


@pytest.mark.parametrize(
    ("stated", "actual", "answer"),
    [
        (50, 28, True),
        (50, 50.0, False),
        (0.1 + 0.2, 0.3, False),
        (True, False, True),
        (True, 1, False),
        ("pil", "np", True),
        ("np", "np", False),
        (r"\d", r"\\d", False),
        ("4", 4, False),
        (None, 4, True),
        (None, "", False),
        (4, None, False),
    ],
)
def test_only_two_values_of_one_kind_contradict_each_other(stated: Value, actual: Value, answer: bool) -> None:
    assert contradicts(stated, actual) is answer


@pytest.mark.parametrize(
    ("code", "known"),
    [("-1", Known(-1)), ("None", Known(None)), ("'a'", Known("a")), ("-True", None), ("2 * 3", None), ("x", None)],
)
def test_literals_are_known(code: str, known: Known | None) -> None:
    assert literal(ast.parse(code, mode="eval").body) == known
