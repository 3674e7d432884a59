"""What ``config check`` says that each changed rule does, against what a review with it does."""

from __future__ import annotations

import re
from typing import Any

import pytest

from review_bot.commands.config import effects
from review_bot.comments.model import Posting
from review_bot.configuration import rule_registry
from review_bot.review.policy import Policy
from review_bot.review.verdict import decide
from review_bot.rules.rulebook import RuleSetting, Selection, select
from tests.command import run_command
from tests.engine.cases import review
from tests.git_repository import ENVIRONMENT, GitRepository

POSTING = Posting()
OWN = "id: own/call\nlanguage: python\nmessage: bad is called\n{}rule: {{pattern: bad($$$A)}}\n"


def said(
    setting: Any, rule: str = "errors/swallowed-exception", posting: Posting = POSTING, **policy: Any
) -> list[str]:
    rulebook = rule_registry.builtin_rulebook()
    chosen = select(rulebook, Selection(rules={rule: setting}))
    return [*effects(rulebook.rules, chosen.rules, Policy(**policy), posting)]


@pytest.mark.parametrize(
    ("setting", "rule", "policy", "line"),
    [
        ("error", "errors/swallowed-exception", {}, "error, fails the check, comment on the line"),
        (
            "error",
            "errors/swallowed-exception",
            {"fail_on": "never"},
            "error, does not fail the check, comment on the line",
        ),
        (
            "warning",
            "errors/bare-except",
            {"fail_on": "warning"},
            "warning, fails the check, comment on the line",
        ),
        (
            "info",
            "errors/swallowed-exception",
            {},
            "info, does not fail the check, row of the summary (below `comment-on: warning`)",
        ),
        ("hint", "errors/swallowed-exception", {}, "hint, does not fail the check, row of the summary (a hint)"),
        ("info", "docs/public-docstring", {}, "info, does not fail the check, counted only"),
        (
            "warning",
            "docs/public-docstring",
            {},
            "warning, does not fail the check, comment on the line where it names one",
        ),
        ("error", "testing/code-without-tests", {}, "error, fails the check, comment on the line where it names one"),
        (
            RuleSetting(show="line"),
            "docs/public-docstring",
            {},
            "hint, does not fail the check, comment on the line where it names one",
        ),
        (
            RuleSetting(show="summary", severity="error"),
            "errors/bare-except",
            {},
            "error, fails the check, row of the summary",
        ),
    ],
)
def test_a_changed_rule_is_listed_with_its_effect(setting, rule, policy, line):
    assert said(setting, rule, **policy) == [f"  {rule}: {line}"]


@pytest.mark.parametrize(
    ("severity", "posting", "place"),
    [
        ("info", Posting(comment_on="info"), "comment on the line"),
        ("warning", Posting(comment_on="error"), "row of the summary (below `comment-on: error`)"),
        ("error", Posting(comments="summary"), "row of the summary"),
        ("error", Posting(comments="off"), "row of the summary"),
    ],
)
def test_the_place_follows_the_configuration(severity, posting, place):
    (line,) = said(severity, posting=posting)
    assert line.endswith(f"check, {place}")


def test_a_rule_that_is_off_is_listed_and_an_unchanged_one_is_not():
    assert said("off") == ["  errors/swallowed-exception: off"]
    assert said("on", "api/call-misfit") == []


@pytest.mark.parametrize(
    ("severity", "placement", "decision", "exit_code"),
    [
        ("severity: error\n", "inline", "changes-required", 1),
        ("severity: warning\n", "inline", "comments", 0),
        ("severity: error\nmetadata: {confidence: low}\n", "inline", "changes-required", 1),
        ("severity: error\nmetadata: {show: summary}\n", "summary", "changes-required", 1),
        ("", "summary", "comments", 0),
    ],
    ids=["error", "warning", "unsure", "summary", "default"],
)
def test_a_rule_of_ones_own_is_taken_at_its_word(severity, placement, decision, exit_code):
    (finding,) = review({"a.py": "bad(1)\n"}, rules=OWN.format(severity)).findings
    assert finding.placement == placement
    verdict = decide([finding], (), (), Policy())
    assert (verdict.decision, verdict.exit_code) == (decision, exit_code)


