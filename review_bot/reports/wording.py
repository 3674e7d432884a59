"""The sentences that all reports for people share: verdict, counts, time, place. Plain text, not yet escaped."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from review_bot.advice.next_steps import next_steps, review_effort
from review_bot.assessment.review_areas import SelectedQuestion
from review_bot.findings import SERIOUS, SEVERITIES, Finding, Fix, Severity
from review_bot.records import NamedTuple
from review_bot.review.reach import OTHER_LANGUAGE, files_of
from review_bot.review.review import Review
from review_bot.review.verdict import DECISION_WORDS
from review_bot.text.lazy_regex import LazyRegex
from review_bot.text.listing import all_of, count, first_of

_SHA = LazyRegex(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_RELATIVE = LazyRegex(r"[~^]|@\{|^(?:@|[A-Z]*HEAD)$")
"""What makes a revision name another commit after the next one."""

_COUNTED: dict[Severity, tuple[str, str]] = {
    "error": ("error", "errors"),
    "warning": ("warning", "warnings"),
    "info": ("info", "info"),
    "hint": ("hint", "hints"),
}


def capital(text: str) -> str:
    """Return text with its first letter in upper case."""
    return text[:1].upper() + text[1:]


MOST_PLACES = 4
MOST_LANGUAGES = 4
"""Languages that a headline names."""


LEFT_TO_PEOPLE = "a person has to judge the rest"
"""What a headline ends in that asks for no change: rules know some kinds of defects only."""

WORKING_WEEK = 40 * 60
"""Minutes from which a time to fix is no more than "a lot"."""


def decision(review: Review) -> str:
    """Return the decision in words; minor findings that are only counted are findings too."""
    if review.verdict.decision == "no-findings" and review.counted:
        return "No findings listed"
    return DECISION_WORDS[review.verdict.decision]


def verdict(review: Review) -> str:
    """Return decision and reasons in one line, which files have no rules, and which rules have no files."""
    if review.verdict.decision == "no-findings":
        return f"{reasons(review)}. {capital(reach(review))}".rstrip(". ")
    parts = filter(None, (reasons(review), capital(reach(review))))
    return f"{DECISION_WORDS[review.verdict.decision]}: {'. '.join(parts)}"


def reasons(review: Review) -> str:
    """Return the reasons for the verdict; "No findings" or the like if nothing is listed."""
    unexamined = "" if review.findings else nothing_ran(review)
    if review.verdict.reasons:
        return "; ".join([*review.verdict.reasons, *filter(None, (unexamined,))])
    if review.counted:
        return f"No findings listed ({count(len(review.counted), 'minor one')} counted)"
    what = "No open findings" if review.suppressed or review.findings else "No findings"
    return f"{what}: {unexamined}" if unexamined else what


def reach(review: Review) -> str:
    """Return how far the rules reach, without a full stop.

    With nothing listed: "184 rules ran on 5 Python files; no language-specific rule ran on 1 more Python file and 2
    TypeScript files; a person has to judge the rest"; otherwise only the files without such rules, and the last clause
    unless the review is incomplete or requires changes. Of a diff without its files, also how many rules did not run.
    """
    lacking = Counter(each.language for each in review.reach.without_rules)
    ordered = sorted(lacking.items(), key=lambda pair: (pair[0] == OTHER_LANGUAGE, -pair[1], pair[0]))
    parts: list[str] = []
    if review.verdict.decision == "no-findings" and not nothing_ran(review):
        parts += filter(None, (rules_by_language(review),))
    reached = {each.language for each in review.reach.languages}
    files = [files_of(*each, more=each[0] in reached) for each in ordered]
    if not review.reach.languages and not files and review.reach.data_files:
        files = [count(len(review.reach.data_files), "data file")]
    if files:
        parts.append(f"no language-specific rule ran on {listed_few(files, MOST_LANGUAGES, 'languages')}")
    parts += filter(None, (without_files(review),))
    if review.verdict.decision == "comments" or (parts and review.verdict.decision == "no-findings"):
        parts.append(LEFT_TO_PEOPLE)
    return "; ".join(parts)


def without_files(review: Review) -> str:
    """Return how many rules a diff without its files left out, and what to add; an empty text if there are none."""
    change = review.pull_request
    lacking = {entry.rule for entry in review.examination.not_run if entry.lacks_files}
    if not lacking or change.base or change.base_label:
        return ""
    return f"{count(len(lacking), 'rule needs', 'rules need')} the files and did not run: add --source DIR"


def rules_by_language(review: Review) -> str:
    """Return how many rules ran on the files of each language, such as "184 rules ran on 5 Python files"; may be ""."""
    if not review.reach.languages:
        return ""
    first, *others = review.reach.languages
    ran = [f"{count(first.rules, 'rule')} ran on {files_of(first.language, first.files)}"]
    ran += [f"{each.rules} on {files_of(each.language, each.files)}" for each in others]
    return listed_few(ran, MOST_LANGUAGES, "languages")


def nothing_ran(review: Review) -> str:
    """Return why no rule ran on any changed file if the configuration is the cause, else an empty text."""
    if not review.rules_run and not review.examination.not_run and not review.examination.failures:
        return "no rules ran: the configuration disables all of them"
    left_out = review.examination.left_out
    if left_out and len(left_out) == len(review.pull_request.files) and len({each.reason for each in left_out}) == 1:
        return f"every changed file is {left_out[0].reason}; checked for errors only"
    if review.examination.ignored and len(review.examination.ignored) == len(review.pull_request.files):
        return "no rules ran: the configuration ignores every changed file"
    return ""


class Headline(NamedTuple):
    """The first sentence of a summary: ``first`` matters most, ``rest`` are the counts of lesser severities.

    ``joined``: ``first`` ends with counts, which ``rest`` continues.
    """

    first: str
    rest: str
    joined: bool


def headline(review: Review) -> Headline:
    """Return what is missing and the numbers of errors and warnings, and the rest separately; each number once.

    What was declined is counted apart, unless it still fails the gate.
    """
    verdict = review.verdict
    reached = 0 if verdict.fail_on == "never" else SEVERITIES.index(verdict.fail_on) + 1
    failing = SEVERITIES[:reached]
    heavy = {*SERIOUS, *failing}
    missing = verdict.reasons[
        : bool(review.unreviewed) + bool(review.examination.failures)
    ]  # the verdict names these first
    declined = {each.fingerprint for each in review.context.declined}
    kept = [each for each in review.findings if each.fingerprint not in declined or each.severity in failing]
    counts = severity_counts(finding for finding in kept if finding.severity in heavy)
    quiet = "no errors or warnings" if review.verdict.decision == "comments" else reasons(review)
    first = "; ".join([*missing, counts] if counts else missing) or quiet
    rest = severity_counts(finding for finding in kept if finding.severity not in heavy)
    left = sum(finding.listed for finding in review.findings) - sum(finding.listed for finding in kept)
    failed = sum(each.listed and each.fingerprint in declined for each in kept)
    parts = (rest, f"{left} declined" if left else "", f"{failed} declined but failing the check" if failed else "")
    rest = ", ".join(filter(None, parts))
    return Headline(first[:1].upper() + first[1:], rest, bool(counts))


def gate(review: Review) -> str:
    """Return the effect of a ``fail-on`` other than the default on the findings, or an empty text."""
    verdict = review.verdict
    if verdict.decision != "changes-required" or verdict.fail_on == "error":
        return ""
    if verdict.fail_on == "never":
        return "The check still passes (`fail-on: never`)."
    return f"The check fails on `{verdict.fail_on}` and above (`fail-on: {verdict.fail_on}`)."


def severity_counts(findings: Iterable[Finding]) -> str:
    """Return the number of open, listed findings by severity, ``1 error, 2 hints``, or an empty text."""
    open_findings = [finding.severity for finding in findings if finding.listed]
    numbers = [(open_findings.count(severity), _COUNTED[severity]) for severity in SEVERITIES]
    return ", ".join(count(number, *words) for number, words in numbers if number)


def duration(minutes: int) -> str:
    """Return ``35 min``, ``1 h 40 min`` or ``12 h``; from a working week up only ``40+ h``.

    Rounded to five minutes from an hour up, to hours from ten hours up.
    """
    if minutes >= WORKING_WEEK:
        return f"{WORKING_WEEK // 60}+ h"
    if minutes < 60:
        return f"{minutes} min"
    if minutes >= 600:
        return f"{round(minutes / 60)} h"
    hours, rest = divmod(5 * round(minutes / 5), 60)
    return f"{hours} h {rest} min" if rest else f"{hours} h"


def about(minutes: int) -> str:
    """Return ``about 35 min``, or ``more than 40 h`` from a working week up."""
    return f"more than {WORKING_WEEK // 60} h" if minutes >= WORKING_WEEK else f"about {duration(minutes)}"


def time(review: Review) -> str:
    """Return the time to fix the open findings: errors and warnings, and the rest separately."""
    plan = next_steps(review)
    if plan.minutes and plan.lighter:
        return f"{about(plan.minutes)} to fix, plus {duration(plan.lighter)} for the rest"
    return f"{about(plan.minutes or plan.lighter)} to fix" if plan.minutes or plan.lighter else ""


def effort(review: Review) -> str:
    """Return the effort to review the change."""
    return f"review effort: {review_effort(review)} of 5"


def line_ranges(lines: Sequence[int], most: int = 4) -> str:
    """Return ascending line numbers as ranges, ``most`` of them: ``7,9,15-18`` and perhaps ``…``."""
    ranges: list[tuple[int, int]] = []
    for line in lines:
        if ranges and ranges[-1][1] == line - 1:
            ranges[-1] = (ranges[-1][0], line)
        else:
            ranges.append((line, line))
    shown = [str(first) if first == last else f"{first}-{last}" for first, last in ranges[:most]]
    return ",".join([*shown, *(["…"] if len(ranges) > most else [])])


def size(review: Review) -> str:
    """Return how much was reviewed: ``5 files, +457 -35``."""
    change = review.pull_request
    return f"{count(len(change.files), 'file')}, +{change.added} -{change.removed}"


def base(review: Review, mark: str = "") -> str:
    """Return what the change is compared with, or an empty text for a bare diff; ``mark`` is put around revisions."""
    change = review.pull_request
    label = revision(change.base_label or change.base or "")
    if not label:
        return ""
    ancestor = change.merge_base or ""
    differs = ancestor and not ancestor.startswith(label)
    shown = f"against {mark}{label}{mark}"
    return shown + (f" (merge base {mark}{revision(ancestor)}{mark})" if differs else "")


def revision(name: str) -> str:
    """Return a revision as people write it: a full object id is cut to its first twelve digits."""
    return name[:12] if _SHA.fullmatch(name) else name


def argument(name: str) -> str:
    """Return a revision as it is given to a command: a branch may be called ``x;reboot``, and people copy commands."""
    import shlex

    return shlex.quote(revision(name))


def base_to_repeat(review: Review) -> str | None:
    """Return the base for a command that people run later: a commit in place of a revision such as ``HEAD~3``."""
    change = review.pull_request
    label = change.base_label or change.base
    return change.base if label and change.base and _RELATIVE.search(label) else label


def empty(review: Review, mark: str = "`") -> str:
    """Return the one sentence about a change without content, or an empty text if there is something to report."""
    if review.pull_request.files or review.unreviewed or review.findings or review.examination.failures:
        return ""
    change, against = review.pull_request, base(review, mark)
    if change.head and change.head == change.merge_base != change.base and change.number is None:
        start, end = revision(change.base_label or change.base or ""), revision(change.head)
        return (
            f"Nothing to review: {mark}{end}{mark} is an ancestor of {mark}{start}{mark}, which already has all its "
            f"commits; for the change between them, swap the two: {mark}{end}..{start}{mark}."
        )
    return f"Nothing to review: the change{' ' + against if against else ''} is empty."


def place(finding: Finding) -> str:
    """Return ``path:line:column`` as editors read it, or as much of it as is known."""
    if finding.path is None:
        return "the whole change"
    if finding.line is None:
        return finding.path
    if finding.side == "LEFT":
        return f"{finding.path} (deleted line {finding.line})"
    column = f":{finding.column}" if finding.column else ""
    return f"{finding.path}:{finding.line}{column}"


def places(finding: Finding) -> str:
    """Return the places of a finding as ``place`` writes them, ``MOST_PLACES`` of them and the number of the others."""
    return first_of(map(place, finding.places), MOST_PLACES)


def suggestion_place(finding: Finding) -> str:
    """Return ``, on line 38`` if a suggestion changes no line of its finding; otherwise, or without one, nothing."""
    if finding.suggestion is None or finding.line is None:
        return ""
    first, last, _ = finding.suggestion
    if finding.side == "RIGHT" and first <= finding.last_line and finding.line <= last:
        return ""
    return f", on line {first}" if first == last else f", on lines {first} to {last}"


def fix_place(fix: Fix, known: Mapping[str, Finding]) -> str:
    """Return the place of the finding that a fix settles, by fingerprint; the lines to edit may be others."""
    finding = known.get(fix.fingerprints[0])
    return f"{fix.path}:{fix.suggestion.start_line}" if finding is None else place(finding)


def path_line(path: str, line: int | None) -> str:
    """Return ``path:line`` as editors read it, or the path alone."""
    return path if line is None else f"{path}:{line}"


def card_place(card: SelectedQuestion) -> str:
    """Return where most lines of a card are."""
    return path_line(*card.places[0][:2])


def one_line(text: str, longest: int = 1000) -> str:
    """Return text with each run of blanks and line ends as one blank, cut when it is very long.

    A cut inside of backticks closes them: what was quoted stays a quotation.
    """
    joined = re.sub(r"[ \t\r\n]+", " ", text).strip(" ")
    if len(joined) <= longest:
        return joined
    kept = joined[: longest - 4]
    return f"{kept}...`" if kept.count("`") % 2 else f"{joined[: longest - 3]}..."


def text_and_code(text: str) -> list[str]:
    """Return text in one line, in parts: what is between single backticks, which is code, is every second one."""
    return re.split(r"(?<!`)`([^`\n]+)`(?!`)", one_line(text))


def shortened(name: str, longest: int) -> str:
    """Return a name that is not too long: its end says more than its middle."""
    half = (longest - 3) // 2
    return name if len(name) <= longest else f"{name[:half]}...{name[-half:]}"


def local_command(review: Review) -> str:
    """Return the command that reviews a change in a clone: its commits, or the branch that is checked out.

    The head of a pull request is not named, since people run this after they have changed something.
    """
    base, head = base_to_repeat(review), review.pull_request.head
    if not base:
        return "review-bot review"
    end = f" --head {argument(head)}" if head and review.pull_request.number is None else ""
    return f"review-bot review --base {argument(base)}{end}"


def export_command(review: Review) -> str:
    """Return the command that makes the same dossier."""
    change = review.pull_request
    if change.number is not None and change.repository:
        return f"review-bot review --pr {change.repository}#{change.number} --export dossier"
    if base_to_repeat(review) is None:
        return "review-bot review --diff FILE --export dossier"
    return f"{local_command(review)} --export dossier"


def listed_few(texts: list[str], most: int, what: str = "") -> str:
    """Return texts as a sentence lists them, ``most`` of them and the number of the others; ``what``: their plural."""
    if len(texts) > most + 1:
        texts = [*texts[:most], f"{len(texts) - most} more {what}".rstrip()]
    return all_of(texts)
