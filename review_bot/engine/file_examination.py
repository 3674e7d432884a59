"""Runs the chosen rules over one file. Everything here may happen in another process: plain data in, plain data out."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import Any, NamedTuple

from review_bot.changes import patching
from review_bot.changes.imported_names import asks_for_imported, written_out
from review_bot.changes.profile import FileProfile
from review_bot.changes.pull_request import ChangedFile, Unreviewed
from review_bot.changes.source_file import CannotParse, CannotRead, SourceFile
from review_bot.changes.usual_spelling import UsualSpelling
from review_bot.engine import profiling, removed_code
from review_bot.engine.base_findings import (
    BaseFindings,
    distinct,
    fingerprints,
    is_about_text,
    matched_text,
    may_be_brought_about,
    occurrences,
)
from review_bot.engine.plan import NEW_NAMES, FileTask
from review_bot.engine.required_imports import imports_any
from review_bot.engine.silencing import Place, Silencer
from review_bot.engine.suggestions import Proof
from review_bot.engine.suppressions import Known
from review_bot.errors import DiffError
from review_bot.findings import Failure, Finding, NotRun, Severity, Suggestion, Suppressed, at_least
from review_bot.rules import structural_pattern, text_pattern
from review_bot.rules.check import ChangeCheck, FileCheck
from review_bot.rules.rule import Hit, Rule, quoted
from review_bot.rules.rulebook import Rulebook
from review_bot.rules.scope import in_scope, is_set_aside, language_of
from review_bot.text import file_name
from review_bot.text.globs import matches_any

NOTHING_COUNTED: Mapping[str, list[Hit]] = MappingProxyType({})

LARGEST_TEXT = 5_000_000
"""Code points of a file that is still parsed; a larger one is named as unreviewed."""


SYNTAX_CHECK = "errors/syntax-error"
"""The check that reports Python which cannot be parsed. Where its finding is an error, the gate is red by what is wrong
with the file, and that the other rules could not read it makes the review no less complete."""

_BROKEN = "needs Python without syntax errors"
_UNLIKE_PYTHON = (
    "ast-grep cannot parse this although Python can, so rules may have missed code; "
    "indent the lines inside brackets at least as far as their statement"
)


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
    """What was at the base: ``findings`` in this file, and ``of`` any file of the change, by index."""

    findings: BaseFindings
    moved: Moved
    of: Callable[[int], BaseFindings]


class FileResult(NamedTuple):
    """What one file gave. ``used``: line and rule of the suppressions in it that silence something."""

    file: int
    findings: tuple[Finding, ...] = ()
    suppressed: tuple[Suppressed, ...] = ()
    facts: tuple[tuple[int, Any], ...] = ()
    failures: tuple[Failure, ...] = ()
    not_run: tuple[NotRun, ...] = ()
    unreviewed: tuple[Unreviewed, ...] = ()
    used: frozenset[tuple[int, str]] = frozenset()
    not_tried: frozenset[str] = frozenset()
    has_directives: bool = False
    profile: FileProfile | None = None


def examine_file(
    task: FileTask,
    change: ChangedFile,
    text: str | None,
    old_text: str | None,
    rulebook: Rulebook,
    base: Base,
    known: Known,
    *,
    suggests: bool = True,
) -> FileResult:
    """Try rules on one file and return what they saw, judged against suppressions and moved lines.

    ``suggests=False``: no suggestion is tried out, and so none is offered; nor is anything counted.
    """
    whole, unreviewed = _source(change, text, old_text)
    as_new = whole.all_added() if task.entered and whole.text is not None else whole
    trees: dict[tuple[str, str], structural_pattern.Tree] = {}
    hits: list[tuple[Rule, Hit]] = []
    counted: dict[str, list[Hit]] = {}
    elsewhere: list[Place] = []
    facts: list[tuple[int, Any]] = []
    failures: list[Failure] = []
    not_run: list[NotRun] = []
    unread: list[tuple[str, CannotRead]] = []
    entered = frozenset(rulebook.rules[number].id for number in task.entered)
    for number in task.rules:
        rule, source = rulebook.rules[number], _seen_by(number, task, whole, as_new)
        if not _may_match(rule, source):
            continue
        lacking = _lacks(rule, source)
        if lacking:
            if not unreviewed:
                not_run.append(NotRun(rule.id, lacking))
            continue
        try:
            check = rulebook.check_of(rule)
            if isinstance(check, ChangeCheck):
                fact = check.gather(source, rule.matcher["options"])
                facts += [] if fact is None else [(number, fact)]
                continue
            found = in_file(_look(rule, check, source, trees), source)
            elsewhere += _places(rule, found)
            touched = _touched(rule, found, source, base.findings if source is whole else None)
            if touched:
                counted[rule.id] = found if _is_whole(rule, source) else look_at_all(rule, source.all_added(), rulebook)
        except CannotRead as error:
            unread.append((rule.id, error))
        except RecursionError:
            unreviewed.append(Unreviewed(change.path, "nested too deeply to be examined by every rule"))
        except BaseException as error:  # a rule that crashes is a recorded failure; ast-grep panics outside Exception
            if isinstance(error, KeyboardInterrupt | SystemExit | MemoryError):
                raise
            failures.append(Failure(rule.id, change.path, _words_of(error)))
        else:
            hits += [(rule, hit) for hit in touched]
    findings = to_findings(hits, whole, base, rulebook, entered=entered, counted=counted, suggests=suggests)
    silencer = Silencer(whole, known, base.findings, entered)
    kept, suppressed = silencer.divide(findings, {rule.id: rule for rule, _ in hits})
    if any(finding.severity == "error" and finding.rule in _syntax_rules(hits) for finding in kept):
        not_run += [NotRun(rule, _BROKEN) for rule, error in unread if isinstance(error, CannotParse)]
        unread = [(rule, error) for rule, error in unread if not isinstance(error, CannotParse)]
    unreviewed += [
        *_unread(change.path, unread),
        *_hidden_code((rulebook.rules[number] for number in task.rules), whole, trees),
    ]
    silencer.mark_used(elsewhere)
    return FileResult(
        file=task.file,
        findings=tuple(kept),
        suppressed=tuple(suppressed),
        facts=tuple(facts),
        failures=tuple(failures),
        not_run=tuple(not_run),
        unreviewed=tuple(unreviewed),
        used=frozenset(silencer.used),
        not_tried=frozenset([f.rule for f in failures] + [n.rule for n in not_run] + [rule for rule, _ in unread]),
        has_directives=silencer.has_directives,
        profile=profiling.profile(task.file, whole, rulebook.focus) if suggests else None,
    )


def _seen_by(rule: int, task: FileTask, whole: SourceFile, as_new: SourceFile) -> SourceFile:
    """Return a file as one rule sees it: all of it is new, or gone, where the rule looks at one of its names alone."""
    if rule in task.left:
        return whole.all_removed()
    return as_new if rule in task.entered else whole


def _source(change: ChangedFile, text: str | None, old_text: str | None) -> tuple[SourceFile, list[Unreviewed]]:
    """Return a file, without a text that is too large to be parsed, which is named as unreviewed."""
    if text is not None and len(text) > LARGEST_TEXT:
        reason = f"larger than {LARGEST_TEXT:,} characters"
        return SourceFile(change, None, None), [Unreviewed(change.path, reason)]
    return SourceFile(change, text, old_text), []


def _syntax_rules(hits: list[tuple[Rule, Hit]]) -> set[str]:
    return {rule.id for rule, _ in hits if rule.kind == "check" and rule.matcher["name"] == SYNTAX_CHECK}


def _unread(path: str, rules: list[tuple[str, CannotRead]]) -> Iterator[Unreviewed]:
    """Yield one entry for each reason for which rules could not read a file."""
    by_reason: dict[str, list[str]] = {}
    for rule, error in rules:
        by_reason.setdefault(str(error), []).append(rule)
    for reason, not_run in by_reason.items():
        yield Unreviewed(path, f"{reason}; not run: {not_run[0] if len(not_run) == 1 else f'{len(not_run)} rules'}")


class OutsideFile(Exception):
    """A hit names a place that its file does not have."""


def in_file(hits: list[Hit], source: SourceFile) -> list[Hit]:
    """Return the hits of a rule. Raises OutsideFile if the file does not have a place that they name.

    Only added lines are kept, so without this a hit on a wrong line would be a finding that is lost.
    """
    for hit in hits:
        if hit.line is not None and not _is_inside(hit, source):
            raise OutsideFile(f"line {hit.line} to {hit.end_line or hit.line} of {source.path}, {hit.side}")
    return hits


def _is_inside(hit: Hit, source: SourceFile) -> bool:
    first, last = hit.line or 0, hit.end_line or hit.line or 0
    text = source.text if hit.side == "RIGHT" else source.old_text
    if text is None:  # only the diff is known
        return 1 <= first <= last
    lines = source.lines if hit.side == "RIGHT" else source.old_lines
    inside = 1 <= first <= last <= len(lines)
    return inside and _fits(hit.column, lines[first - 1]) and _fits(hit.end_column, lines[last - 1])


def _fits(column: int | None, line: str) -> bool:
    return column is None or 1 <= column <= len(line) + 1


def look_at_all(rule: Rule, source: SourceFile, rulebook: Rulebook) -> list[Hit]:
    """Return all that a rule sees in a file, each time from the start."""
    if not _may_match(rule, source) or _lacks(rule, source):
        return []
    check = rulebook.check_of(rule)
    return [] if isinstance(check, ChangeCheck) else _look(rule, check, source, {})


def _is_whole(rule: Rule, source: SourceFile) -> bool:
    """Return whether what a rule saw is all there is: it may leave out what is not added."""
    if source.change.status == "added" or source.text is None or not is_about_text(rule):
        return True
    return rule.kind == "structural"


def _touched(rule: Rule, found: list[Hit], source: SourceFile, base: BaseFindings | None) -> list[Hit]:
    """Return the hits that the change is answerable for; without a ``base`` all of the file is new.

    Beside those in lines that it added these are the grave ones that were none at the base: another line made them so.
    """
    touched = [hit for hit in found if _touches_change(rule, hit, source)]
    if base is None or not may_be_brought_about(rule):
        return touched
    return touched + [
        hit
        for hit in found
        if hit.line is not None
        and hit.line not in source.added
        and at_least(lowered(rule.severity, hit.severity), "warning")
        and base.is_new(rule, hit.line)
    ]


def _look(
    rule: Rule, check: FileCheck | None, source: SourceFile, trees: dict[tuple[str, str], structural_pattern.Tree]
) -> list[Hit]:
    """Return all that a rule sees in a file, whether the change touched it or not."""
    if check is not None:
        return list(check.examine(source, rule.matcher["options"]))
    return list(_match(rule, source, trees))


def _places(rule: Rule, found: list[Hit]) -> Iterator[Place]:
    return (Place(rule.id, hit.line, hit.column) for hit in found if hit.line is not None and hit.side == "RIGHT")


def _words_of(error: BaseException) -> str:
    """Return an error in one line, without the stack (and the machine's paths) that ast-grep writes behind it."""
    return f"{type(error).__name__}: {structural_pattern.words_of(error)}"


def to_findings(
    hits: list[tuple[Rule, Hit]],
    source: SourceFile,
    base: Base,
    rulebook: Rulebook,
    *,
    entered: frozenset[str] = frozenset(),
    counted: Mapping[str, list[Hit]] = NOTHING_COUNTED,
    suggests: bool = True,
) -> list[Finding]:
    """Turn the hits of one file into findings.

    ``entered``: rules to which the whole file is new. ``counted``: all that a rule sees in the file, for the ordinals.
    """
    result: list[Finding] = []
    rules: dict[str, Rule] = {}
    by_rule: dict[str, list[Hit]] = {}
    for rule, hit in hits:
        rules[rule.id] = rule
        by_rule.setdefault(rule.id, []).append(hit)
    proof = Proof(source, lambda rule, text: _hits_again(rule, text, rulebook))
    named = [
        (rules[name], *each)
        for name, group in sorted(by_rule.items())
        for each in _named(rules[name], group, counted.get(name, []), source, base, entered, rulebook)
    ]
    for rule, hit, name, entry in named:
        suggestion = None
        if hit.suggestion is not None and suggests:
            suggestion = hit.suggestion if proof.holds(rule, hit, _all_counted(rule, hit, by_rule)) else None
        last = hit.end_line or hit.line
        found = Finding(
            rule=rule.id,
            title=rule.title,
            severity=lowered(rule.severity, hit.severity),
            confidence=rule.confidence,
            aspect=rule.aspect,
            path=source.path if hit.side == "RIGHT" else source.change.base_path,
            line=hit.line,
            end_line=last,
            column=hit.column,
            end_column=hit.end_column,
            side=hit.side,
            placement=_placement(rule, hit, source.change),
            moved=_only_moved(rule, hit, source, base, rulebook),
            message=hit.message or fill(rule.message, hit.values),
            why=rule.why,
            instead=fill(rule.instead, hit.values),
            effort_minutes=rule.effort,
            fingerprint=name,
            url=rule.url,
            related=hit.related,
            suggestion=suggestion,
            counted=only_counted(rule, lowered(rule.severity, hit.severity)),
            baseline_entry=entry,
        )
        result.append(found)
    return result


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
    accepted = rulebook.accepted
    if accepted is None or not rule.suppressible:
        yield from ((hit, names[id(hit)], None) for hit in chosen)
        return
    if not is_about_text(rule) or source.text is None:
        yield from ((hit, names[id(hit)], None if accepted.of_base else names[id(hit)]) for hit in chosen)
        return
    entries = base.findings.entries(rule, occurrences(source, everything), accepted, is_new=rule.id in entered)
    for hit in chosen:
        yield hit, names[id(hit)], entries.get(hit.line or 0) if hit.side == "RIGHT" else None


def _all_counted(rule: Rule, hit: Hit, by_rule: Mapping[str, list[Hit]]) -> list[Hit]:
    """Return all hits of a rule, if they are only counted."""
    counted = only_counted(rule, lowered(rule.severity, hit.severity))
    return by_rule[rule.id] if counted else []


def _only_moved(rule: Rule, hit: Hit, source: SourceFile, base: Base, rulebook: Rulebook) -> bool:
    """Return whether the same rule had this finding, with the same text, in the place that its lines moved from.

    Where a rule cannot be asked about the base, all lines of the finding must have moved together, and the rule must
    not depend on the rest of the tree. A deleted statement must be in its new place as a whole.
    """
    lines_moved = base.moved.added if hit.side == "RIGHT" else base.moved.removed
    if hit.line is None or hit.line not in lines_moved:
        return False
    other = lines_moved[hit.line]
    if not in_scope(rule, other.path) or matches_any(rulebook.ignored_paths, other.path):
        return False
    if hit.side == "RIGHT" and is_about_text(rule):
        there = base.of(other.file).at(rule, other.line)
        return there is not None and there.text == matched_text(source, hit)
    if hit.side == "LEFT" and rule.kind == "check":
        return False  # a check that reports what is gone has looked itself whether it is elsewhere
    changed = source.added if hit.side == "RIGHT" else source.removed
    lines = range(hit.line, (hit.end_line or hit.line) + 1)
    return not rule.needs and all(
        lines_moved[line].file == other.file if line in lines_moved else not changed.get(line, "x").strip()
        for line in lines
    )


def fill(template: str, values: Mapping[str, str]) -> str:
    """Put values in the places ``{{ name }}`` of a message; plain replacement, no template language."""
    if "{{" not in template:
        return template
    return re.sub(r"\{\{ *(\w+) *\}\}", lambda place: quoted(place, str(values.get(place[1], place[0]))), template)


def lowered(severity: Severity, by_hit: Severity | None) -> Severity:
    """Return the lighter of a rule's severity and its hit's: a check may lower it, never raise it."""
    return severity if by_hit is None or at_least(by_hit, severity) else by_hit


def _lacks(rule: Rule, source: SourceFile) -> str | None:
    needs_text = rule.kind == "structural" or (rule.kind == "removed" and "text" not in rule.matcher)
    if rule.kind == "check":
        needs_text = bool(rule.matcher["reads_text"]) and source.change.status != "deleted"
    if needs_text and source.text is None:
        return "needs whole files, and only the diff is known"
    if rule.kind == "removed" and "text" not in rule.matcher and source.old_text is None:
        return "needs the old text of whole files, and only the diff is known"
    return None


def _may_match(rule: Rule, source: SourceFile) -> bool:
    """Return whether a file holds what a rule cannot match without: words, and imports that it requires."""
    if rule.literals is not None:
        looks_at_old = rule.kind == "removed" or (rule.kind == "check" and rule.matcher["reads_old"])
        held = rule.kind != "removed" and source.vocabulary.hold(rule.literals)
        if not held and not (looks_at_old and source.old_vocabulary.hold(rule.literals)):
            return False
    return not rule.required_imports or imports_any(source, rule.required_imports)


def _match(rule: Rule, source: SourceFile, trees: dict[tuple[str, str], structural_pattern.Tree]) -> Iterator[Hit]:
    matcher = rule.matcher
    if rule.kind == "structural":
        found = list(_structural(rule.message, matcher, source.text or "", trees, ("new", source.path)))
        yield from found
        if rule.builtin and matcher["language"] == "python":
            seen = {(hit.line, hit.column) for hit in found}
            for name, spelling in _other_spellings(rule, source):
                yield from _in_spelling(rule.message, matcher, spelling, source, trees, (name, source.path), seen)
    elif rule.kind == "text":
        yield from _text(matcher, source)
    elif "text" in matcher:
        yield from removed_code.lost_lines(matcher["text"], source)
    else:
        yield from _removed(rule.message, matcher, source, trees)


def _hidden_code(
    rules: Iterable[Rule], source: SourceFile, trees: Mapping[tuple[str, str], structural_pattern.Tree]
) -> Iterator[Unreviewed]:
    """Yield why rules may have missed code: ast-grep's parser gave up on text that Python parses.

    Built-in rules about the new text are also tried on its usual spelling, which the parser can read.
    """
    tree = trees.get(("python", "new"))
    if tree is None or language_of(source.path) != "python" or tree.not_parsed is None:
        return
    affected = [rule for rule in rules if rule.kind == "removed" or (rule.kind == "structural" and not rule.builtin)]
    if any("python" in rule.languages and _may_match(rule, source) for rule in affected):
        with suppress(CannotParse):
            _ = source.tree
            yield Unreviewed(source.path, f"line {tree.not_parsed}: {_UNLIKE_PYTHON}")


def _removed(
    message: str,
    matcher: Mapping[str, Any],
    source: SourceFile,
    trees: dict[tuple[str, str], structural_pattern.Tree],
) -> Iterator[Hit]:
    old_text = source.old_text or ""
    old = _tree(trees, old_text, matcher["language"], ("old", source.path))
    new = _tree(trees, source.text or "", matcher["language"], ("new", source.path))
    worded = structural_pattern.template(message, None) if "$" in message else None
    for match in removed_code.lost_matches(matcher, source, old, new):
        yield _hit_of(match, old_text, worded)._replace(side="LEFT")


def _structural(
    message: str,
    matcher: Mapping[str, Any],
    text: str,
    trees: dict[tuple[str, str], structural_pattern.Tree],
    side_and_path: tuple[str, str],
) -> Iterator[Hit]:
    tree = _tree(trees, text, matcher["language"], side_and_path)
    transform = matcher["config"].get("transform")
    worded = structural_pattern.template(message, transform) if "$" in message else None
    fix = structural_pattern.template(matcher["fix"], transform) if matcher.get("fix") is not None else None
    lines: list[str] | None = None
    seen: set[tuple[int, int, int]] = set()
    for match in tree.find(matcher["config"]):
        here = (match.line, match.column, match.end_line)
        if here in seen:
            continue  # f(1)(2)(3): calls of calls at one place are one observation
        seen.add(here)
        suggestion = None
        fixed = structural_pattern.expand_fix(fix, match, text) if fix is not None else None
        if fixed is not None:
            lines = text.split("\n") if lines is None else lines
            suggestion = _whole_lines(match, fixed, lines)
        yield _hit_of(match, text, worded)._replace(suggestion=suggestion)


def _other_spellings(rule: Rule, source: SourceFile) -> Iterator[tuple[str, UsualSpelling]]:
    """Yield the texts that mean the same and that a rule may match more easily, each with a name."""
    if source.usual_spelling is not None:
        yield "usual", source.usual_spelling
    if asks_for_imported(source, rule.literals):
        yield "written out", written_out(source)


def _in_spelling(
    message: str,
    matcher: Mapping[str, Any],
    spelling: UsualSpelling,
    source: SourceFile,
    trees: dict[tuple[str, str], structural_pattern.Tree],
    side_and_path: tuple[str, str],
    seen: set[tuple[int | None, int | None]],
) -> Iterator[Hit]:
    """Yield what a rule finds only in another spelling of a text, at its places in the text as it is."""
    text = source.text or ""
    tree = _tree(trees, spelling.text, matcher["language"], side_and_path)
    worded = structural_pattern.template(message, matcher["config"].get("transform")) if "$" in message else None
    for match in tree.find(matcher["config"]):
        span = match.node.range()
        start = spelling.place(span.start.index)
        end = spelling.end(max(span.start.index, span.end.index - 1))
        line, end_line = text.count("\n", 0, start) + 1, text.count("\n", 0, end) + 1
        column, end_column = start - text.rfind("\n", 0, start), end - text.rfind("\n", 0, end)
        if (line, column) not in seen:
            seen.add((line, column))
            here = _hit_of(match, spelling.text, worded)
            yield here._replace(line=line, end_line=end_line, column=column, end_column=end_column)


def _tree(
    trees: dict[tuple[str, str], structural_pattern.Tree], text: str, language: str, side_and_path: tuple[str, str]
) -> structural_pattern.Tree:
    side, path = side_and_path
    if (language, side) not in trees:
        trees[language, side] = structural_pattern.Tree(text, language, language_of(path))
    return trees[language, side]


def _hit_of(match: structural_pattern.Match, text: str, message: structural_pattern.Template | None) -> Hit:
    return Hit(
        line=match.line,
        end_line=match.end_line,
        column=match.column,
        end_column=match.end_column,
        statement=match.statement,
        message=structural_pattern.expand_message(message, match, text) if message is not None else None,
    )


def _whole_lines(match: structural_pattern.Match, fixed: str, lines: list[str]) -> Suggestion:
    before = lines[match.line - 1][: match.column - 1]
    after = lines[match.end_line - 1][match.end_column - 1 :]
    return Suggestion(match.line, match.end_line, before + fixed + after)


def _text(matcher: Mapping[str, Any], source: SourceFile) -> Iterator[Hit]:
    unless = matcher["unless"]
    if matcher["where"] == "filename":
        found = text_pattern.matches_name(matcher["regex"], file_name.matched(source.path), unless)
        if found and source.change.status in NEW_NAMES:
            yield Hit(None, statement="")
        return
    if "file" in unless and source.text is not None and text_pattern.search_whole(unless["file"], source.text):
        return
    joined = "\n".join(source.added.values())
    for line, start, end in text_pattern.search_lines(matcher["regex"], source.added.items(), joined, unless):
        yield Hit(line, line, start + 1, end + 1)


def _touches_change(rule: Rule, hit: Hit, source: SourceFile) -> bool:
    if hit.line is None or rule.lines == "file":
        return True
    lines = source.added if hit.side == "RIGHT" else source.removed
    last = hit.end_line or hit.line
    if rule.lines == "first":
        return hit.line in lines
    touched = sum(number in lines for number in range(hit.line, last + 1))
    return touched > 0 if rule.lines == "any" else 2 * touched > last - hit.line + 1


def only_counted(rule: Rule, severity: Severity) -> bool:
    """Tell whether a finding of a rule is counted and not listed; one that a configuration raises is listed."""
    return rule.show == "count" and not at_least(severity, "warning")


def _placement(rule: Rule, hit: Hit, change: ChangedFile) -> Any:
    severity = lowered(rule.severity, hit.severity)
    if rule.show != "inline" or rule.confidence != "high" or severity == "hint":
        return "summary"
    if hit.line is not None and is_set_aside(change.path):
        return "summary"  # a copy that nobody runs is told once, by pr/backup-file
    if hit.line is None:
        return "file"
    return "inline" if change.commentable(hit.line, hit.side) else "summary"


def _hits_again(rule: Rule, source: SourceFile, rulebook: Rulebook) -> list[Hit]:
    """Return all that a rule sees in another text of a file."""
    check = rulebook.check_of(rule)
    return [] if isinstance(check, ChangeCheck) else _look(rule, check, source, {})


def text_from_diff(change: ChangedFile) -> str | None:
    """Return the whole new text of a file that the diff alone tells: an added one."""
    if change.status != "added":
        return None
    try:
        return patching.apply("", change.hunks)
    except DiffError:
        return None
