"""What the rules find in a file at the base, and which finding there a finding at the head is.

A suppression, a baseline entry and a move all accept a finding that was there before. Each asks the same question:
did this rule have this very finding at the base? So the rule runs over the old text, as though all of it were new
(and, for a finding on an unchanged line, also as though none of it were).

::

    head finding, line not added  ─ line map ─▶ same rule, same statement on that line of the base      in place
    head finding, line added      ─ equal text ─▶ one of the same rule that is no longer in place       carried
    neither                                                                                             new

Nothing is computed unless it is asked for.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property

from review_bot.changes import patching
from review_bot.changes.line_map import LineMap, has_old_lines
from review_bot.changes.pull_request import ChangedFile, Hunk
from review_bot.changes.python_parsing import CannotRead
from review_bot.changes.source_file import SourceFile
from review_bot.errors import DiffError
from review_bot.findings import SEVERITIES, Failure, at_least
from review_bot.fingerprints import fingerprint, normalise, statement_part
from review_bot.records import NamedTuple
from review_bot.rules.matchers import Checked, Structural, TextLine
from review_bot.rules.rule import Hit, Rule
from review_bot.rules.rulebook import Baseline
from review_bot.text.indentation import dedented

Look = Callable[[Rule, SourceFile], list[Hit]]
"""Returns all that a rule sees in a file."""


class Occurrence(NamedTuple):
    """One finding of a rule in a whole text. ``line`` is 1-based, and 0 for a finding about the whole file.

    ``statement`` is normalised; ``text`` holds the lines that the rule matched, dedented. ``ordinal`` counts this
    rule's findings with an equal statement in the text, top down, from 0.
    """

    line: int
    statement: str
    text: str
    ordinal: int


class BaseFindings:
    """The findings of rules in one file at the base. ``look`` runs a rule over a file.

    ``failures``: of rules that crashed there, so that it is not known whether what they found was there before.
    """

    def __init__(self, change: ChangedFile, text: str | None, old_text: str | None, look: Look) -> None:
        self._change = change
        self._text = text
        self._old_text = old_text
        self._look = look
        self._found: dict[str, dict[int, Occurrence] | None] = {}
        self._unchanged: dict[str, frozenset[int]] = {}
        self._on_removed: dict[str, frozenset[int]] = {}
        self._unreadable: set[str] = set()
        self.failures: list[Failure] = []
        self.lines = LineMap(change)

    @property
    def path(self) -> str:
        """The name of the file at the base."""
        return self._change.base_path

    def of(self, rule: Rule) -> Mapping[int, Occurrence] | None:
        """Return what a rule finds in the file at the base, by line; None where that cannot be found out."""
        if rule.id not in self._found:
            self._found[rule.id] = self._find(rule)
        return self._found[rule.id]

    def at(self, rule: Rule, line: int) -> Occurrence | None:
        """Return a rule's finding on a line of the file at the base."""
        return (self.of(rule) or {}).get(line)

    def is_new(self, rule: Rule, line: int) -> bool:
        """Return whether a rule's finding on an unchanged line at the head was none at the base.

        In a text that no parser could read, such as Python with a syntax error, no code could fail before the change:
        what is an error now is new. Less than that is not reported all over a file of which one line was corrected.
        """
        old_line = self.lines.old_line(line)
        if old_line is not None and self.of(rule) is None and rule.id in self._unreadable:
            return rule.severity == "error"
        if old_line is None or self.of(rule) is None or self.at(rule, old_line) is not None:
            return False
        return old_line not in self._in_unchanged_text(rule)

    def _in_unchanged_text(self, rule: Rule) -> frozenset[int]:
        """Return the lines at the base on which a rule reports where nothing is added.

        A check whose finding has two places, such as a ``return`` and the dead code behind it, reports the added one.
        """
        if rule.id not in self._unchanged:
            self._unchanged[rule.id] = frozenset(self._find(rule, added=False) or ())
        return self._unchanged[rule.id]

    def on_removed(self, rule: Rule, lines: Iterable[int]) -> bool:
        """Return whether a rule reports one of some removed lines where they are what is added, and the rest is not.

        A check whose finding has two places reports the same of them as it does for the added lines.
        """
        if rule.id not in self._on_removed:
            source = self._source
            undone = None if source is None else SourceFile(_undone(self._change, self.path), source.text, None)
            self._on_removed[rule.id] = frozenset(self._look_at(rule, undone) or ())
        return not self._on_removed[rule.id].isdisjoint(lines)

    def matched(self, rule: Rule, now: Iterable[Occurrence]) -> dict[int, Occurrence]:
        """Return, by line at the head, the finding at the base that each of a rule's findings is.

        Each finding at the base is used once, so that a baseline holds no more than the base has.
        """
        before = self.of(rule) or {}
        found: dict[int, Occurrence] = {}
        for each in now:
            old_line = self.lines.old_line(each.line)
            there = before.get(old_line) if old_line is not None else None
            if there is not None and there.statement == each.statement:
                found[each.line] = there
        in_place = {each.line for each in found.values()}
        left: dict[tuple[str, str], deque[Occurrence]] = {}
        for old in before.values():
            if old.line not in in_place:
                left.setdefault((old.statement, old.text), deque()).append(old)
        for each in now:
            if self.lines.old_line(each.line) is None and (equal := left.get((each.statement, each.text))):
                found[each.line] = equal.popleft()
        return found

    def entries(
        self, rule: Rule, now: Sequence[Occurrence], baseline: Baseline, *, is_new: bool
    ) -> dict[int, str | None]:
        """Return, by line at the head, the fingerprint under which a baseline holds each of a rule's findings.

        That is the fingerprint at the base. A finding that is new has none there; a baseline that is edited with the
        change may hold it with an ordinal beyond those at the base.
        """
        statements = {each.statement for each in now}
        names = (statement_part(_name(rule, self.path, each, 0)) for each in statements)
        if baseline.of_base and baseline.statements.isdisjoint(names):
            return {}
        before = {} if is_new else self.matched(rule, now)
        counts = Counter(each.statement for each in (() if is_new else (self.of(rule) or {}).values()))
        entries: dict[int, str | None] = {}
        for each in now:
            there = before.get(each.line)
            if there is not None:
                entries[each.line] = _name(rule, self.path, there.statement, there.ordinal)
            elif not baseline.of_base:
                entries[each.line] = _name(rule, self.path, each.statement, counts[each.statement])
                counts[each.statement] += 1
        return entries

    def _find(self, rule: Rule, *, added: bool = True) -> dict[int, Occurrence] | None:
        """Return a rule's findings in the old text, of which all lines are ``added``, or none."""
        source = self._source
        return self._look_at(rule, source if added or source is None else source.none_added())

    def _look_at(self, rule: Rule, source: SourceFile | None) -> dict[int, Occurrence] | None:
        if source is None or not is_about_text(rule):
            return None
        try:
            return {each.line: each for each in occurrences(source, self._look(rule, source))}
        except CannotRead:
            self._unreadable.add(rule.id)
            return None
        except BaseException as error:  # ast-grep panics outside Exception
            if isinstance(error, KeyboardInterrupt | SystemExit | MemoryError):
                raise
            from review_bot.rules.structural_pattern import named  # a review whose results are known needs no ast-grep

            self.failures.append(Failure(rule.id, self.path, f"in the text at the base: {named(error)}"))
            return None

    @cached_property
    def _source(self) -> SourceFile | None:
        text = self._old_text
        if not has_old_lines(self._change):
            return None
        if text is None:
            try:
                if self._change.status == "deleted":
                    text = patching.undo("", self._change.hunks)
                elif self._text is not None:
                    text = patching.undo(self._text, self._change.hunks)
            except DiffError:
                return None
        return None if text is None else SourceFile(self._change._replace(path=self.path), text, None).all_added()


