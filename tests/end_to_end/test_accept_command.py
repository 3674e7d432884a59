"""``/review-bot accept``: who may let a finding pass the gate, for which commit, and what makes it count no longer."""

from __future__ import annotations

import json

import httpx
import pytest

from fake_github.faults import Fault
from tests.action import BAD_LINE, DOUBTFUL, QUICK, Action
from tests.faults.cases import site_of
from tests.faults.invariants import BESIDE

CONFIG = ".github/review-bot.yml"
ON = {CONFIG: "fail-on: warning\naccept: on\n"}
CHANGE = {"halcyon/run.py": DOUBTFUL}
NO_COMMAND = "An acceptance by grace does not count: the comment with the command is gone or was changed."


@pytest.fixture
def pr(action: Action):
    """Return a pull request of a fork with one warning that fails the gate, and a person who may write."""
    action.repository.commit(ON)
    action.repository.collaborator("grace")
    pr = action.open(CHANGE, head_repository=action.repository.fork("mallory"), author="mallory")
    assert action.run(pr).code == 1
    return pr


def reply(action, pr, body="/review-bot accept it is a switch for tests", author="grace", before=lambda: None):
    """Reply in the thread of the finding, let the Action answer, and return the reply and the answer."""
    said = pr.reply_as(author, pr.review_comments[0].id, body)
    payload = action.repository.review_comment_event(said)
    known = {each.id for each in pr.review_comments}
    before()
    result = action.run(None, event="pull_request_review_comment", payload=payload)
    assert result.code == 0
    assert result.outputs["verdict"] == ""
    answers = [each for each in pr.review_comments if each.id not in known]
    return said, answers[0] if answers else None


def comment(action, pr, body, author="grace", before=lambda: None):
    """Comment below the pull request, let the Action answer, and return the comment and the answer."""
    said = pr.comment_as(author, body)
    payload = action.repository.issue_comment_event(said)
    before()
    result = action.run(None, event="issue_comment", payload=payload)
    assert result.code == 0
    return said, pr.comments[-1]


def summary(pr):
    [found] = [each.body for each in pr.comments if "review-bot:1 review-bot summary" in each.body]
    return found


def listed(action, pr):
    """Return the comments below the pull request as GitHub lists them."""
    url = f"{action.github.url}/repos/{action.repository.full_name}/issues/{pr.number}/comments?per_page=100"
    reply = httpx.get(url, headers={"Authorization": f"Bearer {action.token}"})
    return reply.json()


def identity(pr):
    return pr.review_comments[0].body.rsplit(" ", 2)[1]


def test_an_accepted_finding_passes_the_gate_and_is_listed_with_who_and_why(action, pr):
    _, answer = reply(action, pr, "/review-bot accept it is *a switch* @octo <!-- x -->")
    text, line = answer.body.rsplit("\n\n", 1)
    assert text.startswith(f"Accepted by grace for commit `{pr.head_sha[:12]}`")
    assert "@octo" not in text
    assert line.startswith("<!-- review-bot:accepted review-bot ")
    result = action.run(pr)
    assert (result.code, result.outputs["verdict"], result.outputs["warnings"]) == (0, "no-findings", "0")
    report = result.report()
    assert report["findings"] == []
    [entry] = report["suppressed"]
    assert (entry["suppressed_by"], entry["reason"]) == ("accepted", "grace: it is *a switch* @octo <!-- x -->")
    assert "1 finding accepted for this commit" in summary(pr)
    assert "pass the gate for this commit, reply `/review-bot accept reason` to its comment" in summary(pr)
    assert "grace: it is" in summary(pr)
    assert "@octo" not in summary(pr)
    assert "Accepted for this commit" in pr.review_comments[0].body
    dossier = result.folder / "workspace/review-bot-report"
    assert "1 finding accepted for this commit" in (dossier / "SUMMARY.md").read_text()
    [shown] = json.loads((dossier / "report.sarif").read_text())["runs"][0]["results"]
    assert shown["suppressions"] == [
        {"kind": "external", "status": "accepted", "justification": "grace: it is *a switch* @octo <!-- x -->"}
    ]


def test_it_counts_where_the_sandboxed_worker_examines(action, pr):
    reply(action, pr)
    result = action.run_process(pr)
    assert (result.code, [each["suppressed_by"] for each in result.report()["suppressed"]]) == (0, ["accepted"])


