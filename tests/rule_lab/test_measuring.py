"""Precision from labels."""

from __future__ import annotations

from review_bot.rules.precision import Precision
from rule_lab.measuring import measure
from rule_lab.placement import RulePlacement, placement_problems
from tests.rule_lab.label_of import label


def test_agreed_and_adjudicated_labels_count_and_others_wait():
    labels = [
        label("errors/a", 1),
        label("errors/a", 2, ("yn", "yn"), repository="halcyon/other"),
        label("errors/a", 3, ("yy", "nn")),
        label("errors/a", 4, ("yy", "nn"), "nn"),
        label("errors/a", 5, ("yy",)),
        label("errors/a", 6, fires=False),
        label("style/b", 1, ("nn", "nn")),
    ]
    assert measure(labels) == {
        "errors/a": Precision(3, 2, 1, repositories=2, gone=1, waiting=2, shown=3, shown_useful=1),
        "style/b": Precision(1, 0, 0, repositories=1, shown=1),
    }


def test_what_a_rule_leaves_in_the_summary_says_nothing_of_its_comments():
    labels = [label("errors/a", line) for line in range(1, 11)]
    labels += [
        label("errors/a", line, ("yn", "yn")).model_copy(update={"placement": "summary"}) for line in range(11, 21)
    ]
    found = measure(labels)
    assert (found["errors/a"].judged, found["errors/a"].shown, found["errors/a"].shown_useful) == (20, 10, 10)
    assert placement_problems([RulePlacement("errors/a", show="line", severity="warning", provable=False)], found) == []
