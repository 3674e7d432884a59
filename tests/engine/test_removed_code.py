"""What counts as deleted for good, and what only moved, changed its form or went with its function."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review_bot.changes.pull_request import PullRequest
from review_bot.configuration import rule_registry
from review_bot.configuration.rule_trial import examine_case
from review_bot.errors import RuleError
from review_bot.findings import Finding
from review_bot.rules.examples import make_case
from review_bot.rules.rule import Rule

ASSERTION = """
id: own/assertion
severity: warning
message: "`$T` is no longer checked."
removed:
  language: python
  rule: {pattern: assert $T.shape == $S}
"""
REPLACEABLE = ASSERTION + '  unless_added: {rule: {pattern: "$T.shape"}}\n'
LOCK_LINE = """
id: own/lock-line
severity: warning
message: A lock is no longer taken.
removed:
  text: {regex: 'with \\w*lock:', unless: {line: "# trial"}}
"""


def rule_from(text: str) -> Rule:
    return rule_registry.own_pages([("own.yaml", text)])[0].rule


def findings(rule: str, before: str, after: str | None, path: str = "package/module.py") -> list[Finding]:
    """Run a rule over the change of one file; ``after`` None deletes it."""
    compiled = rule_from(rule)
    found, trouble = examine_case(compiled, make_case(compiled, {"base": {path: before}, "head": {path: after}}))
    assert trouble is None
    return found


def lines(rule: str, before: str, after: str | None, path: str = "package/module.py") -> list[int | None]:
    return [finding.line for finding in findings(rule, before, after, path)]


def test_a_deleted_check_is_reported_where_it_stood() -> None:
    before = "def f(x, y):\n    start()\n    assert x.shape == y.shape\n    return x @ y\n"

    [finding] = findings(ASSERTION, before, "def f(x, y):\n    start()\n    return x @ y\n")

    assert (finding.path, finding.line, finding.side) == ("package/module.py", 3, "LEFT")
    assert finding.message == "`x` is no longer checked."
    assert (finding.column, finding.suggestion) == (5, None)


def test_deleted_at_the_top_of_a_module() -> None:
    assert lines(ASSERTION, "assert x.shape == y\nrun()\n", "run()\n") == [1]


@pytest.mark.parametrize(
    "after",
    [
        pytest.param("def f(x, y):\n    z = x @ y\n    assert x.shape == y.shape\n    return z\n", id="further down"),
        pytest.param(
            "def check(x, y):\n    assert x.shape == y.shape\n\ndef f(x, y):\n    check(x, y)\n    return x @ y\n",
            id="into another function",
        ),
        pytest.param(
            "def f(x, y):\n    if debug:\n        assert x.shape == y.shape\n    return x @ y\n", id="under a condition"
        ),
        pytest.param("def f(x, y):\n    assert (\n        x.shape == y.shape\n    )\n    return x @ y\n", id="wrapped"),
        pytest.param("def g(x, y):\n    return x @ y\n", id="function renamed"),
        pytest.param("def h(): ...\n", id="function deleted"),
        pytest.param(None, id="file deleted"),
    ],
)
def test_code_that_moved_or_went_with_its_function_is_not_lost(after: str | None) -> None:
    assert lines(ASSERTION, "def f(x, y):\n    assert x.shape == y.shape\n    return x @ y\n", after) == []


def test_one_of_two_equal_checks() -> None:
    before = "def f(x, y):\n    assert x.shape == y.shape\n    step()\n    assert x.shape == y.shape\n    return x\n"

    assert lines(ASSERTION, before, "def f(x, y):\n    assert x.shape == y.shape\n    step()\n    return x\n") == [4]
    assert lines(ASSERTION, before, "def f(x, y):\n    step()\n    return x\n") == [2, 4]


def test_methods_of_one_name_in_two_classes_are_told_apart() -> None:
    method = "    def f(self, x, y):\n        assert x.shape == y.shape\n        return x\n"
    plain = "    def f(self, x, y):\n        return x\n"

    assert lines(ASSERTION, f"class A:\n{method}\nclass B:\n{method}", f"class A:\n{plain}\nclass B:\n{method}") == [3]


def test_an_edit_that_leaves_the_line_alone_deletes_nothing() -> None:
    before = "def f(x, y):\n    assert x.shape == y.shape\n    return x\n"

    assert lines(ASSERTION, before, before.replace("return x", "return y")) == []


def test_replaced_by_something_that_names_the_same_tensor() -> None:
    before = "def f(x, y):\n    assert x.shape == y.shape\n    return x\n"
    raising = "def f(x, y):\n    if {}.shape != 1:\n        raise ValueError\n    return x\n"

    assert lines(REPLACEABLE, before, raising.format("x")) == []
    assert lines(REPLACEABLE, before, raising.format("weights")) == [2]


def test_what_was_there_before_replaces_nothing() -> None:
    before = "def f(x, y):\n    n = x.shape\n    assert x.shape == y.shape\n    return x\n"

    assert lines(REPLACEABLE, before, "def f(x, y):\n    n = x.shape\n    return x\n") == [3]


def test_a_replacement_may_keep_a_line_of_the_old_statement() -> None:
    before = "def f(x, y):\n    assert x.shape == (\n        y.shape\n    )\n    return x\n"
    after = "def f(x, y):\n    torch._check(\n        x.shape[0] == 1,\n    )\n    return x\n"

    assert lines(REPLACEABLE, before, after) == []


def test_a_variable_may_hold_a_longer_expression() -> None:
    before = "def f(self):\n    assert self.cache['k'].shape == self.size\n    return 1\n"
    after = "def f(self):\n    if self.cache['k'].shape != self.size:\n        raise ValueError\n    return 1\n"

    assert lines(REPLACEABLE, before, after) == []
    assert lines(REPLACEABLE, before, "def f(self):\n    return 1\n") == [2]


def test_constraints_on_what_stays_free_still_hold() -> None:
    rule = ASSERTION + '  unless_added: {rule: {pattern: "$F($T)"}, constraints: {F: {regex: ^check}, T: {regex: x}}}\n'
    before = "def f(x, y):\n    assert x.shape == y.shape\n    return x\n"

    assert lines(rule, before, "def f(x, y):\n    check_shape(x)\n    return x\n") == []
    assert lines(rule, before, "def f(x, y):\n    use(x)\n    return x\n") == [2]


def test_functions_of_another_language() -> None:
    rule = """
