"""What a person ticked in the summary stays ticked; what the bot ticks is the bot's."""

import pytest

from review_bot.publishing.checkboxes import kept
from review_bot.publishing.plan import plan
from tests.publishing.test_plan import CONTEXT, LATER, PLAIN, only
from tests.pull_request_page import Page
from tests.reviews import ALL

KEYED = "- [ ] Was the peak measured? <!-- review-bot:tick card/memory -->"
OURS = f"""## Review Bot: no findings

- [ ] what must be fixed is fixed
{KEYED}
  - [ ] Is it documented? <!-- review-bot:tick card/docs -->

<!-- review-bot:1 review-bot summary -->
"""


def ticked(text, *lines):
    for line in lines:
        text = text.replace(f"- [ ] {line}", f"- [x] {line}")
    return text


@pytest.mark.parametrize(
    "change", [str, lambda text: text.replace("\n", "\r\n"), lambda text: text.replace("x]", "X]")]
)
def test_a_tick_stays_whatever_becomes_of_the_rest(change):
    before = change(ticked(OURS, "Was the peak"))
    now = OURS.replace("Was the peak measured?", "When is it freed?").replace("no findings", "changes required")
    assert kept(now, before) == ticked(now, "When is it freed?")


def test_the_line_may_go_on_below():
    text = OURS.replace("card/memory -->", "card/memory --><br>\n  `engine/run.py:12`")
    assert kept(text, ticked(text, "Was the peak")) == ticked(text, "Was the peak")


def test_every_line_has_its_own_key():
    before = ticked(OURS, "Is it documented?", "Was the peak")
    assert kept(OURS, before) == before
    assert kept(OURS.replace(KEYED, ""), before) == ticked(OURS, "Is it documented?").replace(KEYED, "")


def test_the_lines_of_the_bot_are_its_own():
    assert kept(OURS, ticked(OURS, "what must be fixed")) == OURS


@pytest.mark.parametrize(
    "before",
    [
        "",
        OURS,
        "- [x] <!-- review-bot:tick -->",
        "x - [x] Was the peak measured? <!-- review-bot:tick card/memory -->",
        "- [x] Was the peak measured? <!-- review-bot:tick card/other -->",
        "- [x] Was the peak measured? <!-- review-bot:tick card/memory --> and more",
    ],
)
def test_nothing_else_is_a_tick(before):
    assert kept(OURS, before) == OURS


@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_people_tick_in_the_summary_of_a_pull_request(line_end):
    review = ALL["questions"]
    page = Page()
    page.carry_out(plan(review, page.posted(), PLAIN, CONTEXT))
    text = only(page, "summary").body
    box = next(line for line in text.split("\n") if line.startswith("- [ ] ") and "review-bot:tick" in line)
    own = next(line for line in text.split("\n") if line.startswith("- [ ] ") and "review-bot:tick" not in line)
    by_person = text.replace(box, box.replace("[ ]", "[x]")).replace("\n", line_end)
    page.change(only(page, "summary").id, body=by_person)
    assert plan(review, page.posted(), PLAIN, CONTEXT).empty, "nothing new, so nothing is written"
    page.carry_out(plan(review, page.posted(), PLAIN, LATER))
    assert box.replace("[ ]", "[x]") in only(page, "summary").body
    page.change(only(page, "summary").id, body=only(page, "summary").body.replace(own, own.replace("[ ]", "[x]")))
    page.carry_out(plan(review, page.posted(), PLAIN, LATER))
    assert own in only(page, "summary").body
    assert box.replace("[ ]", "[x]") in only(page, "summary").body
