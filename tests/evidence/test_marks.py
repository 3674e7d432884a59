"""Marks are strict data: what is written is read again, and a wrong file is told by line and field."""

from __future__ import annotations

import json

import pytest

from review_bot.errors import EvidenceError
from review_bot.evidence.marks import file_name, read, render
from review_bot.evidence.sampling import digest
from tests.evidence.marks_of import mark

PATH = "rules/evidence/halcyon+engine.jsonl"


def test_marks_are_read_as_they_were_written_and_their_order_does_not_matter():
    marks = [
        mark("style/b", 3),
        mark("errors/a", 7, ("yn", "nn"), "yn"),
        mark("errors/a", 5),
        mark("pr/c", None, path=None),
    ]
    text = render(marks)
    assert render(reversed(marks)) == text
    again = read(text, PATH)
    assert render(again) == text
    assert sorted(again, key=lambda each: each.key) == sorted(marks, key=lambda each: each.key)
    assert [json.loads(line)["rule"] for line in text.splitlines()] == ["errors/a", "errors/a", "pr/c", "style/b"]


def test_the_file_is_called_after_the_repository():
    assert file_name("halcyon/engine") == "halcyon+engine.jsonl"
    with pytest.raises(EvidenceError, match=r"other\+name.jsonl:1: repository: marks of halcyon/engine stand in"):
        read(render([mark()]), "rules/evidence/other+name.jsonl")


def changed(**fields):
    data = json.loads(render([mark()]))
    for name, value in fields.items():
        if value is None:
            del data[name]
        else:
            data[name] = value
    return f"{render([mark(line=9)])}{json.dumps(data)}\n"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (changed(head="main"), ":2: head: this does not fit"),
        (changed(rule=None), ":2: rule: the key 'rule' is missing"),
        (changed(code="x = 1"), ":2: code: the key 'code' is not known"),
        (changed(line="7"), ":2: line: "),
        (changed(readings=[{"reader": "a", "true": "yes", "useful": True}]), ":2: readings.0.true: this must be true or false"),
        (changed(readings=[{"reader": "a", "true": False, "useful": True}]), ":2: readings.0: what is not true is not useful"),
        (changed(settled={"true": True, "useful": True, "note": "see `x = 1`"}), ":2: settled.note: "),
        ("{\n", ":1: this is not JSON"),
        ("[]\n", ":1: this must be a JSON object"),
        (render([mark()]) * 2, ":2: this finding has a mark already"),
    ],
)  # fmt: skip
def test_a_wrong_file_is_told_by_line_and_field(text, words):
    with pytest.raises(EvidenceError) as error:
        read(text, PATH)
    assert PATH + words in str(error.value)


@pytest.mark.parametrize(
    ("said", "settled", "verdict"),
    [
        (("yy",), "", None),
        (("yy", "yy"), "", (True, True)),
        (("yn", "yn"), "", (True, False)),
        (("yy", "yn"), "", None),
        (("yy", "yn", "yn"), "", None),
        (("yy", "yn"), "yn", (True, False)),
        (("yy", "yy"), "nn", (False, False)),
    ],
)
def test_a_verdict_is_settled_or_agreed(said, settled, verdict):
    assert mark(said=said, settled=settled).verdict == verdict


def test_a_reader_has_one_reading():
    first = mark(said=("yy", "nn"))
    again = first.with_reading(first.readings[1].model_copy(update={"true": True}))
    assert [(each.reader, each.true) for each in again.readings] == [("reader-1", True), ("reader-2", True)]


def test_a_digest_tells_nothing_but_whether_texts_are_equal():
    assert digest("one") == digest("one") != digest("other")
    assert len(digest("")) == 16
