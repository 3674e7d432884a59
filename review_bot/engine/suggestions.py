"""Tries suggestions out: one is offered only if the file still parses with it and the rule no longer sees the place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from review_bot.changes.source_file import SourceFile, parse_python
from review_bot.engine.fingerprints import normalise
from review_bot.findings import Suggestion
from review_bot.rules import structural_pattern
from review_bot.rules.rule import Hit, Rule
from review_bot.rules.scope import language_of

MOST_TRIED = 30
"""Suggestions of one file that are tried out; further findings go without."""

LONGEST_SUGGESTION = 50
"""Lines."""


class Proof:
    """Tries out the suggestions for one file. ``look`` runs a rule over any text of it and returns all its hits."""

    def __init__(self, source: SourceFile, look: Callable[[Rule, SourceFile], list[Hit]]) -> None:
        self._source = source
        self._look = look
        self._language = language_of(source.path)
        self._left = MOST_TRIED
        self._before: dict[str, list[Hit]] = {}
        self._errors: int | None = None

    def holds(self, rule: Rule, hit: Hit) -> bool:
        """Tell whether the suggestion of a hit can be offered.

        It is short, lies in the diff, leaves a file that parses; the hit is gone with it, and the rule sees nothing on
        the lines that it writes but what it saw there before, beside this hit.
        """
        suggestion, text = hit.suggestion, self._source.text
        if suggestion is None or text is None or not self._left or not self._fits(suggestion, text):
            return False
        self._left -= 1
        try:
            patched_text = patched(text, suggestion)
            if not self._parses(patched_text):
                return False
            if rule.id not in self._before:
                self._before[rule.id] = self._look(rule, self._source)
            after_source = SourceFile(self._source.change, patched_text, self._source.old_text)
            after = self._look(rule, after_source)
        except BaseException as error:  # one that cannot be tried is not offered; ast-grep panics outside Exception
            if isinstance(error, KeyboardInterrupt | SystemExit | MemoryError):
                raise
            return False
        return _is_mended(hit, suggestion, (self._source, self._before[rule.id]), (after_source, after))

    def _fits(self, suggestion: Suggestion, text: str) -> bool:
        first, last, replacement = suggestion
        if "```" in replacement or "\r" in replacement or replacement.count("\n") >= LONGEST_SUGGESTION:
            return False
        if "\r" in text:
            return False
        return all(self._source.change.commentable(line) for line in range(first, last + 1))

    def _parses(self, text: str) -> bool:
        """Tell whether Python can parse it; for other languages, whether there are no more errors than before."""
        if self._language == "python":
            parse_python(text)
            return True
        if self._language is None:
            return True
        if self._errors is None:
            self._errors = structural_pattern.count_errors(self._source.text or "", self._language)
        return structural_pattern.count_errors(text, self._language) <= self._errors


def patched(text: str, suggestion: Suggestion) -> str:
    """Return a text with a suggestion applied; an empty replacement deletes the lines."""
    first, last, replacement = suggestion
    lines = text.split("\n")
    return "\n".join([*lines[: first - 1], *([replacement] if replacement else []), *lines[last:]])


def _is_mended(
    hit: Hit, suggestion: Suggestion, before: tuple[SourceFile, list[Hit]], after: tuple[SourceFile, list[Hit]]
) -> bool:
    """Tell whether this hit is gone, and no other has come in its place."""
    first, last, replacement = suggestion
    end = first + replacement.count("\n") if replacement else first - 1
    own = _statement(before[0], hit)
    if _seen(*after)[own] >= _seen(*before)[own]:
        return False
    there = _seen(before[0], [each for each in before[1] if each.line is not None and first <= each.line <= last])
    there[own] -= 1
    here = _seen(after[0], [each for each in after[1] if each.line is not None and first <= each.line <= end])
    return all(count <= there[statement] for statement, count in here.items())


def _seen(source: SourceFile, hits: list[Hit]) -> Counter[str]:
    """Count places by what identifies them across pushes; hits of one line are one place, as in a report."""
    places = {(hit.side, hit.line): _statement(source, hit) for hit in reversed(hits)}
    return Counter(places.values())


def _statement(source: SourceFile, hit: Hit) -> str:
    if hit.statement is not None:
        return normalise(hit.statement)
    line = hit.line or 0
    if hit.side == "LEFT":
        return normalise(source.removed.get(line, ""))
    return normalise(source.lines[line - 1]) if 0 < line <= len(source.lines) else ""
