"""What the interpreter calls certain is what Python does: generated functions are run on every combination of conditions.

The conditions of a generated function are free of one another, so each path on which a use of None or of an unbound
name is reported must be one that some run takes: it ends at that very line. Where a parameter that was left out is
reported to be used by every call, each call without it that gets to the line ends there.
"""

from __future__ import annotations

import ast
import itertools
import sys
from types import CodeType, FrameType
from typing import Any, NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from review_bot.flow.certainty import reasons
from review_bot.flow.first_way import evaluated_by_every_call
from review_bot.flow.interpreter import follow

NAMES = ("a", "b")
CONDITIONS = ("p", "q", "r")
CALLS = LOOPS = 2
"""Calls and loops of a run of which each combination is tried."""

values = st.sampled_from(["None", "some", "a", "b", "some if p else None", "None if q else some", "a or some"])
flags = st.sampled_from(
    ["a is None", "a is not None", "not (b is None)", "a is None or p", "b is not None and q", "a == 0"]
)
tests = st.sampled_from([
    *CONDITIONS, "not p", "p and q", "q or r", "a is None", "a is not None", "b is None", "not a", "b",
    "a is None and b is None", "a is not None or r", "isinstance(b, Thing)",
    "k", "not k", "k and p", "k or a",
])  # fmt: skip
simple = st.one_of(
    st.tuples(st.sampled_from(NAMES), values).map(lambda pair: [f"{pair[0]} = {pair[1]}"]),
    st.sampled_from(NAMES).map(lambda name: [f"{name}.use()"]),
    st.sampled_from(NAMES).map(lambda name: [f"{name} and {name}.use()"]),
    st.sampled_from(NAMES).map(lambda name: [f"del {name}"]),
    flags.map(lambda flag: [f"k = {flag}"]),
    st.sampled_from([["call()"], ["print('')"], ["return"], ["assert a is not None"]]),
)


def _indented(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def _without_return(lines: list[str]) -> list[str]:
    """Replace ``return``, which in a ``finally`` would hide that the code before it failed."""
    return [line.replace("return", "call()") for line in lines]


def _compound(body: st.SearchStrategy[list[str]]) -> st.SearchStrategy[list[str]]:
    branches = st.tuples(tests, body, st.one_of(st.none(), body)).map(
        lambda parts: [f"if {parts[0]}:", *_indented(parts[1]), *(["else:", *_indented(parts[2])] if parts[2] else [])]
    )
    tries = st.tuples(body, body, st.booleans()).map(
        lambda parts: [
            *["try:", *_indented(parts[0])],
            *(["finally:"] if parts[2] else ["except (Failed, AssertionError):"]),
            *_indented(_without_return(parts[1]) if parts[2] else parts[1]),
        ]
    )
    loops = body.map(lambda inner: ["for _ in items():", *_indented(inner)])
    return st.lists(st.one_of(simple, branches, tries, loops), min_size=1, max_size=4).map(
        lambda parts: [line for part in parts for line in part]
    )


bodies = st.recursive(simple, _compound, max_leaves=14)


class Failed(Exception):  # the name that generated code handles
    """What a call raises where it does."""


class Run:
    """One run: which of its first calls raise, and how often its first loops run."""

    def __init__(self, failing: tuple[bool, ...], rounds: tuple[int, ...]) -> None:
        self._failing, self._rounds = iter(failing), iter(rounds)

    def call(self) -> None:
        """Raise Failed, if this call is one that does."""
        if next(self._failing, False):
            raise Failed

    def items(self) -> range:
        """Return what the next loop iterates over."""
        return range(next(self._rounds, 1))


class Thing:
    """An object, of which a use may raise."""

    def __init__(self, run: Run) -> None:
        self.use = run.call


class Runs(NamedTuple):
    """The lines that some run of a function reaches, and those at which one uses None or an unbound name.

    ``survived``: the lines that a run without the argument goes on from.
    """

    reached: set[int]
    crashed: set[int]
    survived: set[int]


def runs(code: str) -> Runs:
    """Run ``f`` with each combination of conditions, failing calls and rounds of its loops."""
    found = Runs(set(), set(), set())

    compiled = compile(code, "<generated>", "exec")
    both = (False, True)
    for first, second, *conditions in itertools.product(both, repeat=2 + len(CONDITIONS)):
        for rounds in itertools.product((0, 2), repeat=LOOPS):
            for failing in itertools.product(both, repeat=CALLS):
                run = Run(failing, rounds)
                thing = Thing(run)
                scope: dict[str, Any] = dict(zip(CONDITIONS, conditions, strict=True)) | {
                    "Thing": Thing,
                    "Failed": Failed,
                }
                scope |= {"some": thing if second else None, "call": run.call, "print": str, "items": run.items}
                _run(compiled, scope, thing if first else None, found)
    return found


def _run(compiled: CodeType, scope: dict[str, Any], argument: Thing | None, found: Runs) -> None:
    lines: set[int] = set()
    raised: dict[int, tuple[BaseException, int]] = {}

    def trace(frame: FrameType, event: str, about: Any) -> Any:
        if frame.f_code.co_filename != "<generated>":
            return None
        if event == "line":
            lines.add(frame.f_lineno)
        elif event == "exception":  # once more where a ``finally`` raises it again
            raised.setdefault(id(about[1]), (about[1], frame.f_lineno))
        return trace

    exec(compiled, scope)  # our own text
    before = sys.gettrace()
    try:
        sys.settrace(trace)
        scope["f"](*([] if argument is None else [argument]))
    except (Failed, AssertionError, AttributeError, NameError, TypeError):
        pass
    finally:
        sys.settrace(before)
    found.reached.update(lines)
    found.crashed.update(
        line for error, line in raised.values() if isinstance(error, (AttributeError, NameError, TypeError))
    )
    if argument is None:
        found.survived.update(lines - {line for _, line in raised.values()})


def false_uses(body: list[str]) -> str:
    """Return what is called certain of a generated function and does not happen; nothing if all of it does."""
    code = "\n".join(["def f(a=None):", "    k = p", *_indented(body), "    b = 0"])
    function = ast.parse(code).body[0]
    assert isinstance(function, ast.FunctionDef)

    uses = [use for use in follow(function, {}).uses if reasons(use) is not None]
    certain = {use.node.lineno: use for use in uses if use.value.presence != "optional"}
    every = evaluated_by_every_call(function, {"a"})
    left_out = {use.node.lineno for use in uses if use.value.presence == "optional" and id(use.node) in every}
    if not certain and not left_out:
        return ""
    seen = runs(code)
    # a line that no run reaches, or that follows a line where some run ends, is behind another mistake
    first = min(seen.crashed, default=len(code))
    false = {line for line in set(certain) & seen.reached if line < first} | (left_out & seen.survived)
    return f"{sorted(false)}\n{code}" if false else ""


@given(bodies)
@settings(max_examples=150, deadline=None)
def test_each_certain_use_happens_in_some_run(body: list[str]) -> None:
    assert not false_uses(body)
