"""Labels are strict data: what is written is read again, and a wrong file is told by line and field."""

from __future__ import annotations

import json

import pytest

from rule_lab.errors import LabelError
from rule_lab.labels import file_name, read, render
from rule_lab.sampling import digest
from tests.rule_lab.label_of import label

PATH = "rules/evidence/halcyon+engine.jsonl"


def test_labels_are_read_as_they_were_written_and_their_order_does_not_matter():
    labels = [
        label("style/b", 3),
        label("errors/a", 7, ("yn", "nn"), "yn"),
        label("errors/a", 5),
        label("pr/c", None, path=None),
    ]
    text = render(labels)
    assert render(reversed(labels)) == text
    again = read(text, PATH)
    assert render(again) == text
    assert sorted(again, key=lambda each: each.key) == sorted(labels, key=lambda each: each.key)
    assert [json.loads(line)["rule"] for line in text.splitlines()] == ["errors/a", "errors/a", "pr/c", "style/b"]


def test_the_file_is_called_after_the_repository():
    assert file_name("halcyon/engine") == "halcyon+engine.jsonl"
    with pytest.raises(LabelError, match=r"other\+name.jsonl:1: repository: labels of halcyon/engine belong in"):
        read(render([label()]), "rules/evidence/other+name.jsonl")


def changed(**fields):
    data = json.loads(render([label()]))
    for name, value in fields.items():
        if value is None:
            del data[name]
        else:
            data[name] = value
    return f"{render([label(line=9)])}{json.dumps(data)}\n"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (changed(head="main"), ":2: head: must match"),
        (changed(rule=None), ":2: rule: the key 'rule' is missing"),
        (changed(code="x = 1"), ":2: code: the key 'code' is not known"),
        (changed(line="7"), ":2: line: "),
        (changed(annotations=[{"annotator": "a", "true": "yes", "useful": True}]), ":2: annotations.0.true: must be true or false"),
        (changed(annotations=[{"annotator": "a", "true": False, "useful": True}]), ":2: annotations.0: a finding that is not true cannot be useful"),
        (changed(adjudicated={"true": True, "useful": True, "note": "see `x = 1`"}), ":2: adjudicated.note: "),
        ("{\n", ":1: invalid JSON"),
        ("[]\n", ":1: expected a JSON object"),
        (render([label()]) * 2, ":2: duplicate label of this finding"),
    ],
)  # fmt: skip
def test_a_wrong_file_is_told_by_line_and_field(text, words):
    with pytest.raises(LabelError) as error:
        read(text, PATH)
    assert PATH + words in str(error.value)


@pytest.mark.parametrize(
    ("said", "adjudicated", "judgement"),
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
def test_a_verdict_is_adjudicated_or_agreed(said, adjudicated, judgement):
    assert label(said=said, adjudicated=adjudicated).judgement == judgement


def test_an_annotator_has_one_annotation():
    first = label(said=("yy", "nn"))
    again = first.with_annotation(first.annotations[1].model_copy(update={"true": True}))
    assert [(each.annotator, each.true) for each in again.annotations] == [("annotator-1", True), ("annotator-2", True)]


def test_a_digest_tells_nothing_but_whether_texts_are_equal():
    assert digest("one") == digest("one") != digest("other")
    assert len(digest("")) == 16
