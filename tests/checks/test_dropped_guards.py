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
    assert finding.message == "`with self._lock` was removed from `step`, but the code it protected is still there."


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
    assert f"removes `{argument}` from the call to `{before.partition('(')[0]}`" in finding.message


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
    assert finding.message == "`atol` increases from 0.001 to 0.005."
    assert changed(TOLERANCE, before, before.replace("1e-3", "1e-4"), path) == []
    assert changed(TOLERANCE, before, before.replace("1e-3", "5e-3").replace("a, b", "a, c"), path) == []


def test_a_test_that_did_not_run_before_is_not_missed() -> None:
    path, mark = "tests/test_a.py", "@pytest.mark.skip('#1')\n"
    ran = "def test_a():\n    assert f()\n"
    assert len(changed(SKIPPED, ran, mark + ran, path)) == 1
    assert changed(SKIPPED, "def test_a():\n    self.skipTest('x')\n", mark + ran, path) == []
    assert changed(SKIPPED, "def test_a():\n    pass\n", mark + ran, path) == []
    assert changed(SKIPPED, "", mark + ran, path) == []


CHECK = "errors/check-removed"
SHAPE = "tensor/shape-check-removed"
CLEANUP = "errors/cleanup-removed"
EVAL = "errors/eval-removed"
SYNC = "distributed/sync-removed"
WEAKER = "testing/assertion-weakened"
ASSERTION = "testing/assertion-removed"


def without(text: str, line: str) -> str:
    """Return a text without one of its lines."""
    assert f"{line}\n" in text
    return text.replace(f"{line}\n", "")


def test_a_check_is_shown_as_it_was_written() -> None:
    before = "def block(blocks, i):\n    if i >= len(blocks):\n        raise IndexError(i)\n    return blocks[i]\n"
    after = "def block(blocks, i):\n    return blocks[i]\n"

    (finding,) = changed(CHECK, before, after)

    assert (finding.line, finding.side) == (2, "LEFT")
    assert (
        finding.message
        == "`if i >= len(blocks): raise IndexError` was removed from `block`, but the code it guarded is still there."
    )


def test_a_check_that_goes_from_many_functions_goes_on_purpose() -> None:
    one = "def f{0}(n):\n    assert n > 0\n    return 1 / n\n\n"
    before = "".join(one.format(i) for i in range(3))

    assert changed(CHECK, before, before.replace("    assert n > 0\n", "")) == []
    assert len(changed(CHECK, before, before.replace("    assert n > 0\n", "", 2))) == 2


@pytest.mark.parametrize("asked", ["x is not None", "isinstance(x, int)", "ready", "x.ok and x is not None"])
def test_an_assert_that_speaks_to_a_type_checker_is_left_alone(asked: str) -> None:
    before = f"def f(x, ready):\n    assert {asked}\n    return x.run(ready)\n"

    assert changed(CHECK, before, without(before, f"    assert {asked}")) == []


def test_shapes_have_a_rule_of_their_own() -> None:
    before = "def f(q, k):\n    assert q.shape == k.shape\n    return q @ k.T\n"
    after = without(before, "    assert q.shape == k.shape")

    assert changed(CHECK, before, after) == []
    assert len(changed(SHAPE, before, after)) == 1


def test_a_finally_that_goes_is_shown_where_it_stood() -> None:
    before = "def f(pool):\n    w = pool.take()\n    try:\n        return w.run()\n    finally:\n        w.close()\n"
    after = "def f(pool):\n    w = pool.take()\n    return w.run()\n"

    (finding,) = changed(CLEANUP, before, after)

    assert finding.message == "`finally: w.close()` was removed from `f`, but the work it covered is still there."


@pytest.mark.parametrize(
    "after",
    [
        "def f(path):\n    file = open(path)\n    return file\n",
        "def f(path):\n    file = open(path)\n    return parse(file)\n",
        "def f(path):\n    file = open(path)\n    with file:\n        return file.read()\n",
        "def f(path):\n    return path.read_text()\n",
    ],
)
def test_a_file_that_somebody_else_closes_is_left_alone(after: str) -> None:
    before = "def f(path):\n    with open(path) as file:\n        return file.read()\n"

    assert changed(CLEANUP, before, after) == []
    assert len(changed(CLEANUP, before, "def f(path):\n    file = open(path)\n    return file.read()\n")) == 1


