"""What the rules on GitHub workflows and on stage configurations see, down to the line."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.rule_cases import findings_of

INJECTION = "workflows/untrusted-input-in-script"
CHECKOUT = "workflows/untrusted-checkout"
WORKFLOW = ".github/workflows/a.yml"


def workflow(*steps: str, on: str = "pull_request") -> dict[str, str]:
    return {WORKFLOW: f"on: {on}\njobs:\n  a:\n    steps:\n" + "".join(f"      - {step}\n" for step in steps)}


def test_each_expression_is_found_on_its_own_line() -> None:
    text = "run: |\n          echo one\n          echo ${{ github.head_ref }}\n          echo ${{ github.head_ref }}"

    found = findings_of(INJECTION, workflow("run: echo ${{ github.event.issue.title }}", text))

    assert [finding.line for finding in found] == [5, 8, 9]
    assert "`github.event.issue.title`" in found[0].message


@pytest.mark.parametrize(
    "expression",
    [
        "github.event.comment.body",
        "github.event.pull_request.head.ref",
        "github.event.head_commit.message",
        "github.event.workflow_run.head_branch",
        "toJSON(github.event.issue.body)",
    ],
)
def test_what_strangers_write_is_known(expression: str) -> None:
    assert len(findings_of(INJECTION, workflow("run: echo ${{ " + expression + " }}"))) == 1


@pytest.mark.parametrize(
    "step",
    [
        "run: echo ${{ github.event.pull_request.head.sha }} ${{ github.event.number }} ${{ github.base_ref }}",
        "run: echo ${{ github.head_ref == 'main' }}",
        "run: echo ${{ startsWith(github.event.comment.body, '/go') }}",
        "uses: owner/action@v1\n        with: {title: '${{ github.event.issue.title }}'}",
        "run: echo $TITLE\n        env: {TITLE: '${{ github.event.issue.title }}'}",
    ],
)
def test_what_cannot_run_is_fine(step: str) -> None:
    assert findings_of(INJECTION, workflow(step)) == []


@pytest.mark.parametrize("text", ["- 1\n", "", "on: push\njobs: 5\n", "a: &b 1\nc: *b\n"])
def test_what_is_no_workflow_is_left_alone(text: str) -> None:
    assert findings_of(INJECTION, {WORKFLOW: text + "# ${{\n"}) == []


def test_a_checkout_of_the_head_matters_where_secrets_are() -> None:
    step = "uses: actions/checkout@v4\n        with:\n          ref: ${{ github.event.pull_request.head.sha }}"

    [finding] = findings_of(CHECKOUT, workflow(step, on="{pull_request_target: {types: [opened]}}"))

    assert finding.line == 7
    assert findings_of(CHECKOUT, workflow(step)) == []


def stages(*texts: str, tail: str = "") -> dict[str, str]:
    return {"pkg/stage_configs/m.yaml": "stage_args:\n" + "".join(f"  - {text}\n" for text in texts) + tail}


def test_the_stage_that_goes_over_the_memory_is_the_one_that_is_told() -> None:
    runtime = "runtime: {devices: %s}, engine_args: {gpu_memory_utilization: %s}"
    change = stages(
        "{stage_id: 0, " + runtime % ('"0,1"', 0.6) + "}",
        "{stage_id: 1, " + runtime % ("1", 0.4) + "}",
        "{stage_id: 2, " + runtime % ('"1"', 0.1) + "}",
    )

    [finding] = findings_of("stage-config/memory-over-committed", change)

    assert finding.line == 4
    assert finding.message == "Including this one, the stages on device 1 reserve 1.1 times its memory."


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ("stage-config/duplicate-stage-id", "{stage_id: 0}"),
        ("stage-config/unknown-input-stage", "{stage_id: 1, engine_input_source: [0]}"),
        ("stage-config/more-ranks-than-devices", "{stage_id: 1, engine_args: {tensor_parallel_size: 8}}"),
        (
            "stage-config/more-ranks-than-devices",
            "{stage_id: 1, runtime: {devices: auto}, engine_args: {tensor_parallel_size: 8}}",
        ),
        ("stage-config/memory-over-committed", "{stage_id: 1, engine_args: {gpu_memory_utilization: 1.5}}"),
        ("stage-config/memory-over-committed", "5"),
    ],
)
def test_what_fits_or_is_not_told_is_fine(rule: str, text: str) -> None:
    first = "{stage_id: 7}" if "duplicate" in rule else "{stage_id: 0}"

    assert findings_of(rule, stages(first, text)) == []


KEYS = st.sampled_from(
    [
        *("stage_args", "stage_id", "runtime", "devices", "edges", "from", "to", "engine_args", "engine_input_source"),
        *(
            "gpu_memory_utilization",
            "tensor_parallel_size",
            "worker_cls",
            "on",
            "jobs",
            "a",
            "steps",
            "run",
            "uses",
            "with",
            "ref",
        ),
    ]
)
LEAVES = st.sampled_from(
    [None, True, 0, 1, -1, 1e308, "0,1", ",,", "pkg.x.Y", "${{ github.head_ref }}", "actions/checkout@v4"]
)
SETTINGS = st.recursive(LEAVES, lambda inside: st.lists(inside, max_size=3) | st.dictionaries(KEYS, inside, max_size=4))
ON_STAGES = [
    "duplicate-stage-id",
    "unknown-input-stage",
    "memory-over-committed",
    "more-ranks-than-devices",
    "missing-class",
]


@given(st.lists(st.dictionaries(KEYS, SETTINGS, max_size=5) | SETTINGS, max_size=4), SETTINGS)
def test_no_shape_of_a_file_breaks_what_reads_it(entries: object, rest: object) -> None:
    stages_text = json.dumps({"stage_args": entries, "runtime": rest})
    for name in ON_STAGES:
        findings_of(f"stage-config/{name}", {"pkg/stage_configs/m.yaml": stages_text})
    workflow_text = json.dumps({"on": rest, "jobs": {"a": {"steps": entries}, "b": rest}, "runs": rest})
    for rule in (INJECTION, CHECKOUT):
        findings_of(rule, {WORKFLOW: workflow_text})
