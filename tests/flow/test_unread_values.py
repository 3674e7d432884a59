"""What is said to be read nowhere is read in no run: generated functions are run with many choices of their ways."""

from __future__ import annotations

import ast
import random
from contextlib import suppress
from typing import Any

import pytest

from review_bot.analysis.python.completion import unreachable
from review_bot.flow.unread_values import unread_values

NAMES = ("a", "b")
PROGRAMS = 400
RUNS = 40
MOST_STEPS = 200
PLAIN = ("call()", "return", "raise Failed", "a += 1", "a, b = new({n}), new({n})", "del a", "a = b = new({n})")


class Failed(Exception):  # the name that generated code handles
    """What a call raises where it does."""


class Value:
    """A value that was made on one line, and that notes when it is used."""

    def __init__(self, line: int, seen: set[int]) -> None:
        self._line, self._seen = line, seen

    def __add__(self, other: int) -> Value:
        self.use()
        return Value(0, self._seen)

    def use(self) -> None:
        """Note that the value of this line is read."""
        self._seen.add(self._line)


class Run:
    """One run, whose ways are chosen at random."""

    def __init__(self, choices: random.Random) -> None:
        self.seen: set[int] = set()
        self._choices, self._steps = choices, 0

    def new(self, line: int) -> Value:
        """Return the value of a line, or raise Failed, as each call may."""
        self.call()
        return Value(line, self.seen)

    def may(self) -> bool:
        """Return what the next condition is."""
        self._steps += 1
        return self._steps < MOST_STEPS and self._choices.random() < 1 / 2

    def call(self) -> None:
        """Raise Failed, if this call is one that does."""
        if self._choices.random() < 1 / 8:
            raise Failed

    def items(self) -> range:
        """Return what the next loop iterates over."""
        return range(self._choices.randint(0, 3) if self.may() else 0)


def generated(choices: random.Random, depth: int, *, looped: bool = False) -> list[str]:
    """Return the lines of some statements; ``{n}`` in them is for the number of the line."""
    return [line for _ in range(choices.randint(1, 3)) for line in _statement(choices, depth, looped=looped)]


def _statement(choices: random.Random, depth: int, *, looped: bool) -> list[str]:
    kind = choices.randint(0, 6) if depth else 0
    name = choices.choice(NAMES)
    if kind < 2:
        plain = choices.choice(("break", "continue") if looped and choices.random() < 1 / 2 else PLAIN)
        return [choices.choice((f"{name} = new({{n}})", f"{name} = new({{n}})", f"{name}.use()", plain))]
    inner = _indented(generated(choices, depth - 1, looped=looped or kind == 2))
    other = _indented(generated(choices, depth - 1, looped=looped))
    if kind == 2:
        head = choices.choice(("for b in made():", "for _ in items():", "while may():"))
        return [head, *inner, *(["else:", *other] if choices.random() < 1 / 3 else ())]
    if kind == 3:
        return ["if may():", *inner, *(["else:", *other] if choices.random() < 1 / 2 else ())]
    if kind == 4:
        return ["with suppress(Failed):", *inner]
    if kind == 5:
        end = [line.replace("return", "call()").replace("break", "call()") for line in other]
        return ["try:", *inner, "finally:", *[line.replace("continue", "call()") for line in end]]
    return ["try:", *inner, "except Failed:", *other]


def _indented(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]


@pytest.mark.parametrize("part", range(4))
def test_no_run_reads_what_is_said_to_be_unread(part: int) -> None:
    claimed = 0
    for seed in range(part, PROGRAMS, 4):
        choices = random.Random(seed)
        body = ["a, b = new(0), new(0)", *generated(choices, 3), "a.use()"]
        lines = ["def run():", *_indented(body)]
        text = "\n".join(line.replace("{n}", str(number)) for number, line in enumerate(lines, 1))
        function = ast.parse(text).body[0]
        assert isinstance(function, ast.FunctionDef)
        unread = {each.node.lineno for each in unread_values(function)}
        claimed += len(unread)
        for _ in range(RUNS if unread else 0):
            assert not unread & _seen(text, choices), text
    assert claimed > 40


def _seen(text: str, choices: random.Random) -> set[int]:
    run = Run(choices)
    names: dict[str, Any] = {
        "new": run.new, "may": run.may, "call": run.call, "items": run.items, "suppress": suppress, "Failed": Failed,
        "made": lambda: [Value(0, run.seen) for _ in run.items()],
    }  # fmt: skip
    exec(text, names)
    with suppress(Failed, UnboundLocalError):
        names["run"]()
    return run.seen


def test_reads_that_never_run_are_not_named_however_long_the_chain_before_them() -> None:
    links = "".join(f"    elif size == {each}:\n        return {each}\n" for each in range(300))
    text = f"def f(size):\n    if size < 0:\n        return 0\n{links}    else:\n        return 1\n    return size\n"
    [function] = ast.parse(text).body

    assert isinstance(function, ast.FunctionDef)
    assert [ast.unparse(each) for each in unreachable(function.body)] == ["return size"]
