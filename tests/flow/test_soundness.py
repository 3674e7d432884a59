"""What the interpreter calls certain is what Python does: generated functions are run on every combination of conditions.

The conditions of a generated function are free of one another, so each path on which a use of None or of an unbound
name is reported must be one that some run takes: it ends at that very line. Where a parameter that was left out is
reported to be used by every call, each call without it that gets to the line ends there.
"""

from __future__ import annotations

import ast
import itertools
import random
import re
import sys
from types import CodeType, FrameType
from typing import Any, NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from review_bot.flow.certainty import reasons
from review_bot.flow.first_way import evaluated_by_every_call
from review_bot.flow.interpreter import follow
from review_bot.flow.slices import slices

NAMES = ("a", "b")
CONDITIONS = ("p", "q", "r")
CALLS = 5
LOOPS = 3
"""Calls and loops of a run of which each combination is tried; later calls succeed, and later loops run once."""

MISTAKES = (AttributeError, NameError, TypeError)
"""What the use of None or of an unbound name raises."""

VALUES = ("None", "some", "a", "b", "some if p else None", "None if q else some", "a or some")
FLAGS = ("a is None", "a is not None", "not (b is None)", "a is None or p", "b is not None and q", "a == 0")
TESTS = (
    *CONDITIONS, "not p", "p and q", "q or r", "a is None", "a is not None", "b is None", "not a", "b",
    "a is None and b is None", "a is not None or r", "isinstance(b, Thing)",
    "k", "not k", "k and p", "k or a",
)  # fmt: skip
PLAIN = ("call()", "print('')", "return", "assert a is not None")


def generated_body(choices: random.Random, depth: int = 3) -> list[str]:
    """Return the lines of some statements, of blocks that are at most ``depth`` deep."""
    return [line for _ in range(choices.randint(1, 3)) for line in _statement(choices, depth)]


def _statement(choices: random.Random, depth: int) -> list[str]:
    kind = max(0, choices.randint(-2, 3)) if depth else 0
    if kind == 0:
        return [_simple(choices)]
    inner = generated_body(choices, depth - 1)
    if kind == 1:
        return ["for _ in items():", *_indented(inner)]
    other = generated_body(choices, depth - 1)
    if kind == 2:
        otherwise = ["else:", *_indented(other)] if choices.randint(0, 1) else []
        return [f"if {choices.choice(TESTS)}:", *_indented(inner), *otherwise]
    if choices.randint(0, 1):
        return ["try:", *_indented(inner), "finally:", *_indented(_without_return(other))]
    return ["try:", *_indented(inner), "except (Failed, AssertionError):", *_indented(other)]


def _simple(choices: random.Random) -> str:
    name = choices.choice(NAMES)
    return choices.choice((
        f"{name} = {choices.choice(VALUES)}",
        f"{name}.use()",
        f"{name} and {name}.use()",
        f"del {name}",
        f"k = {choices.choice(FLAGS)}",
        choices.choice(PLAIN),
    ))  # fmt: skip


