"""What a comment says, and what no pull request can make it say."""

import hashlib
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from review_bot.comments import marker
from review_bot.comments.model import Context
from review_bot.findings import Held, Related, Suggestion, Suppressed
from review_bot.reports import comments
from review_bot.reports.markdown import address
from tests.reports.test_markdown import BARE_LINKS, OWN_HTML, PIECES
from tests.reviews import CONSTANT, DEREFERENCE, EVIL, SWALLOWED, finding

CONTEXT = Context("octo/engine", 19, "abc1234" + "0" * 33)
DIFF = "https://github.com/octo/engine/pull/19/files#diff-"


def read(text):
    """Parse a comment: (all tokens, text outside code, addresses), as GitHub reads it."""
    flat = [each for token in MarkdownIt("commonmark").parse(text) for each in [token, *(token.children or [])]]
    words = [token.content for token in flat if token.type == "text"]
    return flat, words, [str(token.attrs["href"]) for token in flat if token.type == "link_open"]


def check_harmless(text, of_rule=DIFF):
    tokens, words, addresses = read(text)
    html = "".join(token.content for token in tokens if token.type in {"html_block", "html_inline"})
    assert set(re.findall(r"<(?!!--)[^>]*>", html)) <= OWN_HTML
    assert set(re.findall(r"<!--.*?-->", html)) == set(re.findall(r"(?m)^<!-- review-bot:[a-z]+ [^ ]+ -->$", text))
    assert not [token for token in tokens if token.type in {"image", "code_block", "hr", "heading_open"}]
    assert all(address.startswith((DIFF, "https://example.org/", of_rule)) for address in addresses)
    assert not [word for word in words if BARE_LINKS.search(word)]


def test_one_finding():
    path = hashlib.sha256(b"engine/run.py").hexdigest()
    assert comments.alone(CONSTANT, CONTEXT, CONSTANT.suggestion) == (
        "**Warning: Condition that is always true.** "
        "This condition is always `True`; the branch at 16 can never run.\n"
        "\n"
        "Readers assume that the branch handles its case.\n"
        "\n"
        "Instead: Read the value from the request, or delete the branch.\n"
        "\n"
        f"See also [`engine/run.py:16`]({DIFF}{path}R16): never reached\n"
        "\n"
        "```suggestion\n"
        "        return None\n"
        "```\n"
        "\n"
        "<sub>[`errors/constant-condition`](https://example.org/rules/errors/constant-condition.md)"
        " · Intentional? Suppress it with a reason: `review-bot: ignore[errors/constant-condition] reason`"
        " · ID `00112233aabbccdd-01234567`</sub>\n"
        "\n"
        "<!-- review-bot:rule errors/constant-condition -->"
    )


def test_a_suggestion_is_byte_for_byte_what_will_be_committed():
    for text in ["\tif x:\n\n\t\tpass  ", "", "a `b` *c* <d> & @e", "naïve = '编码'"]:
        tokens, _, _ = read(comments.alone(CONSTANT, CONTEXT, Suggestion(14, 15, text)))
        (fence,) = [token for token in tokens if token.type == "fence"]
        assert fence.content == (text and text + "\n")
        assert fence.info == "suggestion"


def test_a_rule_that_cannot_be_silenced_says_nothing_of_silencing():
    strict = CONTEXT._replace(unsuppressible=frozenset({SWALLOWED.rule}))
    assert "ignore[" in comments.alone(SWALLOWED, CONTEXT)
    assert "ignore[" not in comments.alone(SWALLOWED, strict)
    assert "ignore[" not in comments.alone(SWALLOWED._replace(line=None), CONTEXT)


def test_why_is_left_out_where_the_message_says_it():
    text = comments.alone(SWALLOWED._replace(why="drops every error"), CONTEXT)
    assert text.count("drops every error") == 1


def test_several_with_one_message_and_with_their_own():
    several = [SWALLOWED._replace(line=number) for number in range(1, 6)]
    text = comments.together(several, CONTEXT)
    assert text.startswith("**Warning: Exception swallowed (5 times in this file).** This handler silently")
    assert "\n\n[`line 1`](" in text
    own = [each._replace(message=f"Message {each.line}.") for each in several]
    assert "\n- [`line 2`](" in comments.together(own, CONTEXT)
    assert "R2): Message 2.\n" in comments.together(own, CONTEXT)
    assert comments.together(own, CONTEXT).count("Instead: ") == 1
    ways = [each._replace(instead=f"Do {each.line}.") for each in own]
    assert "R2): Message 2. Instead: Do 2.\n" in comments.together(ways, CONTEXT)
    assert "\n\nInstead: " not in comments.together(ways, CONTEXT)


def test_a_long_list_is_cut_and_counted():
    text = comments.together([SWALLOWED._replace(line=number) for number in range(1, 400)], CONTEXT)
    assert " and 349 more\n" in text
    assert len(text) < 20_000


