"""No regular expression of ours needs more than linear time, whatever text a pull request holds."""

import re
from pathlib import Path

import pytest

import review_bot
from review_bot.configuration.rule_registry import builtin_rulebook
from review_bot.rules.matchers import Checked
from tests.pumping import Expression, expressions_of, slow_text

PACKAGE = Path(review_bot.__file__).parent


@pytest.fixture(scope="module")
def found() -> tuple[list[Expression], set[str]]:
    """Return the expressions of the package, and the functions that build one."""
    return expressions_of(PACKAGE)


SAFE_BUILDERS = {
    "text.lazy_regex:__getattr__": "compiles what `LazyRegex(...)` was given",
    "text.globs:compile_glob": "at most two stars and 300 bytes; RE2 for the rest",
    "review.redaction:without_secrets": "escaped words with `|` between them",
    "reports.page.colour:_language": "lines of 600 characters at most",
    "analysis.project.added_builds:_declares": "escaped names behind parts of at most 200 characters, line by line",
    "checks.errors.dropped_call:examine": "an option of a rule",
    "checks.distributed.dropped_context:examine": "an option of a rule",
}
"""The functions that compile an expression which their text does not show, and why its time has an end."""

OPTIONS = ("calls", "unless", "guards")
"""The options of built-in rules that are compiled by ``re``; the expressions of matchers run on RE2 or in Rust."""


@pytest.mark.parametrize("part", range(8))
def test_expressions_of_the_code_need_linear_time(found, part):
    expressions, _ = found
    assert [slow for each in expressions[part::8] if (slow := slow_text(each))] == []


def test_expressions_in_options_of_rules_need_linear_time():
    options = [rule.matcher.options for rule in builtin_rulebook().rules if isinstance(rule.matcher, Checked)]
    patterns = [str(each[key]) for each in options for key in OPTIONS if key in each]
    assert len(patterns) >= 6
    assert [slow for each in patterns if (slow := slow_text(Expression(each, each, 0, anywhere=True)))] == []


def test_every_expression_is_found_or_explained(found):
    expressions, builders = found
    assert len(expressions) > 400
    assert set(SAFE_BUILDERS) == builders


@pytest.mark.parametrize(
    "source",
    [
        r"(?:a+)+b",
        r"(?:\w|a)*!",
        r"\w+\s*=",
        r"x.*y",
        r"^\s*\w*\s*$",
        r"from (?:\\\\.?\n?)*import",
        r"class\b[^:]*\bname",
    ],
)
def test_a_slow_expression_is_seen(source):
    assert slow_text(Expression(source, source, 0, anywhere=True)) is not None


@pytest.mark.parametrize("source", [r"\bname\b", r"(?<!\w)\w+=", r"\w+", r"(?m)^[ \t]*#.*$", r"\[[^\[\]]*\]"])
def test_a_linear_expression_is_not(source):
    re.compile(source)
    assert slow_text(Expression(source, source, 0, anywhere=True)) is None
