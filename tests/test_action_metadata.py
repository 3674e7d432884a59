"""``action.yml`` says what the Action reads and writes, its page says the same."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from review_bot.configuration.inputs import Inputs
from review_bot.errors import UsageError
from review_bot.files.yaml_file import read_yaml
from review_bot.github_action import runner_environment
from review_bot.setting import all_declared

ROOT = Path(__file__).resolve().parent.parent
TEXT = (ROOT / "action.yml").read_text(encoding="utf-8")
ACTION = read_yaml(TEXT)[0].data
PAGE = (ROOT / "docs/action.md").read_text(encoding="utf-8")


def environment(**inputs: str) -> dict[str, str]:
    """Make the variables that the runner sets: one for each input, empty if it is not given."""
    given = {name.replace("_", "-"): value for name, value in inputs.items()}
    return {f"INPUT_{name.upper()}": given.pop(name, "") for name in ACTION["inputs"]} | given


def test_only_the_token_has_a_default_so_that_an_unset_input_takes_no_part():
    defaults = {name: entry["default"] for name, entry in ACTION["inputs"].items()}
    assert defaults.pop("github-token") == "${{ github.token }}"
    assert set(defaults.values()) == {""}


CHOICES = {
    each.name: each.words or ("true", "false") for each in all_declared(Inputs) if each.words or each.kind is bool
}


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in CHOICES.items() for value in values])
def test_every_value_that_a_description_names_is_taken(name, value):
    runner_environment.read_inputs(environment(**{name: value}) | {f"INPUT_{name.upper()}": value})


@pytest.mark.parametrize("name", CHOICES)
def test_another_value_is_refused_and_the_input_named(name):
    with pytest.raises(UsageError, match=f"input {name}: "):
        runner_environment.read_inputs(environment() | {f"INPUT_{name.upper()}": "no-such-value"})


def rows(heading: str) -> dict[str, str]:
    part = PAGE.split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0]
    return dict(re.findall(r"^\| `([\w-]+)` \| (.*) \|$", part, re.MULTILINE))


def test_the_page_of_the_action_says_what_action_yml_says():
    """Inputs are generated into both; ``config schema --check`` compares them."""
    assert rows("Outputs") == {name: entry["description"] for name, entry in ACTION["outputs"].items()}


def test_the_action_runs_from_source_or_from_an_image_by_digest():
    assert ACTION["runs"]["using"] == "docker"
    assert re.fullmatch(
        r"Dockerfile|docker://ghcr\.io/review-bot/review-bot@sha256:[0-9a-f]{64}", ACTION["runs"]["image"]
    )


DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")


def test_the_base_is_pinned_by_digest_and_every_stage_starts_from_it():
    base = r"^ARG BASE=docker\.io/library/python:3\.14-slim-bookworm@sha256:[0-9a-f]{64}$"
    assert re.search(base, DOCKERFILE, re.MULTILINE)
    assert re.findall(r"^FROM (\S+)", DOCKERFILE, re.MULTILINE) == ["${BASE}", "${BASE}", "scratch"]


def test_the_image_runs_the_action_as_github_wants_it():
    last = DOCKERFILE.split("FROM scratch")[1]
    (entry,) = (json.loads(words) for words in re.findall(r"^ENTRYPOINT (.*)$", last, re.MULTILINE))
    assert os.path.isabs(entry[0])
    assert entry[1:] == ["-I", "-m", "review_bot"]
    assert re.findall(r"^CMD (.*)$", last, re.MULTILINE) == ['["action"]']
    assert not re.search(r"^(USER|WORKDIR|VOLUME|EXPOSE|HEALTHCHECK)\b", last, re.MULTILINE)


def test_packages_come_from_wheels_with_hashes_alone():
    commands = re.findall(r"pip install (.*?)(?:\n(?!\s)| && |\Z)", DOCKERFILE.replace("\\\n", " "), re.DOTALL)
    assert len(commands) == 3
    for command in commands:
        assert ("--require-hashes" in command and "--only-binary :all:" in command) or (
            "--no-index" in command and "--no-deps" in command
        )
