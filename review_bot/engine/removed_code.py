"""What a change took away for good: matches in the old text that the new text has lost.

A deleted line alone proves nothing: the code may have moved within the file, changed its form, or gone together with
the function around it. So a match in the old text counts only if

- the function or class around it is still there (by name), and the file is;
- its text (formatting aside) occurs less often in the new file than in the old one;
- no match of ``unless_added`` is in a statement that the change touched. A variable that both rules have
  (``$T`` in ``assert $T.shape == $S`` and ``$T.shape``) holds the same text in both.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from review_bot.changes.source_file import SourceFile
from review_bot.rules import text_pattern
from review_bot.rules.matchers import RemovedCode, RemovedLine
from review_bot.rules.rule import Hit
from review_bot.rules.structural_pattern import Match, Tree
from review_bot.text.lazy_regex import LazyRegex

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_FUNCTIONS_IN_SCRIPT = ("function_declaration", "class_declaration", "method_definition")
_DEFINITIONS: Mapping[str, tuple[str, ...]] = {
    "c": ("function_definition",),
    "cpp": ("function_definition", "class_specifier", "struct_specifier"),
    "go": ("function_declaration", "method_declaration"),
    "java": ("method_declaration", "class_declaration"),
    "javascript": _FUNCTIONS_IN_SCRIPT,
    "python": ("function_definition", "class_definition"),
    "rust": ("function_item",),
    "tsx": _FUNCTIONS_IN_SCRIPT,
    "typescript": _FUNCTIONS_IN_SCRIPT,
}
"""Nodes that have a name and hold code, by language. In another language a file is one scope."""

_FORM = LazyRegex(r"""[\s\\(),'"]+""")
_VARIABLE = LazyRegex(r"\$([A-Z_][A-Z0-9_]*)")


def lost_matches(matcher: RemovedCode, source: SourceFile, old: Tree, new: Tree) -> Iterator[Match]:
    """Yield the matches in the old text that the change took away, in the order of the old text."""
    before = list(old.find(matcher.config))
    touched = [match for match in before if _any_in(source.removed, match.line, match.end_line)]
    if not touched:
        return
    kinds = _DEFINITIONS.get(matcher.language, ())
    lost = Counter((_scope(match, kinds), _bare(match.node.text())) for match in before)
    lost.subtract((_scope(match, kinds), _bare(match.node.text())) for match in new.find(matcher.config))
    old_text, new_text = source.old_text or "", source.text or ""
    comment = "#" if matcher.language == "python" else "//"
    as_is, as_code = (
        (_bare(old_text), _bare(new_text)),
        (_bare(_without_comments(old_text, comment)), _bare(_without_comments(new_text, comment))),
    )
    lost_anywhere: dict[str, int] = {}
    for _, text in lost:
        before_all, after_all = as_is if comment in text else as_code
        lost_anywhere[text] = before_all.count(text) - after_all.count(text)
    definitions = {"rule": {"any": [{"kind": kind} for kind in kinds]}}
    kept = {(*_scope(each, kinds), _name(each.node)) for each in new.find(definitions)} if kinds else set()
    for match in touched:
        scope, text = _scope(match, kinds), _bare(match.node.text())
        if lost[scope, text] <= 0 or lost_anywhere[text] <= 0 or (scope and scope not in kept):
            continue
        if matcher.unless_added is not None and _is_replaced(match, matcher.unless_added, source, new):
            continue
        lost[scope, text] -= 1
        lost_anywhere[text] -= 1
        yield match


def lost_lines(matcher: RemovedLine, source: SourceFile) -> Iterator[Hit]:
    """Yield the removed lines that a regular expression finds and that no added line brings back."""
    again = Counter(line.strip() for line in source.added.values())
    joined = "\n".join(source.removed.values())
    for line, start, end in text_pattern.search_lines(matcher.regex, source.removed.items(), joined, matcher.unless):
        text = source.removed[line]
        if again[text.strip()] > 0:
            again[text.strip()] -= 1
            continue
        yield Hit(line, line, start + 1, end + 1, side="LEFT")


def _without_comments(text: str, sign: str) -> str:
    """Return a text without what is behind a sign of comments, so that code in a comment counts as gone."""
    return re.sub(rf"{sign}[^\n]*", "", text)


def _bare(text: str) -> str:
    """Return a text without what a formatter may change."""
    return _FORM.sub("", text)


def _scope(match: Match, kinds: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of the functions and classes around a match, outermost first."""
    names = [_name(node) for node in match.node.ancestors() if node.kind() in kinds]
    return tuple(reversed(names))


def _name(node: SgNode) -> str:
    """Return the name of a definition; for C and C++ that is its declarator without the parameters."""
    field = node.field("name") or node.field("declarator")
    return "" if field is None else field.text().partition("(")[0].strip()


def _is_replaced(match: Match, config: Mapping[str, Any], source: SourceFile, new: Tree) -> bool:
    """Return whether a match of ``unless_added`` is in a statement with an added line."""
    found = new.find(_bound(config, match.node))
    return any(
        _any_in(source.added, min(each.line, each.statement_line), max(each.end_line, each.statement_end))
        for each in found
    )


def _any_in(lines: Mapping[int, str], first: int, last: int) -> bool:
    return any(number in lines for number in range(first, last + 1))


def _bound(config: Mapping[str, Any], node: SgNode) -> dict[str, Any]:
    """Return a rule in whose patterns every variable that a node holds has given way to its text."""
    bound: dict[str, Any] = {key: _with_texts(value, node) for key, value in config.items() if key != "constraints"}
    free = {name: rule for name, rule in config.get("constraints", {}).items() if node.get_match(name) is None}
    return bound | ({"constraints": free} if free else {})


def _with_texts(rule: Any, node: SgNode) -> Any:
    if isinstance(rule, list):
        return [_with_texts(each, node) for each in rule]
    if not isinstance(rule, Mapping):
        return rule
    return {
        key: _pattern_with_texts(value, node) if key in {"pattern", "context"} else _with_texts(value, node)
        for key, value in rule.items()
    }


def _pattern_with_texts(pattern: Any, node: SgNode) -> Any:
    if not isinstance(pattern, str):
        return _with_texts(pattern, node)

    def text(variable: re.Match[str]) -> str:
        held = node.get_match(variable[1])
        return variable[0] if held is None else held.text()

    return _VARIABLE.sub(text, pattern)
