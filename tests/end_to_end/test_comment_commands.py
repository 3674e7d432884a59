"""``/review-bot ...`` in a comment: who may, what happens, what is answered; and that no verdict comes of it."""

from __future__ import annotations

import json

import pytest

from tests.action import BAD_LINE

BAD = {"halcyon/run.py": BAD_LINE}
MAY_RERUN = {"contents": "read", "pull-requests": "write", "actions": "write"}
CLICK = "Open [the checks of this pull request](https://github.com/octo/halcyon/pull/1/checks), select the review and click **Re-run jobs**."


@pytest.fixture
def pr(action):
    action.repository.collaborator("grace")
    pr = action.open(BAD)
    action.run(pr)
    return pr


def say(action, pr, body, author="grace", kind="created", **options):
    """Comment, and let the Action answer; return its result and what it answered."""
    before = {each.id for each in pr.comments}
    comment = pr.comment_as(author, body)
    payload = action.repository.issue_comment_event(comment, kind)
    result = action.run(None, event="issue_comment", payload=payload, **options)
    answers = [each.body for each in pr.comments if each.id not in before | {comment.id}]
    assert result.outputs["verdict"] == ""
    return result, answers


def test_rerun_starts_the_workflow_of_the_pull_request_again(action, pr):
    action.token = action.github.token(permissions=MAY_RERUN)
    action.repository.workflow_run("0" * 40)
    action.repository.workflow_run(pr.head_sha, event="push")
    run = action.repository.workflow_run(pr.head_sha)
    result, answers = say(action, pr, "/review-bot rerun")
    assert result.code == 0
    assert (run.attempt, run.status) == (2, "queued")
    assert [each.attempt for each in action.repository.record.runs.values()] == [1, 1, 2]
    assert len(answers) == 1
    assert answers[0].startswith(f"Re-running the review of `{pr.head_sha[:12]}`: https://github.com/octo/halcyon/")
    assert result.log == f"rerun: run {run.id} restarted\n"


def test_rerun_of_what_runs_already_says_so(action, pr):
    action.token = action.github.token(permissions=MAY_RERUN)
    run = action.repository.workflow_run(pr.head_sha, status="in_progress", conclusion=None)
    result, [answer] = say(action, pr, "/review-bot rerun")
    assert (result.code, run.attempt) == (0, 1)
    assert answer.startswith(f"The review of `{pr.head_sha[:12]}` is already running: https://github.com/octo/halcyon/")


def test_rerun_without_the_permission_says_where_to_click(action, pr):
    run = action.repository.workflow_run(pr.head_sha)
    result, answers = say(action, pr, "/review-bot rerun")
    assert (result.code, run.attempt) == (0, 1)
    assert answers == [f"This job cannot re-run workflows (`actions: write` is missing). {CLICK}"]
    assert result.log == "rerun: not permitted\n"


@pytest.mark.parametrize("paths", [(), (".github/workflows/a.yml", ".github/workflows/b.yml")])
def test_rerun_without_a_single_run_says_where_to_click(action, pr, paths):
    action.token = action.github.token(permissions=MAY_RERUN)
    for path in paths:
        action.repository.workflow_run(pr.head_sha, path=path, name="CI")
    result, answers = say(action, pr, "/review-bot rerun")
    assert result.code == 0
    assert answers == [f"The review run of `{pr.head_sha[:12]}` could not be identified. {CLICK}"]


@pytest.mark.parametrize("verb", ["rerun", "decline 0123456789abcdef nonsense"])
@pytest.mark.parametrize("author", ["mallory", "triager"])
def test_who_may_not_push_is_refused(action, pr, verb, author):
    action.token = action.github.token(permissions=MAY_RERUN)
    action.repository.collaborator("triager", "triage")
    run = action.repository.workflow_run(pr.head_sha)
    result, answers = say(action, pr, f"/review-bot {verb}", author)
    assert (result.code, run.attempt) == (0, 1)
    dispute = " Everyone can use `/review-bot explain ID`; the answer says how to suppress or dispute the finding."
    refused = f"Only people with write access can use `/review-bot {verb.split()[0]}`."
    assert answers == [refused + dispute * verb.startswith("decline")]
    assert not [each for each in pr.review_comments if each.minimized]


