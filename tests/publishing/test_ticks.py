"""What a person ticked in the summary stays ticked; what the bot ticks is the bot's."""

import pytest

from review_bot.publishing.ticks import kept

KEYED = "- [ ] Was the peak measured? <!-- review-bot:tick card/memory -->"
OURS = f"""## Review Bot: approve

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
    now = OURS.replace("Was the peak measured?", "When is it freed?").replace("approve", "changes required")
    assert kept(now, before) == ticked(now, "When is it freed?")


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
