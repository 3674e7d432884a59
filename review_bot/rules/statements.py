"""The statement around a place in code, and the comments of a file; like ``structural_pattern``, it uses ast-grep.

The statement of a compound one (``def``, ``class``, ``with``, ``except`` ...) is its head: from the first decorator to
the colon, or to where its body begins.
"""

from collections.abc import Iterator
from functools import lru_cache

from ast_grep_py import SgNode, SgRoot

from review_bot.records import NamedTuple

_BLOCKS = frozenset(
    {
        *("block", "module", "program", "source_file", "translation_unit", "statement_block", "compound_statement"),
        *("class_body", "declaration_list", "field_declaration_list", "switch_body", "interface_body", "enum_body"),
        *("document", "stylesheet", "chunk", "do_group", "body", "function_body", "compilation_unit"),
    }
)
_CLAUSES = frozenset(
    {"except_clause", "except_group_clause", "case_clause", "elif_clause", "else_clause", "finally_clause"}
)
_COMMENTS = (
    *("comment", "line_comment", "block_comment", "multiline_comment", "doc_comment", "documentation_comment"),
    *("haddock", "html_comment", "js_comment", "xml_comment"),
)


class Statement(NamedTuple):
    """First and last line (1-based) and text of a statement."""

    line: int
    end_line: int
    text: str


def statement_around(node: SgNode) -> Statement:
    """Return the statement that contains a node; the node itself if nothing around it is a block."""
    current, parent = node, node.parent()
    while parent is not None and parent.kind() not in _BLOCKS and current.kind() not in _CLAUSES:
        current, parent = parent, parent.parent()
    if parent is None:
        current = node
    span = current.range()
    text = current.text()
    end = _end_of_head(current)
    here = node.range().start.index
    if end is not None and (end >= here or here == span.start.index):
        text = text[: end - span.start.index].rstrip()
    return Statement(span.start.line + 1, span.start.line + 1 + text.count("\n"), text)


def _end_of_head(statement: SgNode) -> int | None:
    """Return where the head of a compound statement ends: an index in the text; None for a simple statement."""
    inner = statement.field("definition") or statement
    body = inner.field("body") or inner.field("consequence")
    if body is None:
        body = next((child for child in inner.children() if child.kind() == "block"), None)
    if body is None or body.range().start.index <= inner.range().start.index:
        return None
    colon = None
    for child in inner.children():
        if child.range().start.index >= body.range().start.index:
            break
        if child.kind() == ":":
            colon = child.range().end.index
    return body.range().start.index if colon is None else colon


class Code:
    """The parsed text of one file, asked for statements by line and for comments."""

    def __init__(self, text: str, language: str) -> None:
        self._lines = text.split("\n")
        self._tree = SgRoot(text, language)
        self._root = self._tree.root()
        self._language = language

    def statement_lines(self, line: int, column: int | None) -> tuple[int, int]:
        """Return first and last line of the statement at a place (1-based; no ``column``: the line's first code)."""
        text = self._lines[line - 1] if line <= len(self._lines) else ""
        at = (line - 1, column - 1 if column is not None else len(text) - len(text.lstrip()))
        node = self._root
        while inner := next((child for child in node.children() if _holds(child, at)), None):
            node = inner
        if node.parent() is None or node.kind() in _BLOCKS:
            return line, line
        found = statement_around(node)
        return (found.line, found.end_line) if found.line <= line <= found.end_line else (line, line)

    def comments(self) -> Iterator[tuple[int, str, bool]]:
        """Yield line, text, and whether it is alone, of each line of each comment, in the order of the text."""
        found = [node for kind in _comment_kinds(self._language) for node in self._root.find_all(kind=kind)]
        for node in sorted(found, key=lambda each: each.range().start.index):
            start = node.range().start
            for number, text in enumerate(node.text().split("\n")):
                alone = number > 0 or not self._lines[start.line][: start.column].strip(" \t")
                yield start.line + 1 + number, text, alone


def _holds(node: SgNode, at: tuple[int, int]) -> bool:
    span = node.range()
    return (span.start.line, span.start.column) <= at < (span.end.line, span.end.column)


@lru_cache(maxsize=64)
def _comment_kinds(language: str) -> tuple[str, ...]:
    known = []
    for kind in _COMMENTS:
        try:
            SgRoot("", language).root().find(kind=kind)
        except RuntimeError:
            continue  # this grammar has no node of that name
        known.append(kind)
    return tuple(known)