@pytest.mark.parametrize("body", ["/review-bot", "/review-bot help", "/review-bot approve", "/review-bot\nrerun"])
def test_help(action, pr, body):
    result, [answer] = say(action, pr, body, "mallory")
    assert result.code == 0
    assert "`/review-bot rerun`" in answer
    assert "`/review-bot decline ID reason`" in answer
    assert "`/review-bot reopen ID`" in answer


@pytest.mark.parametrize("half", [False, True])
def test_decline_hides_the_comment_and_leaves_the_verdict(action, pr, half):
    [comment] = pr.review_comments
    name = comment.body.rsplit(" ", 2)[1]
    name = name.partition("-")[0] if half else name
    result, [answer] = say(action, pr, f"/review-bot decline {name} it is *generated* @octo <!-- x -->")
    assert result.code == 0
    assert comment.minimized == "resolved"
    assert answer.startswith("Declined by grace: it is ")
    text, line = answer.rsplit("\n\n", 1)
    assert text.endswith(
        "\n\nIts comment is now hidden. The next run will list it as declined in the summary. The verdict does not change. "
        f"To undo, comment `/review-bot reopen {name}`."
    )
    assert line.startswith("<!-- review-bot:declined review-bot ")
    assert "<!--" not in text
    assert "@octo" not in answer
    before = len(pr.review_comments)
    assert action.run(pr).code == 1, "the verdict stays"
    assert len(pr.review_comments) == before


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("decline", "Usage: `/review-bot decline ID reason`"),
        ("decline 0123456789abcdef", "Usage: `/review-bot decline ID reason`"),
        ("decline nonsense because", "Usage: `/review-bot decline ID reason`"),
        ("decline 0123456789abcdef because", "No finding has the ID `0123456789abcdef`."),
    ],
)
def test_decline_of_nothing(action, pr, words, said):
    result, answers = say(action, pr, f"/review-bot {words}")
    assert (result.code, answers) == (0, [said])
    assert not [each for each in pr.review_comments if each.minimized]


def identity(pr):
    [comment] = pr.review_comments
    return comment.body.rsplit(" ", 2)[1].split(",")[0]


def summary(pr):
    [found] = [each for each in pr.comments if "review-bot:1 review-bot summary" in each.body]
    return found


def writes(action, seen):
    return [each for each in action.github.requests[seen:] if each.method != "GET" and not each.operation]


def reports(result):
    """Return the report files of a run, by name."""
    return {each.name: each.read_text(encoding="utf-8") for each in result.folder.rglob("review-bot-report/*")}


def test_what_is_declined_leaves_the_open_rows_and_is_listed_with_who_and_why(action, pr):
    assert "### Errors (must fix)" in summary(pr).body
    before = reports(action.run(pr))
    say(action, pr, f"/review-bot decline {identity(pr)} it is *generated*")
    result = action.run(pr)
    body = summary(pr).body
    assert (result.code, result.outputs["errors"]) == (1, "1"), "the verdict stays"
    assert "**1 error" in body
    assert "### Errors (must fix)" not in body
    assert "1 finding was declined; it still counts in the verdict." in body
    assert (
        "- 1 finding declined, still counted in the verdict\n"
        "  - `halcyon/run.py:1:1 api/missing-module-import`: grace: it is \\*generated\\*" in body
    )
    report = result.report()
    assert [each["by"] for each in report["declined"]] == ["grace"]
    assert (report["plan"]["steps"], report["plan"]["minutes"]) == ([], 0)
    advice = report["findings"][0]["instead"].partition("`")[0]
    assert len(advice) > 20
    for name in ("REVIEW.md", "SUGGESTED_FIXES.md", "report.html"):
        assert advice in before[name]
        assert advice not in reports(result)[name]
    seen = len(action.github.requests)
    assert action.run(pr).code == 1
    assert writes(action, seen) == []


