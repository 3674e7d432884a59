"""The workflows: pinned, of few rights, and the ready-made ones do what their comments say.

Their grammar, and what makes workflows unsafe, is checked by ``make workflows``.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from review_bot.commands import init
from review_bot.configuration.inputs import Inputs
from review_bot.files.yaml_file import read_yaml
from review_bot.forges.github import event
from tests.some import some

ROOT = Path(__file__).resolve().parent.parent
READY_MADE = {path.stem: path for path in sorted((ROOT / "docs/workflows").glob("*.yml"))}
OURS = sorted((ROOT / ".github/workflows").glob("*.yml"))
EVERY = [*READY_MADE.values(), *OURS]
REPORTING = ["trusted", "public-forks", "two-jobs", "coverage", "merge-queue"]
PLACEHOLDER = f"review-bot/review-bot@{40 * '0'}"


def load(path: Path) -> dict[str, Any]:
    data: dict[str, Any] = read_yaml(path.read_text(encoding="utf-8"))[0].data
    return data


def jobs(path: Path) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = load(path)["jobs"]
    return found


def steps(path: Path) -> list[dict[str, Any]]:
    return [step for job in jobs(path).values() for step in job["steps"]]


@pytest.mark.parametrize("path", EVERY, ids=lambda path: path.stem)
def test_nothing_is_permitted_but_what_a_job_asks_for(path):
    assert load(path)["permissions"] == {}
    for job in jobs(path).values():
        assert job["permissions"]
        assert job["timeout-minutes"] <= 30
        assert job["runs-on"] == "ubuntu-24.04"


@pytest.mark.parametrize("path", EVERY, ids=lambda path: path.stem)
def test_every_action_is_pinned_by_its_commit_with_a_word_on_it(path):
    for line in some(re.findall(r"^.*\buses: .*$", path.read_text(encoding="utf-8"), re.MULTILINE)):
        assert re.search(r"uses: ([\w.-]+/[\w.-]+@[0-9a-f]{40} # \S|\./  # )", line), line


@pytest.mark.parametrize("path", EVERY, ids=lambda path: path.stem)
def test_no_text_of_an_event_is_pasted_into_a_command(path):
    assert not [step for step in steps(path) if "${{" in step.get("run", "")]


def test_an_exception_from_zizmor_gives_its_reason():
    lines = [line for path in EVERY for line in path.read_text(encoding="utf-8").splitlines()]
    for line in some(line for line in lines if "zizmor: ignore" in line):
        assert re.search(r"zizmor: ignore\[[a-z-]+\] \w+(\W+\w+){4,}", line), line


def test_a_checkout_leaves_no_token_behind():
    every = [step for path in EVERY for step in steps(path)]
    for step in some(step for step in every if step.get("uses", "").startswith("actions/checkout@")):
        assert step["with"]["persist-credentials"] is False


def test_what_init_writes_is_what_the_documentation_shows():
    assert set(init.WORKFLOWS) == set(READY_MADE)
    for name, path in READY_MADE.items():
        assert init.workflow(name) == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", READY_MADE)
def test_a_ready_made_workflow_says_where_to_save_it_and_checks_nothing_out(name):
    text = READY_MADE[name].read_text(encoding="utf-8")
    assert f".github/workflows/{init.WORKFLOWS[name]}" in " ".join(text.replace("\n#", "").split())
    used = [step["uses"] for step in steps(READY_MADE[name]) if "uses" in step]
    if name != "coverage":
        assert set(used) == {PLACEHOLDER}
    assert all(len(line) <= 140 for line in text.splitlines())
    assert "paths" not in load(READY_MADE[name])["on"]


@pytest.mark.parametrize("name", REPORTING)
def test_a_gate_runs_for_every_change_and_for_the_queue(name):
    on = load(READY_MADE[name])["on"]
    assert on["merge_group"] == {"types": ["checks_requested"]}
    for trigger in on:
        if trigger.startswith("pull_request"):
            assert set(on[trigger]) == {"types"}, "no filter: what is skipped is never reported"
            assert on[trigger]["types"] == ["opened", "synchronize", "reopened", "ready_for_review", "edited"]
    gate = next(iter(jobs(READY_MADE[name]).values()))
    assert gate.get("if") == ("always()" if "needs" in gate else None), "a skipped job counts as a success"
    assert not [step for step in gate["steps"] if step.get("uses") == PLACEHOLDER and "continue-on-error" in step]


@pytest.mark.parametrize("name", ["trusted", "two-jobs", "coverage", "merge-queue"])
def test_the_check_to_require_is_called_review_bot(name):
    names = [job["name"] for job in jobs(READY_MADE[name]).values()]
    assert names.count("review-bot") == 1


def test_with_forks_the_status_is_the_gate_and_the_job_is_called_otherwise():
    path = READY_MADE["public-forks"]
    (job,) = jobs(path).values()
    assert job["name"] != "review-bot", "the status has that name"
    assert job["steps"] == [{"uses": PLACEHOLDER, "with": {"pr-number": "${{ inputs.pr-number }}", "status": True}}]
    assert job["permissions"] == {"contents": "read", "pull-requests": "write", "statuses": "write"}
    assert set(load(path)["on"]) == {"pull_request_target", "merge_group", "workflow_dispatch"}
    assert event.is_trusted("pull_request_target", {})


@pytest.mark.parametrize("name", ["trusted", "public-forks"])
def test_a_review_can_be_started_by_hand_for_a_pull_request(name):
    given = load(READY_MADE[name])["on"]["workflow_dispatch"]["inputs"]
    assert given == {"pr-number": {"description": "The number of the pull request to review", "required": True}}
    (job,) = jobs(READY_MADE[name]).values()
    assert job["steps"][0]["with"]["pr-number"] == "${{ inputs.pr-number }}"


def test_of_two_jobs_the_one_that_gates_can_write_nothing():
    gate, comment = jobs(READY_MADE["two-jobs"]).values()
    assert set(gate["permissions"].values()) == {"read"}
    assert gate["steps"][0]["with"] == {"comments": "off"}
    assert "needs" not in comment
    assert "needs" not in gate


def test_code_of_the_change_runs_in_a_job_that_can_only_read():
    review, tests = jobs(READY_MADE["coverage"]).values()
    assert tests["permissions"] == {"contents": "read"}
    assert not [step for step in review["steps"] if "run" in step or "checkout" in step["uses"]]
    fetched, reviewed, kept = review["steps"]
    assert reviewed["with"] == {"coverage": f"{fetched['with']['path']}/{tests['steps'][-1]['with']['path']}"}
    assert fetched["with"]["name"] == tests["steps"][-1]["with"]["name"]
    assert (kept["if"], kept["with"]["path"]) == ("always()", Inputs().report_dir)
    assert "pull_request_target" not in load(READY_MADE["coverage"])["on"]


def test_the_poster_takes_a_number_and_nothing_else_of_the_other_run():
    number, review = steps(READY_MADE["workflow-run"])
    assert review["with"] == {"pr-number": "${{ steps.number.outputs.pr }}"}
    assert "artifact" not in READY_MADE["workflow-run"].read_text(encoding="utf-8")
    assert number["env"]["HEAD"] == "${{ github.event.workflow_run.head_sha }}"
    watched = load(READY_MADE["workflow-run"])["on"]["workflow_run"]["workflows"]
    assert watched == [load(READY_MADE[name])["name"] for name in ("trusted",)]


def test_the_right_to_start_runs_is_given_where_commands_are_answered_alone():
    for path in some(EVERY):
        granted = [right for job in jobs(path).values() for right in job["permissions"]]
        assert ("actions" in granted) is (path.stem == "commands")


def test_we_review_our_own_changes_with_the_code_of_the_base():
    checkout, ourselves = steps(ROOT / ".github/workflows/review.yml")
    assert "base.sha" in checkout["with"]["ref"]
    assert ourselves["uses"] == "./"
    ready_made = load(READY_MADE["trusted"])["on"]
    del ready_made["workflow_dispatch"]  # a run of ours needs the base of a pull request, which it would not have
    assert load(ROOT / ".github/workflows/review.yml")["on"] == ready_made


def test_a_release_is_made_without_a_cache():
    text = (ROOT / ".github/workflows/release.yml").read_text(encoding="utf-8")
    assert "--no-cache" in text
    assert "actions/cache" not in text
    assert "cache-from" not in text
