"""ast-grep rules over the text of a file; the only user of ``ast_grep_py``.

``find`` answers what ``ast-grep scan`` would answer: raw matches over the whole text, before anything is kept to
changed lines. Lines and columns are 1-based here, columns in code points, as the binding counts them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from ast_grep_py import SgNode, SgRoot

CONFIG_KEYS = ("rule", "constraints", "utils", "transform", "rewriters")
"""What ast-grep's search takes of a rule file."""

_PLACE = re.compile(r"\$\$\$([A-Z_][A-Z0-9_]*)|\$([A-Z_][A-Z0-9_]*)")


class Match(NamedTuple):
    """One match: its place, the statement it stands in, and what its meta-variables hold."""

    line: int
    column: int
    end_line: int
    end_column: int
    statement: str
    statement_line: int
    statement_end: int
    node: SgNode


class Tree:
    """The parsed text of one file, for any number of rules."""

    def __init__(self, text: str, language: str) -> None:
        self._root = SgRoot(text, language)

    def find(self, config: Mapping[str, Any]) -> Iterator[Match]:
        """Yield every match of a rule, in the order of the text."""
        for node in self._root.root().find_all(dict(config)):  # type: ignore[call-overload]
            yield _match(node)


def expand(template: str, match: Match, source: str) -> str:
    """Put the text of ``$NAME`` and ``$$$NAME`` in their places, as ast-grep does in messages and fixes."""

    def value(place: re.Match[str]) -> str:
        several, single = place.groups()
        if several:
            nodes = match.node.get_multiple_matches(several)
            if not nodes:
                return ""
            return source[nodes[0].range().start.index : nodes[-1].range().end.index]
        node = match.node.get_match(single)
        if node is not None:
            return node.text()
        transformed = match.node.get_transformed(single)
        return transformed if transformed is not None else place.group(0)

    return _PLACE.sub(value, template)


def has_errors(text: str, language: str) -> bool:
    """Tell whether the parser finds a syntax error in a text."""
    return SgRoot(text, language).root().find(kind="ERROR") is not None


def problem_with(config: Mapping[str, Any], language: str) -> str | None:
    """Return why ast-grep refuses a rule, or None if it accepts it. ``language`` must be a known one."""
    try:
        SgRoot("", language).root().find_all(dict(config))  # type: ignore[call-overload]
    except BaseException as error:  # the binding panics through BaseException
        if isinstance(error, KeyboardInterrupt | SystemExit | MemoryError):
            raise
        return " ".join(str(error).split()) or type(error).__name__
    return None


def _match(node: SgNode) -> Match:
    span = node.range()
    statement = _statement(node)
    start, end, text = statement
    return Match(
        line=span.start.line + 1,
        column=span.start.column + 1,
        end_line=span.end.line + 1,
        end_column=span.end.column + 1,
        statement=text,
        statement_line=start,
        statement_end=end,
        node=node,
    )


_BLOCKS = ("block", "module", "program", "source_file", "translation_unit", "statement_block", "compound_statement")


def _statement(node: SgNode) -> tuple[int, int, str]:
    """Return first line, last line and text of the statement around a node; of a compound one its head only."""
    current = node
    parent = current.parent()
    while parent is not None and parent.kind() not in _BLOCKS:
        if current.kind() in {"except_clause", "case_clause", "elif_clause", "else_clause", "finally_clause"}:
            break
        current, parent = parent, parent.parent()
    if parent is None:
        current = node
    span = current.range()
    text = current.text()
    body = current.field("body") or current.field("consequence")
    if body is None:
        body = next((child for child in current.children() if child.kind() == "block"), None)
    if body is not None and body.range().start.index > span.start.index:
        if body.range().start.index > node.range().start.index or node.range().start.index == span.start.index:
            head = text[: body.range().start.index - span.start.index].rstrip()
            return span.start.line + 1, span.start.line + 1 + head.count("\n"), head
    return span.start.line + 1, span.end.line + 1, text
