"""One changed file as a rule sees it: the change, the whole text on both sides, and a Python syntax tree on demand."""

from __future__ import annotations

from collections.abc import Hashable
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from review_bot.changes import patching
from review_bot.changes.node_lines import last_line, lines_of, span_of
from review_bot.changes.patching import NO_NEWLINE
from review_bot.changes.pull_request import BYTE_ORDER_MARK, ChangedFile, Hunk, without_mark
from review_bot.changes.python_parsing import CannotParse, explained, parse_python, parsed
from review_bot.changes.usual_spelling import UsualSpelling, respelled, unusual_parts
from review_bot.changes.vocabulary import Vocabulary, vocabulary_of
from review_bot.errors import DiffError
from review_bot.text.lazy_regex import LazyRegex

if TYPE_CHECKING:
    import ast

    from review_bot.changes.node_index import Node


_DIRECTIVE_WORD = "review-bot:"
_DIRECTIVE = LazyRegex(r"#\s{0,9}review-bot:.*")
"""A suppression comment in Python, to the end of its line."""


def without_directive(line: str) -> str:
    """Return a line of Python without its suppression comment."""
    return _DIRECTIVE.sub("", line) if _DIRECTIVE_WORD in line else line


class SourceFile:
    """A changed text file. ``text`` is None when only the diff is known, or when the file was deleted.

    Neither text keeps a byte order mark at its start, so that rules, parsers and columns do not count it.

    The syntax tree is made once, when first asked for, and is freed with this object: do not keep a reference to it.
    """

    def __init__(
        self, change: ChangedFile, text: str | None, old_text: str | None, *, parsed: SourceFile | None = None
    ) -> None:
        self.change = change
        self.path = change.path
        self.has_mark = text is not None and text.startswith(BYTE_ORDER_MARK)
        self.text = None if text is None else without_mark(text)
        self.old_text = None if old_text is None else without_mark(old_text)
        self.answers: dict[Hashable, Any] = {}
        self._cannot: CannotParse | None = None
        self._parsed = parsed

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The words of the new text; where only the diff is known, those of the added lines."""
        return vocabulary_of(self.path, self.text if self.text is not None else _joined(self.added))

    @cached_property
    def old_vocabulary(self) -> Vocabulary:
        """The words of the old text; where only the diff is known, those of the removed lines."""
        text = self.old_text if self.old_text is not None else _joined(self.removed)
        return vocabulary_of(self.change.base_path, text)

    @cached_property
    def usual_spelling(self) -> UsualSpelling | None:
        """The new text as Python is usually written; None if it is so already."""
        return respelled(self.text or "", self.unusual_parts) if self.unusual_parts else None

    @cached_property
    def unusual_parts(self) -> list[tuple[int, int, str]]:
        """What differs between the new text and its usual spelling."""
        return unusual_parts(self.text or "")

    @cached_property
    def lines(self) -> list[str]:
        """The lines of the new text, without their ends; line ``n`` is ``lines[n - 1]``."""
        return [] if self.text is None else self.text.split("\n")

    @cached_property
    def lines_of_authors(self) -> list[str]:
        """The lines without suppression comments, which explain nothing of the code to a rule."""
        if _DIRECTIVE_WORD not in (self.text or ""):
            return self.lines
        return list(map(without_directive, self.lines))

    @cached_property
    def old_lines(self) -> list[str]:
        """The lines of the old text, without their ends."""
        return [] if self.old_text is None else self.old_text.split("\n")

    @cached_property
    def added(self) -> dict[int, str]:
        """Line number at the head → text of each added line."""
        return dict(self.change.added_lines())

    @cached_property
    def added_code(self) -> dict[int, str]:
        """``added`` as Python is usually spaced; continued lines are joined, under the number of the first."""
        from review_bot.changes.logical_lines import logical_lines

        return logical_lines(self.added)

    @cached_property
    def removed_code(self) -> dict[int, str]:
        """``removed`` as Python is usually spaced; continued lines are joined, under the number of the first."""
        from review_bot.changes.logical_lines import logical_lines

        return logical_lines(self.removed)

    @cached_property
    def removed(self) -> dict[int, str]:
        """Line number at the base → text of each removed line."""
        return dict(self.change.removed_lines())

    @cached_property
    def tree(self) -> ast.Module:
        """The Python syntax tree of the new text. Raises CannotParse.

        ``lineno`` counts as git does; ``col_offset`` counts UTF-8 bytes (see ``column``).
        """
        if self._parsed is not None:
            return self._parsed.tree
        if self._cannot is not None:
            raise self._cannot
        try:
            return parse_python(self.text or "")
        except CannotParse as error:
            self._cannot = explained(error, self.text or "")
            raise self._cannot from error

    @cached_property
    def old_tree(self) -> ast.Module:
        """The Python syntax tree of the old text. Raises CannotParse."""
        return parse_python(self.old_text or "")

    @cached_property
    def known_old_tree(self) -> ast.Module | None:
        """``old_tree``, or None where the old text is not known or cannot be parsed."""
        return None if self.old_text is None else parsed(self.old_text)

    def functions_around(self, line: int) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
        """Return the functions around a line, the outermost first. Raises CannotParse."""
        return [each for each in self.functions if each.lineno <= line <= last_line(each)]

    @cached_property
    def touched_functions(self) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
        """The ``functions`` of which the change adds a line, or deletes one between two. Raises CannotParse.

        Those of which it edits comments and the docstring alone are none.
        """
        touched = (each for each in self.functions if self.touches(*span_of(each)))
        return [each for each in touched if not self._is_only_described(each)]

    def _is_only_described(self, function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
        first, last = span_of(function)
        docstring = lines_of(function.body[0]) if len(function.body) > 1 else range(0)
        added = (number for number in self.added if first <= number <= last and number not in docstring)
        if not all(self.lines[number - 1].lstrip()[:1] in {"", "#"} for number in added):
            return False
        old = self.known_old_tree
        if old is None:
            return False
        from review_bot.changes.node_index import nodes_of

        return any(
            each.name == function.name and _without_docstring(each) == _without_docstring(function)
            for each in nodes_of(old, type(function))
        )

    def nodes(self, kind: type[Node]) -> list[Node]:
        """Return every node of one kind in the tree, in the order of the text. Raises CannotParse.

        One walk serves all the checks of a file; ``ast.walk`` in each of them costs more than the parse.
        """
        from review_bot.changes.node_index import nodes_of

        return nodes_of(self.tree, kind)

    @cached_property
    def functions(self) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
        """Every function of the tree, methods and local ones too, in the order of the text. Raises CannotParse."""
        import ast

        found: list[ast.FunctionDef | ast.AsyncFunctionDef] = [*self.nodes(ast.FunctionDef)]
        found += self.nodes(ast.AsyncFunctionDef)
        return sorted(found, key=lambda function: (function.lineno, function.col_offset))

    @cached_property
    def line_starts(self) -> list[int]:
        """Where each line of the text begins, and where one behind the last would, in code points."""
        return [0, *accumulate(len(line) + 1 for line in self.lines)]

    def column(self, line: int, byte_offset: int) -> int:
        """Turn ``ast``'s 0-based byte offset in a line into a 1-based column in code points."""
        if not 1 <= line <= len(self.lines):
            return 1
        text = self.lines[line - 1]
        if text.isascii():
            return byte_offset + 1
        start = text.encode("utf-8", "surrogatepass")[:byte_offset]
        return len(start.decode("utf-8", "ignore")) + 1

    def all_added(self) -> SourceFile:
        """Return this file as one that the change adds: every line of its text is added. It shares the syntax tree."""
        text = self.text or ""
        lines = text.split("\n")
        ending = (NO_NEWLINE,) if lines[-1] else ()
        lines = lines if lines[-1] else lines[:-1]
        hunk = Hunk(0, 0, 1, len(lines), (*(f"+{line}" for line in lines), *ending))
        change = self.change._replace(
            status="added", old_path=None, hunks=(hunk,), added=len(lines), removed=0, shown=False
        )
        return SourceFile(change, text, None, parsed=self)

    def none_added(self) -> SourceFile:
        """Return this file as one of which the change adds no line. It shares the syntax tree."""
        change = self.change._replace(status="modified", hunks=(), added=0, removed=0, shown=False)
        return SourceFile(change, self.text, None, parsed=self)

    def at_base(self) -> SourceFile | None:
        """Return the file at the base, as one whose lines are all added; None where its text is not known."""
        text = self.old_text
        if text is None:
            try:
                text = patching.undo(self.text or "", self.change.hunks)
            except DiffError:
                return None
        return SourceFile(self.change._replace(path=self.change.base_path), text, None).all_added()

    def all_removed(self) -> SourceFile:
        """Return this file as one of which every line is removed; where only the diff is known, as it is."""
        if self.old_text is None:
            return self
        lines = tuple(f"-{line}" for line in self.old_text.removesuffix("\n").split("\n"))
        hunk = Hunk(1, len(lines), 0, 0, lines)
        return SourceFile(self.change._replace(hunks=(hunk,), added=0, removed=len(lines)), None, self.old_text)

    def any_added(self, first: int, last: int) -> bool:
        """Return whether one of the lines ``first`` to ``last`` (inclusive) was added."""
        return not self.added.keys().isdisjoint(range(first, last + 1))

    @cached_property
    def _deletions(self) -> frozenset[int]:
        """The lines of the new text in front of which lines were deleted."""
        found: set[int] = set()
        for hunk in self.change.hunks:
            number = hunk.new_start if hunk.new_count else hunk.new_start + 1
            for line in hunk.lines:
                if line[:1] == "-":
                    found.add(number)
                elif line[:1] in {"+", " "}:
                    number += 1
        return frozenset(found)

    def touches(self, first: int, last: int) -> bool:
        """Return whether a line of ``first`` to ``last`` (inclusive) was added, or one between them deleted."""
        return self.any_added(first, last) or not self._deletions.isdisjoint(range(first + 1, last + 1))

    def first_added(self, first: int, last: int) -> int | None:
        """Return the first of the lines ``first`` to ``last`` (inclusive) that was added, if any was."""
        return next((number for number in range(first, last + 1) if number in self.added), None)

    def line_with(self, first: int, last: int, *texts: str) -> int:
        """Return the line of ``first`` to ``last`` (inclusive) that holds a text, an added one first, or ``first``."""
        found = [line for text in texts for line in range(first, last + 1) if text in self.lines[line - 1]]
        return next((line for line in found if line in self.added), found[0] if found else first)

    def first_removed(self, first: int, last: int) -> int | None:
        """Return the first of the lines ``first`` to ``last`` (inclusive) of the base that was removed, if any was."""
        return next((number for number in range(first, last + 1) if number in self.removed), None)

    def any_removed(self, first: int, last: int) -> bool:
        """Return whether one of the lines ``first`` to ``last`` (inclusive) of the base was removed."""
        return not self.removed.keys().isdisjoint(range(first, last + 1))

    def mostly_added(self, first: int, last: int) -> bool:
        """Return whether more than half of the lines ``first`` to ``last`` (inclusive) were added."""
        return 2 * sum(number in self.added for number in range(first, last + 1)) > last - first + 1


def _without_docstring(function: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    """Return the code of a function as text."""
    import ast

    described = ast.get_docstring(function, clean=False) is not None
    body = function.body[1:] if described else function.body
    return " ".join(map(ast.dump, (function.args, *function.decorator_list, *body)))


def _joined(lines: dict[int, str]) -> str:
    return "\n".join([*lines.values(), ""])
