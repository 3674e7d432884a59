"""Edits of the configuration, the rules and the baseline that the next run could not use, through the whole Action."""

from __future__ import annotations

import sys
from typing import Any

import pytest

from fake_github.git_store import Link, Submodule
from review_bot.changes.pull_request import ChangedFile
from review_bot.forges.settings_files import SettingsFile
from review_bot.github_action import settings_edits
from tests.action import Action, Result

CONFIG = ".github/review-bot.yml"
OTHER = ".github/review-bot.yaml"
BASELINE = ".github/review-bot-baseline.json"
RULES = ".github/review-bot/rules"
RULE = """id: no-eval
language: python
severity: warning
message: This runs any text as code.
rule: {pattern: eval($X)}
"""
TEXT = "id: shout\nmessage: A shout.\nseverity: error\ntext: {regex: 'SHOUT', where: added}\n"
GOOD_BASELINE = '{"schema": "review-bot/baseline/v1", "findings": []}\n'
LFS = f"version https://git-lfs.github.com/spec/v1\noid sha256:{'a' * 64}\nsize 12\n"


def invalid(result: Result) -> list[tuple[str, int | None]]:
    found = [each for each in result.report()["findings"] if each["rule"] == settings_edits.RULE]
    assert all(each["severity"] == "error" for each in found)
    return [(each["path"], each["line"]) for each in found]


@pytest.mark.parametrize(
    ("path", "content", "line", "said"),
    [
        (CONFIG, "fail-on: error\nrules: [\n", None, ""),
        (CONFIG, "fail-on: error\nfail-in: error\n", 2, "fail-in"),
        (CONFIG, "fail-on: errors\n", 1, "must be one of error"),
        (CONFIG, "fail-on: error\nfail-on: never\n", 2, "fail-on"),
        (CONFIG, "- fail-on\n", 1, "a configuration is a mapping"),
        (CONFIG, "rules:\n  style/nothing-of-that-name: off\n", 2, "there is no rule"),
        (CONFIG, "families: [nothing]\n", 1, "there is no rule family"),
        (CONFIG, "paths:\n  ignore: ['[']\n", 2, "invalid path pattern"),
        (CONFIG, "own-policy: ['{']\n", 1, "invalid path pattern"),
        (CONFIG, b"# caf\xe9\n", 1, "not UTF-8"),
        (CONFIG, b"\x7fELF\x00\x01\x00\x00" * 40, None, ""),
        (CONFIG, LFS, 1, "a configuration is a mapping"),
        (CONFIG, Link("../elsewhere.yml"), None, "symbolic link"),
        (CONFIG, Submodule("a" * 40), None, "submodule"),
        (f"{CONFIG}/inner.yml", "fail-on: error\n", None, "it is a folder"),
        (OTHER, "fail-on: error\n", None, "exists too; delete one of them"),
        (BASELINE, "{", None, "not valid JSON"),
        (BASELINE, "[" * 100_000, None, "not valid JSON"),
        (BASELINE, '{"schema": "review-bot/baseline/v1"}', None, "not a baseline of schema"),
        (BASELINE, LFS, None, "not valid JSON"),
        (BASELINE, Link("a.json"), None, "symbolic link"),
        (f"{RULES}/new.yml", "id: [\n", None, ""),
        (f"{RULES}/new.yml", TEXT.replace("SHOUT", "a(b"), 4, "regex"),
        (f"{RULES}/new.yml", TEXT.replace("SHOUT", "x{1,5000}"), 4, "regex"),
        (f"{RULES}/new.yml", RULE.replace("no-eval", "new").replace("python", "klingon"), 2, "language"),
        (f"{RULES}/new.yml", RULE.replace("no-eval", "new").replace("pattern", "patern"), None, ""),
        (f"{RULES}/new.yml", RULE.replace("no-eval", "new").replace("severity", "severty"), 3, "severty"),
        (f"{RULES}/new.yml", RULE, None, "another rule of these files has the id 'no-eval'"),
        (f"{RULES}/new.yaml", RULE.replace("no-eval", "errors/bare-except"), 1, "a built-in rule has the id"),
        (f"{RULES}/deep/er/new.yml", "", None, ""),
        (f"{RULES}/new.yml", Link("no-eval.yml"), None, "symbolic link"),
        (f"{RULES}/new.yml", Submodule("b" * 40), None, "submodule"),
        (f"{RULES}/new.yml", b"\xff\xfe\x00i\x00d" * 99, None, ""),
    ],
)
def test_an_edit_that_the_next_run_cannot_use_is_an_error(
    action: Action, path: str, content: Any, line: int | None, said: str
) -> None:
    action.repository.commit({CONFIG: "fail-on: error\n", f"{RULES}/no-eval.yml": RULE, BASELINE: GOOD_BASELINE})
    changes = {path: content} if not path.startswith(f"{CONFIG}/") else {CONFIG: None, path: content}
    if path.endswith("deep/er/new.yml"):
        content = changes[path] = "id: a\n"
    result = action.run(action.open(changes))
    assert result.code in {1, 3}, "3 where the file is one that nobody can read"
    assert len(invalid(result)) == 1
    [finding] = [each for each in result.report()["findings"] if each["rule"] == settings_edits.RULE]
    assert said in finding["message"]
    if line is not None:
        assert finding["line"] == line
    shown = path if not path.startswith(f"{CONFIG}/") else finding["path"]
    assert finding["path"] == shown

    # and so it is: merged, it makes every other pull request fail
    action.repository.commit(changes)
    assert action.run(action.open({"halcyon/fine.py": '"""Fine."""\n'})).code == 2


