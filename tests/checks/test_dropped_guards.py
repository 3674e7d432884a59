"""Guards that a change takes from code which stays: locks, no_grad, arguments, limits, tolerances, tests that run."""

from __future__ import annotations

import pytest

from review_bot.findings import Finding
from tests.rule_cases import findings_of

LOCK = "distributed/lock-removed"
ARGUMENT = "errors/guard-argument-removed"
BOUND = "errors/bound-removed"
TOLERANCE = "testing/tolerance-loosened"
SKIPPED = "testing/test-skipped"
NO_GRAD = "memory/no-grad-removed"


def changed(rule: str, before: str, after: str, path: str = "package/module.py") -> list[Finding]:
    """Return what a rule says of one file that changes."""
    return findings_of(rule, {path: after}, {path: before})


def with_lock(guard: str, body: str = "n = self.n\n        self.n = n + 1") -> str:
    inner = body.replace("\n", "\n    ")
    rest = "    def size(self):\n        with self._lock:\n            return self.n\n"
    guarded = f"        {guard}:\n            {inner}\n" if guard else f"        {body}\n"
    return f"class A:\n    def step(self):\n{guarded}\n{rest}"


def test_a_lock_that_goes_is_shown_where_it_stood() -> None:
    (finding,) = changed(LOCK, with_lock("with self._lock"), with_lock(""))

    assert (finding.line, finding.side, finding.severity) == (3, "LEFT", "warning")
    assert finding.message == "`with self._lock` is gone from `step`, and the code that it held stays."


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (with_lock("with self._lock"), with_lock("with self.other_lock")),
        (with_lock("with self._lock"), with_lock("", "self.n = next(self.counter)")),
        (with_lock("with self._lock"), with_lock("").replace("def step", "def other")),
        (with_lock("with self.block"), with_lock("")),
        (with_lock("with open(path)"), with_lock("")),
        (
            with_lock("with self._lock"),
            with_lock("") + "\n    def run(self):\n        with self._lock:\n            self.step()\n",
        ),
    ],
)
def test_a_lock_that_was_replaced_or_moved_is_left_alone(before: str, after: str) -> None:
    assert changed(LOCK, before, after) == []


def test_gradients_that_are_switched_by_hand_are_left_alone() -> None:
    before = "import torch\n\n@torch.no_grad()\ndef run(m, x):\n    return m(x)\n"
    assert len(changed(NO_GRAD, before, before.replace("@torch.no_grad()\n", ""))) == 1
    after = "import torch\n\ndef run(m, x):\n    torch.set_grad_enabled(False)\n    return m(x)\n"
    assert changed(NO_GRAD, before, after) == []


@pytest.mark.parametrize(
    ("before", "after", "argument"),
    [
        ("get(url, timeout=10)", "get(url)", "timeout=10"),
        ("q.get(block=True, timeout=LIMIT)", "q.get(block=True)", "timeout=LIMIT"),
        ("subprocess.run(c, check=True)", "subprocess.run(c)", "check=True"),
        ("zip(a, b, strict=True)", "zip(a, b)", "strict=True"),
        ("torch.load(p, weights_only=True)", "torch.load(p)", "weights_only=True"),
    ],
)
def test_an_argument_that_guards_is_missed(before: str, after: str, argument: str) -> None:
    (finding,) = changed(ARGUMENT, f"def f():\n    return {before}\n", f"def f():\n    return {after}\n")
    assert f"takes `{argument}` from the call of `{before.partition('(')[0]}`" in finding.message


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("get(url, timeout=10)", "get(other)"),
        ("get(url, timeout=10)", "get(url, timeout=20)"),
        ("get(url, timeout=10)", "get(url, deadline=10)"),
        ("load(p, weights_only=True)", "load(p)"),
        ("run(c, check=True)", "run(c)"),
        ("get(url, timeout=None)", "get(url)"),
    ],
)
def test_a_call_that_changed_otherwise_is_left_alone(before: str, after: str) -> None:
    assert changed(ARGUMENT, f"def f():\n    return {before}\n", f"def f():\n    return {after}\n") == []


def test_a_limit_that_moves_is_no_loss() -> None:
    before = "def f(r):\n    n = min(r.n, MAX_N)\n    return run(n)\n"
    assert len(changed(BOUND, before, before.replace("min(r.n, MAX_N)", "r.n"))) == 1
    assert changed(BOUND, before, before.replace("min(r.n, MAX_N)", "min(r.n, MAX_M)")) == []
    assert changed(BOUND, before, "def f(r):\n    n = r.n\n    return run(min(r.n, MAX_N))\n") == []


def test_a_tolerance_counts_only_between_two_equal_comparisons() -> None:
    before = "def test_a():\n    assert_close(a, b, atol=1e-3, rtol=1e-2)\n"
    path = "tests/test_a.py"
    (finding,) = changed(TOLERANCE, before, before.replace("1e-3", "5e-3"), path)
    assert finding.message == "`atol` grows from 0.001 to 0.005 here."
    assert changed(TOLERANCE, before, before.replace("1e-3", "1e-4"), path) == []
    assert changed(TOLERANCE, before, before.replace("1e-3", "5e-3").replace("a, b", "a, c"), path) == []


def test_a_test_that_did_not_run_before_is_not_missed() -> None:
    path, mark = "tests/test_a.py", "@pytest.mark.skip('#1')\n"
    ran = "def test_a():\n    assert f()\n"
    assert len(changed(SKIPPED, ran, mark + ran, path)) == 1
    assert changed(SKIPPED, "def test_a():\n    self.skipTest('x')\n", mark + ran, path) == []
    assert changed(SKIPPED, "def test_a():\n    pass\n", mark + ran, path) == []
    assert changed(SKIPPED, "", mark + ran, path) == []