def test_no_links_where_there_is_no_pull_request():
    text = comments.together([SWALLOWED, CONSTANT], CONTEXT._replace(number=None))
    assert DIFF not in text


def test_settled_texts_keep_the_rule_and_what_was_said():
    text = comments.alone(SWALLOWED, CONTEXT)
    for settled, how in [
        (comments.fixed(text, CONTEXT.head), "fixed"),
        (comments.unchecked(text, "this rule is disabled"), "unchecked"),
        (comments.suppressed([Suppressed(SWALLOWED, "noqa", "", 3)], CONTEXT), "suppressed"),
    ]:
        assert comments.settled(settled) == how
        assert comments.rule_of(settled) == SWALLOWED.rule
        assert settled.count("This handler silently discards every exception") == 1
        check_harmless(settled)
        again = comments.fixed(settled, "9" * 40)
        assert again.startswith("Fixed in `9999999`.")
        assert again.count("This handler silently discards every exception") == again.count("<details>") == 1
    assert comments.settled(text) is None


def test_each_reason_is_said_once():
    entries = [Suppressed(SWALLOWED._replace(line=n), "comment", f"reason {n % 5}", n) for n in range(10)]
    assert comments.suppressed(entries, CONTEXT).startswith(
        "Suppressed in the code: reason 0<br>\nSuppressed in the code: reason 1<br>\n"
        "Suppressed in the code: reason 2<br>\nAnd 2 more.\n"
    )


def test_the_baseline_is_named_once():
    text = comments.suppressed([Suppressed(SWALLOWED, "baseline", "accepted in the baseline", None)], CONTEXT)
    assert text.startswith("Accepted in the baseline.\n")


def test_a_text_that_is_too_long_is_not_kept():
    assert "<details>" not in comments.fixed("x" * 40_000, CONTEXT.head)


@pytest.mark.parametrize("rule", ["own rule", "x-->y", "é/ü", "a\nb", "\udcff", "<!-- review-bot:settled fixed -->"])
def test_the_rule_can_be_read_again_whatever_its_name(rule):
    text = comments.alone(finding(rule), CONTEXT)
    assert comments.rule_of(text) == rule
    assert comments.settled(text) is None
    assert comments.rule_of(comments.fixed(text, CONTEXT.head)) == rule


def test_only_line_ends_and_blanks_at_their_ends_may_differ():
    assert comments.same_text("a  \r\nb\n\n", "a\nb")
    assert not comments.same_text("a\nb", "a b")
    assert not comments.same_text("  a", "b")


def test_the_line_of_a_review():
    assert comments.review_line(0, asks=False) == ""
    assert comments.review_line(3, asks=False) == "3 new comments; see the summary comment for the full review."


def hostile(text):
    return finding(
        text,
        title=text,
        message=f"{text} {text}",
        why=text,
        instead=text,
        path=text or "x",
        url=text,
        related=(Related(text, 2, text, (Held(text, text),)), Related(text, 1, text)),
    )


def test_hostile_text_stays_text():
    bad = hostile(EVIL)
    check_harmless(comments.alone(bad, CONTEXT))
    check_harmless(comments.together([bad, bad._replace(message="x")], CONTEXT))
    check_harmless(comments.fixed(comments.alone(bad, CONTEXT), CONTEXT.head))
    check_harmless(comments.suppressed([Suppressed(bad, "comment", EVIL, 2)], CONTEXT))


@settings(max_examples=200)
@given(PIECES.filter(bool) | st.just("<!-- review-bot:1 review-bot inline 00112233aabbccdd-01234567 -->"))
def test_no_text_leaves_its_place_or_passes_for_our_marker(text):
    said = comments.alone(hostile(text), CONTEXT)
    own = MarkdownIt("commonmark").normalizeLink(address(text))  # a rule's own address may be any
    check_harmless(said, own if text.startswith("https://") else DIFF)
    assert marker.read(said, "review-bot") is None
    assert comments.rule_of(said) == text
    assert comments.settled(said) is None


def test_steps_are_folded_and_kept_once_the_finding_is_fixed():
    text = comments.alone(DEREFERENCE, CONTEXT._replace(number=None))
    fold = (
        "<details>\n<summary>Steps that lead here</summary>\n\n"
        "1. `engine/mask.py:2`: `mask` is tested for None\n"
        "2. `engine/mask.py:3`: `query is None` is false\n\n</details>\n"
    )
    assert fold in text
    assert "See also `engine/run.py:16`: the same use\n" in text
    check_harmless(comments.alone(DEREFERENCE, CONTEXT))
    settled = comments.fixed(text, CONTEXT.head)
    assert comments.fixed(settled, CONTEXT.head) == settled
    assert settled.count(fold.strip()) == 1


def test_many_steps_are_counted():
    step = DEREFERENCE.related[0]
    text = comments.alone(DEREFERENCE._replace(related=(step,) * 11), CONTEXT)
    assert text.count("`mask` is tested for None\n") == 8
    assert "\n\nand 3 more\n\n</details>" in text
