"""Every demand of the guides is covered by something that exists."""

from __future__ import annotations

import pytest

from review_bot.commands import coverage_page
from review_bot.configuration import rule_registry
from review_bot.errors import RuleError
from review_bot.rules.coverage_file import Coverage, read_coverage

IDS = frozenset({"errors/bare-except", "style/eof-newline"})


def coverage_of(items: str) -> Coverage:
    return read_coverage(f'sections:\n- document: "000"\n  title: One\n  items:\n{items}', "coverage.yaml")


def test_each_name_of_the_file_exists() -> None:
    ids = [page.rule.id for page in rule_registry.builtin_pages()]

    assert coverage_page.dangling(coverage_page.read(), ids, rule_registry.builtin_rulebook().focus) == []


def test_no_item_of_the_guides_is_left_out() -> None:
    by_guide: dict[str, int] = {}
    for section, _ in coverage_page.read().demands():
        by_guide[section.document] = by_guide.get(section.document, 0) + 1

    assert sum(by_guide.values()) == 478
    assert set(by_guide) == {"000", "001", "002", "003", "004"}


@pytest.mark.parametrize(
    "name",
    [
        "errors/gone",
        "gone/*",
        "card/gone",
        "area/gone",
        "metric/gone",
        "report/gone",
        "finding/gone",
        "criterion/gone",
        "page/gone",
        "command/gone",
        "command/rule_pages",
    ],
)
def test_a_name_that_does_not_exist_is_told(name: str) -> None:
    coverage = coverage_of(f"  - {{item: A, kinds: [detector], by: ['{name}']}}\n")

    assert coverage_page.dangling(coverage, IDS, rule_registry.builtin_rulebook().focus) == [
        f"{name} covers something and does not exist"
    ]


@pytest.mark.parametrize(
    "name",
    [
        "errors/bare-except",
        "style/*",
        "card/kv-cache",
        "area/engine",
        "metric/smells",
        "report/verdict",
        "finding/why",
        "criterion/ci-status",
        "page/linters",
        "command/replay",
    ],
)
def test_a_name_of_each_kind_is_known(name: str) -> None:
    coverage = coverage_of(f"  - {{item: A, kinds: [detector], by: ['{name}']}}\n")

    assert coverage_page.dangling(coverage, IDS, rule_registry.builtin_rulebook().focus) == []


@pytest.mark.parametrize(
    ("items", "line", "words"),
    [
        ("  - {item: A, kinds: [detector]}\n", 5, "nothing covers this item"),
        ("  - {item: A, kinds: [n/a]}\n", 5, "nothing covers this item"),
        ("  - {item: A, kinds: [rumour], by: [errors/x]}\n", 5, ""),
        ("  - {item: A, kinds: [detector], by: [Errors/X]}\n", 5, ""),
        (
            "  - {item: A, kinds: [n/a], note: B}\n  - {item: A, kinds: [n/a], note: B}\n",
            6,
            "this item stands here twice",
        ),
        ("  - {item: A, kinds: [n/a], note: B, says: C}\n", 5, ""),
    ],
)
def test_a_wrong_file_is_told_with_its_line(items: str, line: int, words: str) -> None:
    with pytest.raises(RuleError) as caught:
        coverage_of(items)

    assert (caught.value.path, caught.value.line) == ("coverage.yaml", line)
    assert words in caught.value.message


def test_a_page_links_rules_and_pages_and_escapes_bars() -> None:
    page = coverage_page.page(
        coverage_of(
            "  - {item: 'a | b', kinds: [detector, metric], by: [errors/bare-except, page/linters], note: n}\n"
        ),
        IDS,
    )

    assert (
        "| a \\| b | rule on code, measure | [errors/bare-except](rules/errors/bare-except.md), [linters](linters.md); n |"
        in page
    )
