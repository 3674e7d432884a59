"""Keys, inputs and flags are documented as they are declared."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

import pytest

from review_bot.cli import main
from review_bot.configuration import config_file, reference
from review_bot.setting import Setting, declared, make, parse

ROOT = Path(__file__).parents[2]


def test_the_generated_documentation_is_up_to_date(monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    assert main(["config", "schema", "--check"]) == 0, capsys.readouterr().out


def test_every_key_of_the_schema_is_in_the_table():
    schema = config_file.schema()
    parts = [schema, *schema["$defs"].values()]
    names = {name for part in parts for name in part["properties"]}
    rows = [row.split("`")[1] for row in reference.key_table().splitlines()[2:]]
    assert {"fail-on", "sections", "max-bytes"} <= names
    assert {row.rpartition(".")[2] for row in rows} == names
    assert all(len(row.split(" | ")) == 4 for row in reference.key_table().splitlines())


def test_the_schema_has_the_bounds_that_the_reader_enforces():
    parts = config_file.schema()["$defs"]
    assert parts["Layout"]["properties"]["intro"]["maxLength"] == 600
    assert json.dumps(parts["Allowance"]["properties"]["max-bytes"]).count('"minimum": 0') == 1
    assert parts["Allowance"]["required"] == ["path", "reason"]


def test_an_input_names_its_values_and_its_default():
    said = reference.inputs()
    assert said["comment-on"].endswith("`warning`, `info`. Overrides the configuration. Default: `warning`.")
    assert said["status"].endswith("Values: `true`, `false`. Default: `false`.")
    assert said["fail-on"].endswith("The stricter of this and the configuration applies. Default: `error`.")


class Sample(NamedTuple):
    level: Annotated[Literal["low", "high"], Setting("How much.", order=("low", "high"))] = "low"
    most_words: Annotated[int | None, Setting("How many.", least=1, most=9)] = None
    quick: Annotated[bool, Setting("Whether it is quick.")] = False
    unlisted: int = 3


def test_a_declaration_gives_name_type_and_default():
    level, most, quick = declared(Sample)
    assert [each.name for each in (level, most, quick)] == ["level", "most-words", "quick"]
    assert (level.words, most.kind, quick.default) == (("low", "high"), int, False)
    given = {"level": "high", "most-words": "9", "quick": "true"}
    assert make(Sample, lambda each: parse(each, given[each.name])) == Sample("high", 9, True, 3)
    assert make(Sample, lambda each: None) == Sample()
    assert (level.strictest("low", "high"), level.strictest(None, "low"), level.strictest(None)) == (
        "high",
        "low",
        None,
    )


@pytest.mark.parametrize(("number", "text"), [(0, "medium"), (1, "0"), (1, "10"), (1, "²"), (1, "-1"), (2, "yes")])
def test_a_text_that_is_no_value_is_refused(number, text):
    with pytest.raises(ValueError, match=r"\bnot\b"):
        parse(declared(Sample)[number], text)
