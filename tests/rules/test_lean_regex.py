"""Regular expressions of shipped rules: cheaper, and the same on ASCII text."""

from __future__ import annotations

import pytest
from ast_grep_py import SgRoot
from hypothesis import given
from hypothesis import strategies as st

from review_bot.configuration import rule_registry
from review_bot.rules.lean_regex import lean, lean_regex
from review_bot.rules.matchers import RemovedCode, Structural
from tests.some import some


@pytest.mark.parametrize(
    ("regex", "expected"),
    [
        (r"^(\w+\.)*prompt$", r"^([0-9A-Za-z_]+\.)*prompt$"),
        (r"[\w.]+", r"[0-9A-Za-z_.]+"),
        (r"[^\w]", r"[^0-9A-Za-z_]"),
        (r"\W\D\S", r"[^0-9A-Za-z_][^0-9][^ \t\n\r\x0b\x0c]"),
        (r"[\W]", r"[\W]"),
        (r"\\w", r"\\w"),
        (r"\[\w\]", r"\[[0-9A-Za-z_]\]"),
        (r"[]\d]", r"[]0-9]"),
        (r"[^]\d]x\d", r"[^]0-9]x[0-9]"),
        (r"[a&&[\w]]\w", r"[a&&[0-9A-Za-z_]][0-9A-Za-z_]"),
        (r"\p{L}\bx\b", r"\p{L}\bx\b"),
        ("\\", "\\"),
    ],
)
def test_classes_become_ascii(regex, expected):
    assert lean_regex(regex) == expected


def test_only_the_values_of_regex_are_touched():
    config = {"rule": {"pattern": r"f(r'\w')", "any": [{"regex": r"\d"}, {"not": {"regex": "x"}}]}, "fix": r"\w"}
    assert lean(config) == {
        "rule": {"pattern": r"f(r'\w')", "any": [{"regex": "[0-9]"}, {"not": {"regex": "x"}}]},
        "fix": r"\w",
    }


PARTS = st.sampled_from([r"\w", r"\d", r"\s", r"\W", r"\D", r"\S", r"[\w.]", r"[^\d]", r"[\s,]", "a", "_", ".", r"\."])


@given(
    st.lists(PARTS, min_size=1, max_size=5),
    st.text(st.characters(codec="ascii", exclude_categories=["Cc"]), max_size=12),
)
def test_a_lean_expression_matches_the_same_ascii_text(parts, text):
    regex = "^" + "".join(parts) + "$"
    code = "x = '" + text.replace("\\", "/").replace("'", '"') + "'"

    def found(expression):
        root = SgRoot(code, "python").root()
        return [node.text() for node in root.find_all({"rule": {"kind": "string_content", "regex": expression}})]

    assert found(lean_regex(regex)) == found(regex)


def test_the_shipped_rules_are_lean():
    matchers = some(rule.matcher for rule in rule_registry.builtin_rulebook().rules)
    configs = some(each.config for each in matchers if isinstance(each, Structural | RemovedCode))
    assert [config for config in configs if lean(config) != config] == []
