"""The SARIF report: what the standard and code scanning ask for.

The whole schema of the standard is not ours to ship; ``sarif.schema.json`` in ``data`` is a schema of the parts that we
write, strict where the standard is.
"""

import json
from pathlib import Path
from urllib.parse import unquote_to_bytes

import jsonschema
import pytest

from review_bot.findings import Examination, Suggestion
from review_bot.reports import json_v1, sarif
from tests.reviews import (
    ALL,
    DEREFERENCE,
    MARKER,
    MASK_PY,
    RUN_PY,
    SWALLOWED,
    UNTESTED,
    WIDE_PY,
    changed,
    finding,
    review_of,
)

SCHEMA = json.loads((Path(__file__).parent / "data" / "sarif.schema.json").read_text(encoding="utf-8"))


def run_of(review):
    return json.loads(sarif.render(review))["runs"][0]


def result_of(finding, files=(RUN_PY,)):
    return run_of(review_of(files, Examination(findings=(finding,))))["results"][0]


@pytest.mark.parametrize("name", ALL)
def test_the_report_is_what_the_standard_allows(name):
    validator = jsonschema.Draft202012Validator(SCHEMA)
    errors = [
        f"{error.json_path}: {error.message}" for error in validator.iter_errors(json.loads(sarif.render(ALL[name])))
    ]
    assert errors == []


@pytest.mark.parametrize("name", ALL)
def test_every_result_has_a_place_and_a_rule_that_is_described(name):
    run = run_of(ALL[name])
    rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    assert len(set(rules)) == len(rules)
    for result in run["results"]:
        assert rules[result["ruleIndex"]] == result["ruleId"]
        place = result["locations"][0]["physicalLocation"]
        assert place["artifactLocation"]["uriBaseId"] == "%SRCROOT%"
        assert place["region"]["startLine"] >= 1


@pytest.mark.parametrize(
    ("severity", "level"), [("error", "error"), ("warning", "warning"), ("info", "note"), ("hint", "note")]
)
def test_levels(severity, level):
    assert result_of(SWALLOWED._replace(severity=severity))["level"] == level


def test_moved_code_is_a_note():
    assert result_of(MARKER._replace(moved=True), [WIDE_PY])["level"] == "note"


def test_lines_and_columns_are_those_of_the_head():
    place = result_of(SWALLOWED)["locations"][0]["physicalLocation"]
    assert place == {
        "artifactLocation": {"uri": "engine/run.py", "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": 12, "startColumn": 9, "endLine": 13, "endColumn": 17},
    }
    assert run_of(ALL["mixed"])["columnKind"] == "unicodeCodePoints"


@pytest.mark.parametrize(("line", "there"), [(10, 10), (9, 9), (99, 1)])
def test_a_deleted_line_is_at_the_line_that_took_its_place(line, there):
    result = result_of(SWALLOWED._replace(side="LEFT", line=line))
    assert result["locations"][0]["physicalLocation"]["region"] == {"startLine": there}
    assert result["message"]["text"].endswith(f" (Deleted line {line} of the base.)")


def test_a_line_deleted_at_the_end_or_with_its_file():
    at_end = changed("a.py", "@@ -3,3 +3,1 @@\n x = 1\n-y = 2\n-z = 3\n")
    gone = at_end._replace(status="deleted")
    for file, there in ((at_end, 3), (gone, 1)):
        result = result_of(SWALLOWED._replace(side="LEFT", path="a.py", line=5, end_line=5), [file])
        assert result["locations"][0]["physicalLocation"]["region"] == {"startLine": there}


def test_a_finding_about_the_whole_change_points_at_a_file_that_exists():
    gone = RUN_PY._replace(path="a.py", status="deleted")
    place = result_of(UNTESTED, [gone, WIDE_PY, RUN_PY])["locations"][0]["physicalLocation"]
    assert (place["artifactLocation"]["uri"], place["region"]) == ("engine/run.py", {"startLine": 1})
    assert result_of(UNTESTED, [gone])["locations"] == []


@pytest.mark.parametrize("name", ALL)
def test_it_holds_the_findings_of_the_json_report(name):
    report = json.loads(json_v1.render(ALL[name]))
    expected = [each["fingerprint"] for each in report["findings"]]
    expected += [each["fingerprint"] for each in report["suppressed"]]
    results = run_of(ALL[name])["results"]
    assert [each["partialFingerprints"]["reviewBotFingerprint/v1"] for each in results] == expected


