"""Attempts to have the merge change what no diff shows, by the shape of the history."""

from __future__ import annotations

import pytest

from tests.action import BAD_LINE, Action

BROKEN = f'"""Steps."""\n\n{BAD_LINE}'
FIXED = '"""Steps."""\n'


def crossed(action: Action, head: dict[str, str | None]) -> str:
    """Commit a fix that is merged to ``main``; a branch merges the same two commits by itself. Return its name."""
    repository = action.repository
    start = repository.commit({"halcyon/steps.py": BROKEN, "halcyon/old.py": FIXED})
    repository.set_branch("fix", start)
    fix = repository.commit({"halcyon/steps.py": FIXED, "halcyon/old.py": None}, branch="fix")
    main = repository.commit({"halcyon/sizes.py": FIXED})
    merged = {"halcyon/steps.py": FIXED, "halcyon/old.py": None}
    repository.commit(merged, parents=(main, fix))
    repository.set_branch("topic", main)
    repository.commit({**merged, **head}, branch="topic", parents=(main, fix))
    repository.commit({"halcyon/more.py": FIXED}, branch="topic")
    return "topic"


@pytest.mark.parametrize("path", ["halcyon/steps.py", "halcyon/old.py"])
def test_what_a_branch_with_two_merge_bases_takes_back_is_unreviewed(action: Action, path: str):
    branch = crossed(action, {path: BROKEN if path == "halcyon/steps.py" else FIXED})
    result = action.run(action.repository.open_pull_request(branch, title="More", author="ada"))
    assert (result.code, result.outputs["verdict"]) == (3, "incomplete")
    assert [each["path"] for each in result.report()["unreviewed"]] == [path]


def test_a_branch_with_two_merge_bases_that_takes_nothing_back_is_reviewed(action: Action):
    result = action.run(action.repository.open_pull_request(crossed(action, {}), title="More", author="ada"))
    assert result.code == 0, result.log


def test_a_branch_that_merged_its_base_twice_is_reviewed(action: Action):
    repository = action.repository
    repository.set_branch("topic", repository.tip("main"))
    for number in range(2):
        own = repository.commit({f"halcyon/own_{number}.py": FIXED}, branch="topic")
        main = repository.commit({f"halcyon/main_{number}.py": FIXED})
        repository.commit({f"halcyon/main_{number}.py": FIXED}, branch="topic", parents=(own, main))
    result = action.run(repository.open_pull_request("topic", title="More", author="ada"))
    assert (result.code, result.report()["unreviewed"]) == (0, [])


@pytest.mark.parametrize("parents", [12, 102])
def test_a_merge_of_many_commits_hides_no_merge_base(action: Action, parents: int):
    repository = action.repository
    start = repository.commit({"halcyon/steps.py": BROKEN})
    repository.set_branch("fix", start)
    fix = repository.commit({"halcyon/steps.py": FIXED}, branch="fix")
    main = repository.commit({"halcyon/sizes.py": FIXED})
    repository.commit({"halcyon/steps.py": FIXED}, parents=(main, fix))
    shown, hidden = sorted((main, fix))  # the fake GitHub compares with the first of several merge bases
    repository.set_branch("own", start)
    own = repository.commit({"halcyon/own.py": FIXED}, branch="own")
    repository.set_branch("topic", shown)
    merged = (shown, *[own] * (parents - 2), hidden)
    repository.commit({"halcyon/more.py": FIXED}, branch="topic", parents=merged)
    result = action.run(repository.open_pull_request("topic", title="More", author="ada"))
    assert (result.code, result.outputs["verdict"]) == (3, "incomplete")
    if parents == 12:
        taken_back = "halcyon/steps.py" if hidden == fix else "halcyon/sizes.py"
        assert [each["path"] for each in result.report()["unreviewed"]] == [taken_back]