@pytest.mark.parametrize(
    "changes",
    [
        {CONFIG: "fail-on: warning\nown-policy: ['release/*']\nrules:\n  no-eval: off\n"},
        {CONFIG: None},
        {CONFIG: None, OTHER: "fail-on: warning\n"},
        {BASELINE: None},
        {f"{RULES}/no-eval.yml": None},
        {f"{RULES}/no-eval.yml": None, f"{RULES}/renamed.yml": RULE},
        {f"{RULES}/shout.yml": TEXT},
        {f"{RULES}/README.md": "# Our rules\n"},
        {
            f"{RULES}/long.yml": "id: long\nmessage: Long.\ncheck: {name: style/long-function, options: {max_lines: 9}}\n"
        },
    ],
)
def test_an_edit_that_the_next_run_can_use_is_none(action: Action, changes: dict[str, Any]) -> None:
    action.repository.commit({CONFIG: "fail-on: error\n", f"{RULES}/no-eval.yml": RULE, BASELINE: GOOD_BASELINE})
    result = action.run(action.open(changes))
    assert (result.code, invalid(result)) == (0, [])
    action.repository.commit(changes)
    assert action.run(action.open({"halcyon/fine.py": '"""Fine."""\n'})).code == 0


@pytest.mark.parametrize("had_rules", [True, False])
@pytest.mark.parametrize("content", [Link("../elsewhere"), Submodule("c" * 40), "a file\n"])
@pytest.mark.parametrize("folder", [".github/review-bot", RULES])
def test_a_folder_of_rules_that_becomes_something_else_is_an_error(
    action: Action, folder: str, content: Any, had_rules: bool
) -> None:
    changes = {folder: content}
    if had_rules:
        action.repository.commit({f"{RULES}/no-eval.yml": RULE})
        changes = {f"{RULES}/no-eval.yml": None, folder: content}
    result = action.run(action.open(changes))
    assert (result.code, invalid(result)) == (1, [(folder, None)])
    assert any("make it a folder" in each["message"] for each in result.report()["findings"])
    action.repository.commit(changes)
    assert action.run(action.open({"halcyon/fine.py": '"""Fine."""\n'})).code == 2


def test_a_link_in_the_place_of_the_folder_around_it_all_is_an_error(action: Action) -> None:
    action.repository.commit({f"{RULES}/no-eval.yml": RULE, CONFIG: "fail-on: error\n"})
    result = action.run(action.open({f"{RULES}/no-eval.yml": None, CONFIG: None, ".github": Link("elsewhere")}))
    assert (result.code, invalid(result)) == (1, [(".github", None)])


def test_a_rule_that_is_deleted_while_the_configuration_names_it_is_an_error_at_the_rule(action: Action) -> None:
    action.repository.commit({CONFIG: "rules:\n  no-eval: off\n", f"{RULES}/no-eval.yml": RULE})
    result = action.run(action.open({f"{RULES}/no-eval.yml": None}))
    assert (result.code, invalid(result)) == (1, [(f"{RULES}/no-eval.yml", None)])
    assert f"{CONFIG}:2: rules.no-eval: there is no rule 'no-eval'" in result.report()["findings"][0]["message"]