FIXABLE = """\
id: no-global-seed
language: python
severity: warning
message: This seeds every generator of the process.
note: Pass a generator instead.
rule: {pattern: torch.manual_seed($SEED)}
fix: generator.manual_seed($SEED)
"""
SEEDED = '"""Runs."""\n\nimport torch\n\n\ndef run(generator: torch.Generator) -> None:\n    """Seed."""\n'
SEED = "    torch.manual_seed(0)\n"


@pytest.mark.parametrize("above", ["", SEED])
def test_what_is_declined_is_no_work_in_any_file_of_the_report(action, above):
    """Of two equal statements one is declined; the other is open, in the patch as in every other file."""
    action.repository.collaborator("grace")
    action.repository.commit({".github/review-bot/rules/seed.yml": FIXABLE})
    pr = action.open({"halcyon/run.py": SEEDED + SEED})
    before = reports(action.run(pr))
    assert "+    generator.manual_seed(0)" in before["fixes.patch"]
    [result] = json.loads(before["report.sarif"])["runs"][0]["results"]
    assert "suppressions" not in result
    say(action, pr, f"/review-bot decline {identity(pr)} one process, one seed")
    pr.push({"halcyon/run.py": SEEDED + above + SEED})
    after = action.run(pr)
    files = reports(after)
    assert files["fixes.patch"].count("+    generator.manual_seed(0)") == (1 if above else 0)
    results = json.loads(files["report.sarif"])["runs"][0]["results"]
    justified = {"kind": "external", "status": "accepted", "justification": "grace: one process, one seed"}
    assert [each.get("suppressions") for each in results].count([justified]) == 1
    assert len(results) == (2 if above else 1)
    report = after.report()
    [declined] = report["declined"]
    assert (declined["by"], declined["reason"]) == ("grace", "one process, one seed")
    fixed = [name for each in report["fixes"]["proven"] for name in each["fingerprints"]]
    still_open = {each["fingerprint"] for each in report["findings"]} - {declined["fingerprint"]}
    assert (set(fixed), report["fixes"]["skipped"]) == (still_open, [])
    if not above:
        assert (report["plan"]["steps"], report["plan"]["minutes"], report["effort_minutes"]) == ([], 0, 0)
        for name in ("REVIEW.md", "SUGGESTED_FIXES.md", "report.html"):
            assert "Pass a generator instead" in before[name]
            assert "Pass a generator instead" not in files[name]
        assert "1 finding declined, still counted in the verdict" in files["SUMMARY.md"]


def test_no_fix_is_made_of_what_was_declined_in_a_file_that_was_renamed_since(action):
    action.repository.collaborator("grace")
    action.repository.commit({".github/review-bot/rules/seed.yml": FIXABLE})
    pr = action.open({"halcyon/run.py": SEEDED + SEED})
    action.run(pr)
    say(action, pr, f"/review-bot decline {identity(pr)} one process, one seed")
    pr.push({"halcyon/run.py": None, "halcyon/start.py": SEEDED + SEED})
    result = action.run(pr)
    assert reports(result)["fixes.patch"] == ""
    [declined], [finding] = result.report()["declined"], result.report()["findings"]
    assert (declined["fingerprint"], finding["path"]) == (finding["fingerprint"], "halcyon/start.py")


