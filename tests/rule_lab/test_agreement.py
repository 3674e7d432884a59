"""The agreement of two annotators."""

from __future__ import annotations

import pytest

from rule_lab.agreement import agreement, kappa, same
from tests.rule_lab.label_of import label


@pytest.mark.parametrize(
    ("both", "first", "second", "neither", "value"),
    # Cohen's own form: the table of two annotators. The second is the example of the Wikipedia article.
    [(10, 0, 0, 10, 1.0), (20, 5, 10, 15, 0.4), (5, 5, 5, 5, 0.0), (0, 10, 10, 0, -1.0)],
)
def test_kappa_is_agreement_beyond_chance(both, first, second, neither, value):
    pairs = [(True, True)] * both + [(True, False)] * first + [(False, True)] * second + [(False, False)] * neither
    assert kappa(pairs) == pytest.approx(value)


def test_kappa_is_not_defined_where_annotators_say_one_thing():
    assert kappa([]) is None
    assert kappa([(True, True)] * 5) is None
    assert same([]) == 0


def test_agreement_is_over_what_two_have_read_before_it_was_adjudicated():
    found = agreement([label(line=1), label(line=2, said=("yy", "yn"), adjudicated="yy"), label(line=3, said=("nn",))])
    assert (found.pairs, found.same_true, found.same_useful) == (2, 1.0, 0.5)
