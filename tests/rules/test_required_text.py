"""What a rule requires of a text: ``test_required_literals`` and ``test_filters`` show that no match is lost by it."""

from __future__ import annotations

from typing import Any

import pytest

from review_bot.rules.lean_regex import lean
from review_bot.rules.required_text import of_structural
from review_bot.rules.structural_pattern import Tree
from review_bot.rules.text_pattern import holds_all

RAISE = {"kind": "raise_statement", "regex": r"^raise \w+$"}
CALL = {"kind": "call", "has": {"field": "function", "regex": r"^(os\.)?system$"}}
METHOD = {"inside": {"kind": "function_definition", "has": {"field": "name", "regex": "^(step|run)$"}, "stopBy": "end"}}


@pytest.mark.parametrize(
    ("config", "possible", "impossible"),
    [
        ({"rule": {"pattern": "torch.load($A)"}}, ["torch.load(x)", "torch . load \\\n (x)", "torch  # a\n.load(x)"], ["torch.save(load(x))", "mytorch.load(x)", "torch.loads(x)"]),
        ({"rule": {"pattern": "$X.cpu().numpy()"}}, ["x.cpu().numpy()", "x.cpu( ).numpy(\n)"], ["x.cpu()\nx.numpy()", "x.cpu(0).numpy()"]),
        ({"rule": {"pattern": "$P.join()"}, "constraints": {"P": {"regex": "^worker$"}}}, ["worker.join()"], ["path.join()", "worker.close(), path.join()"]),
        ({"rule": {"pattern": "raise $E($$$A)"}, "constraints": {"E": {"regex": "^(A|B)$"}}}, ["raise B(1)"], ["raise C(B)", "A(1)"]),
        ({"rule": RAISE}, ["raise A", "if x: raise A; y", "raise A  # b", "raise A\r\n"], ["raise A(1)", "x = 'raise A'", "raise A from b"]),
        ({"rule": CALL}, ["system(x)", "os.system \\\n(x)"], ["os.system", "import system"]),
        ({"rule": {"all": [{"pattern": "f($X)"}, METHOD]}}, ["def run(): f(x)"], ["def run_all(): f(x)", "def run(): g(x)"]),
        ({"rule": {"any": [{"regex": "ab"}, {"regex": "^cd$"}]}}, ["xab", "cd"], ["a", "a b c d"]),
        ({"rule": {"any": [{"regex": "ab"}, {"kind": "lambda"}]}}, ["", "x"], []),
        ({"rule": {"not": {"regex": "ab"}, "kind": "call"}}, ["ab", "x"], []),
        ({"rule": {"regex": r"\bin\s*\("}}, ["a in (b)", "a not in(b)"], ["min(b)", "begin (b)"]),
        ({"rule": {"matches": "u"}, "utils": {"u": {"regex": "ab"}}}, ["ab"], ["a"]),
        ({"rule": {"regex": r"^\w+é\d$"}}, ["ñé٣"], ["é"]),
        ({"rule": {"regex": r"[\w-]x[^\s]"}}, ["漢x漢"], ["x"]),
    ],
)  # fmt: skip
def test_which_texts_a_rule_may_match_in(config: dict[str, Any], possible: list[str], impossible: list[str]):
    required = of_structural(config, "python")
    assert [text for text in possible if not holds_all(required, text)] == []
    assert [text for text in impossible if holds_all(required, text)] == []


@pytest.mark.parametrize(
    "regex",
    ["x*", "^$", r"\b", "(?m)^ab$", "(?x)a b", "[a[b]]", r"[\w--\d]", r"\pL", r"[^\W]a", "(?<n>ab)", "a{,2}b", r"\b{start}ab"],
)  # fmt: skip
def test_an_expression_that_every_text_matches_or_that_re2_may_read_otherwise_requires_nothing(regex: str):
    assert of_structural({"rule": {"regex": regex}}, "python") == ()


def test_a_word_boundary_counts_in_python_only():
    config = {"rule": {"regex": r"\bab"}}
    assert not holds_all(of_structural(config, "python"), "xab")
    assert holds_all(of_structural(config, "javascript"), "`\\nab`")


def test_ascii_classes_require_more_than_unicode_ones():
    config = {"rule": {"regex": r"a\wb"}}
    assert holds_all(of_structural(config, "python"), "aéb")
    assert not holds_all(of_structural(lean(config), "python"), "aéb")


def test_a_text_that_is_no_unicode_is_left_to_the_rule():
    assert holds_all(("x",), "\udcff")
    assert not holds_all(("x",), "\ufeff\0\r")


FOLLOWS = {"kind": "expression_statement", "follows": {"kind": "return_statement", "stopBy": "end"}}
AFTER_COMMENT = {"kind": "import_statement", "not": {"follows": {"kind": "comment"}}}
LAST = {"kind": "pass_statement", "nthChild": {"position": 1, "reverse": True}}
IN_MODULE = {"pattern": "f($X)", "not": {"inside": {"kind": "module", "regex": "import g", "stopBy": "end"}}}


@pytest.mark.parametrize(
    ("rule", "first", "second"),
    [
        (FOLLOWS, "return\n", "x\n"),
        (AFTER_COMMENT, "x = 1\n# the end\n", "import b\n"),
        (LAST, "pass\n", "x\n"),
        (IN_MODULE, "f(1)\n", "import g\n"),
        ({"kind": "decorated_definition"}, "@d\n", "def f(): pass\n"),
        ({"kind": "else_clause"}, "if a: b\n", "else: c\n"),
        ({"kind": "parenthesized_expression"}, "x = (\n", "a)\n"),
    ],
)
def test_files_joined_into_one_text_are_not_matched_as_each_alone(rule: dict[str, Any], first: str, second: str):
    """Which is why texts are kept from ast-grep one by one, and none is searched as a part of a longer one."""

    def lines(text: str, before: int = 0) -> list[tuple[int, int]]:
        return [(match.line + before, match.end_line + before) for match in Tree(text, "python").find({"rule": rule})]

    assert lines(first + second) != lines(first) + lines(second, first.count("\n"))