def test_a_new_push_voids_it(action, pr):
    reply(action, pr)
    assert action.run(pr).code == 0
    pr.push({"halcyon/other.py": '"""Other."""\n'})
    result = action.run(pr)
    assert (result.code, result.outputs["warnings"]) == (1, "1")
    assert "1 acceptance of an earlier commit no longer counts." in summary(pr)
    assert "Accepted for this commit" not in pr.review_comments[0].body


def test_a_push_back_to_the_accepted_commit_is_that_commit(action, pr):
    reply(action, pr)
    first = pr.head_sha
    pr.push({"halcyon/other.py": '"""Other."""\n'})
    assert action.run(pr).code == 1
    pr.force_push(sha=first)
    assert action.run(pr).code == 0


@pytest.mark.parametrize("text", ["fail-on: warning\n", "fail-on: warning\naccept: off\n"])
def test_it_needs_the_configuration_of_the_base(action, pr, text):
    action.repository.commit({CONFIG: text})
    _, answer = reply(action, pr)
    assert answer.body == (
        "The configuration of this repository does not let comments accept findings; `accept: on` would allow it."
    )
    assert action.run(pr).code == 1


def test_the_change_itself_cannot_allow_it(action):
    action.repository.commit({CONFIG: "fail-on: warning\n"})
    action.repository.collaborator("grace")
    pr = action.open({**CHANGE, **ON})
    action.run(pr)
    _, answer = reply(action, pr)
    assert "does not let comments accept findings" in answer.body
    assert action.run(pr).code == 1
    assert "`accept` goes from off to on" in summary(pr)


def test_an_acceptance_counts_no_longer_once_the_configuration_forbids_it(action, pr):
    reply(action, pr)
    action.repository.commit({CONFIG: "fail-on: warning\n"})
    assert action.run(pr).code == 1


@pytest.mark.parametrize("author", ["mallory", "stranger", "triager"])
def test_who_may_not_write_accepts_nothing(action, pr, author):
    action.repository.collaborator("triager", "triage")
    _, answer = reply(action, pr, author=author)
    assert answer.body.startswith("Only people with write access can use `/review-bot accept`. ")
    _, answer = comment(action, pr, f"/review-bot accept {identity(pr)} because", author)
    assert answer.body.startswith("Only people with write access can use `/review-bot accept`. ")
    assert action.run(pr).code == 1


def test_the_association_in_the_event_gives_no_right(action, pr):
    said = pr.reply_as("mallory", pr.review_comments[0].id, "/review-bot accept because")
    payload = action.repository.review_comment_event(said)
    payload["comment"]["author_association"] = "OWNER"
    action.run(None, event="pull_request_review_comment", payload=payload)
    assert pr.review_comments[-1].body.startswith("Only people with write access can use `/review-bot accept`. ")
    assert action.run(pr).code == 1


def test_a_bot_accepts_nothing(action, pr):
    action.repository.collaborator("helper[bot]")
    _, answer = reply(action, pr, author="helper[bot]")
    assert answer is None
    assert action.run(pr).code == 1


def test_quoting_a_command_is_no_command(action, pr):
    said, answer = reply(action, pr, "> /review-bot accept it is fine\n\nIs it?")
    assert answer is None
    assert action.run(pr).code == 1
    assert said.body.startswith(">")


@pytest.mark.parametrize("forger", ["mallory", "grace"])
def test_a_record_that_somebody_else_wrote_accepts_nothing(action, pr, forger):
    _, answer = reply(action, pr)
    record = answer.body
    pr.delete_comment(answer.id)
    pr.reply_as(forger, pr.review_comments[0].id, record)
    pr.comment_as(forger, record)
    assert action.run(pr).code == 1


def test_a_record_of_the_bot_s_account_without_the_command_accepts_nothing(action, pr):
    said, _ = reply(action, pr)
    pr.delete_comment(said.id)
    assert action.run(pr).code == 1
    assert NO_COMMAND in summary(pr)


@pytest.mark.parametrize(
    "body", ["/review-bot accept another reason", "/review-bot decline it is a switch for tests", "Never mind.", ""]
)
def test_a_command_that_is_edited_accepts_nothing(action, pr, body):
    said, _ = reply(action, pr)
    pr.edit_comment(said.id, body)
    assert action.run(pr).code == 1
    assert NO_COMMAND in summary(pr)


