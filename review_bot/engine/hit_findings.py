"""Turns the hits of one file into findings: fingerprints, placement, suggestions, what was moved or reformatted."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from review_bot.changes.pull_request import ChangedFile
from review_bot.changes.python_parsing import CannotParse
from review_bot.changes.source_file import SourceFile
from review_bot.engine.base_findings import (
    BaseFindings,
    distinct,
    fingerprints,
    is_about_text,
    matched_text,
    occurrences,
)
from review_bot.engine.reformatted import Reformatted
from review_bot.engine.suggestions import Proof
from review_bot.findings import SERIOUS, Failure, Finding, Severity, at_least
from review_bot.records import NamedTuple
from review_bot.rules.matchers import Checked
from review_bot.rules.rule import Hit, Rule, place_of, quoted
from review_bot.rules.rulebook import Rulebook
from review_bot.rules.scope import in_scope, is_python, is_set_aside

NOTHING_COUNTED: Mapping[str, list[Hit]] = MappingProxyType({})


class OtherPlace(NamedTuple):
    """Where a moved line was, or is now: a file by index, its name on that side, and the line (1-based)."""

    file: int
    path: str
    line: int


class Moved(NamedTuple):
    """Lines of one file that only moved: ``added`` by line at the head, ``removed`` by line at the base."""

    added: Mapping[int, OtherPlace]
    removed: Mapping[int, OtherPlace]


class Base(NamedTuple):
    """What was at the base: ``findings`` in this file, and ``of`` any file of the change, by index.

    ``asked``: the files of which that was asked so far.
    """

    findings: BaseFindings
    moved: Moved
    of: Callable[[int], BaseFindings]
    asked: Mapping[int, BaseFindings]

    @property
    def failures(self) -> list[Failure]:
        """The rules that crashed in the texts at the base."""
        return [failure for each in self.asked.values() for failure in each.failures]


def to_findings(
    hits: list[tuple[Rule, Hit]],
    source: SourceFile,
    base: Base,
    rulebook: Rulebook,
    proof: Proof,
    *,
    entered: frozenset[str],
    counted: Mapping[str, list[Hit]] = NOTHING_COUNTED,
    suggests: bool = True,
) -> list[Finding]:
    """Turn the hits of one file into findings.

    ``proof`` tries out what they suggest. ``entered``: rules to which the whole file is new.
    ``counted``: all that a rule sees in the file, for the ordinals.
    """
    result: list[Finding] = []
    rules: dict[str, Rule] = {}
    by_rule: dict[str, list[Hit]] = {}
    for rule, hit in hits:
        rules[rule.id] = rule
        by_rule.setdefault(rule.id, []).append(hit)
    reformatted = Reformatted(source)

    def counts(rule: Rule, hit: Hit) -> bool:
        return only_counted(rule, severity_of(rule, hit), of_others=source.path in rulebook.unseen)

    named = [
        (rules[name], *each)
        for name, group in sorted(by_rule.items())
        for each in _named(rules[name], group, counted.get(name, []), source, base, entered, rulebook)
    ]
    for rule, hit, name, entry in named:
        suggestion = None
        if hit.suggestion is not None and suggests:
            together = by_rule[rule.id] if counts(rule, hit) else []
            suggestion = hit.suggestion if proof.holds(rule, hit, together) else None
        last = hit.end_line or hit.line
        message = hit.message or fill(rule.message, hit.values)
        found = Finding(
            rule=rule.id,
            title=rule.title,
            severity=severity_of(rule, hit),
            confidence=rule.confidence,
            aspect=rule.aspect,
            path=source.path if hit.side == "RIGHT" else source.change.base_path,
            line=hit.line,
            end_line=last,
            column=hit.column,
            end_column=hit.end_column,
            side=hit.side,
            placement=_placement(rule, hit, source.change, rulebook),
            moved=_only_moved(rule, hit, source, base, rulebook)
            or _only_reformatted(rule, hit, source, base, reformatted),
            message=message,
            why=rule.why,
            instead=hit.instead or fill(rule.instead, hit.values),
            effort_minutes=rule.effort,
            fingerprint=name,
            url=rule.url,
            related=hit.related,
            suggestion=suggestion,
            counted=counts(rule, hit),
            baseline_entry=entry,
            always_on_line=always_on_line(rule),
            advisory=rule.advisory,
            cause=_cause(rule, hit, source, message),
            missing=hit.missing,
        )
        result.append(found)
    return result


def _cause(rule: Rule, hit: Hit, source: SourceFile, message: str) -> str | None:
    """Return what findings of a rule must share to be reported as one; None: each place is reported.

    For ``one_per: function`` it is the first line of the innermost Python function around it; 0 outside functions, and
    in other files. For ``one_per: evidence`` the lines that the hit rests on come before it.
    """
    if rule.one_per == "message":
        return message
    if rule.one_per == "place" or hit.line is None or hit.side != "RIGHT":
        return None
    around = _around(hit.line, source)
    if around is None or rule.one_per == "function":
        return around and f"{source.path}:{around}"
    return f"{source.path}:{'+'.join(str(each.line) for each in hit.related)}:{around}" if hit.related else None


def _around(line: int, source: SourceFile) -> str | None:
    """Return the first line of the innermost Python function around a line."""
    if not is_python(source.path):
        return "0"
    try:
        around = source.functions_around(line)
    except CannotParse:
        return None
    return str(max((each.lineno for each in around), default=0))


def _named(
    rule: Rule,
    hits: list[Hit],
    counted: list[Hit],
    source: SourceFile,
    base: Base,
    entered: frozenset[str],
    rulebook: Rulebook,
) -> Iterator[tuple[Hit, str, str | None]]:
    """Yield each distinct hit of one rule with its fingerprint, and with that under which a baseline accepts it."""
    chosen = distinct(hits)
    places = {(hit.side, hit.line) for hit in chosen}
    everything = [*chosen, *(hit for hit in distinct(counted) if (hit.side, hit.line) not in places)]
    everything.sort(key=lambda hit: (hit.line or 0, hit.column or 0))
    names = {id(hit): name for hit, name in zip(everything, fingerprints(rule, everything, source), strict=True)}
    baseline = rulebook.baseline
    if baseline is None or not rule.suppressible:
        yield from ((hit, names[id(hit)], None) for hit in chosen)
        return
    if not is_about_text(rule) or source.text is None:
        yield from ((hit, names[id(hit)], None if baseline.of_base else names[id(hit)]) for hit in chosen)
        return
    entries = base.findings.entries(rule, occurrences(source, everything), baseline, is_new=rule.id in entered)
    for hit in chosen:
        yield hit, names[id(hit)], entries.get(hit.line or 0) if hit.side == "RIGHT" else None


def _only_moved(rule: Rule, hit: Hit, source: SourceFile, base: Base, rulebook: Rulebook) -> bool:
    """Return whether the same rule had this finding, with the same text, in the place that its lines moved from.

    Where a rule cannot be asked about the base, all lines of the finding must have moved together, and the rule must
    not depend on the rest of the tree, but for excuses. A deleted statement must be in its new place as a whole.
    """
    lines_moved = base.moved.added if hit.side == "RIGHT" else base.moved.removed
    if hit.line is None or hit.line not in lines_moved:
        return False
    other = lines_moved[hit.line]
    if not in_scope(rule, other.path) or rulebook.ignores(other.path):
        return False
    if rule.suppressible and (other.path in rulebook.unseen or other.path in rulebook.left_out):
        return False
    if hit.side == "RIGHT" and is_about_text(rule):
        there = base.of(other.file).at(rule, other.line)
        return there is not None and there.text == matched_text(source, hit)
    if hit.side == "LEFT" and rule.kind == "check":
        return False  # a check that reports what is gone has looked itself whether it is elsewhere
    changed = source.added if hit.side == "RIGHT" else source.removed
    lines = range(hit.line, (hit.end_line or hit.line) + 1)
    depends = rule.needs and not (isinstance(rule.matcher, Checked) and rule.matcher.tree_excuses)
    return not depends and all(
        lines_moved[line].file == other.file if line in lines_moved else not changed.get(line, "x").strip()
        for line in lines
    )


def _only_reformatted(rule: Rule, hit: Hit, source: SourceFile, base: Base, reformatted: Reformatted) -> bool:
    """Return whether the same rule had this finding at the base, in a statement that was only reformatted."""
    if hit.side != "RIGHT" or hit.line not in source.added or not is_python(source.path) or not is_about_text(rule):
        return False
    if source.path != base.findings.path or rule.kind == "text":
        return False
    lines = reformatted.lines_at_base(hit.line)
    return any(base.findings.at(rule, each) for each in lines) or (
        len(lines) > 0 and base.findings.on_removed(rule, lines)
    )


def fill(template: str, values: Mapping[str, str]) -> str:
    """Put values in the places ``{{ name }}`` of a message; plain replacement, no template language."""
    if "{{" not in template:
        return template
    return re.sub(r"\{\{ *(\w+) *\}\}", lambda place: quoted(place, str(values.get(place[1], place[0]))), template)


def severity_of(rule: Rule, hit: Hit) -> Severity:
    """Return the severity of a hit: a check may lower its rule's, but not one that the repository chose."""
    if hit.severity is None or rule.chosen or at_least(hit.severity, rule.severity):
        return rule.severity
    return hit.severity


def only_counted(rule: Rule, severity: Severity, *, of_others: bool) -> bool:
    """Return whether a finding of a rule is counted and not listed; one that a configuration raises is listed.

    ``of_others``: it is in a new file of vendored or generated code, where less is listed.
    """
    left_out = of_others and rule.builtin and not (rule.chosen or rule.placed)
    return place_of(rule, severity) == "count" or (left_out and severity not in SERIOUS)


def always_on_line(rule: Rule) -> bool:
    """Return whether the repository puts a rule's findings on the line, whatever their severity."""
    return rule.placed and rule.show == "line"


def _placement(rule: Rule, hit: Hit, change: ChangedFile, rulebook: Rulebook) -> Any:
    severity = severity_of(rule, hit)
    of_others = change.path in rulebook.unseen or change.path in rulebook.brought
    if severity != "error" and of_others and not (rule.chosen or rule.placed):
        return "summary"  # a new file of others' code: its authors do not read the comments
    if place_of(rule, severity) != "line":
        return "summary"
    if hit.line is not None and is_set_aside(change.path):
        return "summary"  # an unused copy is reported once, by pr/backup-file
    if hit.line is None:
        return "file"
    return "inline" if change.commentable(hit.line, hit.side) else "summary"
