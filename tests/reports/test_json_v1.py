"""The JSON report and its published schema."""

import json
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from review_bot.reports import json_schema, json_v1
from tests.reviews import ALL

FINDING_KEYS = [
    "rule", "title", "severity", "confidence", "aspect", "path", "line", "end_line", "column", "end_column", "side",
    "placement", "moved", "message", "why", "instead", "effort_minutes", "fingerprint", "url", "related", "suggestion",
    "counted",
]  # fmt: skip


@pytest.mark.parametrize("name", ALL)
def test_every_report_fits_the_schema(name):
    document = json.loads(json_v1.render(ALL[name]))
    validator = jsonschema.Draft202012Validator(json_schema.schema())
    assert [f"{error.json_path}: {error.message}" for error in validator.iter_errors(document)] == []


def test_the_schema_is_one():
    jsonschema.Draft202012Validator.check_schema(json_schema.schema())


def test_the_published_schema_is_up_to_date():
    published = Path(__file__).parents[2] / "docs" / "report-v1.schema.json"
    assert json.loads(published.read_text(encoding="utf-8")) == json_schema.schema()


@pytest.mark.parametrize("name", ALL)
def test_the_schema_names_every_key_and_no_other(name):
    schema = json_schema.schema()

    def compare(data, described):
        if isinstance(data, dict | list) and "anyOf" in described:
            described = next(each for each in described["anyOf"] if each.get("type") != "null")
        if "$ref" in described:
            described = schema["$defs"][described["$ref"].removeprefix("#/$defs/")]
        if isinstance(data, dict):
            assert list(data) == list(described["properties"])
            for key, value in data.items():
                compare(value, described["properties"][key])
        elif isinstance(data, list):
            for value in data:
                compare(value, described["items"])

    compare(json_v1.document(ALL[name]), schema)


def fields(schema):
    """Return each field of a schema as ``path: type``; a list ends with ``[]``, and ``null`` is a type of its own."""

    def flat(path, described):
        if "$ref" in described:
            described = schema["$defs"][described["$ref"].removeprefix("#/$defs/")]
        kinds = described.get("anyOf", [described])
        if len(kinds) > 1:
            nullable = any(each.get("type") == "null" for each in kinds)
            others = [each for each in kinds if each.get("type") != "null"]
            if nullable:
                yield f"{path}: null"
            for each in others:
                yield from flat(path, each)
            return
        words = described.get("enum", [described["const"]] if "const" in described else None)
        kind = "string" if words else described.get("type")
        for each in kind if isinstance(kind, list) else [kind]:
            yield f"{path}: {each}"
        for name, below in described.get("properties", {}).items():
            yield from flat(f"{path}.{name}", below)
        if "items" in described:
            yield from flat(f"{path}[]", described["items"])

    return list(flat("report", schema))


def test_no_field_of_version_one_goes_or_changes():
    """The list grows by hand; what stands in it stays."""
    frozen = (Path(__file__).parent / "data" / "report-v1-fields.txt").read_text(encoding="utf-8").splitlines()
    now = fields(json_schema.schema())
    assert [each for each in frozen if each not in now] == [], "readers of version 1 count on these"
    assert [each for each in now if each not in frozen] == [], "new in version 1: add them to the list"


def test_a_finding_has_the_keys_of_version_one():
    document = json_v1.document(ALL["mixed"])
    assert [list(finding) for finding in document["findings"]] == [FINDING_KEYS] * len(document["findings"])
    suggestion = next(finding["suggestion"] for finding in document["findings"] if finding["suggestion"])
    assert list(suggestion) == ["start_line", "end_line", "replacement"]


def test_same_review_same_bytes():
    code = "from tests.reviews import ALL; from review_bot.reports import json_v1; import sys; sys.stdout.write(''.join(map(json_v1.render, ALL.values())))"
    runs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": "."},
            cwd=Path(__file__).parents[2],
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(runs) == 1
    assert str(Path(__file__).parents[2]).encode() not in runs.pop()


def test_the_hot_path_does_not_make_the_schema():
    code = "import sys, review_bot.reports.json_v1; print('review_bot.reports.json_schema' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert done.stdout == b"False\n"


def test_steps_are_the_related_places_that_hold_something():
    (found,) = json.loads(json_v1.render(ALL["flow"]))["findings"]
    assert [(each["line"], each["holds"]) for each in found["related"]] == [
        (2, [{"place": "mask", "value": "None"}]),
        (3, [{"place": "query is None", "value": "false"}, {"place": "mask", "value": "None"}]),
        (16, None),
    ]
