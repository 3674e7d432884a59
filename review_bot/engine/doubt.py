"""Checks whether a rule would report in the base what it reports in the change.

A rule such as ``api/missing-name-import`` claims that a thing (``Hit.subject``: a module, a class, a script) lacks
something. A repository may provide it in a way that the rule cannot see: a code generator, a plugin, a build step. But
the base works. So the rule is run on a few files of the base, as though a change added them: the file itself as it was,
its neighbours, and those that name the thing. If it claims the same of the same thing there, it does not understand the
thing, and its claim about the change is in doubt.

A warning or less about the text of one file is true wherever it is reported. But if two neighbours of the file have the
same finding at the base, the author followed a habit of the folder, which this change did not introduce: the finding is
a row of the summary instead of a comment.

A finding that a comment of the base suppresses raises no doubt: it was looked at, and concerns that place alone.

The change cannot affect this: what is only in the change raises no doubt.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterable, Iterator
from contextlib import suppress

from review_bot.changes.codebase import Codebase, Snapshot
from review_bot.changes.pull_request import ChangedFile, PullRequest
from review_bot.changes.python_parsing import CannotRead
from review_bot.changes.source_file import SourceFile
from review_bot.engine import file_examination
from review_bot.engine.base_findings import BaseFindings, is_about_text
from review_bot.engine.hit_findings import fill, severity_of
from review_bot.engine.suppression_filter import Place, SuppressionFilter
from review_bot.engine.suppressions import Known
from review_bot.findings import Finding, Related, Severity
from review_bot.records import NamedTuple
from review_bot.rules.check import ChangeCheck
from review_bot.rules.matchers import Checked
from review_bot.rules.rule import Hit, Rule
from review_bot.rules.rulebook import Rulebook
from review_bot.rules.scope import in_scope
from review_bot.text.lazy_regex import LazyRegex

ENOUGH = 2
"""Places of the base that raise doubt: one may well be broken."""

EVERYWHERE = 3
"""Files of the base that leave nothing of the claim: a repository that works has not broken that many."""

NEIGHBOURS = 6
"""Files of the folder that are asked, besides the file itself."""

NAMING = 6
"""Files that name the thing on which the rule is run."""

SEARCHED = 2_000
"""Files in which the name is looked for, the nearest first."""

MOST_QUESTIONS = 20
"""Files and things of the change for which one rule is run on the base; claims about more are not doubted."""

LONGEST = 200_000
"""Characters of the longest file on which the rule is run."""

_WORD = LazyRegex(r"\w+")
_PYTHON = (".py", ".pyi", ".ipynb")


class Claim(NamedTuple):
    """A claim of a rule about a place of the change. ``subject``: see ``Hit``; of a habit it is the whole message.

    ``message``: what it says, empty where the subject is known.
    """

    rule: str
    path: str
    line: int | None
    subject: str | None
    severity: Severity
    message: str = ""


class Doubt(NamedTuple):
    """A claim that the base would earn too, in a place of it. ``dropped``: nothing is left of the claim."""

    claim: Claim
    place: Related
    dropped: bool


def is_doubted(rule: Rule) -> bool:
    """Return whether a rule claims that something is nowhere in the repository."""
    return isinstance(rule.matcher, Checked) and rule.matcher.doubted


def may_be_doubted(rule: Rule) -> bool:
    """Return whether the base is asked about the claims of a rule: not if the repository set its severity."""
    return is_doubted(rule) and not (rule.builtin and rule.chosen)


def may_be_habit(rule: Rule) -> bool:
    """Return whether a rule comments on what a repository may do everywhere, unless the repository asked for that."""
    own = not rule.builtin or rule.chosen or rule.placed
    return rule.show == "line" and rule.severity != "error" and is_about_text(rule) and not own and not _guards(rule)


def _guards(rule: Rule) -> bool:
    return rule.aspect == "Security" or not rule.suppressible


def doubts(
    rule: Rule, claims: Iterable[Claim], change: PullRequest, codebase: Codebase, rulebook: Rulebook, known: Known
) -> Iterator[Doubt]:
    """Yield the claims of one rule that it would make of the base too, in ``ENOUGH`` places about the same subject.

    A claim without a subject needs the same message in as many places, or as many files with claims without one, and a
    habit as many files. An error is doubted by errors alone: what a gate lets pass must not open it for what it stops.
    Claims about one line are one finding, so that all of them must be doubted.
    """
    asked = list(claims)
    paths = _asked_about(asked, rule, codebase, rulebook)
    there: dict[tuple[str | None, bool], list[Related]] = {}
    at_base = _claims_at_base(rule, paths, change, codebase, rulebook)
    for path, hit in _unsuppressed(rule, at_base, codebase.base, known):
        place = Related(path, hit.line, "the base has the same")
        message = hit.message or fill(rule.message, hit.values)
        for subject in {hit.subject, message} if is_doubted(rule) else {message}:
            there.setdefault((subject, severity_of(rule, hit) == "error"), []).append(place)
    of_line: dict[tuple[str, int | None], list[Doubt | None]] = {}
    for claim in asked:
        dropped = is_doubted(rule) and claim.severity != "error"
        doubt = None
        for subject in dict.fromkeys([claim.subject, claim.message or claim.subject]):
            places = there.get((subject, True), [])
            if claim.severity != "error":
                places = [*places, *there.get((subject, False), [])]
            by_place = is_doubted(rule) and subject is not None
            if len({(place.path, place.line if by_place else None) for place in places}) >= ENOUGH:
                is_usual = is_doubted(rule) and len({place.path for place in places}) >= EVERYWHERE
                doubt = Doubt(claim, _shown(places, change), dropped=dropped or is_usual)
                break
        of_line.setdefault((claim.path, claim.line), []).append(doubt)
    for found in of_line.values():
        sure = [each for each in found if each is not None]
        if len(sure) == len(found):
            yield min(sure, key=lambda each: each.dropped)


def _shown(places: list[Related], change: PullRequest) -> Related:
    """Return a place of the base that is still there at the head, or a file without a line."""
    changed = {file.base_path for file in change.files}
    kept = [place for place in places if place.path not in changed]
    return kept[0] if kept else places[0]._replace(line=None)


def _asked_about(claims: list[Claim], rule: Rule, codebase: Codebase, rulebook: Rulebook) -> list[str]:
    """Return the files of the base to ask: those of the claims, their neighbours, those that name a subject."""
    base = codebase.base
    suffixes = {posixpath.splitext(claim.path)[1] for claim in claims}
    able = sorted(
        path
        for path in base.paths
        if posixpath.splitext(path)[1] in suffixes and in_scope(rule, path) and not rulebook.ignores(path)
    )
    by_folder: dict[tuple[str, str], list[str]] = {}
    for path in able:
        by_folder.setdefault((posixpath.dirname(path), posixpath.splitext(path)[1]), []).append(path)
    found: dict[str, None] = {}
    for path in list(dict.fromkeys(claim.path for claim in claims))[:MOST_QUESTIONS]:
        neighbours = by_folder.get((posixpath.dirname(path), posixpath.splitext(path)[1]), [])
        found |= dict.fromkeys(
            [*([path] if path in base.paths else []), *[p for p in neighbours if p != path][:NEIGHBOURS]]
        )
    named = {claim.subject: claim.path for claim in reversed(claims) if claim.subject and is_doubted(rule)}
    for subject, path in list(named.items())[:MOST_QUESTIONS]:
        words = _WORD.findall(subject)
        if words and path.endswith(_PYTHON):
            nearest = sorted(able, key=lambda other: (-_shared_folders(other, path), other))[:SEARCHED]
            found |= dict.fromkeys(_naming(subject, words[-1], nearest, base))
    return list(found)


def _naming(subject: str, word: str, paths: Iterable[str], base: Snapshot) -> list[str]:
    """Return the first files that name a thing in full, or else by its last word, which may be a common one."""
    in_full: list[str] = []
    by_word: list[str] = []
    for path in paths:
        text = (base.text(path) or "") if path.endswith(_PYTHON) else ""
        if subject in text:
            in_full.append(path)
        elif word in text and len(by_word) < NAMING:
            by_word.append(path)
        if len(in_full) == NAMING:
            break
    return (in_full + by_word)[:NAMING]


def _shared_folders(path: str, other: str) -> int:
    pairs = zip(path.split("/"), other.split("/"), strict=False)
    return next((number for number, (one, two) in enumerate(pairs) if one != two), 0)


def after_doubts(findings: Iterable[Finding], found: Iterable[Doubt]) -> list[Finding]:
    """Return what is left of findings: of one that the base would earn too nothing, or a hint with a place there."""
    by_place: dict[tuple[str, str | None, int | None], Doubt] = {
        (each.claim.rule, each.claim.path, each.claim.line): each for each in found
    }
    left: list[Finding] = []
    for finding in findings:
        doubt = by_place.get((finding.rule, finding.path, finding.line))
        if doubt is None or finding.side == "LEFT":
            left.append(finding)
        elif not doubt.dropped:
            related = (*finding.related, doubt.place)
            left.append(finding._replace(severity="hint", placement="summary", related=related))
    return left


def _claims_at_base(
    rule: Rule, paths: list[str], change: PullRequest, codebase: Codebase, rulebook: Rulebook
) -> list[tuple[str, Hit]]:
    """Return the findings of a rule in files of the base, as though they had just been added to it, by path."""
    base = codebase.base
    texts = {path: text for path in paths if (text := base.text(path)) is not None and len(text) <= LONGEST}
    sources = [
        SourceFile(ChangedFile(path, None, "added", "text"), text, None).all_added() for path, text in texts.items()
    ]
    check, options = rulebook.check_of(rule), rulebook.options_of(rule)
    if not isinstance(check, ChangeCheck):
        found: list[tuple[str, Hit]] = []
        for source in sources:
            with suppress(CannotRead, RecursionError):  # a file of the base that no rule can read says nothing
                found += [(source.path, hit) for hit in file_examination.look_at_all(rule, source, rulebook)]
        return found
    facts = {}
    for source in sources:
        with suppress(CannotRead, RecursionError):
            fact = check.gather(source, options)
            if fact is not None:
                facts[source.path] = fact
    added = change._replace(files=tuple(each.change for each in sources), unreviewed=())
    before = Snapshot(base.paths.difference(texts), base.text, opaque=base.opaque)
    hits = check.relate(facts, added, codebase.between(before, base, added), options) if facts else ()
    return [(hit.path, hit) for hit in hits if hit.path is not None]


def _unsuppressed(rule: Rule, found: list[tuple[str, Hit]], base: Snapshot, known: Known) -> Iterator[tuple[str, Hit]]:
    """Yield the findings of a rule at the base that no comment there suppresses. All comments of the base count."""
    comments: dict[str, SuppressionFilter] = {}
    for path, hit in found:
        if path not in comments:
            source = SourceFile(ChangedFile(path, None, "added", "text"), base.text(path), None).all_added()
            findings = BaseFindings(source.change, source.text, None, lambda _rule, _source: [])
            comments[path] = SuppressionFilter(source, known._replace(suppressions="head"), findings)
        suppressed = rule.suppressible and hit.line is not None
        if not (suppressed and comments[path].covers(Place(rule.id, hit.line or 1, hit.column))):
            yield path, hit
