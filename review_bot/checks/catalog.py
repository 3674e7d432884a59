"""The table of checks: the name that a rule file gives → the module that does it."""

from __future__ import annotations

from importlib import import_module
from typing import Any

CHECKS: dict[str, str] = {
    "alloc_unchecked": "review_bot.checks.alloc_unchecked",
    "broad_except_silent": "review_bot.checks.broad_except_silent",
    "case_collision": "review_bot.checks.case_collision",
    "code_without_tests": "review_bot.checks.code_without_tests",
    "collective_under_rank": "review_bot.checks.collective_under_rank",
    "constant_condition": "review_bot.checks.constant_condition",
    "copied_override": "review_bot.checks.copied_override",
    "create_then_move": "review_bot.checks.create_then_move",
    "duplicate_class": "review_bot.checks.duplicate_class",
    "duplicate_import": "review_bot.checks.duplicate_import",
    "eof_newline": "review_bot.checks.eof_newline",
    "exclusive_fields": "review_bot.checks.exclusive_fields",
    "frombuffer_alias": "review_bot.checks.frombuffer_alias",
    "frombuffer_unchecked": "review_bot.checks.frombuffer_unchecked",
    "functional_dropout": "review_bot.checks.functional_dropout",
    "long_function": "review_bot.checks.long_function",
    "migration_missing": "review_bot.checks.migration_missing",
    "min_python": "review_bot.checks.min_python",
    "misplaced_docstring": "review_bot.checks.misplaced_docstring",
    "missing_module_import": "review_bot.checks.missing_module_import",
    "missing_name_import": "review_bot.checks.missing_name_import",
    "missing_type_hints": "review_bot.checks.missing_type_hints",
    "module_docstring": "review_bot.checks.module_docstring",
    "non_english_comment": "review_bot.checks.non_english_comment",
    "payload_without_budget": "review_bot.checks.payload_without_budget",
    "public_docstring": "review_bot.checks.public_docstring",
    "removed_public_name": "review_bot.checks.removed_public_name",
    "repeated_guard": "review_bot.checks.repeated_guard",
    "return_contradiction": "review_bot.checks.return_contradiction",
    "signature_break": "review_bot.checks.signature_break",
    "stale_args": "review_bot.checks.stale_args",
    "symbol_untested": "review_bot.checks.symbol_untested",
    "torch_load": "review_bot.checks.torch_load",
    "unbounded_cache": "review_bot.checks.unbounded_cache",
    "unbounded_payload": "review_bot.checks.unbounded_payload",
    "undeclared_import": "review_bot.checks.undeclared_import",
    "zero_scale": "review_bot.checks.zero_scale",
}


def load(name: str) -> Any:
    """Import the module of a check: a ``FileCheck`` or a ``ChangeCheck``. Raises KeyError for an unknown name."""
    return import_module(CHECKS[name])