def _undone(change: ChangedFile, path: str) -> ChangedFile:
    """Return the change of a file that turns its text at the head into that at the base."""
    other = {"+": "-", "-": "+"}
    hunks = tuple(
        Hunk(
            each.new_start,
            each.new_count,
            each.old_start,
            each.old_count,
            tuple(other.get(line[:1], line[:1]) + line[1:] for line in each.lines),
        )
        for each in change.hunks
    )
    return change._replace(path=path, old_path=change.path, hunks=hunks, added=change.removed, removed=change.added)


def is_about_text(rule: Rule) -> bool:
    """Return whether a rule's findings follow from the text of one file alone, so that the base can have them."""
    if isinstance(rule.matcher, Checked):
        return rule.matcher.per_file and rule.matcher.reads_text and not (rule.reads_old or rule.reads_names)
    return isinstance(rule.matcher, Structural | TextLine)


def may_be_brought_about(rule: Rule) -> bool:
    """Return whether a change is answerable for a rule's findings on lines that it left alone and made wrong."""
    return rule.lines == "first" and at_least(rule.severity, "warning") and is_about_text(rule) and rule.kind != "text"


def distinct(hits: Iterable[Hit]) -> list[Hit]:
    """Return a rule's hits in the order of the text; those on one line are one observation, the most severe of them."""
    found: list[Hit] = []
    seen: set[tuple[str, int]] = set()
    for hit in sorted(hits, key=lambda each: (each.line or 0, _lowered(each), each.column or 0)):
        if hit.line is not None:
            if (hit.side, hit.line) in seen:
                continue
            seen.add((hit.side, hit.line))
        found.append(hit)
    return found


