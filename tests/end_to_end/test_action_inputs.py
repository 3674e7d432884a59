"""Each input of ``action.yml`` through the whole Action: what it changes, and what it leaves."""

from __future__ import annotations

import json
import re

import pytest

from fake_github.faults import Fault
from fake_github.world import ACTIONS_BOT
from tests.action import BAD_LINE, DOUBTFUL

BAD = {"halcyon/run.py": BAD_LINE}
FINE = {"halcyon/fine.py": '"""Fine."""\n'}
RULES = """\
id: halcyon-show
language: python
severity: {severity}
message: "`repr` of $X."
rule: {{pattern: repr($X)}}
metadata: {{title: Shown, confidence: high, show: line}}
"""
WITH_STATUS = {"contents": "read", "pull-requests": "write", "statuses": "write"}
WITH_CONTENTS = {"contents": "write", "pull-requests": "write"}


def inline(pr):
    return [(each.path, each.line) for each in pr.review_comments]


def states(action, pr):
    return [(each.context, each.state) for each in action.repository.statuses(pr.head_sha)]


def writes(action):
    return [each for each in action.github.requests if each.method != "GET" and "graphql" not in each.path]


# ------------------------------------------------------------------------------------------------- what is posted


def test_comments_off_writes_nothing(action):
    pr = action.open(BAD)
    result = action.run(pr, inputs={"comments": "off"})
    assert (result.code, result.outputs["summary-url"], writes(action)) == (1, "", [])
    assert "::error file=halcyon/run.py,line=1" in result.log
    assert "halcyon.outputs" in result.summary


def test_comments_summary_writes_one_comment(action):
    pr = action.open(BAD)
    result = action.run(pr, inputs={"comments": "summary"})
    assert (result.code, inline(pr), len(pr.comments), len(writes(action))) == (1, [], 1, 1)
    assert "`halcyon.outputs`" in pr.comments[0].body
    assert result.outputs["summary-url"] == f"https://github.com/octo/halcyon/pull/1#issuecomment-{pr.comments[0].id}"


def test_comments_that_stand_are_kept_up_to_date_whatever_the_input_says_later(action):
    pr = action.open(BAD)
    action.run(pr)
    pr.push({"halcyon/run.py": None, "halcyon/other.py": BAD_LINE})
    assert action.run(pr, inputs={"comments": "summary"}).code == 1
    [comment] = pr.review_comments
    assert comment.body.startswith(f"Fixed in `{pr.head_sha[:7]}`") or "other.py" in pr.comments[0].body
    assert "halcyon/other.py:1" in pr.comments[0].body


@pytest.mark.parametrize(
    ("severity", "comment_on", "lines"),
    [
        ("warning", "", [1]), ("warning", "warning", [1]), ("warning", "error", []), ("error", "error", [1]),
        ("info", "", []), ("info", "info", [1]), ("hint", "info", []),
    ],
)  # fmt: skip
def test_comment_on(action, severity, comment_on, lines):
    action.repository.commit({".github/review-bot/rules/show.yml": RULES.format(severity=severity)})
    pr = action.open({"halcyon/run.py": "repr(1)\n"})
    assert action.run(pr, inputs={"comment-on": comment_on}).code == (severity == "error")
    assert [line for _, line in inline(pr)] == lines


@pytest.mark.parametrize(("most", "posted"), [("0", 0), ("2", 2), ("", 5)])
def test_max_comments(action, most, posted):
    action.repository.commit({".github/review-bot/rules/show.yml": RULES.format(severity="warning")})
    pr = action.open({f"halcyon/run_{number}.py": f"repr({number})\n" for number in range(4)} | BAD)
    assert action.run(pr, inputs={"max-comments": most}).code == 1
    assert len(pr.review_comments) == posted
    if posted:
        assert "**Error: " in min(pr.review_comments, key=lambda each: each.path != "halcyon/run.py").body
    if most:
        text = pr.comments[0].body
        assert f"{5 - posted} findings without a comment: `max-comments` is {most}, most severe first." in text
    before = len(writes(action))
    action.run(pr, inputs={"max-comments": most})
    assert len(writes(action)) == before, "a second run posts no more"