@pytest.mark.parametrize("severity", ["error", "warning", "info"])
def test_a_severity_that_a_repository_sets_is_not_lowered_by_a_check(severity):
    rulebook = rule_registry.builtin_rulebook()
    chosen = select(rulebook, Selection(rules={"*/*": severity}))
    assert {rule.severity for rule in chosen.rules if not rule.advisory} == {severity}
    assert {rule.severity for rule in chosen.rules if rule.advisory} == {"warning" if severity == "error" else severity}
    assert all(rule.chosen or rule.show == "count" for rule in chosen.rules)


def test_no_built_in_error_is_less_than_certain():
    rules = rule_registry.builtin_rulebook().rules
    errors = [rule for rule in rules if rule.severity == "error"]
    assert len(errors) > 5
    assert {rule.confidence for rule in errors} == {"high"}


def test_a_family_of_which_no_rule_is_on_is_one_line():
    lines = said("off", "style/*")
    assert len(lines) == 1
    assert lines[0].startswith("  style/*: off (")
    assert said("off", "style/print-call") == ["  style/print-call: off"]


WRONG = """\
fail-on: errors
summry: always
rules: {style/print-cal: off, errors/bare-except: eror}
max-comments: 500
"""


def test_every_mistake_is_listed_with_its_line(tmp_path):
    path = tmp_path / "review-bot.yml"
    path.write_text(WRONG)
    command = ["config", "check", path]
    done = run_command(command, text=True)
    assert done.returncode == 2
    assert [line.rpartition("review-bot.yml:")[2].partition(": ")[0] for line in done.stderr.splitlines()] == [*"1234"]
    assert done.stderr.count("did you mean") == 3

    path.write_text("rules:\n  errors/bare-except:\n    show: lines\n    severty: info\n    files: a.py\n")
    done = run_command(command, text=True)
    assert done.returncode == 2
    for line, words in ((3, "did you mean 'line'?"), (4, "did you mean 'severity'?"), (5, "must be a list")):
        assert any(f"review-bot.yml:{line}: " in each and words in each for each in done.stderr.splitlines())

    path.write_text("families: [style, erors]\nrules:\n  style/print-cal: off\n  stile/*: off\n  style/*: info\n")
    done = run_command(command, text=True)
    assert done.returncode == 2
    for line, meant in ((1, "errors"), (3, "style/print-call"), (4, "style/*")):
        assert f"review-bot.yml:{line}: " in done.stderr
        assert f"did you mean '{meant}'?" in done.stderr


def test_a_family_that_is_off_but_for_a_few_rules_is_one_line(tmp_path):
    (tmp_path / ".github").mkdir()
    (tmp_path / ".github/review-bot.yml").write_text('rules:\n  "errors/*": off\n  errors/bare-except: on\n')
    done = run_command(["config", "check", "-C", tmp_path], text=True, env=ENVIRONMENT)
    (line,) = [each for each in done.stdout.splitlines() if each.startswith("  ")]
    assert re.fullmatch(r"  errors/\*: off \(\d+ rules\) except errors/bare-except", line)


EVERYTHING = """\
accept: on
comment-on: error
max-comments: 7
paths: {ignore: [third_party/**, m.py]}
skip: {paths: [docs/**], labels: [vendor]}
rules: {errors/bare-except: {severity: info, files: [src/**], ignores: [tools/**]}, card/tests: off}
cards:
  - id: card/blocks
    title: Blocks
    asks: [{question: "Who frees `{name}`?", lines: '(?P<name>\\w+) = allocate\\('}]
"""


