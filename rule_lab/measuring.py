"""Precision from labels, by rule, and the generated file from which the product reads it."""

from __future__ import annotations

import json
from collections.abc import Iterable

from review_bot.rules.precision import Precision
from rule_lab.labels import Label


def measure(labels: Iterable[Label]) -> dict[str, Precision]:
    """Return the precision of each rule that has labels, by id."""
    by_rule: dict[str, list[Label]] = {}
    for label in labels:
        by_rule.setdefault(label.rule, []).append(label)
    return {rule: total(found) for rule, found in sorted(by_rule.items())}


def total(labels: Iterable[Label]) -> Precision:
    """Return the precision over all labels, whatever their rules."""
    known = list(labels)
    reported = [label for label in known if label.fires]
    judged = [(label, judgement) for label in reported if (judgement := label.judgement) is not None]
    shown = [judgement for label, judgement in judged if label.placement != "summary"]
    return Precision(
        judged=len(judged),
        true=sum(judgement.true for _, judgement in judged),
        useful=sum(judgement.useful for _, judgement in judged),
        repositories=len({label.repository for label, _ in judged}),
        gone=len(known) - len(reported),
        waiting=len(reported) - len(judged),
        shown=len(shown),
        shown_useful=sum(judgement.useful for judgement in shown),
    )


def render(measured: dict[str, Precision]) -> str:
    """Return the text of ``precision.json``, with one line per rule."""
    lines = ",\n".join(f"{json.dumps(rule)}: {json.dumps(found._asdict())}" for rule, found in measured.items())
    return f"{{\n{lines}\n}}\n"
