"""Structured files that a rule's reader might not read: what a rule would report there is found, or the review is red."""

from __future__ import annotations

import json

import pytest

from tests.action import Action

WORKFLOW = ".github/workflows/label.yml"
HEAD = "on: pull_request_target\njobs:\n  a:\n    runs-on: ubuntu-24.04\n    steps:\n"
INJECTION = "      - run: echo ${{ github.event.issue.title }}\n"
CHECKOUT = (
    "      - uses: actions/checkout@v4\n        with:\n          ref: ${{ github.event.pull_request.head.sha }}\n"
)
STAGES = "halcyon/stage_configs/a.yaml"
TWICE = "stage_args:\n  - stage_id: 1\n  - stage_id: 1\n"


def verdict(action: Action, files: dict[str, str], base: dict[str, str] | None = None) -> tuple[int, str]:
    """Run the Action on a change under ``fail-on: warning``; return its exit code and summary."""
    action.repository.commit({".github/review-bot.yml": "fail-on: warning\n", **(base or {})})
    result = action.run(action.open(files))
    return result.code, result.summary


@pytest.mark.parametrize(
    "text",
    [
        HEAD + INJECTION,
        f"name: &n label\nrun-name: *n\n{HEAD}{INJECTION}",
        HEAD.replace("steps:", "env: &e {A: b}\n    steps:") + INJECTION + "        env: *e\n",
        HEAD.replace("steps:", "env: {A: &t 'echo ${{ github.event.issue.title }}'}\n    steps:") + "      - run: *t\n",
        HEAD + "      - run: !!str echo ${{ github.event.issue.title }}\n",
        f"# {'x' * 300_000}\n{HEAD}{INJECTION}",
        HEAD + '      - run: "echo $\\x7b{ github.event.issue.title }}"\n',
        HEAD + "      - run: >\n          echo ${{\n          github.event.issue.title }}\n",
        HEAD + "      - run: echo ${{ GITHUB.Event.Issue.TITLE }}\n",
        HEAD + "      - run: echo ${{ github['event'].issue [ 'title' ] }}\n",
        HEAD + "      - run: echo ${{ github.event.issue.title && github.event.issue.title }}\n",
        HEAD + "      - run: echo ${{ format('}}{0}', github.event.issue.title) }}\n",
        HEAD + CHECKOUT,
        HEAD + CHECKOUT.replace("actions/checkout", "Actions/Checkout"),
        HEAD + CHECKOUT.replace("ref:", "REF:"),
        HEAD + CHECKOUT.replace("github.event.pull_request.head.sha", "GITHUB.EVENT.pull_request.HEAD.sha"),
        HEAD + CHECKOUT.replace(".head.sha", "['head']['sha']"),
        HEAD + CHECKOUT.replace("${{ github.event.pull_request.head.sha }}", ">-\n            ${{ github.head_ref }}"),
        HEAD + CHECKOUT.replace("${{ github.event.pull_request.head.sha }}", "${{ format('refs/pull/{0}/head', 1) }}"),
        HEAD.replace("pull_request_target", "&t [pull_request_target]") + CHECKOUT,
    ],
)
def test_no_notation_of_a_workflow_hides_what_it_does(action: Action, text):
    code, summary = verdict(action, {WORKFLOW: text})
    assert code == 1, summary
    assert WORKFLOW in summary


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (HEAD + INJECTION + "  a: [\n", "not YAML"),
        (HEAD + INJECTION + "        name: a\n        name: b\n", "line 8: GitHub refuses"),
        (HEAD + INJECTION + "      - *nothing\n", "line 7: the alias"),
        (HEAD + INJECTION + "# \x07\n", "line 7: not YAML"),
        (HEAD + "      - {run: " + "[" * 80 + "]" * 80 + "}\n", "line 6: nested deeper"),
        (HEAD + "      - ? [run]\n        : ls\n", "line 6: a key that is"),
    ],
)
def test_a_workflow_that_cannot_be_read_is_unreviewed(action: Action, text, reason):
    code, summary = verdict(action, {WORKFLOW: text})
    assert code == 3
    assert WORKFLOW in summary
    assert reason in summary