def test_a_comment_that_was_edited_into_a_command_accepts_nothing(action, pr):
    said = pr.reply_as("grace", pr.review_comments[0].id, "Looks odd.")
    payload = action.repository.review_comment_event(said, "edited")
    pr.edit_comment(said.id, "/review-bot accept because")
    assert action.run(None, event="pull_request_review_comment", payload=payload).log == (
        "Nothing to do: only a new comment is a command.\n"
    )
    assert action.run(pr).code == 1


@pytest.mark.parametrize("change", ["author", "head", "finding"])
def test_a_record_that_was_altered_accepts_nothing(action, pr, change):
    """Everyone with write access can edit the bot's comments, and every workflow writes with its account."""
    pr.push({"halcyon/second.py": DOUBTFUL.replace("\n", "  # another\n")})
    action.run(pr)
    said, answer = reply(action, pr)
    first, other = (each.body.rsplit(" ", 2)[1] for each in pr.review_comments if each.path and "inline" in each.body)
    action.repository.collaborator("ada")
    old = pr.head_sha
    if change == "head":
        pr.push({"halcyon/third.py": '"""Third."""\n'})
    text = {
        "author": ("by=grace", "by=ada"),
        "head": (f"head={old}", f"head={'0' * 40}"),
        "finding": (first, other),
    }[change]
    assert text[0] in answer.body
    pr.edit_comment(answer.id, answer.body.replace(*text))
    result = action.run(pr)
    assert (result.code, result.outputs["warnings"]) == (1, "2")
    assert said.body.startswith("/review-bot accept")


def test_a_reply_about_an_older_head_accepts_nothing(action, pr):
    _, answer = reply(action, pr, before=lambda: pr.push({"halcyon/other.py": '"""Other."""\n'}))
    assert answer.body.startswith("It is not certain that this comment is about the newest commit, `")
    assert action.run(pr).code == 1


def test_a_reply_before_the_newest_commit_was_reviewed_accepts_nothing(action, pr):
    pr.push({"halcyon/other.py": '"""Other."""\n'})
    _, answer = reply(action, pr)
    assert answer.body.startswith("It is not certain that this comment is about the newest commit, `")
    assert action.run(pr).code == 1


@pytest.mark.parametrize("missing", ["off", "deleted"])
def test_without_a_summary_no_reply_says_which_commit_was_reviewed(action, pr, missing):
    if missing == "off":
        action.repository.commit({CONFIG: ON[CONFIG] + "summary: off\n"})
    pr.delete_comment(next(each.id for each in pr.comments if "review-bot:1 review-bot summary" in each.body))
    pr.push({"halcyon/other.py": '"""Other."""\n'})
    _, answer = reply(action, pr)
    assert answer.body.startswith("Accepting needs the summary comment, which records the reviewed commit")
    assert action.run(pr).code == 1


def test_a_comment_below_accepts_by_id_what_the_summary_shows(action, pr):
    comment(action, pr, f"/review-bot accept {identity(pr)} it is a switch")
    assert action.run(pr).code == 0


def test_a_comment_below_before_the_review_of_a_push_accepts_nothing(action, pr):
    def push():
        pr.push({"halcyon/other.py": '"""Other."""\n'})
        action.run(pr)

    _, answer = comment(action, pr, f"/review-bot accept {identity(pr)} it is a switch", before=push)
    assert answer.body.startswith("It is not certain that this comment is about the newest commit, `")
    assert action.run(pr).code == 1


def test_a_comment_below_in_the_second_of_a_review_accepts_nothing(action, pr):
    said = pr.comment_as("grace", f"/review-bot accept {identity(pr)} it is a switch")
    pr.push({"halcyon/other.py": '"""Other."""\n'})
    action.run(pr)
    payload = action.repository.issue_comment_event(said)
    [updated] = {row["updated_at"] for row in listed(action, pr) if "review-bot:1 review-bot summary" in row["body"]}
    payload["comment"]["created_at"] = updated
    action.run(None, event="issue_comment", payload=payload)
    assert pr.comments[-1].body.startswith("It is not certain that this comment is about the newest commit, `")
    assert action.run(pr).code == 1


def test_an_error_is_never_accepted(action):
    action.repository.commit(ON)
    action.repository.collaborator("grace")
    pr = action.open({"halcyon/run.py": BAD_LINE})
    action.run(pr)
    _, answer = reply(action, pr)
    assert answer.body == "An error cannot be accepted. Fix it, or suppress it in the code with a reason."
    assert action.run(pr).code == 1


