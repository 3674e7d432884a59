"""No filter before the rules drops what a rule finds, over generated files; ``make filters`` tries many more."""

from __future__ import annotations

import ast
from functools import cache

import pytest

from review_bot.changes.pull_request import ChangedFile
from review_bot.changes.source_file import SourceFile
from review_bot.rules import structural_pattern
from review_bot.rules.rule import Rule
from tests.rule_cases import pattern_of
from tests.rules.filter_run import Joined, builtin_rules, run
from tests.rules.generated_files import LEAST_LINES, generated_file

WRONG = (("a_word_that_no_file_holds",),)


@cache
def rules_of(kind: str) -> tuple[Rule, ...]:
    return tuple(rule for rule in builtin_rules() if rule.kind == kind)


def test_no_filter_drops_a_finding():
    result = run(builtin_rules(), files=300, seed=1)
    assert result.drops == (), result.counted()
    assert result.files == 300
    assert result.decisions > 30_000


@pytest.mark.parametrize("kind", ["structural", "check"])
def test_wrong_literals_are_seen(kind: str):
    wrong = tuple(rule._replace(literals=WRONG) for rule in rules_of(kind))
    assert len({drop.rule for drop in run(wrong, files=40, seed=1).drops}) > 3


@pytest.mark.parametrize("kind", ["structural", "text", "check"])
def test_a_wrong_opening_is_seen(kind: str):
    wrong = tuple(rule._replace(opening=WRONG) for rule in rules_of(kind))
    assert len({drop.rule for drop in run(wrong, files=80, seed=1).drops}) > 2


def test_a_filter_that_sees_no_import_is_seen():
    rules = tuple(rule for rule in builtin_rules() if rule.required_imports)
    result = run(rules, files=1_000, seed=1, imports=lambda _source, _modules: False)
    assert {drop.what for drop in result.drops} == {"a required import"}
    assert {drop.rule for drop in result.drops} == {rule.id for rule in rules}


def test_the_same_seed_gives_the_same_files():
    assert [generated_file(7, number) for number in range(20)] == [generated_file(7, number) for number in range(20)]
    assert len({generated_file(7, number).text for number in range(200)}) == 200


def test_most_files_can_be_parsed_and_none_is_tiny():
    parsed = 0
    for number in range(200):
        text = generated_file(3, number).text
        assert text.count("\n") >= LEAST_LINES - 2  # each of up to two respellings may join two lines
        try:
            ast.parse(text.removeprefix("\ufeff"))
        except SyntaxError:
            continue
        parsed += 1
    assert parsed > 150


def test_what_a_rule_finds_in_a_file_it_finds_in_the_joined_text():
    sources = [
        SourceFile(ChangedFile(each.path, None, "added", "text", ()), each.text, None)
        for each in (generated_file(5, number) for number in range(80))
    ]
    joined = Joined(sources)
    trees = [
        [
            structural_pattern.Tree(text, "python")
            for text in (source.text, source.usual_spelling and source.usual_spelling.text)
            if text
        ]
        for source in sources
    ]
    found = 0
    for rule in rules_of("structural"):
        for index, spellings in enumerate(trees):
            if any(list(tree.find(pattern_of(rule).config)) for tree in spellings):
                found += 1
                assert joined.may_match(rule, index), (rule.id, index)
    assert found > 40