def test_everything_that_is_set_is_listed_and_a_pattern_without_a_file_is_noted(tmp_path):
    repository = GitRepository(tmp_path / "clone")
    repository.commit(
        {"m.py": "x = 1\n", "docs/a.md": "# A\n", "tools/a.py": "y = 1\n", ".github/review-bot.yml": EVERYTHING}
    )
    rules = repository.folder / ".github/review-bot/rules"
    rules.mkdir(parents=True)
    (rules / "own.yml").write_text(OWN.format("ignores: [old/**]\n"))
    done = run_command(["config", "check", "-C", repository.folder], text=True, env=ENVIRONMENT)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].endswith("1 valid rule file of your own")
    assert lines[2:] == [
        "fail-on: error (built-in); on-incomplete: fail (built-in); accept: on",
        "comments: line (built-in); comment-on: error; max-comments: 7; summary: always (built-in)",
        "paths: ignore: third_party/**, m.py",
        "skip: paths: docs/**",
        "skip: labels: vendor",
        "cards: card/blocks",
        "cards off: card/tests",
        (
            "  errors/bare-except: info, does not fail the check, row of the summary (below `comment-on: error`)"
            ", only in src/**, not in tools/**"
        ),
        "  own/call: hint, does not fail the check, row of the summary (a hint), not in old/**",
        "note: rules: errors/bare-except: files: 'src/**' matches no file of this repository",
        "note: paths: ignore: 'third_party/**' matches no file of this repository",
    ]


def test_a_setting_of_a_family_that_does_not_run_is_noted(tmp_path):
    repository = GitRepository(tmp_path / "clone")
    text = "families: [errors]\nrules: {errors/bare-except: info, security/pickle-load: error, '*/*-left': info}\n"
    repository.commit({".github/review-bot.yml": text})
    said = run_command(["config", "check", "-C", repository.folder], text=True, env=ENVIRONMENT).stdout
    assert [line for line in said.splitlines() if line.startswith("note:")] == [
        "note: rules: security/pickle-load: has no effect, because `families` does not list 'security'"
    ]


UNMEANT = """\
paths: {ignore: ["**"]}
skip: {paths: [docs, /m.py, "*"], authors: [dependabot, "renovate[bot]"]}
layout: {sections: [tests], intro: Ask us.}
areas: [{id: own-engine, title: Engine, triggers: [{paths: [engine/**, docs/**]}]}]
cards:
  - {id: card/queue, title: Queues, asks: [{question: "Who reads `{name}`?", lines: '(?P<name>\\w+) = Queue', paths: [engine/]}]}
"""


def test_what_cannot_be_meant_is_noted(tmp_path):
    repository = GitRepository(tmp_path / "clone")
    repository.commit({"m.py": "x = 1\n", "docs/a.md": "# A\n", ".github/review-bot/rules/own.yml": OWN.format("")})
    own = repository.folder / ".github/review-bot/rules/own.yml"
    own.write_text(OWN.format("files: [m.py, src/**]\n"))
    note = "note: rule own/call: files: 'src/**' matches no file of this repository"
    command = ["config", "check", "-C", repository.folder]
    assert run_command(command, text=True, env=ENVIRONMENT).stdout.splitlines()[-1] == note

    repository.write({".github/review-bot.yml": UNMEANT})
    done = run_command(command, text=True, env=ENVIRONMENT)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert "layout: tests, intro" in lines
    assert [line for line in lines if line.startswith("note: ")] == [
        "note: skip: authors: 'dependabot' is the account of a person; a bot is written 'dependabot[bot]'",
        "note: skip: paths: 'docs' matches no file of this repository; did you mean 'docs/**'?",
        "note: skip: paths: '/m.py' matches no file of this repository; did you mean 'm.py'?",
        "note: areas: own-engine: paths: 'engine/**' matches no file of this repository",
        "note: cards: card/queue: paths: 'engine/' matches no file of this repository",
        note,
        "note: paths: ignore: every file of this repository is ignored, so nothing is reviewed",
        "note: skip: paths: every file of this repository matches, so every change is checked for errors only",
    ]


def test_nothing_is_called_valid_where_something_is_wrong(tmp_path):
    rules = tmp_path / ".github/review-bot/rules"
    rules.mkdir(parents=True)
    (rules / "own.yml").write_text(OWN.format(""))
    (tmp_path / ".github/review-bot.yml").write_text("paths: {ignore: docs/**}\n")
    done = run_command(["config", "check", "-C", tmp_path], text=True, env=ENVIRONMENT)
    assert (done.returncode, done.stdout) == (2, "")
    assert """must be a list, not text ('docs/**'); write `["docs/**"]`""" in done.stderr