def test_two_set_ups_in_one_repository_leave_each_other_alone(action):
    pr = action.open(BAD)
    action.run(pr)
    first = {each.id: each.body for each in (*pr.review_comments, *pr.comments)}
    assert action.run(pr, inputs={"name": "strict", "fail-on": "warning"}).code == 1
    everything = {each.id: each.body for each in (*pr.review_comments, *pr.comments)}
    second = {key: body for key, body in everything.items() if key not in first}
    assert everything == first | second
    assert len(second) == 2
    assert all("<!-- review-bot:1 strict " in body for body in second.values())
    pr.push({"halcyon/run.py": '"""Mended."""\n'})
    assert action.run(pr, inputs={"name": "strict", "fail-on": "warning"}).code == 0
    now = {each.id: each.body for each in (*pr.review_comments, *pr.comments)}
    assert {key: now[key] for key in first} == first, "the other one's"
    assert all(now[key] != second[key] for key in second)
    assert action.run(pr).code == 0
    assert not [body for body in (each.body for each in pr.review_comments) if not body.startswith("Fixed in")]


# ------------------------------------------------------------------------------------------------- status


@pytest.mark.parametrize(("change", "state"), [(BAD, "failure"), (FINE, "success"), ({"a.py": DOUBTFUL}, "success")])
def test_status(action, change, state):
    action.token = action.github.token(permissions=WITH_STATUS)
    pr = action.open(change)
    action.run(pr, inputs={"status": "true", "name": "gate"})
    assert states(action, pr) == [("gate", "pending"), ("gate", state)]
    [_, status] = action.repository.statuses(pr.head_sha)
    assert status.target_url == "https://github.com/octo/halcyon/actions/runs/1"
    assert status.description
    assert len(status.description) <= 140


def test_no_status_without_the_input(action):
    action.token = action.github.token(permissions=WITH_STATUS)
    pr = action.open(BAD)
    action.run(pr)
    assert states(action, pr) == []


def test_a_status_that_may_not_be_set_is_red(action):
    pr = action.open(FINE)
    result = action.run(pr, inputs={"status": "true"})
    assert (result.code, result.outputs["passed"]) == (3, "false")
    assert "The commit status could not be set" in result.log
    assert "The commit status could not be set" in result.summary


@pytest.mark.parametrize("how", ["configuration", "closed", "no answers"])
def test_a_green_status_does_not_survive_a_run_that_could_not_complete(action, how):
    action.token = action.github.token(permissions=WITH_STATUS)
    pr = action.open(FINE)
    assert action.run(pr, inputs={"status": "true"}).code == 0
    assert states(action, pr)[-1] == ("review-bot", "success")
    if how == "configuration":
        action.repository.commit({".github/review-bot.yml": "fail-on: errors\n"})
    elif how == "closed":
        pr.delete_comment(pr.comments[0].id)
        action.github.before(("GET", "/git/trees/*"), pr.close)
    else:
        action.github.before(("GET", "/pulls/*/files"), lambda: setattr(action.repository.record, "private", True))
        action.github.before(("POST", "/statuses/*"), lambda: setattr(action.repository.record, "private", False))
        action.github.hosting.world.tokens[action.token].permissions["pull_requests"] = "none"
    result = action.run(pr, inputs={"status": "true"})
    assert result.code in {2, 3}
    assert states(action, pr)[-1] == ("review-bot", "error")


# ------------------------------------------------------------------------------------------------- reviews and threads


def test_resolve_threads(action):
    action.token = action.github.token(permissions=WITH_CONTENTS)
    pr = action.open({**BAD, "halcyon/again.py": BAD_LINE})
    action.run(pr, inputs={"resolve-threads": "true"})
    replied = pr.review_comments[0]
    pr.reply_as("grace", replied.id, "Is that so?")
    pr.push({"halcyon/run.py": '"""Mended."""\n', "halcyon/again.py": '"""Mended."""\n'})
    assert action.run(pr, inputs={"resolve-threads": "true"}).code == 0
    resolved = {thread.comments[0]: thread.resolved for thread in pr.threads}
    ours = [each.id for each in pr.review_comments if each.author == ACTIONS_BOT]
    assert resolved == {number: number != replied.id for number in ours}, "where somebody replied, the thread stays"


