"""Commands of shell scripts whose script the tree does not hold, and those that say nothing of the kind."""

from __future__ import annotations

import pytest

from tests.rule_cases import findings_of

RULE = "shell/missing-script"
BASE = {
    "scripts/build.py": "x = 1\n",
    "scripts/run.sh": "true\n",
    "tests/test_build.py": "x = 1\n",
    "engine/__init__.py": "",
    "engine/serve.py": "x = 1\n",
}


def messages(command: str, path: str = "examples/train.sh") -> list[str]:
    found = findings_of(RULE, {path: f"#!/bin/bash\n{command}\n"}, BASE)
    return [each.message.split("`")[1] for each in found]


@pytest.mark.parametrize(
    ("command", "missing"),
    [
        ("python scripts/biuld.py --x", ["scripts/biuld.py"]),
        ("bash scripts/start.sh", ["scripts/start.sh"]),
        ("pytest -m 'slow and gpu' tests/test_run.py", ["tests/test_run.py"]),
        ("python -m engine.server", ["engine.server"]),
        ("ROOT=$(git rev-parse --show-toplevel)\npython $ROOT/scripts/biuld.py", ["scripts/biuld.py"]),
        ("cd scripts\npython ../scripts/biuld.py", []),
        ("cd scripts\npython build.py", []),
        ("python $OTHER/scripts/biuld.py", []),
        ("if [ -f scripts/local.py ]; then\n  python scripts/local.py\nfi", []),
        ("python -m engine.serve", []),
        ("python -m other.server", []),
        ("pytest -m 'slow and gpu' tests/test_build.py", []),
    ],
)
def test_a_command_runs_a_script_that_is_missing(command: str, missing: list[str]) -> None:
    assert messages(command) == missing


def test_scripts_set_aside_say_nothing_of_the_tree() -> None:
    assert messages("python scripts/biuld.py", "docs/archived_scripts/train.sh") == []


@pytest.mark.parametrize(
    ("entered", "closest"),
    [
        ("cd tools/asr\n", "`check_speech_server.py`"),  # not `asr_server.py`, which runs already, nor one next to it
        ("", "`check_asr_server.py`"),
    ],
)
def test_the_closest_name_is_one_of_the_folder_that_the_commands_enter(entered, closest):
    names = ("pkg/check_asr_server.py", "tools/asr/check_speech_server.py", "tools/asr/asr_server.py")
    text = f"```bash\n{entered}python asr_server.py &\npython check_asrs_server.py\n```\n"
    (found,) = findings_of("docs/missing-script", {"pkg/README.md": text}, dict.fromkeys(names, "x = 1\n"))
    assert found.message.endswith(f"; the closest name is {closest}.")
