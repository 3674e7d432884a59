"""``docs/coverage.md``: each item of the guides, and what covers it, made from ``rules/coverage.yaml``."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from review_bot.advice.criteria import CRITERIA
from review_bot.assessment.focus import FocusMap
from review_bot.assessment.metrics import Metrics
from review_bot.findings import Finding
from review_bot.reports import json_schema
from review_bot.rules.coverage_file import Coverage, Item, read_coverage

SOURCE = "rules/coverage.yaml"
PAGE = "docs/coverage.md"

_KINDS = {
    "detector": "rule on code",
    "relation": "rule on the change",
    "checklist": "question on a card",
    "metric": "measure",
    "n/a": "remark",
}
_INTRODUCTION = (
    "Each is named here in our own words, with what covers it: a rule, a question on a card, a measure, or a part of "
    "the program. An item can be of two kinds."
)
_GUIDES = {
    "000": "the expert guide to pull requests of large multimodal models",
    "001": "the checklist of one review",
    "002": "the package of guide and tool",
    "003": "the review of pull request 15",
    "004": "the review of pull request 19",
}


def read() -> Coverage:
    """Read the file of this checkout. Raises RuleError."""
    return read_coverage(Path(SOURCE).read_text(encoding="utf-8"), SOURCE)


def dangling(coverage: Coverage, rule_ids: Iterable[str], focus: FocusMap) -> list[str]:
    """Return what items name and this checkout does not have."""
    ids = frozenset(rule_ids)
    missing = coverage.names() - _existing(ids, focus)
    return [f"{name} covers something and does not exist" for name in sorted(missing)]


def _existing(ids: frozenset[str], focus: FocusMap) -> frozenset[str]:
    """Return every name that may cover an item."""
    commands = [
        path for path in Path(__file__).parent.glob("*.py") if "\ndef add_arguments(" in path.read_text("utf-8")
    ]
    return frozenset(
        [
            *ids,
            *(f"{rule_id.partition('/')[0]}/*" for rule_id in ids),
            *(card.id for card in focus.cards),
            *(f"area/{area.id}" for area in focus.areas),
            *(f"metric/{name}" for name in Metrics._fields),
            *(f"report/{name}" for name in json_schema.schema()["properties"]),
            *(f"finding/{name}" for name in Finding._fields),
            *(f"criterion/{name}" for name in CRITERIA),
            *(f"page/{path.stem}" for path in Path(PAGE).parent.glob("*.md")),
            *(f"command/{path.stem}" for path in commands),
        ]
    )


def page(coverage: Coverage, rule_ids: frozenset[str]) -> str:
    """Return the page."""
    counts = dict.fromkeys(_KINDS, 0)
    for _, item in coverage.demands():
        for kind in item.kinds:
            counts[kind] += 1
    number = sum(1 for _ in coverage.demands())
    kinds = "\n".join(f"| {_KINDS[kind]} | {counts[kind]} |" for kind in counts)
    parts = [
        "# What covers the guides\n",
        f"Generated from `{SOURCE}` by `review-bot rules docs`.\n",
        f"The guides that this project grew from make {number} demands and remarks. {_INTRODUCTION}\n",
        f"| Kind | Items |\n| --- | --- |\n{kinds}\n",
    ]
    document = ""
    for section in coverage.sections:
        if section.document != document:
            document = section.document
            parts.append(f"## {document}: {_GUIDES[document]}\n")
        rows = [
            f"| {_cell(item.item)} | {', '.join(_KINDS[kind] for kind in item.kinds)} | {_covered(item, rule_ids)} |"
            for item in section.items
        ]
        parts.append(f"### {document}, {section.title}\n")
        parts.append("| Item | Kind | Covered by |\n| --- | --- | --- |\n" + "\n".join(rows) + "\n")
    return "\n".join(parts)


def _covered(item: Item, rule_ids: frozenset[str]) -> str:
    names = [_link(name, rule_ids) for name in item.by]
    return "; ".join([", ".join(names)] * bool(names) + ([_cell(item.note)] if item.note else []))


def _link(name: str, rule_ids: frozenset[str]) -> str:
    kind, _, rest = name.partition("/")
    if name in rule_ids:
        return f"[{name}](rules/{name}.md)"
    if rest == "*":
        return f"[{name}](rules/README.md)"
    return f"[{rest}]({rest}.md)" if kind == "page" else f"`{name}`"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;")
