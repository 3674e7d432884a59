"""Workflow commands as the runner reads them."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review_bot.changes.pull_request import Unreviewed
from review_bot.findings import Examination
from review_bot.reports import annotations
from review_bot.reports.annotations import AlreadyPosted
from tests.reviews import ALL, RUN_PY, SWALLOWED, finding, hints, review_of

KINDS = ("error", "warning", "notice")


def read(text):
    """Read a log as the runner does: the commands as (kind, properties, message), and the lines that are none."""
    commands, plain = [], []
    for line in text.split("\n")[:-1]:
        stripped = line.lstrip()
        end = stripped.find("::", 2)
        if not stripped.startswith("::") or end < 0:
            assert "##[" not in line, "the runner reads the old form anywhere in a line"
            plain.append(line)
            continue
        kind, _, given_properties = stripped[2:end].partition(" ")
        properties = dict(part.split("=", 1) for part in given_properties.split(",") if "=" in part)
        commands.append(
            (
                kind,
                {key: _unescape(value, ":,") for key, value in properties.items()},
                _unescape(stripped[end + 2 :], ""),
            )
        )
    return commands, plain


def _unescape(text, more):
    for char in ["\r", "\n", *more]:
        text = text.replace(f"%{ord(char):02X}", char)
    return text.replace("%25", "%")


def report(*findings, **examined):
    return annotations.render(review_of([RUN_PY], Examination(findings=findings, **examined)))


def test_a_finding_is_a_command_with_its_place():
    commands, plain = read(report(SWALLOWED._replace(end_line=12)))
    assert commands == [
        (
            "warning",
            {
                "file": "engine/run.py",
                "line": "12",
                "endLine": "12",
                "col": "9",
                "title": "warning: Exception swallowed (errors/swallowed-exception)",
            },
            "This handler silently discards every exception. Instead: Log it with its traceback, or catch only the exceptions that you expect here.",
        )
    ]
    assert plain == ["Comments: 1 finding to fix. A person has to judge the rest", "1 warning; about 15 min to fix"]


def test_a_column_is_left_out_where_the_runner_drops_it():
    assert "col" not in read(report(SWALLOWED))[0][0][1]


def test_a_deleted_line_is_no_line_of_the_head():
    assert set(read(report(SWALLOWED._replace(side="LEFT")))[0][0][1]) == {"file", "title"}


@pytest.mark.parametrize(
    ("path", "written"),
    [
        ("a,b.py", "a%2Cb.py"),
        ("a:b.py", "a%3Ab.py"),
        ("50%.py", "50%25.py"),
        ("50%2C.py", "50%252C.py"),
        (" a  b ", " a  b "),
    ],
)
def test_properties_are_escaped(path, written):
    text = report(SWALLOWED._replace(path=path))
    assert f"file={written}," in text
    assert read(text)[0][0][1]["file"] == path


def test_the_worst_ten_of_a_kind_are_told_and_the_rest_counted():
    findings = [finding(f"rule/{number:02}", path=f"{number}.py", severity="warning") for number in range(14)]
    errors = [finding("rule/error", path=f"{number}.py", severity="error") for number in range(3)]
    commands, plain = read(report(*findings, *errors))
    assert [kind for kind, _, _ in commands] == ["error"] * 3 + ["warning"] * 10
    assert plain[0] == "4 more warnings (GitHub shows at most 10 annotations of each kind):"
    assert [line.split()[1] for line in plain[1:5]] == [f"{number}.py:12" for number in range(6, 10)]


def test_every_finding_has_a_place_of_its_own():
    """Six findings of one rule in six files are six annotations, and what GitHub does not show is in the log."""
    six = [finding("r", path=f"{number}.py", line=number, placement="summary") for number in range(1, 7)]
    commands, _ = read(report(*six))
    assert [(given["file"], given["line"]) for _, given, _ in commands] == [(f"{n}.py", str(n)) for n in range(1, 7)]
    commands, plain = read(report(*hints(186, 12)))
    assert len(commands) == 10
    assert plain[0].startswith("176 more notices (")
    assert len([line for line in plain if line.startswith("notice engine/part_")]) == 50
    assert "126 more findings, only in the report" in plain


def test_what_could_not_be_reviewed_comes_before_the_findings():
    commands, plain = read(annotations.render(ALL["incomplete"]))
    assert [properties["title"] for _, properties, _ in commands] == [
        "Not reviewed",
        "Rule failed (errors/constant-condition)",
        "Rule failed (testing/code-without-tests)",
        "warning: Exception swallowed (errors/swallowed-exception)",
    ]
    assert plain[0].startswith("Review incomplete: 1 file could not be reviewed; 2 rules failed")


def test_an_empty_change_is_one_sentence():
    commands, plain = read(annotations.render(ALL["empty"]))
    assert (commands, len(plain)) == ([], 1)


def test_a_message_fits_what_the_runner_keeps():
    _, _, message = read(report(SWALLOWED._replace(message="long " * 5_000)))[0][0]
    assert len(message) <= 4096


def test_hostile_text_starts_no_command():
    commands, plain = read(annotations.render(ALL["hostile"]))
    assert {kind for kind, _, _ in commands} <= set(KINDS)
    assert all("::" not in line for line in plain)


HOSTILE = st.lists(
    st.sampled_from(["::", ":", "##[", "#", "[", "error", " ", "\n", "\r", "%", "%0A", ",", "=", "\x1b", "\u2028", "x"])
    | st.text(max_size=2),
    max_size=20,
).map("".join)


@given(HOSTILE, HOSTILE)
def test_no_text_becomes_a_command(message, path):
    text = report(SWALLOWED._replace(message=message, path=path, title=message, rule=path or "x"))
    commands, plain = read(text)
    assert [kind for kind, _, _ in commands] == ["warning"]
    assert "##[" not in text
    assert not re.search(r"^\s*::", "\n".join(plain), re.MULTILINE)
    assert len(text.split("\n")) == 4


def test_a_name_with_a_line_end_is_not_another_name():
    seen = Examination(unreviewed=(Unreviewed("a\nb.py", "too large"),))

    assert annotations.render(review_of([RUN_PY], seen)).startswith(
        "::error file=a\\u000ab.py,title=Not reviewed::too large\n"
    )


def test_what_the_pull_request_says_already_gets_no_annotation():
    found = [
        finding(f"r{number}", severity=severity, title=f"T{number}", fingerprint=f"{number}-0")
        for number, severity in enumerate(("error", "warning", "warning", "info", "hint"))
    ]
    review = review_of([RUN_PY], Examination(findings=tuple(found)))
    text = annotations.render(review, AlreadyPosted("https://example.org/c/1", frozenset({"0-0", "1-0"})))
    commands, plain = read(text)
    assert [(kind, given["title"]) for kind, given, _ in commands] == [
        ("error", "Review Bot"),
        ("warning", "warning: T2 (r2)"),
    ]
    assert commands[0][2] == "Changes required: 1 error: r0. Full review: https://example.org/c/1"
    assert plain[-1] == "Full review: https://example.org/c/1"


def test_a_green_run_that_commented_has_no_error():
    review = review_of([RUN_PY], Examination(findings=(SWALLOWED,)))
    text = annotations.render(review, AlreadyPosted("https://example.org/c/1", frozenset({SWALLOWED.fingerprint})))
    assert read(text)[0] == []