def test_eval_is_seen_as_a_statement_and_at_the_end_of_a_chain() -> None:
    statement = "import torch\n\ndef load(m, p):\n    m.load(p)\n    m.eval()\n    return m\n"
    chain = "import torch\n\ndef load(p):\n    m = build(p).eval()\n    return m\n"

    assert len(changed(EVAL, statement, without(statement, "    m.eval()"))) == 1
    assert len(changed(EVAL, chain, chain.replace(".eval()", ""))) == 1
    assert changed(EVAL, chain, chain.replace(".eval()", ".train()")) == []


def test_a_wait_that_another_replaces_is_left_alone() -> None:
    before = "import torch\n\ndef copy(x, s, host):\n    host.copy_(x)\n    s.synchronize()\n    return host.numpy()\n"

    assert len(changed(SYNC, before, without(before, "    s.synchronize()"))) == 1
    assert changed(SYNC, before, before.replace("s.synchronize()", "s.wait_event(host.done)")) == []
    assert (
        changed(
            SYNC, before, before.replace("return host.numpy()", "return host").replace("    s.sync", "    # s.sync")
        )
        == []
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("assert n() == 3", "assert n() >= 3"),
        ("assert n() == 3", "assert n() in (3, 4)"),
        ("assert n() == 3", "assert isinstance(n(), int)"),
        ("assert n() == 'ab'", "assert 'a' in n()"),
        ("assert n() == [1, x]", "assert x in n()"),
        ("self.assertEqual(n(), 3)", "self.assertTrue(n())"),
        ("self.assertEqual(n(), 3)", "self.assertIn(n(), (3, 4))"),
        ("assert torch.allclose(a, b)", "assert a.shape == b.shape"),
    ],
)
def test_an_assertion_that_more_values_pass_is_weaker(before: str, after: str) -> None:
    form = "def test_n(self, a, b, x):\n    {}\n"
    (finding,) = changed(WEAKER, form.format(before), form.format(after), "tests/test_n.py")

    assert finding.message == f"`{before}` became `{after}`, which accepts more values."


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("assert n() == 0", "assert n()"),
        ("assert n() == True", "assert n()"),
        ("assert n() == 3", "assert n() == 4"),
        ("assert n() == 3", "assert n() in (4, 5)"),
        ("assert n() == 3", "assert n() > 3"),
        ("assert n() == 3", "assert m()"),
        ("self.assertEqual(n(), 3)", "self.assertFalse(n())"),
        ("assert n() == x", "assert n() is not None"),
    ],
)
def test_an_assertion_of_something_else_is_left_alone(before: str, after: str) -> None:
    form = "def test_n(self, x):\n    {}\n"

    assert changed(WEAKER, form.format(before), form.format(after), "tests/test_n.py") == []


def test_an_assertion_that_goes_alone_is_shown_where_it_stood() -> None:
    before = "def test_run():\n    out = run()\n    assert len(out) > 0\n    use(out)\n"
    after = without(before, "    assert len(out) > 0")

    (finding,) = changed(ASSERTION, before, after, "tests/test_run.py")

    assert (finding.line, finding.side) == (3, "LEFT")
    assert changed(ASSERTION, before, after.replace("use(out)", "use(out, 1)"), "tests/test_run.py") == []


def test_an_assertion_of_what_the_change_deletes_is_left_alone() -> None:
    test = "def test_run():\n    out = run()\n    assert out.legacy == 3\n    use(out)\n"
    code = "def run():\n    return Out(legacy=3)\n"
    new = {
        "tests/test_run.py": without(test, "    assert out.legacy == 3"),
        "package/run.py": "def run():\n    return Out()\n",
    }

    assert findings_of(ASSERTION, new, {"tests/test_run.py": test, "package/run.py": code}) == []
    assert (
        len(
            findings_of(ASSERTION, {**new, "package/run.py": code}, {"tests/test_run.py": test, "package/run.py": code})
        )
        == 1
    )


def test_an_argument_on_a_line_of_its_own_is_shown_where_it_stood() -> None:
    before = "def fetch(url):\n    return session.get(\n        url,\n        timeout=10,\n    )\n"

    (finding,) = changed(ARGUMENT, before, without(before, "        timeout=10,"))

    assert (finding.line, finding.side) == (4, "LEFT")


def test_a_limit_on_a_later_line_of_a_statement_is_seen() -> None:
    before = "def scales(a, w):\n    s = (a.pow(2) /\n         w.pow(2)).clamp(min=1e-4).half()\n    return s\n"

    (finding,) = changed(BOUND, before, before.replace(".clamp(min=1e-4)", ""))

    assert finding.line == 3