def test_a_declined_finding_is_not_said_again_until_its_statement_changes(action, pr):
    [comment] = pr.review_comments
    say(action, pr, f"/review-bot decline {identity(pr)} it is generated")
    pr.delete_comment(comment.id)
    pr.push({"halcyon/run.py": "# further down\n\n" + BAD_LINE})
    assert action.run(pr).code == 1
    assert pr.review_comments == [], "not posted again, though somebody deleted the comment"
    assert "Since `" in summary(pr).body
    assert ": 1 declined." in summary(pr).body
    pr.push({"halcyon/run.py": "from halcyon.others import StepOutput\n"})
    assert action.run(pr).code == 1
    assert [each.minimized for each in pr.review_comments] == [None]
    assert "### Errors (must fix)" in summary(pr).body


def test_reopen_takes_a_decline_back(action, pr):
    name = identity(pr)
    say(action, pr, f"/review-bot decline {name} it is generated")
    action.run(pr)
    result, [answer] = say(action, pr, f"/review-bot reopen {name}")
    assert (result.code, result.log) == (0, "reopen: 1 comment shown\n")
    assert answer == "Reopened by grace. The next run will list it as open in the summary."
    [comment] = pr.review_comments
    assert comment.minimized is None
    record = next(each.body for each in pr.comments if each.body.startswith("Declined by grace"))
    assert record.endswith("\n\nReopened by grace.")
    action.run(pr)
    assert "1 declined" not in summary(pr).body
    assert "### Errors (must fix)" in summary(pr).body
    result, [answer] = say(action, pr, f"/review-bot reopen {name}")
    assert answer == f"No declined or accepted finding has the ID `{name}`."


def test_reopen_needs_an_id_and_write_access(action, pr):
    name = identity(pr)
    say(action, pr, f"/review-bot decline {name} it is generated")
    _, answers = say(action, pr, "/review-bot reopen")
    assert answers == ["Usage: `/review-bot reopen ID`"]
    _, answers = say(action, pr, f"/review-bot reopen {name}", "mallory")
    assert answers == ["Only people with write access can use `/review-bot reopen`."]
    assert pr.review_comments[0].minimized == "resolved"


def test_whoever_deletes_our_answer_takes_the_decline_back(action, pr):
    say(action, pr, f"/review-bot decline {identity(pr)} it is generated")
    record = next(each for each in pr.comments if each.body.startswith("Declined by grace"))
    del action.repository.record.issue_comments[record.id]
    action.run(pr)
    assert "1 declined" not in summary(pr).body


def test_a_row_without_a_comment_can_be_declined(action, pr):
    action.run(pr, inputs={"comments": "summary"})
    pr = action.open(BAD)
    action.run(pr, inputs={"comments": "summary"})
    assert pr.review_comments == []
    name = summary(pr).body.split("IDs: `")[1].split("`")[0]
    result, [answer] = say(action, pr, f"/review-bot decline {name} it is generated")
    assert result.log == "decline: 0 comments hidden\n"
    assert "It has no comment to hide. The next run will " in answer
    assert action.run(pr, inputs={"comments": "summary"}).code == 1
    assert "### Errors (must fix)" not in summary(pr).body
    assert "grace: it is generated" in summary(pr).body
    pr.push({"halcyon/run.py": "# further down\n\n" + BAD_LINE})
    action.run(pr)
    assert pr.review_comments == [], "nor has it one later"


def test_a_line_that_somebody_else_forged_declines_nothing(action, pr):
    name = identity(pr)
    say(action, pr, f"/review-bot decline {name} it is generated")
    record = next(each for each in pr.comments if each.body.startswith("Declined by grace"))
    forged = record.body
    del action.repository.record.issue_comments[record.id]
    for author in ("mallory", "ada", "grace"):
        pr.comment_as(author, forged)
    action.run(pr)
    assert "1 declined" not in summary(pr).body


@pytest.mark.parametrize("wrap", ["> {}", "```\n{}\n```", "Look: {}", "    x {}"])
def test_our_own_comment_that_quotes_such_a_line_declines_nothing(action, pr, wrap):
    say(action, pr, f"/review-bot decline {identity(pr)} it is generated")
    record = next(each for each in pr.comments if each.body.startswith("Declined by grace"))
    action.repository.record.issue_comments[record.id].body = wrap.format(record.body.split("\n")[-1])
    action.run(pr)
    assert "1 declined" not in summary(pr).body


