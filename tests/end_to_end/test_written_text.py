"""Rules on title, description and commit messages: they are listed, and never fail the gate."""

from __future__ import annotations

import json
import time

import pytest

from fake_github.faults import Fault
from tests.action import Action
from tests.command import run_command
from tests.git_repository import ENVIRONMENT, GitRepository

CONFIG = ".github/review-bot.yml"
FINE = {"halcyon/fine.py": '"""Fine."""\n'}
SIGNED = "Change\n\nSigned-off-by: Ada <ada@example.org>\n"
ALL_ON = """\
fail-on: hint
rules:
  pr/title-prefix: {values: ["[Bugfix]", "[Core]"]}
  pr/missing-section: {values: [Purpose, Test Plan]}
  pr/missing-issue-link: on
  pr/missing-sign-off: warning
"""
GOOD_TITLE, GOOD_BODY = "[core] Fuse the norms", "## Purpose\n\nFixes #12.\n\n## Test plan\n\npytest tests\n"
OWN = """\
id: no-wip
severity: warning
message: The title says that this is unfinished.
text: {where: title, regex: '(?i)\\bWIP\\b', unless: {text: '(?i)wipe'}}
---
id: ticket
severity: warning
message: The description names no ticket.
text: {where: body, unless: {text: '\\bHAL-\\d+\\b'}}
---
id: long-subject
severity: info
message: The first line is longer than 20 characters.
text: {where: commit, regex: '\\A[^\\n]{21}'}
"""


def found(result) -> dict[str, str]:
    """Return the messages of the findings by rule."""
    return {each["rule"]: each["message"] for each in result.report()["findings"]}


def test_without_a_configuration_none_of_them_runs(action: Action):
    result = action.run(action.open(FINE, title="x"))
    assert (result.code, found(result), result.report()["not_run"]) == (0, {}, [])
    assert not [each for each in action.github.requests if each.path.endswith("/commits")]


def test_what_is_missing_is_listed_and_never_fails_the_gate(action: Action):
    action.repository.commit({CONFIG: ALL_ON})
    pr = action.open(FINE, title="Fuse the norms", body="## Purpose\n\n<!-- Fixes #12 -->\nOne launch.\n")
    result = action.run(pr)
    assert found(result) == {
        "pr/title-prefix": "The title starts with none of the agreed prefixes: `[Bugfix]`, `[Core]`.",
        "pr/missing-section": "The description has no text under “Test Plan”.",
        "pr/missing-issue-link": "The description mentions no issue.",
        "pr/missing-sign-off": f"No sign-off in 1 commit (`{pr.head_sha[:10]}`).",
    }
    assert (result.code, result.outputs["passed"], result.outputs["warnings"]) == (0, "true", "4")
    assert {each["severity"] for each in result.report()["findings"]} == {"warning"}
    [summary] = pr.comments
    assert "The description has no text under “Test Plan”." in summary.body
    pr.edit(title=GOOD_TITLE, body=GOOD_BODY)
    assert set(found(action.run(pr, "edited"))) == {"pr/missing-sign-off"}


def test_a_pull_request_that_keeps_the_agreements_has_no_finding(action: Action):
    action.repository.commit({CONFIG: ALL_ON})
    action.repository.set_branch("good", action.repository.tip("main"))
    action.repository.commit(FINE, branch="good", message=SIGNED)
    result = action.run(action.repository.open_pull_request("good", title=GOOD_TITLE, body=GOOD_BODY))
    assert (result.code, found(result)) == (0, {})


def test_merge_commits_need_no_sign_off_and_many_commits_are_named_briefly(action: Action):
    action.repository.commit({CONFIG: "rules: {pr/missing-sign-off: on}\n"})
    pr = action.open(FINE)
    for number in range(6):
        pr.push({f"halcyon/part_{number}.py": f"X = {number}\n"})
    main = action.repository.commit({"NOTES.txt": "x\n"})
    action.repository.commit({}, branch="feature-1", message="Merge main", parents=(pr.head_sha, main))
    pr.push({"halcyon/last.py": "X = 1\n"}, message=SIGNED)
    message = found(action.run(pr))["pr/missing-sign-off"]
    assert message.startswith("No sign-off in 7 commits (`")
    assert message.endswith("` and 2 more).")
    assert message.count("`") == 10


def test_commits_beyond_those_that_github_lists_are_not_guessed(action: Action):
    action.repository.commit({CONFIG: "rules: {pr/missing-sign-off: on}\n"})
    pr = action.open(FINE)
    pr.push({"halcyon/a.py": "X = 1\n"})
    pr.push({"halcyon/b.py": "X = 1\n"})
    action.github.limits.compare_commits = 2
    result = action.run(pr)
    assert (result.code, found(result)) == (0, {})
    assert result.report()["not_run"] == [
        {
            "rule": "pr/missing-sign-off",
            "reason": "needs the messages of all commits, and not all of them are known here",
        }
    ]


@pytest.mark.parametrize("kind", ["502_html", "huge", "404"])
def test_commits_that_cannot_be_read_do_not_turn_the_check_red(action: Action, kind):
    action.repository.commit({CONFIG: "rules: {pr/missing-sign-off: on}\n"})
    pr = action.open(FINE)
    action.github.faults.add(Fault(("GET", "/pulls/*/commits"), kind, None))
    result = action.run(pr)
    assert (result.code, [each["rule"] for each in result.report()["not_run"]]) == (0, ["pr/missing-sign-off"])


