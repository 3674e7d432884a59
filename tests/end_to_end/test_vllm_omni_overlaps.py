"""vLLM-Omni's pull requests 13 to 20, which were open together: what each builds on, and in which order to merge them.

Checked by reading the refs. Numbers 3, 4, 5, 7 and 11 were open then as well and were closed later without a merge, which
a clone does not tell; 7 and 11 hold older forms of most of the others. The clone is named by ``REVIEW_BOT_VLLM_OMNI``.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

CLONE = os.environ.get("REVIEW_BOT_VLLM_OMNI")
if CLONE is None:
    pytest.skip("needs a clone of vLLM-Omni: set REVIEW_BOT_VLLM_OMNI to it", allow_module_level=True)

BASE = "7a85034d"
OLD = frozenset({3, 4, 5, 7, 11})
RUNNER = "vllm_omni/worker/gpu_ar_model_runner.py"
DIFFUSION_RUNNER = "vllm_omni/worker/gpu_diffusion_model_runner.py"
MODEL_RUNNER = "vllm_omni/worker/gpu_model_runner.py"
SCHEDULER = "vllm_omni/core/sched/diffusion_scheduler.py"

BUILDS_ON: dict[int, list[tuple[int, str, str, int]]] = {
    13: [
        (11, "vllm_omni.engine.processor.OmniProcessor", "vllm_omni/entrypoints/omni_llm.py", 21),
        (12, "vllm_omni.model_executor.models", "vllm_omni/config/__init__.py", 11),
    ],
    14: [(13, "vllm_omni.inputs.data", "examples/offline_inference/qwen_2_5_omni/utils.py", 13)],
    15: [
        (13, "vllm_omni.outputs", RUNNER, 29),
        (17, "vllm_omni.worker.gpu_model_runner", RUNNER, 30),
        (19, "vllm_omni.engine.AdditionalInformationPayload", RUNNER, 28),
        (19, "vllm_omni.engine.PromptEmbedsPayload", RUNNER, 28),
    ],
    16: [
        (13, "vllm_omni.outputs", DIFFUSION_RUNNER, 22),
        (17, "vllm_omni.worker.gpu_model_runner", DIFFUSION_RUNNER, 23),
    ],
    17: [
        (12, "vllm_omni.model_executor.layers.mrope", MODEL_RUNNER, 26),
        (13, "vllm_omni.outputs", MODEL_RUNNER, 25),
    ],
    18: [],
    19: [(13, "vllm_omni.outputs", SCHEDULER, 9)],
    20: [],
}
FIRST = {13: [11, 12], 14: [13], 15: [13, 17, 19], 16: [13, 17], 17: [12, 13], 18: [], 19: [13], 20: []}
"""What the order puts before each."""


@pytest.fixture(scope="module")
def overlaps(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], dict[str, Any]]:
    """Return who knows the overlaps of a head, as the exported JSON report tells them."""

    @cache
    def read(head: str) -> dict[str, Any]:
        folder = tmp_path_factory.mktemp("dossier")
        ended = subprocess.run(
            [
                sys.executable,
                "-m",
                "review_bot",
                "review",
                f"{BASE}..{head}",
                "--format",
                "json",
                "--export",
                str(folder),
            ],
            cwd=CLONE,
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
            capture_output=True,
            check=False,
        )
        assert ended.returncode in {0, 1}, ended.stderr.decode()
        found: dict[str, Any] = json.loads((folder / "report.json").read_text(encoding="utf-8"))["overlaps"]
        return found

    return read


@pytest.mark.parametrize("number", BUILDS_ON)
def test_what_each_builds_on(overlaps, number):
    found = overlaps(f"refs/pull/{number}/head")["found"]
    told = [
        (each["number"], each["subject"], each["path"], each["line"])
        for each in found
        if each["relation"] in {"adds-module", "adds-name"}
    ]
    assert sorted(told) == BUILDS_ON[number]


@pytest.mark.parametrize("number", FIRST)
def test_the_order_to_merge(overlaps, number):
    order = overlaps(f"refs/pull/{number}/head")["order"]
    assert order[: order.index(0) if order else 0] == FIRST[number]


@pytest.mark.parametrize("number", BUILDS_ON)
def test_those_that_were_merged_beside_it_wrote_nothing_that_it_wrote(overlaps, number):
    """But 18, which holds the work of the others: see the next test."""
    found = overlaps(f"refs/pull/{number}/head")["found"]
    overlaps = {each["number"] for each in found if each["relation"] not in {"adds-module", "adds-name"}}
    assert overlaps <= OLD | ({13} if number == 18 else set())


def test_18_brings_files_of_13_in_another_form(overlaps):
    found = overlaps("refs/pull/18/head")["found"]
    told = sorted(each["subject"] for each in found if each["number"] == 13 and each["relation"] == "same-file")
    assert told == ["vllm_omni/engine/arg_utils.py", "vllm_omni/inputs/data.py", "vllm_omni/outputs.py"]


def test_the_reviewed_head_of_19_is_an_older_one_and_does_not_meet_itself(overlaps):
    found = overlaps("9ebc1dd6")
    assert found["order"] == [13, 0]
    assert 19 not in {each["number"] for each in found["found"]}
    assert found["looked_at"] == 22
