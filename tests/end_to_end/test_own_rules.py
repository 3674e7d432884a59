"""Rules of a repository's own, through the whole Action: what they find, and what they cannot see is not green."""

from __future__ import annotations

import pytest

from tests.action import Action

FOLDER = ".github/review-bot/rules"
NO_EVAL = "id: no-eval\nlanguage: python\nseverity: {0}\nmessage: Found.\nrule: {{pattern: eval($X)}}\n"


@pytest.mark.parametrize(
    ("severity", "metadata", "code"),
    [("error", "", 1), ("error", "metadata: {confidence: medium}\n", 0), ("warning", "", 0)],
)
def test_an_error_of_an_own_rule_gates_unless_it_says_that_it_is_not_sure(
    action: Action, severity: str, metadata: str, code: int
):
    action.repository.commit({f"{FOLDER}/a.yml": NO_EVAL.format(severity) + metadata})
    result = action.run(action.open({"halcyon/a.py": '"""A."""\n\nx = eval("1")\n'}))
    assert "no-eval" in {each["rule"] for each in result.report()["findings"]}
    assert result.code == code


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