def _indented(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def _without_return(lines: list[str]) -> list[str]:
    """Replace ``return``, which in a ``finally`` would hide that the code before it failed."""
    return [line.replace("return", "call()") for line in lines]


class Failed(Exception):  # the name that generated code handles
    """What a call raises where it does."""


class Run:
    """One run: which of its calls raise, and how often its loops run.

    ``chosen``: the first choices, in the order in which the run comes to them; the others are False.
    """

    def __init__(self, chosen: tuple[bool, ...] = ()) -> None:
        self.choices: list[bool] = []
        self._chosen, self._calls, self._loops = chosen, 0, 0

    def call(self) -> None:
        """Raise Failed, if this call is one that does."""
        self._calls += 1
        if self._calls <= CALLS and self._choice():
            raise Failed

    def items(self) -> range:
        """Return what the next loop iterates over, or raise Failed, as each call may."""
        self.call()
        self._loops += 1
        return range(1) if self._loops > LOOPS else range(2 if self._choice() else 0)

    def others(self) -> list[tuple[bool, ...]]:
        """Return the choices of the runs that part from this one, after those that it was given."""
        return [(*self.choices[:number], True) for number in range(len(self._chosen), len(self.choices))]

    def _choice(self) -> bool:
        number = len(self.choices)
        self.choices.append(number < len(self._chosen) and self._chosen[number])
        return self.choices[-1]


class Other:
    """An object, true or false, equal to 0 or not, of which a use may raise."""

    def __init__(self, run: Run, *, truth: bool, zero: bool) -> None:
        self.use, self._truth, self._zero = run.call, truth, zero

    def __bool__(self) -> bool:
        return self._truth

    def __eq__(self, other: object) -> bool:
        return self._zero if other == 0 else self is other

    __hash__ = object.__hash__


class Thing(Other):
    """One of the class that generated code asks for."""


class Runs(NamedTuple):
    """The lines that some run of a function reaches, and those at which one uses None or an unbound name.

    ``survived``: the lines that a run without the argument goes on from, and that follow no mistake of its own.
    """

    reached: set[int]
    crashed: set[int]
    survived: set[int]


def runs(code: str, wanted: int) -> Runs:
    """Run ``f`` with each combination of conditions, failing calls and rounds of its loops.

    The first run that ends at line ``wanted``, or before it, is the last one.
    """
    found = Runs(set(), set(), set())
    compiled = compile(code, "<generated>", "exec")
    asked = [(False, True) if re.search(rf"\b{each}\b", code) else (False,) for each in CONDITIONS]
    classes = (Thing, Other) if "isinstance" in code else (Thing,)
    zeros = (False, True) if "== 0" in code else (False,)
    objects = [None, *itertools.product(classes, (False, True), zeros)]
    for kinds, conditions in itertools.product(itertools.product(objects, repeat=2), itertools.product(*asked)):
        waiting: list[tuple[bool, ...]] = [()]
        while waiting:
            run = Run(waiting.pop())
            argument, some = (None if each is None else each[0](run, truth=each[1], zero=each[2]) for each in kinds)
            scope: dict[str, Any] = dict(zip(CONDITIONS, conditions, strict=True))
            scope |= {"Thing": Thing, "Failed": Failed, "some": some, "call": run.call, "print": str}
            _run(compiled, scope | {"items": run.items}, argument, found)
            if found.crashed and min(found.crashed) <= wanted:
                return found
            waiting += run.others()
    return found


def _run(compiled: CodeType, scope: dict[str, Any], argument: Other | None, found: Runs) -> None:
    lines: set[int] = set()
    survived: set[int] = set()
    raised: dict[int, tuple[BaseException, int]] = {}

    def trace(frame: FrameType, event: str, about: Any) -> Any:
        if frame.f_code.co_filename != "<generated>":
            return None
        if event == "line":
            lines.add(frame.f_lineno)
            if not any(isinstance(error, MISTAKES) for error, _ in raised.values()):
                survived.add(frame.f_lineno)
        elif event == "exception":  # once more where a ``finally`` raises it again
            raised.setdefault(id(about[1]), (about[1], frame.f_lineno))
        return trace

    exec(compiled, scope)  # our own text
    before = sys.gettrace()
    try:
        sys.settrace(trace)
        scope["f"](*([] if argument is None else [argument]))
    except (Failed, AssertionError, *MISTAKES):
        pass
    finally:
        sys.settrace(before)
    found.reached.update(lines)
    found.crashed.update(line for error, line in raised.values() if isinstance(error, MISTAKES))
    if argument is None:
        found.survived.update(survived - {line for _, line in raised.values()})


def false_uses(body: list[str]) -> str:
    """Return what is called certain of a generated function and does not happen; nothing if all of it does."""
    code = "\n".join(["def f(a=None):", "    k = p", *_indented(body), "    b = 0"])
    function = ast.parse(code).body[0]
    assert isinstance(function, ast.FunctionDef)

    every_line = range(code.count("\n") + 2)
    runs_of = [follow(function).uses]
    for name, deciding in slices(function, every_line, ()):  # what is followed alone is as certain
        runs_of.append(tuple(use for use in follow(function, only=deciding).uses if use.place == name))
    uses = [use for found in runs_of for use in found if reasons(use, found) is not None]
    certain = {use.node.lineno: use for use in uses if use.value.presence != "optional"}
    every = evaluated_by_every_call(function, {"a"})
    left_out = {use.node.lineno for use in uses if use.value.presence == "optional" and id(use.node) in every}
    if not certain and not left_out:
        return ""
    seen = runs(code, 0 if left_out else min(certain))
    # a line that no run reaches, or that follows a line where some run ends, is behind another mistake
    first = min(seen.crashed, default=len(code))
    false = {line for line in set(certain) & seen.reached if line < first} | (left_out & seen.survived)
    return f"{sorted(false)}\n{code}" if false else ""


@given(st.randoms())
@settings(max_examples=150, deadline=None)
def test_each_certain_use_happens_in_some_run(choices: random.Random) -> None:
    assert not false_uses(generated_body(choices))