def test_the_thread_of_a_finding_that_is_back_is_reopened(action):
    action.token = action.github.token(permissions=WITH_CONTENTS)
    pr = action.open(BAD)
    wanted = {"resolve-threads": "true"}
    action.run(pr, inputs=wanted)
    for content, resolved in (('"""Mended."""\n', True), (BAD["halcyon/run.py"], False)):
        pr.push({"halcyon/run.py": content})
        reviews = len(pr.reviews)
        action.run(pr, inputs=wanted)
        assert [thread.resolved for thread in pr.threads] == [resolved]
        assert len(pr.reviews) == reviews, "a comment is edited, and nobody is notified again"


def test_the_label_follows_the_decision(action):
    pr = action.open(BAD)
    pr.record.labels.append("bug")
    action.run(pr)
    assert pr.record.labels == ["bug"], "nobody asked for a label"
    action.run(pr, inputs={"labels": "true"})
    assert pr.record.labels == ["bug", "review-bot: changes-required"]
    writes = [each for each in action.github.requests if each.method != "GET" and "/labels" in each.path]
    action.run(pr, inputs={"labels": "true"})
    assert [each for each in action.github.requests if each.method != "GET" and "/labels" in each.path] == writes
    pr.push({"halcyon/run.py": '"""Mended."""\n'})
    action.run(pr, inputs={"labels": "true"})
    assert pr.record.labels == ["bug", "review-bot: no-findings"]


def test_a_label_that_may_not_be_set_is_told(action):
    pr = action.open(BAD)
    action.run(pr)
    action.github.faults.add(Fault(("POST", "/issues/*/labels"), "403_permission"))
    result = action.run(pr, inputs={"labels": "true"})
    assert "The label could not be set, which needs `pull-requests: write`" in result.log
    assert result.code == 1, "a token that may write nothing does not change the verdict"


def test_a_finding_on_a_very_long_line_is_a_comment_on_the_file(action):
    line = f"ROWS = [{'0, ' * 34_000}0]; from halcyon.nowhere import nothing\n"
    pr = action.open({"halcyon/run.py": f'"""Rows."""\n\n{line}\nVALUE = nothing\n'})
    result = action.run(pr)
    assert result.code == 1
    [comment] = [each for each in pr.review_comments if "halcyon.nowhere" in each.body]
    assert comment.subject_type == "file"
    assert len(comment.body) < 5_000
    assert action.run(pr).code == 1
    assert len(pr.reviews) == 1


def test_debug_logging_shows_the_calls_and_no_token(action):
    pr = action.open(BAD)
    assert "::debug::" not in action.run(pr).log
    log = action.run(pr, extra={"RUNNER_DEBUG": "1"}).log
    assert "::debug::GET /repos/octo/halcyon/pulls/1/files: 200 in " in log
    assert action.token not in log


def test_resolve_threads_without_the_permission_is_told(action):
    pr = action.open(BAD)
    action.run(pr, inputs={"resolve-threads": "true"})
    pr.push({"halcyon/run.py": '"""Mended."""\n'})
    result = action.run(pr, inputs={"resolve-threads": "true"})
    assert result.code == 3
    assert "Threads could not be resolved or reopened, which needs `contents: write`" in result.log


def test_changes_are_requested_once_and_withdrawn(action):
    def reviews():
        return [each.state for each in pr.reviews if each.author == ACTIONS_BOT]

    pr = action.open(BAD)
    wanted = {"request-changes": "true"}
    assert action.run(pr, inputs=wanted).code == 1
    assert reviews() == ["CHANGES_REQUESTED"]
    pr.push({"halcyon/more.py": DOUBTFUL})
    assert action.run(pr, inputs=wanted).code == 1
    assert reviews() == ["CHANGES_REQUESTED", "COMMENTED"]
    pr.push({"halcyon/run.py": '"""Mended."""\n'})
    assert action.run(pr, inputs=wanted).code == 0
    assert reviews() == ["DISMISSED", "COMMENTED"]


