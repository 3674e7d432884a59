"""Which ast-grep rules look at one statement of a module at a time."""

from __future__ import annotations

from typing import Any

import pytest

from review_bot.rules.locality import is_local

LOCAL: list[dict[str, Any]] = [
    {"pattern": "print($$$A)"},
    {"kind": "call", "inside": {"kind": "function_definition", "stopBy": "end"}},
    {"any": [{"pattern": "$A.wait()"}, {"kind": "await"}]},
    {"all": [{"pattern": "$E"}, {"kind": "call"}]},
    {"kind": "string", "nthChild": 1, "not": {"follows": {"kind": "string"}}},
    {"kind": "assert_statement", "has": {"nthChild": 1, "kind": "tuple"}},
    {"kind": "call", "not": {"inside": {"any": [{"kind": "if_statement"}, {"kind": "lambda"}]}}},
]
FURTHER: list[Any] = [
    {"pattern": "$E"},
    {"regex": "x"},
    {"kind": "module"},
    {"any": [{"kind": "call"}, {"regex": "x"}]},
    {"kind": "call", "inside": {"kind": "module", "stopBy": "end"}},
    {"kind": "call", "not": {"inside": {"regex": "cuda", "stopBy": "end"}}},
    {"kind": "call", "inside": {"any": [{"kind": "lambda"}, {"has": {"kind": "import_statement"}}]}},
    {"kind": "expression_statement", "precedes": {"kind": "comment"}},
    {"kind": "expression_statement", "nthChild": 1},
    {"all": [{"kind": "string"}, {"follows": {"kind": "string"}}]},
    {"kind": "call", "inside": {"kind": "expression_statement", "follows": {"kind": "import_statement"}}},
    {"kind": "call", "matches": "other"},
    {"pattern": {"context": "f($A)", "selector": "argument_list"}},
    None,
]


@pytest.mark.parametrize("rule", LOCAL, ids=str)
def test_looks_at_one_statement(rule: dict[str, Any]) -> None:
    assert is_local({"rule": rule})


@pytest.mark.parametrize("rule", FURTHER, ids=str)
def test_may_look_further(rule: Any) -> None:
    assert not is_local({"rule": rule})


def test_constraints_and_utilities_count() -> None:
    rule = {"pattern": "f($A)"}

    assert is_local({"rule": rule, "constraints": {"A": {"regex": "^x"}}})
    assert not is_local({"rule": rule, "constraints": {"A": {"inside": {"kind": "module"}}}})
    assert not is_local({"rule": rule, "utils": {"other": {"kind": "call"}}})
