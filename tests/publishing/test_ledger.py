"""What the summary tells from push to push, and what it remembers for that."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review_bot.changes.pull_request import Unreviewed
from review_bot.comments.model import PublicationSettings
from review_bot.findings import Failure, NotRun, Suppressed
from review_bot.publishing import memory
from review_bot.publishing.plan import plan
from tests.publishing.test_plan import CONTEXT, LATER, PLAIN, mark, only, posted, seen
from tests.reviews import EVIL

NEWEST = CONTEXT._replace(head="999" + "0" * 37)
HIDDEN = re.compile(r"(?m)^<!-- review-bot:ledger (.*) -->$")


def one(number, **facts):
    return mark(number, **{"rule": f"r/{number}", "title": f"Title {number}"} | facts)


def push(page, review, context, settings=PLAIN):
    """Carry a review out, twice; return the summary."""
    page.carry_out(plan(review, page.posted(), settings, context))
    assert plan(review, page.posted(), settings, context).empty, "the second run writes"
    return only(page, "summary").body


def hidden(text):
    """Return what is remembered."""
    (line,) = HIDDEN.findall(text)
    return line


def fold(text):
    """Return the lines of the fold."""
    return text[text.index("<summary>Push by push") :].split("</details>")[0].split("\n")


def test_the_first_review_has_no_fold():
    assert "Push by push" not in only(posted(seen(one(1))), "summary").body


def test_each_push_is_told_with_rules_and_commits():
    page = posted(seen(one(1), one(2), one(3)))
    text = push(page, seen(one(2), one(3), one(4)), LATER)
    assert "Since `abc1234`: 1 new, 1 fixed, 2 still open." in text
    assert fold(text)[:-2] == [
        "<summary>Push by push: 1 fixed</summary>",
        "",
        "- [x] Title 1 (`engine/long.py`): fixed in `def5678`",
        "- earlier pushes:",
        "  - `abc1234`: 3 open",
    ]
    text = push(page, seen(one(4)), NEWEST)
    assert "Since `def5678`: 2 fixed, 1 still open." in text
    assert fold(text)[:-2] == [
        "<summary>Push by push: 3 fixed</summary>",
        "",
        "- [x] Title 1 (`engine/long.py`): fixed in `def5678`",
        "- [x] Title 2 (`engine/long.py`): fixed in `9990000`",
        "- [x] Title 3 (`engine/long.py`): fixed in `9990000`",
        "- earlier pushes:",
        "  - `def5678`: 1 new, 1 fixed, 2 still open (Title 1 (`engine/long.py`))",
        "  - `abc1234`: 3 open",
    ]


def test_a_rule_that_is_broken_again_is_ticked_no_more():
    page = posted(seen(one(1)))
    assert "- [x] Title 1 (`engine/long.py`): fixed in `def5678`" in push(page, seen(), LATER)
    text = push(page, seen(one(1)), NEWEST)
    assert ": fixed in" not in text
    assert "Since `def5678`: 1 new." in text


def test_what_is_fixed_of_a_rule_that_is_still_broken_is_named():
    many = [one(number, rule="r/1", title="Title", path="engine/long.py") for number in range(9)]
    text = push(posted(seen(*many)), seen(many[8]), LATER)
    assert "- fixed: Title (`engine/long.py`); " in text
    assert text.count("Title (`engine/long.py`)") == memory.MOST_NAMED
    assert " and 3 more\n" in text
    assert "[x] Title" not in text


def test_a_nit_is_no_condition_to_merge():
    page = posted(seen(one(1, severity="hint")))
    text = push(page, seen(), LATER)
    assert "- fixed: Title 1" in text
    assert ": fixed in" not in text


@pytest.mark.parametrize(
    ("facts", "context", "said"),
    [
        ({"unreviewed": (Unreviewed("engine/long.py", "too large"),)}, LATER, "1 not checked in this run"),
        ({"not_run": (NotRun("r/1", "needs the tree"),)}, LATER, "1 not checked in this run"),
        ({"failures": (Failure("r/1", None, "boom"),)}, LATER, "1 not checked in this run"),
        ({"ignored": ("engine/long.py",)}, LATER, "1 no longer checked"),
        ({}, LATER._replace(rules=frozenset({"r/2"})), "1 no longer checked"),
        ({"unreviewed": (Unreviewed("engine/run.py", "?"),)}, LATER, "1 fixed"),
        ({"not_run": (NotRun("r/2", "?"),)}, LATER, "1 fixed"),
    ],
)
def test_only_what_was_looked_for_is_fixed(facts, context, said):
    page = posted(seen(one(1)))
    text = push(page, seen(**facts), context)
    assert f"Since `abc1234`: {said}." in text
    assert (": fixed in" in text) == (said == "1 fixed")


def test_what_nobody_saw_is_not_new_when_it_is_seen_again():
    page = posted(seen(one(1), one(2)))
    push(page, seen(unreviewed=(Unreviewed("engine/long.py", "too large"),)), LATER)
    assert "Since `def5678`: 1 fixed, 1 still open." in push(page, seen(one(1)), NEWEST)


def test_what_is_suppressed_is_told_with_its_reason():
    page = posted(seen(one(1)))
    text = push(page, seen(suppressed=(Suppressed(one(1), "comment", "see #12", 1),)), LATER)
    assert "Since `abc1234`: 1 suppressed." in text
    assert "- suppressed: Title 1 (`engine/long.py`), see \\#\u200b12" in text


def test_what_lies_on_moved_lines_now_is_not_fixed():
    page = posted(seen(one(1)))
    assert "Since `abc1234`: no changes." in push(page, seen(one(1, moved=True)), LATER)


def test_pushes_are_remembered_to_a_number():
    page, text = posted(seen(one(1))), ""
    for number in range(30):
        text = push(page, seen(one(number)), CONTEXT._replace(head=f"{number + 16:02x}" * 20))
    assert text.count("1 new, 1 fixed") == memory.MOST_PUSHES  # the sentence, and the pushes before this one
    assert len(hidden(text)) < 4_000


@pytest.mark.parametrize("number", [1, 40, 300, 301, 2000])
def test_what_is_hidden_stays_small(number):
    long = "x/" * 90
    many = [
        mark(1, rule=f"{EVIL[:60]}/{n}", title=f"{n} {EVIL}", path=f"{long}{n}.py")._replace(
            fingerprint=f"{n:016x}-{0:08x}"
        )
        for n in range(number)
    ]
    page = posted(seen(*many))
    text = push(page, seen(*many[1:]), LATER)
    line = hidden(text)
    assert len(line) <= memory.LARGEST
    assert line.isascii()
    assert not re.search(r"[<>@#&]", line)
    assert len(text.encode()) <= 60_100
    assert ("1 fixed" in text) == (number <= 300)


@pytest.mark.parametrize("before", [1, 299, 400])
@pytest.mark.parametrize("now", [1, 250, 301])
@pytest.mark.parametrize("length", [1, 180])
def test_a_second_run_says_the_same_where_not_all_can_be_remembered(before, now, length):
    """``push`` runs twice each time."""

    def crowd(first, number):
        made = (
            one(n, title=f"{n} {'t' * length}", path=f"{n}/{'p' * length}.py") for n in range(first, first + number)
        )
        return seen(*made)

    page = posted(crowd(0, before))
    push(page, crowd(before // 2, now), LATER)
    assert len(hidden(only(page, "summary").body)) <= memory.LARGEST
    push(page, crowd(before, now // 2), NEWEST)
    push(page, crowd(0, before), NEWEST._replace(head="77" * 20))


BROKEN = [
    "{}",
    "[]",
    "{" * 5000,
    '{"head":' + "[" * 30_000 + "]" * 30_000 + "}",
    '{"head": "abc1234", "before": null, "now": 3, "gone": [], "pushes": [], "rules": [], "paths": []}',
    '{"head": "'
    + "a" * 40
    + '", "before": null, "now": [[5, 0, 0]], "gone": [], "pushes": [], "rules": [], "paths": []}',
    '{"head": 1e999}',
    "9" * 5000,
]


@pytest.mark.parametrize("line", BROKEN)
def test_what_somebody_broke_is_not_compared(line):
    page = posted(seen(one(1)))
    summary = only(page, "summary")
    page.change(summary.id, body=HIDDEN.sub(lambda _: f"<!-- review-bot:ledger {line} -->", summary.body))
    text = push(page, seen(one(2)), LATER)
    assert "Since" not in text
    assert "Since `def5678`" in push(page, seen(one(2)), NEWEST)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=8,
)


@given(st.data())
def test_whatever_is_changed_in_the_hidden_line_nothing_breaks(data):
    page = posted(seen(one(1), one(2)))
    push(page, seen(one(2), one(3)), LATER)
    summary = only(page, "summary")
    told = json.loads(hidden(summary.body))
    for _ in range(data.draw(st.integers(1, 3))):
        at, key = told, data.draw(st.sampled_from(sorted(told)))
        while isinstance(at[key], list) and at[key] and data.draw(st.booleans()):
            at, key = at[key], data.draw(st.integers(0, len(at[key]) - 1))
        at[key] = data.draw(JSON)
    line = json.dumps(told).replace("<", "\\u003c").replace(">", "\\u003e")
    page.change(summary.id, body=HIDDEN.sub(lambda _: f"<!-- review-bot:ledger {line} -->", summary.body))
    read = memory.read(only(page, "summary").body, only(page, "summary").fingerprints)
    assert read is None or isinstance(read.head, str)
    assert "## Review Bot" in push(page, seen(one(3), one(4)), NEWEST)


def test_nothing_is_read_that_is_not_there():
    assert memory.read("Hello.", ()) is None


def test_titles_and_paths_are_text():
    page = posted(seen(one(1, title=EVIL, path=EVIL)))
    text = push(page, seen(), LATER)
    assert EVIL not in text


def test_another_set_up_has_its_own_ledger():
    settings = PublicationSettings(name="second")
    page = posted(seen(one(1)))
    written = plan(seen(), page.posted()._replace(comments=()), settings, LATER)
    assert "Push by push" not in (written.summary or "")