id: own/lock
severity: warning
message: The lock is gone.
removed:
  language: cpp
  rule: {pattern: "lock_guard<mutex> $L($M);"}
"""
    before = "int put(int x) {\n  lock_guard<mutex> lock(m);\n  return x;\n}\nint get() {\n  return 1;\n}\n"

    assert lines(rule, before, "int put(int x) {\n  return x;\n}\nint get() {\n  return 1;\n}\n", "a.cpp") == [2]
    assert lines(rule, before, "int get() {\n  return 1;\n}\n", "a.cpp") == []


def test_a_renamed_file_is_reported_under_its_old_name() -> None:
    before, after = "def f(x):\n    assert x.shape == 1\n    return x\n", "def f(x):\n    return x\n"
    rule = rule_from(ASSERTION)
    case = make_case(rule, {"base": {"new.py": before}, "head": {"new.py": after}})
    [file] = case.pull_request.files
    renamed = file._replace(old_path="old.py", status="renamed")

    [finding], trouble = examine_case(rule, case._replace(pull_request=PullRequest((renamed,))))

    assert trouble is None
    assert (finding.path, finding.line) == ("old.py", 2)


def test_without_the_new_text_nothing_is_claimed() -> None:
    before = "def f(x):\n    assert x.shape == 1\n    return x\n"
    rule = rule_from(ASSERTION)
    case = make_case(rule, {"base": {"a.py": before}, "head": {"a.py": "def f(x):\n    return x\n"}})

    found, trouble = examine_case(rule, case._replace(new={0: None}))

    assert found == []
    assert trouble is not None


def test_deleted_lines_of_text() -> None:
    before = "with lock:\n    a()\nwith my_lock:  # trial\n    b()\n"

    assert lines(LOCK_LINE, before, "a()\nb()\n") == [1]
    assert lines(LOCK_LINE, before, "if x:\n    with lock:\n        a()\n") == []
    assert lines(LOCK_LINE, before, None) == [1]


@pytest.mark.parametrize(
    "extra",
    [
        "text: {regex: x, where: filename}",
        "text: {regex: x, unless: {file: y}}",
        "text: {regex: x}\n  unless_added: {}",
    ],
)
def test_a_text_matcher_says_what_it_cannot_do_with_deleted_lines(extra: str) -> None:
    with pytest.raises(RuleError, match="removed"):
        rule_from(f"id: own/x\nmessage: m\nremoved:\n  {extra}\n")


FUNCTIONS = st.lists(st.lists(st.integers(0, 99), min_size=1, max_size=4), min_size=1, max_size=4)


def module(functions: list[list[str]]) -> str:
    parts = []
    for number, body in enumerate(functions):
        parts.append("".join([f"def f{number}(x):\n", *(f"    {line}\n" for line in body), "    return x\n"]))
    return "\n\n".join(parts)


@given(FUNCTIONS, st.data())
def test_exactly_the_deleted_ones_are_reported(numbers: list[list[int]], data: Any) -> None:
    checks = [[f"assert x{n}_{m}_{k}.shape == 1" for m, k in enumerate(body)] for n, body in enumerate(numbers)]
    gone = data.draw(st.sets(st.sampled_from([check for body in checks for check in body])))
    before = module(checks)
    after = module([[check for check in body if check not in gone] for body in checks])

    reported = {before.split("\n")[line - 1].strip() for line in lines(ASSERTION, before, after) if line}

    assert reported == gone


@given(FUNCTIONS, st.randoms())
def test_no_order_of_the_same_checks_loses_one(numbers: list[list[int]], random: Any) -> None:
    checks = [[f"assert x.shape == {k}" for k in body] for body in numbers]
    shuffled = [random.sample(body, len(body)) for body in checks]

    assert lines(ASSERTION, module(checks), module(shuffled)) == []