def test_the_comment_stands_on_the_line(action: Action) -> None:
    pr = action.open({CONFIG: "fail-on: error\nfail-in: error\n"})
    assert action.run(pr).code == 1
    [comment] = pr.review_comments
    assert (comment.path, comment.line) == (CONFIG, 2)
    pr.push({CONFIG: "fail-on: error\n"})
    assert action.run(pr).code == 0
    assert comment.body.startswith("Fixed in")


@pytest.mark.parametrize("what", [f"{CONFIG}", "paths"])
def test_neither_a_suppression_nor_an_ignored_path_hides_it(action: Action, what: str) -> None:
    action.repository.commit({CONFIG: 'paths:\n  ignore: [".github/**"]\n'})
    comment = "# review-bot: ignore[settings/invalid] we know\n" if what == CONFIG else ""
    assert action.run(action.open({CONFIG: f"{comment}fail-in: error\n"})).code == 1


def test_a_change_to_a_stacked_base_is_held_against_that_base(action: Action) -> None:
    """The base adds a rule that the change then names: that is no mistake."""
    action.repository.commit({f"{RULES}/no-eval.yml": RULE}, branch="lower")
    fine = action.run(action.open({CONFIG: "rules:\n  no-eval: error\n"}, base="lower"))
    assert (fine.code, invalid(fine)) == (0, [])
    alone = action.run(action.open({CONFIG: "rules:\n  no-eval: error\n"}))
    assert (alone.code, invalid(alone)) == (1, [(CONFIG, 2)])


def test_another_configuration_is_checked_where_the_input_names_it(action: Action) -> None:
    action.repository.commit({"tools/bot.yml": "fail-on: error\n"})
    inputs = {"config": "tools/bot.yml"}
    assert action.run(action.open({"tools/bot.yml": "fail-in: error\n"}), inputs=inputs).code == 1
    assert action.run(action.open({"tools/bot.yml": None}), inputs=inputs).code == 1
    assert action.run(action.open({"tools/bot.yml": "fail-on: warning\n"}), inputs=inputs).code == 0


def test_a_merge_group_is_checked_too(action: Action) -> None:
    pr = action.open({CONFIG: "fail-in: error\n"})
    payload = action.repository.merge_group_event(action.repository.merge_group(pr))
    assert action.run(None, event="merge_group", payload=payload).code == 1


def test_an_edit_from_a_fork_is_checked(action: Action) -> None:
    fork = action.repository.fork("mallory")
    pr = action.open({f"{RULES}/new.yml": "id: [\n"}, head_repository=fork, author="mallory")
    assert action.run(pr, event="pull_request_target").code == 1


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ("fail-on: never\n", "`fail-on` goes from error to never"),
        ("on-incomplete: warn\n", "`on-incomplete` goes from fail to warn"),
        ("rules:\n  no-eval: off\n", "1 rule off: no-eval"),
        ("rules:\n  no-eval: hint\n", "1 rule lighter: no-eval (warning to hint)"),
        ("rules:\n  no-eval: {ignores: ['x/**']}\n", "1 rule limited to other files: no-eval"),
        ("paths:\n  ignore: ['vendor/**']\n", "`vendor/**` is ignored"),
        ("own-policy: ['easy/*']\n", "`easy/*` has its own policy"),
        ("unreviewed-ok:\n  - {path: '*.bin', reason: data}\n", "`*.bin` may stay unreviewed"),
    ],
)
def test_an_edit_that_weakens_the_gate_is_named(action: Action, config: str, said: str) -> None:
    action.repository.commit({CONFIG: "# nothing\n", f"{RULES}/no-eval.yml": RULE})
    result = action.run(action.open({CONFIG: config}))
    assert result.code == 0
    assert f"That edit weakens the gate: {said}." in result.summary.replace("\u200b", "").replace("\\", "")


HANG = "import time; time.sleep(60)"
FLOOD = "import sys\nwhile True: sys.stdout.write('x' * 65536)"
LIES = 'print(\'{"mistake": ["/etc/passwd", 1, "x"], "weaker": []}\')'


@pytest.mark.parametrize("code", [HANG, FLOOD, LIES, "", "raise SystemExit(1)", "print('{}')", "print('[' * 9999999)"])
def test_a_process_that_does_not_answer_well_is_an_error(code: str) -> None:
    files = {CONFIG: SettingsFile(b"fail-on: error\n")}
    changed = [ChangedFile(CONFIG, None, "modified", "text")]
    command = (sys.executable, "-I", "-c", code)
    edit = settings_edits.compare(files, files, None, changed, command=command, seconds=2)
    assert edit.mistake is not None
    assert edit.mistake.message.startswith("the new version could not be checked: ")
