"""A fixture of pytest whose docstring says another scope than its decorator gives it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.statements import last_name
from review_bot.analysis.python.syntax import hit_on, keyword, text_of
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_SAID = LazyRegex(r"(?i)\b(session|package|module|class|function)(?:[- ]level)?[- ]scoped?\b")
_COMPARES = LazyRegex(r"(?i)\b(?:not|no longer|instead|rather|unlike|than|avoid|was|from|before|cannot|can't|don't)\b")
"""Words with which a text may mean a scope that the fixture does not have."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the decorator of each such fixture. Raises CannotParse."""
    for function in source.functions:
        decorator = next((each for each in function.decorator_list if last_name(each) == "fixture"), None)
        text = ast.get_docstring(function) if decorator is not None else None
        said = {each.lower() for each in _SAID.findall(text)} if text else set()
        scope = _scope(decorator)
        if decorator is None or len(said) != 1 or scope is None or scope in said:
            continue
        if not _COMPARES.search(" ".join(line for line in (text or "").split("\n") if _SAID.search(line))):
            yield hit_on(source, decorator, values={"name": function.name, "said": said.pop(), "scope": scope})


def _scope(decorator: ast.expr | None) -> str | None:
    """Return the scope that a decorator gives a fixture; None where its text does not show it."""
    if not isinstance(decorator, ast.Call):
        return "function"
    given = keyword(decorator, "scope")
    if any(each.arg is None for each in decorator.keywords) or decorator.args:
        return None
    return "function" if given is None else text_of(given)


CHECK = file_check(examine, CheckTraits(literals=("fixture scope",)))
