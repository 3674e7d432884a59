"""The table of checks: the name that a rule file gives → the module that does it."""

from __future__ import annotations

from importlib import import_module
from typing import Any

CHECKS: dict[str, str] = {
    "broad_except_silent": "review_bot.checks.broad_except_silent",
    "constant_condition": "review_bot.checks.constant_condition",
    "duplicate_import": "review_bot.checks.duplicate_import",
    "eof_newline": "review_bot.checks.eof_newline",
    "exclusive_fields": "review_bot.checks.exclusive_fields",
    "frombuffer_alias": "review_bot.checks.frombuffer_alias",
    "frombuffer_unchecked": "review_bot.checks.frombuffer_unchecked",
    "long_function": "review_bot.checks.long_function",
    "misplaced_docstring": "review_bot.checks.misplaced_docstring",
    "missing_module_import": "review_bot.checks.missing_module_import",
    "missing_name_import": "review_bot.checks.missing_name_import",
    "missing_type_hints": "review_bot.checks.missing_type_hints",
    "module_docstring": "review_bot.checks.module_docstring",
    "non_english_comment": "review_bot.checks.non_english_comment",
    "public_docstring": "review_bot.checks.public_docstring",
    "repeated_guard": "review_bot.checks.repeated_guard",
    "return_contradiction": "review_bot.checks.return_contradiction",
    "stale_args": "review_bot.checks.stale_args",
    "torch_load": "review_bot.checks.torch_load",
}


def load(name: str) -> Any:
    """Import the module of a check: a ``FileCheck`` or a ``ChangeCheck``. Raises KeyError for an unknown name."""
    return import_module(CHECKS[name])
