"""Rules of a repository's own, through the whole Action: what they find, and what they cannot see is not green."""

from __future__ import annotations

from typing import Any

import pytest

from fake_github.git_store import Link, Submodule
from tests.action import Action

FOLDER = ".github/review-bot/rules"
NO_EVAL = "id: no-eval\nlanguage: python\nseverity: {0}\nmessage: Found.\nrule: {{pattern: eval($X)}}\n"


@pytest.mark.parametrize(
    ("severity", "metadata", "code"),
    [("error", "", 1), ("error", "metadata: {confidence: medium}\n", 1), ("warning", "", 0)],
)
def test_the_severity_of_an_own_rule_alone_decides_whether_it_gates(
    action: Action, severity: str, metadata: str, code: int
):
    action.repository.commit({f"{FOLDER}/a.yml": NO_EVAL.format(severity) + metadata})
    result = action.run(action.open({"halcyon/a.py": '"""A."""\n\nx = eval("1")\n'}))
    assert "no-eval" in {each["rule"] for each in result.report()["findings"]}
    assert result.code == code


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
@pytest.mark.parametrize(
    "call", ['(*eval("1"), 2)', '*eval("1"), 2', 'eval \\\n    ("1")', 'eval\\\n\\\n("1")', 'print(eval \\\n    ("1"))']
)
def test_what_ast_grep_reads_otherwise_hides_nothing_from_an_own_rule(action: Action, call: str, line_end: str):
    action.repository.commit({f"{FOLDER}/a.yml": NO_EVAL.format("error")})
    text = f'"""A."""\n\nx = {call}\n'.replace("\n", line_end)
    result = action.run(action.open({"halcyon/a.py": text}))
    assert (result.code, result.outputs["errors"]) == (1, "1")
    assert [each["line"] for each in result.report()["findings"] if each["rule"] == "no-eval"] == [3]


HIDDEN = '"""A."""\n\n\ndef run():\n    from os import (\npath)\n    return eval("1")\n'


def test_code_that_only_python_can_parse_is_not_reviewed_by_own_rules(action: Action):
    rule = "id: eval-in-run\nlanguage: python\nseverity: error\nmessage: Found.\n"
    rule += "rule: {pattern: eval($X), inside: {kind: function_definition, stopBy: end}}\n"
    action.repository.commit({f"{FOLDER}/a.yml": rule})
    pr = action.open({"halcyon/a.py": HIDDEN, "halcyon/b.py": HIDDEN.replace("\npath", "\n        path")})
    result = action.run(pr)
    (entry,) = result.report()["unreviewed"]
    assert (result.code, entry["path"]) == (3, "halcyon/a.py")
    assert entry["reason"].startswith("line 5: ast-grep cannot parse this although Python can")
    assert {each["path"] for each in result.report()["findings"] if each["rule"] == "eval-in-run"} == {"halcyon/b.py"}


def test_a_function_that_only_python_can_parse_hides_nothing_that_was_removed(action: Action):
    rule = "id: keep-it\nseverity: error\nmessage: Gone.\nremoved:\n  language: python\n  rule: {pattern: eval($X)}\n"
    action.repository.commit({f"{FOLDER}/a.yml": rule, "halcyon/a.py": HIDDEN.replace("\npath", "\n        path")})
    result = action.run(action.open({"halcyon/a.py": HIDDEN.replace('return eval("1")', "return path")}))
    assert result.code == 3
    assert [each["path"] for each in result.report()["unreviewed"]] == ["halcyon/a.py"]


GUARD = (
    "id: keep-guard\nseverity: error\nmessage: Gone.\nfiles: ['**/*.py']\nremoved:\n  text: {regex: 'check_token'}\n"
)
GUARDED = '"""A."""\n\n\ndef load(path):\n    check_token(path)\n    return path\n'


@pytest.mark.parametrize(
    "changes",
    [
        {"halcyon/a.py": None},
        {"halcyon/a.py": Link("cache.py")},
        {"halcyon/a.py": Submodule("a" * 40)},
        {"halcyon/a.py": None, "halcyon/a.txt": GUARDED},
        {"halcyon/a.py": None, "halcyon/a.txt": GUARDED + "more\n"},
        {"halcyon/a.py": None, "halcyon/a.txt": GUARDED.replace("    check_token(path)\n", "")},
        {"halcyon/a.py": "x = 1\n"},
        {"halcyon/a.py": b"\0\1\2\xff" * 90},
    ],
    ids=["deleted", "link", "submodule", "renamed", "edited", "without", "other", "binary"],
)
def test_a_line_that_a_rule_keeps_is_missed_however_it_goes(action: Action, changes: dict[str, Any]):
    action.repository.commit({f"{FOLDER}/a.yml": GUARD, "halcyon/a.py": GUARDED})
    result = action.run(action.open(changes))
    places = {(each["path"], each["line"]) for each in result.report()["findings"] if each["rule"] == "keep-guard"}
    assert (
        result.code == 3
        if isinstance(changes["halcyon/a.py"], bytes)
        else (result.code, places)
        == (
            1,
            {("halcyon/a.py", 5)},
        )
    )


def test_a_line_that_moves_with_its_file_is_kept(action: Action):
    action.repository.commit({f"{FOLDER}/a.yml": GUARD, "halcyon/a.py": GUARDED})
    result = action.run(action.open({"halcyon/a.py": None, "halcyon/b.py": GUARDED}))
    assert "keep-guard" not in {each["rule"] for each in result.report()["findings"]}


NOTES = (
    "id: notes\nseverity: error\nmessage: Write a note.\n"
    "pull_request:\n  when: {changed: ['halcyon/*.py']}\n  without: {changed: ['docs/**', 'notes/**']}\n"
)


@pytest.mark.parametrize(
    ("path", "text", "code"),
    [
        ("notes/a.py", "\n   \n", 1),
        ("notes/a.py", "# later\n\n", 1),
        ("docs/a.md", "\n\n", 1),
        ("docs/a.md", "# Loading\n", 0),
        ("notes/a.py", "x = 1\n", 0),
    ],
)
def test_a_blank_line_or_a_comment_is_not_what_a_change_should_bring(action: Action, path: str, text: str, code: int):
    action.repository.commit({f"{FOLDER}/a.yml": NOTES})
    result = action.run(action.open({"halcyon/a.py": '"""A."""\n\nX = 1\n', path: text}))
    assert result.code == code
