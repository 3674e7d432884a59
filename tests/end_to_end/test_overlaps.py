"""Other open pull requests, told by the Action: which one this change builds on, and which it meets."""

from __future__ import annotations

import pytest

from fake_github.faults import Fault
from tests.action import BAD_LINE, CLEAN

CACHE = "halcyon/cache.py"
STEPS = {"halcyon/steps.py": '"""Steps."""\n\n' + BAD_LINE + "\nLAST = StepOutput\n"}
OUTPUTS = {"halcyon/outputs.py": '"""Outputs."""\n\n\nclass StepOutput:\n    """One."""\n'}


def _other(action, changes, branch, **facts):
    action.repository.commit(changes, branch=branch)
    return action.repository.open_pull_request(branch, title=facts.pop("title", branch), **facts)


def _overlaps(result):
    return result.report()["overlaps"]


def _found(result):
    return [(each["number"], each["relation"], each["subject"]) for each in _overlaps(result)["found"]]


def _operations(action):
    return [each.operation for each in action.github.requests if each.operation]


def test_alone_it_costs_one_call_beside_others(action):
    result = action.run(action.open(STEPS))
    assert _operations(action).count("OpenPullRequests") == 1
    assert "OpenTexts" not in _operations(action)
    assert _overlaps(result) is None


def test_the_prerequisite_is_named(action):
    pr = action.open(STEPS)
    other = _other(action, OUTPUTS, "outputs", title="Add outputs")
    result = action.run(pr)
    assert result.code == 1
    assert _found(result) == [(other.number, "adds-module", "halcyon.outputs")]
    assert _overlaps(result)["order"] == [other.number, 0]
    assert f"#{other.number}" in result.summary
    assert "Add outputs" in result.summary


def test_a_function_that_a_fork_changes_too(action):
    fork = action.repository.fork("eve")
    pr = action.open({CACHE: CLEAN[CACHE].replace("return block", "return block + 1")})
    fork.commit({CACHE: CLEAN[CACHE].replace("return block", "return block + 2")}, branch="patch")
    other = action.repository.open_pull_request("patch", head_repository=fork, author="eve")
    result = action.run(pr)
    assert _found(result) == [(other.number, "same-function", "lookup")]
    (each,) = _overlaps(result)["found"]
    assert (each["line"], each["their_line"]) == (6, 6)
    assert result.code == 0


def test_a_file_that_another_renames_or_deletes_away(action):
    pr = action.open({"halcyon/new.py": '"""New."""\n\nfrom halcyon.cache import lookup\n\nFIRST = lookup(1)\n'})
    renames = _other(action, {CACHE: None, "halcyon/store.py": CLEAN[CACHE]}, "rename")
    deletes = _other(action, {CACHE: None}, "delete")
    assert _found(action.run(pr)) == [
        (renames.number, "removes-used", "halcyon.cache"),
        (deletes.number, "removes-used", "halcyon.cache"),
    ]


def test_those_for_another_branch_and_closed_ones_are_no_overlaps(action):
    pr = action.open(STEPS)
    _other(action, OUTPUTS, "outputs").close()
    action.repository.commit({}, branch="release")
    _other(action, OUTPUTS, "backport", base="release")
    assert _overlaps(action.run(pr)) is None


@pytest.mark.parametrize("operation", ["OpenPullRequests", "OpenTexts"])
@pytest.mark.parametrize("kind", ["500", "html_200", "truncated_json", "reset_before"])
def test_what_cannot_be_read_is_said_and_changes_nothing(action, operation, kind):
    pr = action.open(STEPS)
    _other(action, OUTPUTS, "outputs")
    calm = action.run(pr).report()
    action.github.faults.add(Fault(("GRAPHQL", operation), kind, None))
    result = action.run(pr)
    report = result.report()
    assert result.code == 1
    assert (report["verdict"], report["findings"]) == (calm["verdict"], calm["findings"])
    assert "could not be read (E-" in " ".join(report["overlaps"]["limits"])


def test_of_many_the_fifty_that_changed_last_are_compared(action):
    pr = action.open(STEPS)
    for number in range(51):
        _other(action, {f"halcyon/m{number}.py": '"""M."""\n'}, f"b{number}")
    overlaps = _overlaps(action.run(pr))
    assert (overlaps["looked_at"], overlaps["known"]) == (50, 51)
    assert overlaps["limits"] == ["The least recently updated open pull request was not compared."]


def test_of_a_large_one_a_hundred_files_are_compared(action):
    pr = action.open(STEPS)
    other = _other(action, {f"docs/{number:03}.md": "x\n" for number in range(101)} | OUTPUTS, "large")
    overlaps = _overlaps(action.run(pr))
    assert overlaps["limits"] == [f"Only the first 100 files of #{other.number} were compared."]


def test_hostile_titles_names_and_texts_are_shown_as_text(action):
    pr = action.open({CACHE: CLEAN[CACHE].replace("return block", "return block + 1"), **STEPS})
    path = "halcyon/outputs.py"
    hostile = "<img src=x> @octocat #1 `x` [a](https://evil.example)\n::error::x"
    _other(action, {path: "(" * 5000 + '"""', CACHE: "\u202edef (((\\" + CLEAN[CACHE]}, "evil", title=hostile)
    result = action.run(pr)
    assert result.code == 1
    assert "\\<img" in result.summary
    assert "<img" not in result.summary.replace("\\<img", "")
    assert "](https://evil" not in result.summary
    assert "\n::error::x" not in result.log
