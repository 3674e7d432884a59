"""Tries suggestions out: one is offered only if the file still parses with it and the rule no longer sees the place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise

from review_bot.changes import line_edits
from review_bot.changes.python_parsing import CannotParse, CannotRead
from review_bot.changes.source_file import SourceFile
from review_bot.findings import LONGEST_SUGGESTION, NotRun, Suggestion
from review_bot.fingerprints import normalise
from review_bot.rules import structural_pattern
from review_bot.rules.rule import Hit, Rule
from review_bot.rules.scope import language_of

MOST_TRIED = 30
"""Suggestions of one file that are tried out one by one; further findings go without."""

MOST_CHARACTERS = 1_000_000
"""Characters that the trials for one file may read: of a long file fewer suggestions are tried, so that what is only
offered never costs the review of the file its time."""


class Parsing:
    """Returns whether a file can still be parsed with another text."""

    def __init__(self, path: str, text: str) -> None:
        self._language = language_of(path)
        self._text = text
        self._errors: int | None = None

    def holds(self, source: SourceFile) -> bool:
        """Return whether Python can parse it; for other languages, whether there are no more errors than before."""
        if self._language == "python":
            try:
                source.tree  # noqa: B018  # which the rules that look at it next ask for too
            except CannotParse:
                return False
            return True
        if self._language is None:
            return True
        text = source.text or ""
        if self._errors is None:
            self._errors = structural_pattern.count_errors(self._text, self._language)
        return structural_pattern.count_errors(text, self._language) <= self._errors


class Proof:
    """Tries out the suggestions for one file. ``look`` runs a rule over any text of it and returns all its hits.

    A rule that crashes over a text that no one wrote is named in ``untried``: its findings stay, without suggestions.
    """

    def __init__(
        self, source: SourceFile, look: Callable[[Rule, SourceFile], list[Hit]], untried: list[NotRun]
    ) -> None:
        self._untried = untried
        self._source = source
        self._look = look
        self._parsing = Parsing(source.path, source.text or "")
        self._left = min(MOST_TRIED, MOST_CHARACTERS // max(1, len(source.text or "")))
        self._before: dict[str, list[Hit]] = {}
        self._together: dict[str, frozenset[Suggestion]] = {}

    def holds(self, rule: Rule, hit: Hit, counted: Sequence[Hit] = ()) -> bool:
        """Return whether the suggestion of a hit can be offered.

        It is short, lies in the diff, leaves a file that parses; the hit is gone with it, and the rule sees nothing on
        the lines that it writes but what it saw there before, except this hit. ``counted``: all the rule's hits, if it
        is one whose findings are only counted and never shown: then all are tried at once, first.
        """
        if hit.suggestion is None or not self._fits(hit.suggestion):
            return False
        if counted and rule.id not in self._together:
            self._together[rule.id] = self._held_together(rule, counted)
        if hit.suggestion in self._together.get(rule.id, ()):
            return True
        if not self._left:
            return False
        self._left -= 1
        tried = self._tried(rule, [hit.suggestion])
        return tried is not None and _is_fixed(hit, hit.suggestion, (self._source, self._before[rule.id]), tried)

    def _held_together(self, rule: Rule, hits: Sequence[Hit]) -> frozenset[Suggestion]:
        """Return the suggestions of some hits if they resolve all of these hits and cause no new one."""
        fitting = [hit for hit in hits if hit.suggestion is not None and self._fits(hit.suggestion)]
        suggestions = sorted({hit.suggestion for hit in fitting if hit.suggestion is not None})
        if any(after.start_line <= before.end_line for before, after in pairwise(suggestions)):
            return frozenset()
        tried = self._tried(rule, suggestions)
        if tried is None:
            return frozenset()
        left = _seen(self._source, self._before[rule.id]) - _seen(self._source, fitting)
        return frozenset(suggestions) if _seen(*tried) <= left else frozenset()

    def _tried(self, rule: Rule, suggestions: Sequence[Suggestion]) -> tuple[SourceFile, list[Hit]] | None:
        """Return the file with suggestions applied and what the rule sees there, None if that cannot be."""
        source = self._source
        try:
            text = line_edits.apply(source.text or "", suggestions)
            change = line_edits.carried(source.change, suggestions)
            if change is None:
                return None
            after = SourceFile(change, text, source.old_text)
            if not self._parsing.holds(after):
                return None
            if rule.id not in self._before:
                self._before[rule.id] = self._look(rule, source)
            return after, self._look(rule, after)
        except CannotRead:  # the rule cannot read the file with it
            return None
        except BaseException as error:  # ast-grep panics outside Exception
            if isinstance(error, KeyboardInterrupt | SystemExit | MemoryError):
                raise
            words = f"a suggestion could not be tried out and is not offered: {structural_pattern.named(error)}"
            if NotRun(rule.id, words) not in self._untried:
                self._untried.append(NotRun(rule.id, words))
            return None

    def _fits(self, suggestion: Suggestion) -> bool:
        first, last, replacement = suggestion
        text = self._source.text
        if text is None or "\r" in text or (first == 1 and self._source.has_mark):
            return False
        if "```" in replacement or "\r" in replacement or replacement.count("\n") >= LONGEST_SUGGESTION:
            return False
        return all(self._source.change.commentable(line) for line in range(first, last + 1))


def _is_fixed(
    hit: Hit, suggestion: Suggestion, before: tuple[SourceFile, list[Hit]], after: tuple[SourceFile, list[Hit]]
) -> bool:
    """Return whether this hit is resolved, and no new one is in its place."""
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
