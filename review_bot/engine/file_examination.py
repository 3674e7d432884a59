"""Runs the chosen rules over one file. Everything here may happen in another process: plain data in, plain data out."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from typing import Any, Self

from review_bot.changes.profile import FileProfile
from review_bot.changes.pull_request import ChangedFile, Unreviewed
from review_bot.changes.python_parsing import LARGEST_TEXT, CannotParse, CannotRead, parsed
from review_bot.changes.source_file import SourceFile
from review_bot.engine import profiling
from review_bot.engine.base_findings import (
    BaseFindings,
    is_about_text,
    may_be_brought_about,
)
from review_bot.engine.hit_bounds import in_file
from review_bot.engine.hit_findings import Base, Moved, severity_of, to_findings
from review_bot.engine.pattern_matches import Trees, matches
from review_bot.engine.plan import FileTask
from review_bot.engine.required_imports import imports_any
from review_bot.engine.suggestions import Proof
from review_bot.engine.suppression_filter import Place, SuppressionFilter
from review_bot.engine.suppressions import Known
from review_bot.engine.touched_code import may_report
from review_bot.findings import ONLY_DIFF_KNOWN, Failure, Finding, NotRun, Suppressed, at_least
from review_bot.processes import typed_json
from review_bot.records import NamedTuple
from review_bot.rules import structural_pattern
from review_bot.rules.check import ChangeCheck, FileCheck
from review_bot.rules.matchers import Checked, RemovedCode, Structural
from review_bot.rules.rule import Hit, Rule
from review_bot.rules.rulebook import Rulebook
from review_bot.rules.scope import is_python, language_of

SYNTAX_CHECK = "errors/syntax-error"
"""The check that reports Python which cannot be parsed. Where its finding is an error, it names what
is wrong with the file, and the review counts as complete although the other rules could not read it."""

_MARKER_CHECK = "style/conflict-marker"
"""The check that reports what keeps Python from parsing a file with a conflict in it."""
_MARKERS = ("<" * 7, ">" * 7)

_BROKEN = "needs Python without syntax errors"
_UNLIKE_PYTHON = (
    "ast-grep cannot parse this although Python can, so rules may have missed code; "
    "indent the lines inside brackets at least as far as their statement"
)


class FileTexts(NamedTuple):
    """A changed file with its whole texts, where they are known: at the head, and at the base."""

    change: ChangedFile
    text: str | None
    old_text: str | None


class FileInput(NamedTuple):
    """All that the result for one file depends on, besides the rulebook, as plain data.

    ``files``: the file, then those that share moved lines with it. ``task.file`` and the places in ``moved`` are
    positions in it, so that the input is the same wherever the file is in the change. ``suggests=False``: no
    suggestion is tried, and so none is offered; nor is anything counted.
    """

    task: FileTask
    files: tuple[FileTexts, ...]
    moved: Moved
    known: Known
    suggests: bool = True

    def base(self, rulebook: Rulebook) -> Base:
        """Return what was at the base, as seen from the file."""
        found: dict[int, BaseFindings] = {}

        def of(position: int) -> BaseFindings:
            if position not in found:
                found[position] = findings_at_base(self.files[position], rulebook)
            return found[position]

        return Base(of(0), self.moved, of, found)


class FileResult(NamedTuple):
    """What one file gave; ``file``: its index. ``used``: line and rule of the suppressions that silence something.

    ``written``: each fact is the text of its JSON, not of the type that its check declares. Of a large change all facts
    wait until every file has been looked at, and as text they take a fifth of the memory.
    """

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
    written: bool = False

    def of_file(self, index: int) -> Self:
        """Return the result of a file with this index in the pull request."""
        return self._replace(file=index, profile=self.profile and self.profile._replace(file=index))

    def written_out(self) -> Self:
        """Return it with its facts as text, as other processes and the cache get it."""
        if self.written:
            return self
        facts = tuple((rule, typed_json.encode(fact)) for rule, fact in self.facts)
        return self._replace(facts=facts, written=True)


def examine_file(given: FileInput, rulebook: Rulebook) -> FileResult:
    """Try rules on one file and return what they saw, judged against suppressions and moved lines.

    The result depends on the arguments alone. Its ``file`` is 0, the position of the file in what is given.
    """
    task, suggests, base = given.task, given.suggests, given.base(rulebook)
    whole, as_new, unreviewed = _source(given)
    trees: Trees = {}
    hits: list[tuple[Rule, Hit]] = []
    counted: dict[str, list[Hit]] = {}
    elsewhere: list[Place] = []
    facts: list[tuple[int, Any]] = []
    failures: list[Failure] = []
    not_run: list[NotRun] = []
    unread: list[tuple[str, CannotRead]] = []
    untried: list[NotRun] = []
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
                fact = _gathered(check, source, rulebook.options_of(rule))
                facts += [] if fact is None else [(number, fact)]
                continue
            found = in_file(_look(rule, check, source, trees) if may_report(rule, source, trees) else [], source)
            elsewhere += _places(rule, found)
            touched = _touched(rule, found, source, base.findings if source is whole else None)
            if touched:
                counted[rule.id] = found if _is_whole(rule, source) else look_at_all(rule, source.all_added(), rulebook)
        except CannotRead as error:
            unread.append((rule.id, error))
        except RecursionError:
            unreviewed.append(Unreviewed(whole.path, "nested too deeply to be examined by every rule"))
        except BaseException as error:  # a rule that crashes is a recorded failure; ast-grep panics outside Exception
            if isinstance(error, KeyboardInterrupt | SystemExit | MemoryError):
                raise
            failures.append(Failure(rule.id, whole.path, structural_pattern.named(error)))
        else:
            hits += [(rule, hit) for hit in touched]
    findings = to_findings(
        hits,
        whole,
        base,
        rulebook,
        Proof(whole, partial(look_again, rulebook), untried),
        entered=entered,
        counted=counted,
        suggests=suggests,
    )
    comments = SuppressionFilter(whole, given.known, base.findings, entered)
    kept, suppressed = comments.apply(findings, {rule.id: rule for rule, _ in hits})
    told = [rule for rule, error in unread if isinstance(error, CannotParse) and _is_explained(kept, hits)]
    not_run += [NotRun(rule, _BROKEN) for rule in told]
    unreviewed += [
        *_unread(whole.path, [each for each in unread if each[0] not in told]),
        *_hidden_code((rulebook.rules[number] for number in task.rules), whole, trees),
    ]
    comments.mark_used(elsewhere)
    return FileResult(
        file=task.file,
        findings=tuple(_once(kept, hits, whole)),
        suppressed=tuple(suppressed),
        facts=tuple(facts),
        failures=(*failures, *base.failures),
        not_run=(*not_run, *untried),
        unreviewed=tuple(unreviewed),
        used=frozenset(comments.used),
        not_tried=frozenset([f.rule for f in failures] + [n.rule for n in not_run] + [rule for rule, _ in unread]),
        has_directives=comments.has_directives,
        profile=profiling.profile(task.file, whole, rulebook.focus) if suggests else None,
    )


def findings_at_base(file: FileTexts, rulebook: Rulebook) -> BaseFindings:
    """Return what the rules find in a file at the base, when they are asked."""
    return BaseFindings(*file, lambda rule, old: look_at_all(rule, old, rulebook))


def _seen_by(rule: int, task: FileTask, whole: SourceFile, as_new: SourceFile) -> SourceFile:
    """Return a file as one rule sees it: all of it is new, or gone, where the rule looks at one of its names alone."""
    if rule in task.left:
        return whole.all_removed()
    return as_new if rule in task.entered else whole


def _source(given: FileInput) -> tuple[SourceFile, SourceFile, list[Unreviewed]]:
    """Return a file, and the same as one that is all new to the rules that did not look at its old name.

    A text that is too large to be parsed is named as unreviewed.
    """
    task = given.task
    change, text, old_text = given.files[task.file]
    text = text if task.needs_text or task.wants_text else None
    if text is not None and len(text) > LARGEST_TEXT:
        unread = SourceFile(change, None, None)
        return unread, unread, [Unreviewed(change.path, f"larger than {LARGEST_TEXT:,} characters")]
    whole = SourceFile(change, text, old_text)
    return whole, whole.all_added() if task.entered and text is not None else whole, []


def _is_explained(findings: list[Finding], hits: list[tuple[Rule, Hit]]) -> bool:
    """Return whether a finding says why Python cannot parse the file."""
    return any(finding.severity == "error" and finding.rule in _rules_of(SYNTAX_CHECK, hits) for finding in findings)


def _once(findings: list[Finding], hits: list[tuple[Rule, Hit]], source: SourceFile) -> Iterator[Finding]:
    """Yield findings without that of a syntax error inside a conflict whose markers are reported as errors already.

    It stays if the base had such a marker: a baseline may accept the finding of that one.
    """
    markers = _rules_of(_MARKER_CHECK, hits)
    lines = [each.line for each in findings if each.rule in markers and each.severity == "error" and each.listed]
    places = [line for line in lines if line is not None]
    before = source.old_text if source.change.status != "added" else ""
    is_new = before is not None and not any(each in before for each in _MARKERS)
    syntax = _rules_of(SYNTAX_CHECK, hits) if places and is_new else set()
    for each in findings:
        if each.rule not in syntax or each.line is None or not min(places) <= each.line <= max(places):
            yield each


def _rules_of(check: str, hits: list[tuple[Rule, Hit]]) -> set[str]:
    return {rule.id for rule, _ in hits if isinstance(rule.matcher, Checked) and rule.matcher.name == check}


def _unread(path: str, rules: list[tuple[str, CannotRead]]) -> Iterator[Unreviewed]:
    """Yield one entry for each reason for which rules could not read a file."""
    by_reason: dict[str, list[str]] = {}
    for rule, error in rules:
        by_reason.setdefault(str(error), []).append(rule)
    for reason, not_run in by_reason.items():
        yield Unreviewed(path, f"{reason}; not run: {not_run[0] if len(not_run) == 1 else f'{len(not_run)} rules'}")


def look_again(rulebook: Rulebook, rule: Rule, source: SourceFile) -> list[Hit]:
    """Return all that a rule sees in another text of a file."""
    check = rulebook.check_of(rule)
    return [] if isinstance(check, ChangeCheck) else _look(rule, check, source, {})


def look_at_all(rule: Rule, source: SourceFile, rulebook: Rulebook) -> list[Hit]:
    """Return all that a rule sees in a file, each time from the start."""
    if not _may_match(rule, source) or _lacks(rule, source):
        return []
    return look_again(rulebook, rule, source)


def _is_whole(rule: Rule, source: SourceFile) -> bool:
    """Return whether what a rule saw is all there is: it may leave out what is not added."""
    if source.change.status == "added" or source.text is None or not is_about_text(rule):
        return True
    return rule.kind == "structural"


def _touched(rule: Rule, found: list[Hit], source: SourceFile, base: BaseFindings | None) -> list[Hit]:
    """Return the hits that the change is answerable for; without a ``base`` all of the file is new.

    Besides those on added lines, these are the serious ones that the base did not have: another line caused them.
    """
    touched = [hit for hit in found if _touches_change(rule, hit, source)]
    if base is None or not may_be_brought_about(rule):
        return touched
    return touched + [
        hit
        for hit in found
        if hit.line is not None
        and hit.line not in source.added
        and at_least(severity_of(rule, hit), "warning")
        and base.is_new(rule, hit.line)
    ]


def _look(rule: Rule, check: FileCheck | None, source: SourceFile, trees: Trees) -> list[Hit]:
    """Return all that a rule sees in a file, whether the change touched it or not."""
    if check is not None and isinstance(rule.matcher, Checked):
        try:
            return list(check.examine(source, rule.matcher.options))
        except CannotParse:
            if not _is_repaired(source):
                raise
            return list(check.examine(source.all_added(), rule.matcher.options))
    return list(matches(rule, source, trees))


def _gathered(check: ChangeCheck[Any], source: SourceFile, options: Mapping[str, Any]) -> Any:
    """Return what a check gathers of a file. Raises CannotRead."""
    try:
        return check.gather(source, options)
    except CannotParse:
        if not _is_repaired(source):
            raise
        return check.gather(source.all_added(), options)


def _is_repaired(source: SourceFile) -> bool:
    """Return whether Python can parse the new text and could not parse the old one: all of it is new to rules then.

    None of its code ran before, so that there is nothing to compare with.
    """
    if not is_python(source.path) or source.text is None or parsed(source.text) is None:
        return False
    before = source.at_base()
    return before is not None and bool(before.text) and parsed(before.text or "") is None


def _places(rule: Rule, found: list[Hit]) -> Iterator[Place]:
    return (Place(rule.id, hit.line, hit.column) for hit in found if hit.line is not None and hit.side == "RIGHT")


def _lacks(rule: Rule, source: SourceFile) -> str | None:
    match rule.matcher:
        case Checked(reads_text=reads_text):
            needs_text = reads_text and source.change.status != "deleted"
        case other:
            needs_text = isinstance(other, Structural | RemovedCode)
    if needs_text and source.text is None:
        return f"needs whole files, but {ONLY_DIFF_KNOWN}"
    if isinstance(rule.matcher, RemovedCode) and source.old_text is None:
        return f"needs the old text of whole files, but {ONLY_DIFF_KNOWN}"
    return None


def _may_match(rule: Rule, source: SourceFile) -> bool:
    """Return whether a file holds what a rule cannot match without: words, and imports that it requires."""
    if rule.literals is not None:
        held = rule.kind != "removed" and source.vocabulary.hold(rule.literals)
        if not held and not (rule.reads_old and source.old_vocabulary.hold(rule.literals)):
            return False
    return not rule.required_imports or imports_any(source, rule.required_imports)


def _hidden_code(rules: Iterable[Rule], source: SourceFile, trees: Trees) -> Iterator[Unreviewed]:
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


def _touches_change(rule: Rule, hit: Hit, source: SourceFile) -> bool:
    if hit.line is None or rule.lines == "file":
        return True
    lines = source.added if hit.side == "RIGHT" else source.removed
    last = hit.end_line or hit.line
    if rule.lines == "first":
        return hit.line in lines
    touched = sum(number in lines for number in range(hit.line, last + 1))
    return touched > 0 if rule.lines == "any" else 2 * touched > last - hit.line + 1