def test_no_more_results_than_code_scanning_takes():
    many = [finding(severity="hint", fingerprint=f"{number}-0") for number in range(25_001)]
    run = run_of(review_of([RUN_PY], Examination(findings=(*many, finding(severity="error")))))
    assert len(run["results"]) == 25_000
    assert run["results"][0]["level"] == "error"
    said = [each["message"]["text"] for each in run["invocations"][0]["toolExecutionNotifications"]]
    assert said == ["2 results omitted; see report.json."]


@pytest.mark.parametrize("path", ["a b/ü.py", "a:b.py", "100%.py", "x#y?z.py", "caf\udce9.py", "odd\ud800.py"])
def test_addresses_are_percent_encoded_bytes(path):
    uri = result_of(finding(path=path))["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert uri.isascii()
    assert not set(uri) & set(" :#?")
    if "\ud800" not in path:
        assert unquote_to_bytes(uri) == path.encode("utf-8", "surrogateescape")


def test_a_suggestion_is_a_fix_of_whole_lines():
    change = result_of(SWALLOWED._replace(suggestion=Suggestion(12, 13, "except ValueError:")))["fixes"][0][
        "artifactChanges"
    ][0]
    assert change["replacements"] == [
        {"deletedRegion": {"startLine": 12, "endLine": 13}, "insertedContent": {"text": "except ValueError:"}}
    ]
    change = result_of(SWALLOWED._replace(suggestion=Suggestion(12, 13, "")))["fixes"][0]["artifactChanges"][0]
    assert change["replacements"] == [
        {"deletedRegion": {"startLine": 12, "startColumn": 1, "endLine": 14, "endColumn": 1}}
    ]


def test_suppressed_findings_say_where_and_why():
    said = [result["suppressions"][0] for result in run_of(ALL["mixed"])["results"] if "suppressions" in result]
    assert said == [
        {"kind": "inSource", "status": "accepted", "justification": "the driver raises on shutdown"},
        {"kind": "external", "status": "accepted", "justification": "accepted in the baseline"},
    ]


def test_the_fingerprint_goes_with_each_result():
    assert result_of(SWALLOWED)["partialFingerprints"] == {"reviewBotFingerprint/v1": SWALLOWED.fingerprint}


def test_an_incomplete_review_was_not_successful_and_says_why():
    invocation = run_of(ALL["incomplete"])["invocations"][0]
    assert invocation["executionSuccessful"] is False
    assert invocation["exitCode"] == 3
    texts = [each["message"]["text"] for each in invocation["toolExecutionNotifications"]]
    assert "Not reviewed: UTF-16 text is not supported; save it as UTF-8" in texts
    assert "Rule failed: ValueError: boom" in texts
    assert run_of(ALL["mixed"])["invocations"][0]["executionSuccessful"] is True


def test_a_message_makes_no_link():
    assert (
        result_of(SWALLOWED._replace(message="see [x](https://evil.example)"))["message"]["text"]
        == "see \\[x\\](https://evil.example)"
    )
    assert result_of(SWALLOWED._replace(message="x[0] is wrong"))["message"]["text"] == "x[0] is wrong"


def test_a_rule_of_a_repository_may_have_no_page():
    rules = run_of(review_of([RUN_PY], Examination(findings=(SWALLOWED._replace(url=""),))))["tool"]["driver"]["rules"]
    assert "helpUri" not in rules[0]
    assert rules[0]["help"]["text"]


def test_steps_are_a_code_flow_that_ends_at_the_finding():
    result = result_of(DEREFERENCE, [MASK_PY])
    (flow,) = result["codeFlows"]
    (thread,) = flow["threadFlows"]
    places = [each["location"]["physicalLocation"]["region"]["startLine"] for each in thread["locations"]]
    assert places == [2, 3, 8]
    assert [each.get("state") for each in thread["locations"]] == [
        {"mask": {"text": "None"}},
        {"query is None": {"text": "false"}, "mask": {"text": "None"}},
        None,
    ]
    last = thread["locations"][-1]["location"]
    assert last["physicalLocation"] == result["locations"][0]["physicalLocation"]
    assert [each["message"]["text"] for each in result["relatedLocations"]] == ["the same use"]


def test_without_steps_there_is_no_code_flow():
    assert "codeFlows" not in result_of(DEREFERENCE._replace(related=DEREFERENCE.related[2:]), [MASK_PY])