def test_a_record_of_an_error_counts_for_nothing_and_that_is_said(action, pr):
    reply(action, pr)
    action.repository.commit({CONFIG: ON[CONFIG] + "rules: {errors/constant-condition: error}\n"})
    result = action.run(pr)
    assert (result.code, result.outputs["errors"]) == (1, "1")
    assert "The acceptance of `errors/constant-condition` by grace does not count: an error cannot be accepted." in (
        summary(pr)
    )


def test_who_lost_write_access_accepts_nothing(action, pr):
    reply(action, pr)
    action.repository.collaborator("grace", "read")
    assert action.run(pr).code == 1
    assert "An acceptance by grace does not count: grace has no write access." in summary(pr)


@pytest.mark.parametrize("kind", ["403_permission", "502_html"])
def test_where_github_does_not_say_who_may_write_nothing_is_accepted(action, pr, kind):
    reply(action, pr)
    action.github.faults.add(Fault(("GET", "/collaborators/grace/permission"), kind, None))
    result = action.run(pr)
    assert result.code == 1
    assert "An acceptance by grace does not count: GitHub did not say whether grace has write access (E-" in summary(pr)


def test_whatever_call_fails_the_command_records_nothing_or_all(action, pr):
    """Each read of the command fails for ever: nothing is recorded. The answer is lost: what was recorded counts."""
    said = pr.reply_as("grace", pr.review_comments[0].id, "/review-bot accept it is a switch for tests")
    payload = action.repository.review_comment_event(said)
    start = action.github.snapshot()
    before = len(action.github.requests)
    assert action.run(None, event="pull_request_review_comment", payload=payload).code == 0
    sites = list(dict.fromkeys(site_of(call) for call in action.github.requests[before:]))
    assert len(sites) > 5
    for site in (each for each in sites if each not in BESIDE):
        action.github.restore(start)
        match = (site.method, site.path)
        fault = Fault(match, "timeout_after") if site.is_write else Fault(match, "502_html", None)
        action.github.faults.add(fault)
        result = action.run(None, event="pull_request_review_comment", payload=payload, limits=QUICK)
        action.github.faults.clear()
        recorded = [each for each in pr.review_comments if "review-bot:accepted" in each.body]
        assert (fault.hits > 0, result.code, len(recorded)) == (True, 3, int(site.is_write)), site
        assert action.run(pr).code == (0 if site.is_write else 1)


def test_reopen_undoes_it(action, pr):
    reply(action, pr)
    assert action.run(pr).code == 0
    _, answer = reply(action, pr, "/review-bot reopen")
    assert answer.body.startswith("Reopened by grace.")
    assert action.run(pr).code == 1


def queue(action, pr):
    """Run in the merge group of a pull request, and return the exit code."""
    payload = action.repository.merge_group_event(action.repository.merge_group(pr))
    return action.run(None, event="merge_group", payload=payload).code


def test_in_a_merge_group_it_counts_where_the_file_is_the_same(action, pr):
    assert queue(action, pr) == 1
    said, _ = reply(action, pr)
    assert queue(action, pr) == 0
    pr.edit_comment(said.id, "Never mind.")
    assert queue(action, pr) == 1


def test_in_a_merge_group_with_another_text_of_the_file_it_does_not_count(action):
    lines = "".join(f"NAME_{number} = {number}\n" for number in range(20))
    action.repository.commit({**ON, "halcyon/run.py": f"{lines}\n\nLAST = 1\n"})
    action.repository.collaborator("grace")
    pr = action.open({"halcyon/run.py": DOUBTFUL + lines + "\n\nLAST = 1\n"})
    assert action.run(pr).code == 1
    reply(action, pr)
    assert queue(action, pr) == 0
    action.repository.commit({"halcyon/run.py": f"{lines}\n\nLAST = 2\n"})
    assert queue(action, pr) == 1