def test_changes_that_a_person_requested_are_left(action):
    action.repository.collaborator("grace")
    pr = action.open(FINE)
    pr.review_as("grace", body="Please not.", event="REQUEST_CHANGES")
    assert action.run(pr, inputs={"request-changes": "true"}).code == 0
    assert [each.state for each in pr.reviews] == ["CHANGES_REQUESTED"]


# ------------------------------------------------------------------------------------------------- the gate


@pytest.mark.parametrize(
    ("base", "wished", "code"),
    [
        ("", "", 0), ("", "warning", 1), ("fail-on: warning\n", "", 1), ("fail-on: warning\n", "never", 1),
        ("fail-on: never\n", "", 0), ("fail-on: never\n", "warning", 1),
    ],
)  # fmt: skip
def test_the_stricter_of_input_and_configuration_holds(action, base, wished, code):
    if base:
        action.repository.commit({".github/review-bot.yml": base})
    result = action.run(action.open({"halcyon/steps.py": DOUBTFUL}), inputs={"fail-on": wished})
    assert (result.code, result.outputs["passed"]) == (code, "false" if code else "true")
    assert (result.outputs["findings"], result.outputs["errors"], result.outputs["warnings"]) == ("1", "0", "1")


@pytest.mark.parametrize(
    ("event", "code"),
    [("pull_request", 2), ("pull_request_review", 2), ("pull_request_target", 1), ("workflow_dispatch", 2)],
)
def test_require_trusted_trigger(action, event, code):
    pr = action.open(BAD)
    inputs = {"require-trusted-trigger": "true", "pr-number": "1"}
    result = action.run(pr, event=event, inputs=inputs)
    assert result.code == code
    assert bool(pr.comments) == (code == 1)
    if code == 2:
        other = " on a branch other than the default branch" if event == "workflow_dispatch" else ""
        assert f"this run was started by {event}{other}, whose workflow file the change can edit" in result.log


def test_a_merge_group_is_trusted(action):
    payload = action.repository.merge_group_event(action.repository.merge_group(action.open(BAD)))
    inputs = {"require-trusted-trigger": "true"}
    assert action.run(None, event="merge_group", payload=payload, inputs=inputs).code == 1


def test_config_names_another_file_of_the_base(action):
    action.repository.commit({"tools/review.yml": "fail-on: never\n"})
    pr = action.open({**BAD, "tools/review.yml": "fail-on: error\n"})
    assert action.run(pr, inputs={"config": "tools/review.yml"}).code == 0
    missing = action.run(pr, inputs={"config": "tools/none.yml"})
    assert missing.code == 2
    assert "tools/none.yml: file not found; correct the name or omit it" in missing.log


# ------------------------------------------------------------------------------------------------- the reports


@pytest.mark.parametrize("folder", ["", "out", "a/b/c"])
def test_report_dir(action, folder):
    result = action.run(action.open(BAD), inputs={"report-dir": folder})
    where = folder or "review-bot-report"
    assert (result.outputs["report-file"], result.outputs["sarif-file"]) == (
        f"{where}/report.json",
        f"{where}/report.sarif",
    )
    for name in ("report.json", "report.sarif"):
        assert json.loads((result.folder / "workspace" / where / name).read_text())


def test_the_proven_fixes_are_in_the_report_dir(action):
    head = {"halcyon/run.py": "import os\nimport os\n\nX = os  \n", "NOTES.md": "# Notes\nend"}
    result = action.run(action.open({**BAD, **head}))
    folder = result.folder / "workspace" / "review-bot-report"
    patch = (folder / "fixes.patch").read_text()
    assert [line for line in patch.split("\n") if line[:1] in {"-", "+"} and line[:3] not in {"---", "+++"}] == [
        "-end",
        "+end",
        "-import os",
        "-X = os  ",
        "+X = os",
    ]
    assert "3 verified fixes" in (folder / "SUGGESTED_FIXES.md").read_text()
    fixes = json.loads((folder / "report.json").read_text())["fixes"]
    assert [fix["rule"] for fix in fixes["proven"]] == [
        "style/eof-newline",
        "style/duplicate-import",
        "style/trailing-whitespace",
    ]