@pytest.mark.parametrize("end", ["\r", "\x85", "\u2028", "\u2029"])
def test_line_ends_that_only_yaml_knows_hide_nothing(action: Action, end):
    code, summary = verdict(action, {WORKFLOW: f"# {end * 40}\n{HEAD}{INJECTION}", STAGES: f"# {end * 40}\n{TWICE}"})
    assert code in {1, 3}
    assert WORKFLOW in summary
    assert STAGES in summary


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (TWICE, 1),
        ("stage_args:\n  - &s {stage_id: 1}\n  - *s\n", 1),
        ("stage_args:\n  - &s {stage_id: 1, a: 2}\n  - {<<: *s, a: 3}\n", 1),
        ("stage_args:\n  - stage_id: 5\n    stage_id: 1\n  - stage_id: 1\n", 1),
        ("stage_args:\n  - stage_id: !!int '1'\n  - {!mine stage_id: 1}\n", 1),
        ('stage_args:\n  - stage_id: 1\n  - "stage\\x5fid": 1\n', 1),
        (f"# {'x' * 300_000}\n{TWICE}", 1),
        ("stage_args: &s\n  - *s\n", 3),
        ("stage_args:\n  - {{ stage }}: 1\n    devices: 2\n", 3),
    ],
)
def test_no_notation_of_a_stage_configuration_hides_a_contradiction(action: Action, text, code):
    found, summary = verdict(action, {STAGES: text})
    assert found == code, summary
    assert STAGES in summary


def test_an_alias_brings_what_stood_unused_before(action: Action):
    base = (
        HEAD.replace("steps:", "env:\n      A: &t echo ${{ github.event.issue.title }}\n    steps:")
        + "      - run: ls\n"
    )
    code, summary = verdict(action, {WORKFLOW: base + "      - run: *t\n"}, {WORKFLOW: base})
    assert code == 1, summary


@pytest.mark.parametrize(
    ("path", "text", "reason"),
    [
        ("pyproject.toml", "[project\ndependencies = ['numpy']\n", "not TOML"),
        ("pyproject.toml", '[project]\ndependencies = ["num\\u0070y", "torch>=2"]\n', "written with escapes"),
        ("notes.ipynb", '{"cells": [{"outputs": [}]\n', "line 1: not JSON"),
        ("notes.ipynb", '{"cells": [{"outputs": ' + "[" * 100_000 + "\n", "nested too deeply"),
    ],
)
def test_another_file_that_its_reader_cannot_read_is_unreviewed(action: Action, path, text, reason):
    code, summary = verdict(action, {path: text})
    assert code == 3
    assert path in summary
    assert reason in summary


def test_a_notebook_that_is_json_is_reviewed(action: Action):
    notebook = json.dumps({"cells": [{"cell_type": "code", "outputs": [], "source": ["1 + 1"]}]}, indent=1) + "\n"
    assert verdict(action, {"notes.ipynb": notebook})[0] == 0


@pytest.mark.parametrize(
    ("config", "reason"),
    [
        ('rules:\n  "*/*": off\n', "the configuration disables all of them"),
        ('paths:\n  ignore: ["**"]\n', "the configuration ignores every changed file"),
    ],
)
def test_a_configuration_that_leaves_nothing_to_review_is_named_in_the_headline(action: Action, config, reason):
    action.repository.commit({".github/review-bot.yml": config})
    result = action.run(action.open({"halcyon/a.py": "import halcyon.nothing\n"}))
    assert result.code == 0
    assert f"no rules ran: {reason}" in result.summary
    assert "Nothing found" not in result.summary
    assert f"no rules ran: {reason}" in result.log.lower()