def _lowered(hit: Hit) -> int:
    """Return how far a hit's severity may be below that of its rule."""
    return 0 if hit.severity is None else SEVERITIES.index(hit.severity)


def occurrences(source: SourceFile, hits: Iterable[Hit]) -> list[Occurrence]:
    """Return a rule's findings in a whole text, top down."""
    counts: dict[str, int] = {}
    found: list[Occurrence] = []
    for hit in distinct(hits):
        if hit.side == "RIGHT":
            statement = normalise(statement_of(source, hit))
            ordinal = counts[statement] = counts.get(statement, -1) + 1
            found.append(Occurrence(hit.line or 0, statement, matched_text(source, hit), ordinal))
    return found


def fingerprints(rule: Rule, hits: Iterable[Hit], source: SourceFile) -> list[str]:
    """Return the fingerprint of each of a rule's hits, which are in the order of the text."""
    counts: dict[str, int] = {}
    found: list[str] = []
    for hit in hits:
        statement = normalise(statement_of(source, hit))
        ordinal = counts[statement] = counts.get(statement, -1) + 1
        found.append(_name(rule, source.change.base_path, statement, ordinal))
    return found


def _name(rule: Rule, base_path: str, statement: str, ordinal: int) -> str:
    return fingerprint(rule.id, statement, base_path, ordinal)


def statement_of(source: SourceFile, hit: Hit) -> str:
    """Return the text that identifies a hit: its statement, or its first line."""
    if hit.statement is not None:
        return hit.statement
    if hit.line is None:
        return ""
    if hit.side == "LEFT":
        return source.old_lines[hit.line - 1] if source.old_text is not None else source.removed.get(hit.line, "")
    if source.text is not None and hit.line <= len(source.lines):
        return source.lines[hit.line - 1]
    return source.added.get(hit.line, "")


def matched_text(source: SourceFile, hit: Hit) -> str:
    """Return the whole lines that a hit covers, without the indentation that they share."""
    if hit.line is None:
        return ""
    first, last = hit.line, max(hit.line, hit.end_line or hit.line)
    return dedented("\n".join(line.rstrip() for line in source.lines[first - 1 : last])).strip("\n")