def test_a_declined_list_takes_no_new_finding_in(action):
    action.repository.collaborator("grace")
    lines = "".join(f"from halcyon.gone_{number} import name_{number}\n" for number in range(5))
    pr = action.open({"halcyon/run.py": lines})
    action.run(pr)
    say(action, pr, f"/review-bot decline {identity(pr)} all of them are generated")
    pr.push({"halcyon/run.py": lines + "from halcyon.lost import other\n"})
    action.run(pr)
    assert [each.minimized for each in pr.review_comments] == ["resolved", None]
    assert "`halcyon.lost`" in pr.review_comments[1].body


RULE = "id: no-scan\nlanguage: python\nseverity: warning\nmessage: Call `scan` once.\nrule: {pattern: scan($X)}\n"
SCANS = '"""Scans."""\n\nfrom halcyon.cache import lookup as scan\n\nFIRST = scan(1)\n'


@pytest.mark.parametrize("path", ["halcyon/run.py", "halcyon/walk.py"])
def test_a_declined_comment_takes_no_new_statement_of_the_same_cause_in(action, path):
    action.repository.collaborator("grace")
    action.repository.commit({".github/review-bot/rules/scan.yml": RULE})
    pr = action.open({"halcyon/run.py": SCANS})
    action.run(pr)
    say(action, pr, f"/review-bot decline {identity(pr)} it is small")
    pr.push({"halcyon/run.py": None, path: f"{SCANS}SECOND = scan(2)\n"})
    action.run(pr)
    assert [each.minimized for each in pr.review_comments] == ["resolved", None]
    assert (pr.review_comments[1].path, pr.review_comments[1].line) == (path, 6)
    assert ": 1 new, 1 declined." in summary(pr).body


def test_decline_hides_no_comment_of_somebody_else(action, pr):
    [comment] = pr.review_comments
    pr.review_as("mallory", [{"path": "halcyon/run.py", "line": 1, "body": comment.body}])
    name = comment.body.rsplit(" ", 2)[1]
    say(action, pr, f"/review-bot decline {name} because")
    assert [(each.author, each.minimized) for each in pr.review_comments] == [
        ("github-actions[bot]", "resolved"),
        ("mallory", None),
    ]


@pytest.mark.parametrize(
    ("body", "kind", "reason"),
    [
        ("Looks good.", "created", "the comment does not start with /review-bot"),
        ("Please say /review-bot rerun", "created", "the comment does not start with /review-bot"),
        ("/review-bots rerun", "created", "the comment does not start with /review-bot"),
        ("> /review-bot rerun", "created", "the comment does not start with /review-bot"),
        ("/review-bot rerun", "edited", "only a new comment is a command"),
        ("/review-bot rerun", "deleted", "only a new comment is a command"),
    ],
)
def test_any_other_comment_is_nothing_to_do(action, pr, body, kind, reason):
    asked = len(action.github.requests)
    result, answers = say(action, pr, body, kind=kind)
    assert (result.code, answers, result.log) == (0, [], f"Nothing to do: {reason}.\n")
    assert len(action.github.requests) == asked


def test_two_set_ups_listen_to_their_own_names(action, pr):
    result, answers = say(action, pr, "/review-bot help", inputs={"name": "strict"})
    assert (result.code, answers) == (0, [])
    _, [answer] = say(action, pr, "/strict help", inputs={"name": "strict"})
    assert "`/strict rerun`" in answer


def test_a_token_that_may_not_write_is_told_in_the_log(action, pr):
    action.token = action.github.token(read_only=True)
    comment = pr.comment_as("grace", "/review-bot help")
    result = action.run(None, event="issue_comment", payload=action.repository.issue_comment_event(comment))
    assert result.code == 3
    assert "(E-PERMISSION)" in result.log