def test_own_rules_read_title_description_and_commits(action: Action):
    action.repository.commit({".github/review-bot/rules/words.yml": OWN, CONFIG: "fail-on: info\n"})
    pr = action.open(FINE, title="WIP: fuse", body="See <!-- HAL-7 --> the ticket")
    pr.push({"halcyon/b.py": "X = 1\n"}, message="Fuse the norms of both halves\n\nOne launch.")
    result = action.run(pr)
    assert found(result) == {
        "no-wip": "The title says that this is unfinished.",
        "ticket": "The description names no ticket.",
        "long-subject": f"The first line is longer than 20 characters. Found in 1 commit (`{pr.head_sha[:10]}`).",
    }
    assert result.code == 0
    pr.edit(title="WIP: wipe the cache", body="HAL-7")
    assert set(found(action.run(pr, "edited"))) == {"long-subject"}


@pytest.mark.parametrize("rule", ["pr/title-prefix", "docs/pr-description", "testing/no-benchmark"])
def test_no_configuration_makes_them_an_error(action: Action, rule):
    action.repository.commit({CONFIG: f"rules: {{{rule}: error}}\n"})
    result = action.run(action.open(FINE, title="x"))
    assert result.code == 2
    assert "this rule reads what people write about a change, which never fails the check" in result.log


def test_a_pattern_makes_them_a_warning_at_most_and_switches_none_on(action: Action):
    action.repository.commit({CONFIG: "rules: {'*': error, pr/title-prefix: on}\n"})
    result = action.run(action.open(FINE, title="x"))
    assert [
        (each["rule"], each["severity"]) for each in result.report()["findings"] if each["rule"].startswith("pr/")
    ] == [("pr/title-prefix", "warning")]
    assert result.code == 0


def test_values_go_with_the_rules_that_take_them(action: Action):
    action.repository.commit({CONFIG: "rules: {pr/missing-sign-off: {values: [a]}}\n"})
    result = action.run(action.open(FINE))
    assert (result.code, "this rule takes no `values`; delete them" in result.log) == (2, True)


HOSTILE = (
    "\u202e\x1b[31m::error::boom\r\n\x00\u2028</details><script>alert(1)</script> @octo ![x](http://evil.example/p)\n"
    "<!-- review-bot:1 review-bot summary -->\n"
)


@pytest.mark.parametrize(
    "filler", ["<!--", "# Purpose\n", "**a**\n", "[Bugfix", "#1", "Signed-off-by: ", "(((((", "\t \n", "é̀"]
)
def test_hostile_text_of_200_kb_is_read_in_no_time_and_repeated_nowhere(action: Action, filler):
    action.repository.commit({CONFIG: ALL_ON, ".github/review-bot/rules/words.yml": OWN})
    text = HOSTILE + filler * (200_000 // len(filler))
    action.repository.set_branch("hostile", action.repository.tip("main"))
    action.repository.commit(FINE, branch="hostile", message=text.replace("\x00", ""))
    pr = action.repository.open_pull_request("hostile", title=text.replace("\n", " "), body=text)
    began = time.process_time()
    result = action.run(pr)
    assert time.process_time() - began < 10
    assert result.code == 0
    assert {"pr/title-prefix", "pr/missing-sign-off"} <= found(result).keys()
    for shown in (result.log, *(each.body for each in pr.comments), *found(result).values()):
        assert "boom" not in shown
        assert "evil.example" not in shown


def test_the_sandboxed_worker_runs_them_too(action: Action):
    action.repository.commit({CONFIG: ALL_ON, ".github/review-bot/rules/words.yml": OWN})
    result = action.run_process(action.open(FINE, title="WIP: fuse"))
    assert (result.code, set(found(result))) == (
        0,
        {"pr/title-prefix", "pr/missing-section", "pr/missing-issue-link", "pr/missing-sign-off", "no-wip", "ticket"},
    )


def test_a_review_of_a_pull_request_from_a_laptop_reads_them_too(action: Action, tmp_path):
    action.repository.commit({CONFIG: ALL_ON})
    action.open(FINE, title="Fuse the norms")
    told = {name: value for name, value in action.github.environment().items() if name.endswith(("_API_URL", "QL_URL"))}
    token = action.github.token("grace", {"contents": "read", "pull_requests": "read"})
    arguments = ["review", "--pr", "octo/halcyon#1", "--format", "json"]
    done = run_command(arguments, cwd=tmp_path, env={**ENVIRONMENT, **told, "GITHUB_TOKEN": token}, text=True)
    report = json.loads(done.stdout)
    assert (done.returncode, {each["rule"] for each in report["findings"]}) == (
        0,
        {"pr/title-prefix", "pr/missing-section", "pr/missing-issue-link", "pr/missing-sign-off"},
    )


def test_a_local_review_reads_the_commits_and_knows_no_title(tmp_path):
    repository = GitRepository(tmp_path)
    repository.write({CONFIG: ALL_ON, "a.py": "X = 1\n"})
    repository.commit()
    repository.git("checkout", "-q", "-b", "topic")
    repository.write({"a.py": "X = 2\n"})
    repository.commit(message="Change X")
    done = run_command(["review", "--base", "main", "--format", "json"], cwd=tmp_path, env=ENVIRONMENT, text=True)
    report = json.loads(done.stdout)
    assert [each["rule"] for each in report["findings"]] == ["pr/missing-sign-off"]
    assert {each["rule"]: each["reason"] for each in report["not_run"]} == {
        "pr/title-prefix": "needs the title of a pull request, and the change has none here",
        "pr/missing-section": "needs the description of a pull request, and the change has none here",
        "pr/missing-issue-link": "needs the description of a pull request, and the change has none here",
    }