def test_report_dir_leads_nowhere_else(action):
    pr = action.open(BAD)
    result = action.run(pr, inputs={"report-dir": "../out"})
    assert result.code == 2
    assert "input report-dir: '../out' is not a folder below the workspace" in result.log
    assert not pr.comments


def test_outputs_are_what_the_metadata_promises(action):
    result = action.run(action.open({**BAD, "halcyon/steps.py": DOUBTFUL}))
    assert dict(result.outputs) == {
        "verdict": "changes-required",
        "passed": "false",
        "score": "",
        "findings": "2",
        "errors": "1",
        "warnings": "1",
        "report-file": "review-bot-report/report.json",
        "sarif-file": "review-bot-report/report.sarif",
        "summary-url": result.outputs["summary-url"],
    }
    assert re.fullmatch(r"https://github\.com/octo/halcyon/pull/1#issuecomment-\d+", result.outputs["summary-url"])


@pytest.mark.parametrize(
    ("key", "value", "files", "posted"),
    [
        ("comments", "line", BAD, (1, 1)),
        ("comments", "summary", BAD, (1, 0)),
        ("comments", "off", BAD, (0, 0)),
        ("comment-on", "error", BAD, (1, 1)),
        ("max-comments", "0", BAD, (1, 0)),
        ("summary", "always", {"notes.txt": "Text.\n"}, (1, 0)),
        ("summary", "with-findings", {"notes.txt": "Text.\n"}, (0, 0)),
        ("summary", "with-findings", {".github/review-bot.yml": "summary: with-findings\nfail-on: never\n"}, (1, 0)),
        ("summary", "with-findings", {".github/workflows/a.yml": "on: push\npermissions: {}\njobs: {}\n"}, (1, 0)),
        ("summary", "with-findings", {".gitattributes": "a/** linguist-generated\n"}, (1, 0)),
        ("summary", "with-findings", {".gitattributes": "*.bin -diff\n"}, (0, 0)),
        ("summary", "with-findings", BAD, (1, 1)),
        ("summary", "off", BAD, (0, 1)),
    ],
)
def test_the_configuration_says_what_is_posted(action, key, value, files, posted):
    action.repository.commit({".github/review-bot.yml": f"{key}: {value}\n"})
    pr = action.open(files)
    assert action.run(pr).code == (files is BAD)
    assert (len(pr.comments), len(pr.review_comments)) == posted


@pytest.mark.parametrize(
    ("inputs", "posted"),
    [
        ({}, (0, 0)),
        ({"comments": "line"}, (0, 0)),
        ({"comments": "line", "max-comments": "5"}, (0, 1)),
        ({"comments": "line", "summary": "with-findings"}, (1, 0)),
        ({"comments": "summary", "summary": "always", "max-comments": "5"}, (1, 0)),
    ],
)
def test_an_input_overrides_the_configuration(action, inputs, posted):
    action.repository.commit({".github/review-bot.yml": "comments: off\nsummary: off\nmax-comments: 0\n"})
    pr = action.open(BAD)
    assert action.run(pr, inputs=inputs).code == 1
    assert (len(pr.comments), len(pr.review_comments)) == posted


def test_a_change_posts_no_less_by_its_own_configuration(action):
    pr = action.open(BAD | {".github/review-bot.yml": "comments: off\nsummary: off\nmax-comments: 0\n"})
    assert action.run(pr).code == 1
    assert (len(pr.comments), len(pr.review_comments)) == (1, 1)


def test_a_summary_that_is_there_says_that_nothing_is_found_any_more(action):
    action.repository.commit({".github/review-bot.yml": "summary: with-findings\n"})
    pr = action.open(BAD)
    assert action.run(pr).code == 1
    pr.push(dict.fromkeys(BAD) | {"notes.txt": "Text.\n"})
    assert action.run(pr).code == 0
    assert "No findings" in pr.comments[0].body
