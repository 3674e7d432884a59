"""A KV cache that an object keeps for itself and hands to every generation: the last request's keys are still in it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.statements import is_function
from review_bot.analysis.python.syntax import attribute_of_self, classes, hit_at, is_literal, keyword, own_nodes
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_KEYWORDS = ("past_key_values", "past_key_value", "kv_cache", "cache_params")
_STEPS = LazyRegex(r"forward|step|decode|prefill|__init__|continue|next")
"""Names of methods that go on where the last call ended."""

_EMPTYING = LazyRegex(r"reset\w*|clear|crop|truncate|free|evict|release|_?init\w*|pop|popitem")


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each call that gets such a cache, in a class that never empties or recreates it. Raises CannotParse."""
    for owner in classes(source.tree):
        methods = [node for node in owner.body if is_function(node)]
        for method in methods:
            if _STEPS.search(method.name):
                continue
            for call in own_nodes(method.body):
                cache = _own_cache(call)
                if cache and _stays(methods, cache):
                    yield hit_at(source, call, values={"cache": f"self.{cache}", "method": method.name})


def _own_cache(call: ast.AST) -> str:
    """Return the attribute of ``self`` that a call gets as its cache, or nothing."""
    if isinstance(call, ast.Call):
        return next(filter(None, (attribute_of_self(keyword(call, name)) for name in _KEYWORDS)), "")
    return ""


def _stays(methods: list[ast.FunctionDef | ast.AsyncFunctionDef], cache: str) -> bool:
    """Return whether the class makes the cache in ``__init__`` and from then on neither sets nor empties it."""
    made = False
    for method in methods:
        for node in own_nodes(method.body):
            targets = node.targets if isinstance(node, ast.Assign) else ()
            if any(attribute_of_self(part) == cache for target in targets for part in ast.walk(target)):
                if method.name != "__init__" or (isinstance(node, ast.Assign) and is_literal(node.value, None)):
                    return False
                made = True
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                emptied = attribute_of_self(node.func.value) == cache and _EMPTYING.fullmatch(node.func.attr)
                if emptied or (node.func.attr != "generate" and cache in map(attribute_of_self, node.args)):
                    return False
    return made


CHECK = file_check(examine, CheckTraits(literals=("past_key_values", "past_key_value", "kv_cache", "cache_params")))
