"""Where findings are shown is the configuration's word at the base, and hides nothing from the gate."""

from __future__ import annotations

from typing import Any

import pytest

from tests.action import BAD_LINE, DOUBTFUL, Action

CONFIG = ".github/review-bot.yml"
WARNING = "errors/constant-condition"
ERROR = "api/missing-module-import"
BAD = {"halcyon/steps.py": DOUBTFUL.replace('steps."""\n\n\n', f'steps."""\n\n{BAD_LINE}\n\n', 1)}
NIT = {"halcyon/steps.py": DOUBTFUL}


def reviewed(action: Action, config: str, change: dict[str, Any]) -> tuple[int, list[str], Any]:
    """Return the exit code, the rules of the comments on lines (by title), and the result."""
    action.repository.commit({CONFIG: config})
    pr = action.open(change)
    result = action.run(pr)
    return result.code, sorted(each.body.partition("\n")[0] for each in pr.review_comments), result


@pytest.mark.parametrize("show", ["line", "summary", "count"])
def test_no_place_takes_an_error_out_of_the_gate(action: Action, show: str) -> None:
    code, comments, result = reviewed(action, f"rules: {{'*': {{show: {show}}}}}\n", BAD)
    assert code == 1
    assert bool(comments) is (show == "line")
    assert {each["rule"]: each["counted"] for each in result.report()["findings"]} == {ERROR: False, WARNING: False}


def test_a_rule_that_is_off_does_not_run(action: Action) -> None:
    code, comments, result = reviewed(action, f"rules: {{{ERROR}: {{show: off}}, {WARNING}: {{show: off}}}}\n", BAD)
    assert (code, comments, result.report()["findings"]) == (0, [], [])


def test_a_rule_is_shown_on_the_line_whatever_its_severity(action: Action) -> None:
    config = f"rules: {{{WARNING}: {{severity: hint, show: line}}}}\n"
    code, comments, result = reviewed(action, config, NIT)
    assert (code, len(comments)) == (0, 1)
    assert [(each["severity"], each["placement"]) for each in result.report()["findings"]] == [("hint", "inline")]


def test_a_rule_is_counted(action: Action) -> None:
    _, comments, result = reviewed(action, f"rules: {{{WARNING}: {{severity: info, show: count}}}}\n", NIT)
    assert comments == []
    assert [(each["rule"], each["counted"]) for each in result.report()["findings"]] == [(WARNING, True)]
    assert "no findings listed" in result.summary
    assert result.outputs["findings"] == "0", "the output counts what the headline counts"


SPACES = {"halcyon/steps.py": '"""Steps."""\n\nSTEPS = show(1)   \n'}
OWN = """\
id: own-show
language: python
severity: info
message: "`show` of $X."
rule: {pattern: show($X)}
"""


@pytest.mark.parametrize(
    ("config", "own", "code"),
    [
        ("rules: {style/trailing-whitespace: info}", "", 1),
        ("rules: {'style/*': info}", "", 1),
        ("rules: {style/trailing-whitespace: {severity: info, show: count}}", "", 1),
        ("rules: {style/trailing-whitespace: {show: line}}", "", 0),  # a hint
        ("rules: {errors/undefined-name: off}", "", 0),
        ("rules: {errors/undefined-name: off}", OWN, 1),
        ("rules: {errors/undefined-name: off}", f"{OWN}metadata: {{show: count}}\n", 1),
        ("rules: {errors/undefined-name: off, own-show: {show: count}}", OWN, 1),
        ("rules: {errors/undefined-name: off, own-show: hint}", OWN, 0),
    ],
)
def test_what_the_repository_gives_a_severity_that_fails_the_gate_is_no_mere_number(
    action: Action, config: str, own: str, code: int
) -> None:
    action.repository.commit({".github/review-bot/rules/show.yml": own} if own else {})
    off = config if "undefined" in config else config.replace("rules: {", "rules: {errors/undefined-name: off, ")
    assert reviewed(action, f"fail-on: info\n{off}\n", SPACES)[0] == code
    path = "third_party/steps.py"
    new = {path: SPACES["halcyon/steps.py"]}
    assert reviewed(action, f"fail-on: info\n{off}\n", new)[0] == code


def test_a_later_entry_wins(action: Action) -> None:
    config = f"rules: {{'*': {{show: summary}}, {WARNING}: {{show: line}}, {ERROR}: {{severity: error}}}}\n"
    assert len(reviewed(action, config, BAD)[1]) == 2


def test_a_change_moves_no_finding(action: Action) -> None:
    hidden = "rules: {'*': {show: off}}\nskip: {authors: [ada], labels: [x], paths: ['**']}\n"
    code, comments, result = reviewed(action, "fail-on: error\n", {CONFIG: hidden, **BAD})
    assert (code, len(comments)) == (1, 2)
    for words in ("weakens the gate", "is skipped", "rules off"):
        assert words in result.summary, result.summary


def test_an_edit_that_shows_less_is_named(action: Action) -> None:
    _, _, result = reviewed(action, "fail-on: error\n", {CONFIG: f"rules: {{{ERROR}: {{show: count}}}}\n"})
    assert f"1 rule shown less: {ERROR} (line to count)" in result.summary.replace("`", "")
