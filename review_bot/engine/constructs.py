"""Finds the added lines that areas count and that question cards ask about, in one file.

A card asks about a line only if the text around it is known: what the rest of the function may answer is no question.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache

from review_bot.assessment.review_areas import FocusMap, Surroundings, Trigger, filled
from review_bot.changes.node_lines import last_line, lines_of
from review_bot.changes.profile import TriggerMatch
from review_bot.changes.python_parsing import CannotParse
from review_bot.changes.source_file import SourceFile
from review_bot.changes.vocabulary import Vocabulary
from review_bot.engine.plan import NEW_NAMES
from review_bot.rules import text_pattern
from review_bot.rules.scope import in_part, is_python
from review_bot.text.globs import matches_any
from review_bot.text.lazy_regex import LazyRegex

MOST_TRIED = 12
"""Lines of a file that are tried for one question, so that many matching lines cost no more than a few."""

LONGEST_NAME = 80
"""Characters of what a group matched; a longer text names nothing."""

_NAMES = (
    LazyRegex(r"\b(?:def|class)\s+([A-Za-z_]\w*)"),
    LazyRegex(r"^\s*([A-Za-z_][\w.]*)\s*(?::[^=]+)?=(?!=)"),
    LazyRegex(r"(?<![\w.])([A-Za-z_][\w.]*)\("),
    LazyRegex(r"^\s*(?:-\s+)?([A-Za-z_][\w-]*):"),
)
"""What a line names: what it defines, sets, calls, or the key of a mapping."""


def is_code(text: str, *, python: bool) -> bool:
    """Return whether a line is neither blank nor a comment."""
    stripped = text.lstrip()
    return stripped != "" and not (python and stripped[0] == "#")


def trigger_matches(source: SourceFile, code: Mapping[int, str], focus: FocusMap) -> Iterator[TriggerMatch]:
    """Yield how many of the added lines each trigger matches, and the line that stands for them."""
    if not code:
        return
    added: Vocabulary | None = None
    around = _Around(source)
    for number in _triggers_for(focus.triggers, source.path):
        trigger = focus.triggers[number]
        if trigger.lines is None:
            yield TriggerMatch(number, len(code), None)
            continue
        if added is None:
            added = Vocabulary("\n".join(code.values()))
        if not added.hold(trigger.literals):
            continue
        found = _lines_with(trigger.lines, code, added.text)
        if trigger.quotes:
            named = [(line, names) for line in found[:MOST_TRIED] if (names := around.names(trigger, line, code[line]))]
            if named:
                line, names = named[0]
                yield TriggerMatch(number, len(named), line, names)
        elif found:
            shown = next((line for line in found if not _is_import(code[line])), found[0])
            yield TriggerMatch(number, len(found), shown)


def _is_import(text: str) -> bool:
    """Return whether a line imports: it counts as any other, but it is not where a reader should look."""
    return text.lstrip().startswith(("import ", "from ", "#include", "using "))


def _lines_with(regex: str, lines: Mapping[int, str], joined: str) -> list[int]:
    found = text_pattern.matching_lines(regex, joined)
    if not found:
        return []
    numbers = [*lines]
    return [numbers[index] for index in found]


@lru_cache(maxsize=4096)
def _triggers_for(triggers: tuple[Trigger, ...], path: str) -> tuple[int, ...]:
    """Return the triggers, by index, that look at a file of this path."""
    return tuple(
        number
        for number, trigger in enumerate(triggers)
        if in_part(trigger.scope, path)
        and (not trigger.paths or matches_any(trigger.paths, path))
        and not (trigger.ignores and matches_any(trigger.ignores, path))
    )


class _Around:
    """The text around the lines of a file. It is parsed only if a question depends on a function."""

    def __init__(self, source: SourceFile) -> None:
        self._source = source
        new = source.change.status in NEW_NAMES and source.text is None
        self._text = "\n".join(source.added.values()) if new else source.text

    def names(self, trigger: Trigger, line: int, text: str) -> tuple[tuple[str, str], ...]:
        """Return what a line names, ``name`` at least; nothing if the line raises no question."""
        if _is_import(text) or self._is_prose(line):
            return ()
        names = text_pattern.groups(trigger.lines or "", text)
        if names is None:
            return ()
        if not names.get("name"):
            names["name"] = next((found[1] for pattern in _NAMES if (found := pattern.search(text))), "")
        if not names["name"] or any(len(each) > LONGEST_NAME for each in names.values()):
            return ()
        if not self._holds(trigger.where, line, text, names, default=True):
            return ()
        if self._holds(trigger.unless, line, text, names, default=False):
            return ()
        return tuple(sorted(names.items()))

    def _holds(
        self, surroundings: Surroundings, line: int, text: str, names: Mapping[str, str], *, default: bool
    ) -> bool:
        """Return whether all (``default`` true) or any expressions are found; an unknown text counts against asking."""
        escaped = {name: text_pattern.escape(value) for name, value in names.items()}
        for part, expression in zip(surroundings._fields, surroundings, strict=True):
            if not expression:
                continue
            place = {"line": text, "file": self._text}[part] if part != "function" else self._function(line)
            if place is None or text_pattern.search_whole(filled(expression, escaped), place) != default:
                return not default
        return default

    def _function(self, line: int) -> str | None:
        """Return the text of the innermost function around a line, of the file outside of any; None if not known."""
        source = self._source
        if source.text is None or not is_python(source.path):
            return self._text
        try:
            functions = source.functions
        except (CannotParse, RecursionError):  # a rule that reads the same tree names the file as unreviewed
            return None
        inner = [each for each in functions if each.lineno <= line <= last_line(each)]
        if not inner:
            return source.text
        return "\n".join(source.lines[inner[-1].lineno - 1 : last_line(inner[-1])])

    def _is_prose(self, line: int) -> bool:
        """Return whether a line of Python lies in a docstring, or in another string of several lines."""
        return self._prose is None or line in self._prose

    @cached_property
    def _prose(self) -> frozenset[int] | None:
        """The lines of strings of several lines; None for Python that cannot be parsed."""
        import ast

        if self._source.text is None or not is_python(self._source.path):
            return frozenset()
        try:
            strings = [each for each in self._source.nodes(ast.Constant) if isinstance(each.value, str)]
        except (CannotParse, RecursionError):
            return None
        long = (each for each in strings if each.lineno < last_line(each))
        return frozenset(line for each in long for line in lines_of(each))
