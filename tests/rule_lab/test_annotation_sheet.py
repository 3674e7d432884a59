"""A sheet tells the comment and hides the rule; answers are read in either form, and strictly."""

from __future__ import annotations

import pytest

from review_bot.findings import Related, Suggestion
from rule_lab.annotation_items import reference_to
from rule_lab.annotation_sheet import (
    AnnotationItem,
    CodeLine,
    Excerpt,
    make_key,
    read_answers,
    read_key,
    render,
    render_key,
)
from rule_lab.errors import LabelError
from rule_lab.labels import Judgement
from tests.rule_lab.label_of import candidate, finding

TRAP = "true: yes\nuseful: yes\n## 2\n> Instead"
CODE = (CodeLine(1, "try:", "+"), CodeLine(2, "    go()", "+", meant=True), CodeLine(3, "```"))


def items(count=3):
    found = finding(
        message=f"Says {TRAP}",
        suggestion=Suggestion(2, 2, TRAP),
        related=(Related("pkg/b.py", 9, "its twin"),),
    )
    place = reference_to(candidate()._replace(finding=found))
    return [AnnotationItem(place, found, (Excerpt("", CODE),)) for _ in range(count)]


def test_a_sheet_holds_the_words_and_the_code_and_not_the_rule():
    text = render(items(), "halcyon/engine")
    for shown in (
        "-->     2 +     go()",
        "> **Wrong.** Says true: yes",
        "> It fails.",
        "> Instead: Mend it.",
        "`pkg/b.py:9`",
    ):
        assert shown in text
    for hidden in ("errors/one", "warning", "should fix", "example.org"):
        assert hidden not in text


def test_bidi_marks_and_controls_are_seen():
    found = finding(message="a\u202eb")
    item = AnnotationItem(reference_to(candidate()), found, (Excerpt("", (CodeLine(1, "x\x1b[2J\u200b"),)),))
    text = render([item], "halcyon/engine")
    assert "a\\u202eb" in text
    assert "x\\u001b[2J\\u200b" in text


def test_a_sheet_that_nobody_filled_in_has_no_answers_whatever_its_code_says():
    text = render(items(), "halcyon/engine")
    assert read_answers(text, "sheet.md", 3) == []


def test_a_filled_sheet_and_a_table_say_the_same():
    text = render(items(), "halcyon/engine")
    first, second, third = text.split("\n## ")[1:]
    filled = "\n## ".join(
        [
            text.split("\n## ")[0],
            first.replace("\ntrue: \nuseful: \nnote: ", "\ntrue: Yes\nuseful: no\nnote: a `test` only"),
            second,
            third.replace("\ntrue: \nuseful: ", "\ntrue: n\nuseful: n"),
        ]
    )
    table = "# mine\n1\ty\tn\ta test only\n\n3\tNo\tno\n"
    wanted = [(1, Judgement(True, False), "a test only"), (3, Judgement(False, False), "")]
    assert read_answers(filled, "sheet.md", 3) == wanted
    assert read_answers(table, "table", 3) == wanted


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ("1 y n\n", "answers:1: expected `number<TAB>"),
        ("1\ty\tn\n9\ty\ty\n", "answers:2: number: the sheet has no entry 9"),
        ("0\ty\ty\n", "answers:1: number: the sheet has no entry 0"),
        ("1\ty\ty\n1\ty\tn\n", "answers:2: number: entry 1 is answered twice"),
        ("1\tmaybe\ty\n", "answers:1: true: expected y or n, not 'maybe'"),
        ("1\ty\t\n", "answers:1: useful: expected y or n, not ''"),
        ("1\tn\ty\n", "answers:1: a finding that is not true cannot be useful"),
    ],
)
def test_wrong_answers_are_told_by_line_and_field(table, words):
    with pytest.raises(LabelError) as error:
        read_answers(table, "answers", 3)
    assert words in str(error.value)


def test_a_key_is_read_as_it_was_written():
    shown = items(2)
    key = make_key(
        [shown[0], shown[1]._replace(control="false")], repository="halcyon/engine", seed="s", rules_digest="d"
    )
    again = read_key(render_key(key), "sheet.key.json")
    assert again == key
    assert again.name == key.name
    assert [entry.control for entry in again.entries] == [None, "false"]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"number": 1', '"number": 2', "sheet.key.json: entries: entries must be numbered from 1"),
        ('"control": null', '"control": "perhaps"', "sheet.key.json: entries.0.control: "),
        ("sheet-key/v1", "sheet-key/v9", "sheet.key.json: schema: "),
        ("{", "", "sheet.key.json: invalid JSON"),
    ],
)
def test_a_wrong_key_is_told_by_field(old, new, words):
    text = render_key(make_key(items(1), repository="halcyon/engine", seed="s", rules_digest="d"))
    with pytest.raises(LabelError) as error:
        read_key(text.replace(old, new, 1), "sheet.key.json")
    assert words in str(error.value)
