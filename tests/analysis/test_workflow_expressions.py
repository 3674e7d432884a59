"""GitHub's expressions: which contexts become their value, in every notation."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review_bot.analysis.project.workflow_expressions import expressions, is_one_of
from tests.growth import SUPERLINEAR, growth

TITLE = "github.event.issue.title"


def contexts(text: str) -> list[str]:
    return [".".join(chain) for each in expressions(text) for chain in each.contexts]


@pytest.mark.parametrize(
    "inside",
    [
        TITLE,
        "GitHub.Event.ISSUE.Title",
        "github [ 'event' ]['Issue'] . title",
        "(github.event).issue.title",
        "(github.event.issue).title || 'x'",
        f"github.actor == 'a' && {TITLE}",
        f"{TITLE} && {TITLE}",
        f"format('}}}}{{0}}', {TITLE})",
        f"toJSON({TITLE})",
        "fromJSON(toJSON(github)).event.issue.title",
        f"'it''s' || {TITLE}",
    ],
)
def test_a_context_is_known_in_every_notation(inside):
    assert TITLE in contexts(f"a ${{{{{inside}}}}} b")


@pytest.mark.parametrize(
    "inside",
    [
        "'github.event.issue.title'",
        f"contains({TITLE}, 'a')",
        f"{TITLE} == 'a'",
        f"!{TITLE}",
        f"{TITLE} && 'x' || 'y'",
        f"startsWith({TITLE}, 'a') && 'x'",
        f"hashFiles({TITLE})",
        f"(contains({TITLE}, 'a') || 1 < 2) && 3.5",
    ],
)
def test_what_only_decides_is_not_part_of_the_value(inside):
    assert contexts(f"${{{{ {inside} }}}}") == []


def test_an_index_that_is_no_constant_may_be_any_property():
    [each] = expressions("${{ github.event.commits[github.run_number].message }}")
    assert is_one_of(each.contexts[0], [("github", "event", "commits", "*", "message")])
    assert is_one_of(("github", "*"), [("github", "head_ref")])
    assert not is_one_of(("github", "sha"), [("github", "head_ref")])
    assert not is_one_of(("github",), [("github", "head_ref")])


@pytest.mark.parametrize("inside", [f"{TITLE} +", f"{TITLE} ? 1", f"x[{TITLE}", f"f({TITLE}", "(" * 200 + TITLE])
def test_what_is_no_expression_may_hold_every_context_in_it(inside):
    assert TITLE in contexts(f"${{{{ {inside} }}}}")


@pytest.mark.parametrize(
    "make",
    [
        lambda size: "${{ " * size,
        lambda size: "${{ '" + "''" * size,
        lambda size: "${{ a" + ".b" * size + " }}",
        lambda size: "${{ a" + " || a.b" * size + " }}",
        lambda size: "${{ " + "a['b'].c[*] && " * size + "a }}",
        lambda size: "${{ " + "a " * size + "}}",
        lambda size: "${{ " + "f(" * size,
    ],
)
def test_any_length_is_read_in_linear_time(make):
    assert growth(lambda size: list(expressions(make(size))), 2_000) < SUPERLINEAR


@given(st.text("ab.['](),*!=<>&|0 ${}", max_size=40))
def test_any_text_is_read(text):
    for each in expressions(f"${{{{{text}}}}}"):
        assert 0 <= each.start < each.end
