"""The dossiers of vLLM-Omni's pull requests 15 and 19 have each part that people wrote by hand for them, and no untruth.

The list is that of the two hand-written reviews; what they got wrong is in the rule inventory's section 3. No code of
that repository is kept here; the test reads a clone named by ``REVIEW_BOT_VLLM_OMNI``.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from typing import Any, NamedTuple

import pytest

from review_bot.findings import ASPECTS
from tests.some import some

CLONE = os.environ.get("REVIEW_BOT_VLLM_OMNI")
if CLONE is None:
    pytest.skip("needs a clone of vLLM-Omni: set REVIEW_BOT_VLLM_OMNI to it", allow_module_level=True)

BASE = "7a85034d"
HEADS = {15: "refs/pull/15/head", 19: "9ebc1dd6"}
SUMMARY, REVIEW, FIXES = "SUMMARY.md", "REVIEW.md", "SUGGESTED_FIXES.md"


class Dossier(NamedTuple):
    """The files of a dossier, and its JSON report."""

    texts: dict[str, str]
    report: dict[str, Any]


@pytest.fixture(scope="module")
def dossiers(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Dossier]:
    """Write both dossiers with the real command."""
    made = {}
    for number, head in HEADS.items():
        folder = tmp_path_factory.mktemp(f"dossier-{number}")
        command = [sys.executable, "-m", "review_bot", "review", "-C", str(CLONE), "--base", BASE, "--head", head]
        done = subprocess.run([*command, "--export", str(folder)], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr.startswith(f"Written to {folder}: SUMMARY.md, ")) == (1, True), done.stderr
        texts = {name: (folder / name).read_text(encoding="utf-8") for name in (SUMMARY, REVIEW, FIXES)}
        made[number] = Dossier(texts, json.loads((folder / "report.json").read_text(encoding="utf-8")))
    return made


PARTS_15 = [
    ("the verdict in a line", SUMMARY, r"\A## Review Bot: changes required\n"),
    (
        "what must be done before a merge",
        SUMMARY,
        r"### Errors \(must fix\)\n\n- \*\*Import of a module that does not exist",
    ),
    ("the total time", SUMMARY, r"Estimates: about 2 h 55 min to fix"),
    ("minutes of each", REVIEW, r"- Exception swallowed\. .*\(15 min, `errors/"),
    ("what needs work: no tests", SUMMARY, r"Substantial change without tests\.\*\* This change adds about 500 lines"),
    ("what needs work: error handling", SUMMARY, r"gpu_ar_model_runner\.py:98"),
    ("what needs work: input is not validated", SUMMARY, r"Bytes decoded without checks: 2"),
    ("what needs work: dependencies", SUMMARY, r"`vllm_omni\.outputs`, `vllm_omni\.worker\.gpu_model_runner`"),
    ("the prerequisites by number", SUMMARY, r"\*\*Builds on\*\* `#\d+` .*`vllm_omni"),
    ("critical findings with the code", REVIEW, r"29 \| from vllm_omni\.outputs import OmniModelRunnerOutput"),
    ("duplicated code", SUMMARY, r"Long override without super\(\): \d"),
    ("fixes with diffs", FIXES, r"```diff\n"),
    ("fixes in the order of application", FIXES, r"(?s)### 1\. .*### 2\. "),
    ("fixes with priority and effort", FIXES, r"Error · \d+ min"),
    ("a deep dive by aspect", REVIEW, r"### Functional Correctness\n"),
    ("a deep dive by file", REVIEW, r"### `?vllm_omni/worker/gpu_ar_worker\.py"),
    ("next steps for the author", REVIEW, r"\nAuthor, quick fixes:\n"),
    ("context: files and lines", SUMMARY, r"2 files, \+645 -0, against `7a85034d`"),
    ("what the change touches", SUMMARY, r"Areas: Workers and model runners"),
    ("how the review was done", REVIEW, r"## How this review was done\n"),
    ("when it can be merged", SUMMARY, r"- \[ \] All errors resolved \(3 open\)"),
    ("effort of the reviewer", SUMMARY, r"review effort: 4 of 5"),
]
PARTS_19 = [
    ("the status", SUMMARY, r"\A## Review Bot: changes required\n"),
    ("size", SUMMARY, r"5 files, \+457 -35"),
    ("critical 1: file, line and problem", SUMMARY, r"`is_diffusion` is set to True on line 43 .*\n.*:43:13"),
    ("critical 1: the fix", SUMMARY, r"Instead: Compute `is_diffusion` from the state that it represents"),
    ("critical 1: the impact", REVIEW, r"(?s)Condition never changes.*?\*\*Why it matters\.\*\* \S"),
    ("critical 1: the code", REVIEW, r"43 \| +is_diffusion = True"),
    (
        "critical 2: comments in another language",
        SUMMARY,
        r"At least 20 lines of comments and docstrings are not in English",
    ),
    ("critical 3: unbounded payloads", SUMMARY, r"`PromptEmbedsPayload` accepts `data`, `shape` of any size"),
    ("critical 4: the silent handler", SUMMARY, r"scheduler\.py:45:9"),
    ("critical 5: no tests, with what to test", SUMMARY, r"but no test\. No existing test names `DiffusionScheduler`"),
    ("6: exclusive fields", SUMMARY, r"documents a choice between .*tensor"),
    ("7: a memory budget", SUMMARY, r"`PromptEmbedsPayload\.data` .*limit on how much of it is admitted"),
    ("8: newlines at the end of files", FIXES, r"No newline at the end of the file"),
    (
        "metrics: docstrings with target and state",
        SUMMARY,
        r"\| Public definitions with docstrings \| 47 % \(7 of 15\) \| 80 % \| not met \|",
    ),
    ("metrics: type hints", SUMMARY, r"100 % of the parameters and return values .*\(8 of 8\)"),
    ("metrics: coverage", SUMMARY, r"\| Added lines covered by tests \| not measured"),
    ("metrics: smells", SUMMARY, r"\| Smells \| 8 \| 0 \| not met \|"),
    ("metrics: lines", SUMMARY, r"\| Lines of Python library code added \| 328 \|"),
    ("strengths", REVIEW, r"\nStrengths:\n"),
    ("design question: a KV cache for diffusion", SUMMARY, r"allocates KV-cache blocks; does its model use"),
    ("documentation needs", REVIEW, r"docs/module-docstring"),
    ("documentation needs: migration", REVIEW, r"docs/migration-missing"),
    ("next steps, immediate", REVIEW, r"\nAuthor, quick fixes:\n"),
    (
        "next steps, later",
        REVIEW,
        r"\nAuthor, longer fixes:\n(.*\n)*- Substantial change without tests\. .*\(2 h, ",
    ),
    ("next steps for maintainers", SUMMARY, r"- Merge in this order: "),
    ("approval criteria", SUMMARY, r"<summary>Merge criteria: \d of \d met(.*\n)*- \[ \] All errors resolved"),
    ("estimated time", SUMMARY, r"Estimates: about 3 h 15 min to fix"),
    ("checklist: only what applies", SUMMARY, r"<summary>Review checklist</summary>"),
    ("what the change touches", SUMMARY, r"Areas: Engine and scheduling"),
    ("which tests or files to look at", REVIEW, r"## By file\n"),
]


@pytest.mark.parametrize(("part", "file", "pattern"), PARTS_15, ids=[each[0] for each in PARTS_15])
def test_the_dossier_of_15_has(dossiers: dict[int, Dossier], part: str, file: str, pattern: str) -> None:
    assert re.search(pattern, dossiers[15].texts[file]), part


@pytest.mark.parametrize(("part", "file", "pattern"), PARTS_19, ids=[each[0] for each in PARTS_19])
def test_the_dossier_of_19_has(dossiers: dict[int, Dossier], part: str, file: str, pattern: str) -> None:
    assert re.search(pattern, dossiers[19].texts[file]), part


@pytest.mark.parametrize("number", HEADS)
def test_each_aspect_has_a_score_and_the_whole_one(dossiers: dict[int, Dossier], number: int) -> None:
    card = dossiers[number].report["scorecard"]
    assert [each["aspect"] for each in card["aspects"]] == list(ASPECTS)
    text = dossiers[number].texts[REVIEW]
    assert f"Overall: {card['score']} of 10" in text
    assert card["basis"] in text
    assert "Overall: " not in dossiers[number].texts[SUMMARY]
    for each in card["aspects"]:
        shown = each["aspect"].replace("&", "\\&")
        what = f"{each['score']} of 10|.*no findings" if each["score"] else ".*not assessed"
        assert re.search(rf"(?m)^- .*{re.escape(shown)}(: |.*: )({what})", text), each["aspect"]


@pytest.mark.parametrize("number", HEADS)
def test_sixty_lines_come_before_the_folds(dossiers: dict[int, Dossier], number: int) -> None:
    assert dossiers[number].texts[SUMMARY].partition("<details>")[0].count("\n") <= 60


WRONG = [
    ("there is no bare except in any commit of 15", r"(?i)bare[- ]`?except"),
    ("the structs of 19 are not in 15", r"Payload without a size limit", 15),
    ("no file of 15 is copied from another in the change", r"pr/duplicate-(class|code)", 15),
    ("msgspec comes with vllm, and no other dependency is undeclared in 15", r"deps/undeclared-import", 15),
    (
        "the __init__.py of the scheduler ends with a newline",
        r"core/sched/__init__\.py:\d+.*eof-newline|eof-newline.*core/sched/__init__\.py",
        19,
    ),
    ("the block before the allocation tests for None", r"kv-cache/alloc-unchecked", 19),
    ("no_grad is the safe way", r"set_grad_enabled\(False\)"),
    ("no such function exists", r"fused_bias_relu_dropout"),
    ("linear timesteps are right for flow matching", r"(?i)linear[- ]timesteps"),
    ("speed that nobody measured", r"(?i)\d+x faster|MB baseline|performance optimi[sz]ed"),
    (
        "praise that nothing proves",
        r"(?i)\b(excellent|solid|well[- ]designed|well[- ]documented|thoughtful|clean code)\b",
    ),
    ("marks that nobody asked for", "[\u2b50\u2705\u274c\u26a0\U0001f680\U0001f4ca]"),
]


@pytest.mark.parametrize("wrong", WRONG, ids=[each[0] for each in WRONG])
def test_what_the_hand_written_reviews_got_wrong_is_not_said(
    dossiers: dict[int, Dossier], wrong: tuple[Any, ...]
) -> None:
    reason, pattern, *only = wrong
    for number in some(only or HEADS):
        for name, text in some(dossiers[number].texts.items()):
            said = re.sub(r"(?m)^```.*?^```", "", text, flags=re.DOTALL)  # their code is theirs
            assert not re.search(pattern, said), f"{number} {name}: {reason}"