def test_in_a_merge_group_it_does_not_count_for_a_copy_in_a_file_with_another_text(action):
    lines = "".join(f"NAME_{number} = {number}\n" for number in range(20))
    action.repository.commit({**ON, "halcyon/walk.py": f"{lines}\n\nLAST = 1\n"})
    action.repository.collaborator("grace")
    pr = action.open({"halcyon/run.py": DOUBTFUL, "halcyon/walk.py": DOUBTFUL + lines + "\n\nLAST = 1\n"})
    assert action.run(pr).code == 1
    reply(action, pr)
    assert action.run(pr).code == 0
    assert queue(action, pr) == 0
    action.repository.commit({"halcyon/walk.py": f"{lines}\n\nLAST = 2\n"})
    assert queue(action, pr) == 1


SHOW = """\
id: own-show
language: python
severity: warning
message: "`show` of $X."
rule: {pattern: show($X)}
metadata: {confidence: high, show: line}
"""
TWICE = (
    '"""Steps."""\n\n\ndef show(step: int) -> int:\n    """Show."""\n    return step\n\n\nA = show(1)\nB = [show(1)]\n'
)


def test_it_does_not_count_for_a_declined_finding_of_the_same_message(action):
    action.repository.commit({**ON, ".github/review-bot/rules/show.yml": SHOW})
    action.repository.collaborator("grace")
    pr = action.open({"halcyon/run.py": TWICE})
    action.run(pr)
    reply(action, pr, "/review-bot decline it is meant")
    action.run(pr)
    [other] = [each for each in pr.review_comments[1:] if "`show` of 1" in each.body]
    said = pr.reply_as("grace", other.id, "/review-bot accept this one alone")
    action.run(None, event="pull_request_review_comment", payload=action.repository.review_comment_event(said))
    result = action.run(pr)
    report = result.report()
    assert [each["line"] for each in report["suppressed"]] == [10]
    assert (result.code, [each["line"] for each in report["findings"]]) == (1, [9])
    assert queue(action, pr) == 1


def test_the_summary_says_how_to_decline_a_finding(pr):
    assert "To decline a finding, reply `/review-bot decline reason` to its comment (write access)." in summary(pr)


def test_it_needs_a_reason(action, pr):
    _, answer = reply(action, pr, "/review-bot accept")
    assert answer.body.startswith("Usage: `/review-bot accept ID reason`, or `/review-bot accept reason` as a reply")


DELETED_GUARD = """\
id: check-removed
severity: warning
message: This change removes a check.
removed: {text: {regex: 'assert '}}
---
id: no-notes
severity: warning
message: No notes.
pull_request: {when: {changed: ["halcyon/**"]}, without: {changed: ["NOTES.md"]}}
"""


def test_a_finding_without_a_line_of_the_new_code_is_accepted_by_its_id(action):
    """A deleted check and the change as a whole: no comment in the code can suppress these."""
    action.repository.commit(
        {**ON, ".github/review-bot/rules/own.yml": DELETED_GUARD, "halcyon/a.py": "assert 1\nX = 1\n"}
    )
    action.repository.collaborator("grace")
    pr = action.open({"halcyon/a.py": "X = 1\n"})
    result = action.run(pr, inputs={"comments": "summary"})
    assert (result.code, result.outputs["warnings"]) == (1, "2")
    for finding in result.report()["findings"]:
        assert finding["fingerprint"].partition("-")[0] in summary(pr)
        comment(action, pr, f"/review-bot accept {finding['fingerprint']} moved to the caller")
    result = action.run(pr, inputs={"comments": "summary"})
    assert (result.code, {each["suppressed_by"] for each in result.report()["suppressed"]}) == (0, {"accepted"})


def test_it_counts_without_comments_of_the_bot_too(action, pr):
    reply(action, pr)
    assert action.run(pr, inputs={"comments": "off"}).code == 0


def test_of_findings_in_files_whose_names_give_them_one_id_none_is_accepted(action):
    """The second half of an ID has 32 bits: two names of files that share it are found in a second."""
    action.repository.commit(ON)
    action.repository.collaborator("grace")
    other = DOUBTFUL.replace("ready = True\n", "ready = True\n    steps += 1\n")
    files = {"halcyon/step_5432.py": DOUBTFUL, "halcyon/step_90491.py": other}
    pr = action.open(files, head_repository=action.repository.fork("mallory"), author="mallory")
    first, second = action.run(pr).report()["findings"]
    assert first["fingerprint"] == second["fingerprint"]
    reply(action, pr)
    result = action.run(pr)
    assert (result.code, result.outputs["warnings"]) == (1, "2")
    assert "by grace does not count: one of several findings with the same ID cannot be accepted" in summary(pr)
