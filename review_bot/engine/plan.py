"""What to try where: the rules that can match in each file, and so the files worth reading.

A rule is tried in a file if the file is in its scope and the lines that the change added (``removed``: deleted) hold
what the first line of each match must hold. The rest of a statement may be on older lines, so only a new file, where
the added lines are the whole text, is asked for everything that a match needs. A grave rule is tried too if lines close
to the change hold it, as the change may have made a finding of what was there before. That decides which texts are
fetched.
"""

from collections.abc import Iterable, Sequence
from posixpath import dirname
from typing import TypeAlias

from review_bot.changes.pull_request import ChangedFile, PullRequest
from review_bot.changes.reading import is_new_to_its_readers
from review_bot.changes.text_kinds import text_kind
from review_bot.changes.vocabulary import Vocabulary, vocabulary_of
from review_bot.comments.model import Declined
from review_bot.engine.base_findings import may_be_brought_about
from review_bot.engine.moved_code import find_moved
from review_bot.engine.suppressions import MARK
from review_bot.findings import Finding
from review_bot.records import NamedTuple
from review_bot.review.declined import declined_findings
from review_bot.rules.matchers import Checked, FileName, RemovedLine, Structural, TextLine
from review_bot.rules.rule import Rule
from review_bot.rules.rulebook import Rulebook
from review_bot.rules.scope import in_scope

NEW_NAMES = ("added", "renamed", "copied")
"""Statuses of files that have a name that was not there before."""

_Alike: TypeAlias = list[int]
"""The numbers of rules that look at files of the same paths."""


class FileTask(NamedTuple):
    """One file to examine: its index in the pull request, and the rules (by index) to try in it.

    ``entered``: those of the rules to which all of a renamed file is new, since they did not look at its old name, or
    all of a copy.
    ``left``: those to which all of a renamed file is gone, since they do not look at its new name.
    ``wants_text``: the whole text gives more details of what is found, but nothing is unreviewed without it.
    """

    file: int
    rules: tuple[int, ...]
    needs_text: bool
    needs_old_text: bool
    weight: int
    entered: tuple[int, ...] = ()
    wants_text: bool = False
    left: tuple[int, ...] = ()


class Fixing(NamedTuple):
    """Asks for proof that suggestions can be applied together: those of some rules (None: of all).

    No finding is fixed that a person has set aside: ``baseline``: its entries; ``accepted``: fingerprints;
    ``declined``: records, which are matched with what is found.
    """

    rules: frozenset[str] | None = None
    baseline: frozenset[str] = frozenset()
    accepted: frozenset[str] = frozenset()
    declined: tuple[Declined, ...] = ()

    def set_aside(self, findings: Sequence[Finding], files: Iterable[ChangedFile]) -> frozenset[str]:
        """Return the fingerprints of all findings of a change that are not to be fixed."""
        of_baseline = (each.fingerprint for each in findings if each.baseline_entry in self.baseline)
        return self.accepted.union(of_baseline, declined_findings(findings, self.declined, files))


class Plan(NamedTuple):
    """All there is to do. ``needs_tree`` and ``needs_tree_text``: what rules ask of the rest of the repository.

    ``counted``: files (by index) that no rule can match in, and of which the added lines are only counted.
    ``aspects``: those in which the change holds what some rule looks for, sorted. ``fixing``: None if not requested.
    ``helpful``: files (by index) whose text gives more details of what is found, but of which nothing is unreviewed
    without it: those that code moved from, and those of tasks that want it.
    """

    tasks: tuple[FileTask, ...]
    ignored: tuple[str, ...]
    needs_tree: bool
    needs_tree_text: bool
    counted: tuple[int, ...] = ()
    aspects: tuple[str, ...] = ()
    fixing: Fixing | None = None
    helpful: tuple[int, ...] = ()


def make_plan(pull_request: PullRequest, rulebook: Rulebook) -> Plan:
    """Decide which rules to try in which files."""
    tasks: list[FileTask] = []
    ignored: list[str] = []
    tried: set[int] = set()
    counted: list[int] = []
    aspects: set[str] = set()
    by_class: dict[tuple[str, str], list[_Alike]] = {}
    brought_about = frozenset(n for n, rule in enumerate(rulebook.rules) if may_be_brought_about(rule))
    for index, file in enumerate(pull_request.files):
        is_ignored = rulebook.ignores(file.path)
        if is_ignored:
            ignored.append(file.path)
            if not _loses_name(file) or rulebook.ignores(file.base_path):
                continue
        is_left_out = file.path in rulebook.left_out
        candidates = sorted(
            n
            for alike in _candidates(by_class, rulebook.rules, file)
            if _looks_at(rulebook.rules[alike[0]], file, is_ignored=is_ignored)
            for n in alike
            if not (is_left_out and rulebook.leaves_out(rulebook.rules[n], file.path))
        )
        chosen = list(_possible(file, rulebook.rules, candidates, brought_about))
        aspects |= {rulebook.rules[n].aspect for n in chosen if rulebook.rules[n].opening is not None}
        entered = () if is_ignored else entered_rules(file, rulebook)
        left = () if is_left_out else left_rules(file, rulebook, is_ignored=is_ignored)
        moved = () if is_ignored else _rules_by_folder(file, rulebook)
        if entered or left or moved:
            chosen = sorted({*chosen, *entered, *left, *moved})
        shows_text = file.kind == "text" and file.status != "deleted" and not is_ignored and not is_left_out
        directives = _directives(file) if shows_text else ""
        if directives:
            # Whether one is in use is for its rule to say, though none of that rule's words may be on added lines.
            chosen = sorted({*chosen, *(n for n in candidates if rulebook.rules[n].id in directives)})
        rereads = not is_ignored and is_new_to_its_readers(file)
        if (is_ignored or (is_left_out and not rereads)) and not chosen:
            continue
        if not chosen and not directives and not rereads:
            counted += [index] if file.kind == "text" and (file.added or file.removed) else []
            continue
        tried.update(chosen)
        rules = [rulebook.rules[n] for n in chosen]
        tasks.append(
            FileTask(
                file=index,
                rules=tuple(chosen),
                needs_text=file.status != "deleted"
                and (
                    bool(directives or entered or rereads)
                    or _is_unended(file)
                    or any(_reads_text(rule) for rule in rules)
                ),
                needs_old_text=file.status not in {"added", "copied"}
                and (bool(left) or any(rule.reads_old and not isinstance(rule.matcher, RemovedLine) for rule in rules)),
                weight=file.added,
                entered=entered,
                left=left,
                wants_text=rulebook.baseline is not None
                and file.status not in {"added", "deleted"}
                and any(rule.kind == "text" for rule in rules),
            )
        )
    active = [rule for n, rule in enumerate(rulebook.rules) if rule.needs and n in tried]
    return Plan(
        tasks=tuple(tasks),
        ignored=tuple(ignored),
        needs_tree=any(rule.needs for rule in active),
        needs_tree_text=any("text" in rule.needs for rule in active),
        counted=tuple(counted),
        aspects=tuple(sorted(aspects)),
        helpful=_helpful(pull_request.files, tasks),
    )


def _helpful(files: Sequence[ChangedFile], tasks: Sequence[FileTask]) -> tuple[int, ...]:
    moved = find_moved(files)
    wanted = {there for task in tasks for there, _ in moved.added.get(task.file, {}).values()}
    wanted = {index for index in wanted if files[index].status != "deleted"}
    wanted |= {task.file for task in tasks if task.wants_text}
    return tuple(sorted(wanted - {task.file for task in tasks if task.needs_text}))


def entered_rules(file: ChangedFile, rulebook: Rulebook) -> tuple[int, ...]:
    """Return the rules (by index) that look at a renamed file and did not under its old name; of a copy, all that look.

    Without them code could be added under a name that is not reviewed, and be renamed later.
    """
    if file.status not in {"renamed", "copied"} or file.kind != "text" or file.old_path is None:
        return ()
    old = file.old_path
    # Bytes that are not text anywhere else may be text under the new name.
    unseen = old in rulebook.unseen or rulebook.ignores(old)
    unseen = unseen or (text_kind(old) is None and text_kind(file.path) is not None)
    return tuple(
        number
        for number, rule in enumerate(rulebook.rules)
        if _reads_new_lines(rule)
        and in_scope(rule, file.path)
        and (unseen or file.status == "copied" or not in_scope(rule, old))
        and not rulebook.leaves_out(rule, file.path)
    )


def left_rules(file: ChangedFile, rulebook: Rulebook, *, is_ignored: bool) -> tuple[int, ...]:
    """Return the rules (by index) about removed lines that looked at a file and have no lines to look at any more.

    It has a name now that they do not look at, or it is a symbolic link or a submodule.
    """
    if file.status not in {"renamed", "retyped"} or rulebook.ignores(file.base_path):
        return ()
    has_lines = file.kind not in {"symlink", "submodule"} and not is_ignored
    return tuple(
        number
        for number, rule in enumerate(rulebook.rules)
        if _reads_removed_lines(rule)
        and in_scope(rule, file.base_path)
        and not (has_lines and in_scope(rule, file.path))
    )


def _rules_by_folder(file: ChangedFile, rulebook: Rulebook) -> tuple[int, ...]:
    """Return the rules (by index) that may find something new in a file because it is in another folder now."""
    if file.status != "renamed" or file.kind != "text" or dirname(file.path) == dirname(file.base_path):
        return ()
    return tuple(
        number
        for number, rule in enumerate(rulebook.rules)
        if isinstance(rule.matcher, Checked)
        and rule.matcher.by_folder
        and in_scope(rule, file.path)
        and not rulebook.leaves_out(rule, file.path)
    )


def _reads_removed_lines(rule: Rule) -> bool:
    return isinstance(rule.matcher, RemovedLine)


def _reads_new_lines(rule: Rule) -> bool:
    return isinstance(rule.matcher, TextLine | Structural | Checked) and not rule.reads_names


def _candidates(
    by_class: dict[tuple[str, str], list[_Alike]], rules: tuple[Rule, ...], file: ChangedFile
) -> list[_Alike]:
    """Return the rules whose kind of matcher applies to this kind of file, found once per kind."""
    kind = "text" if file.kind == "text" and (file.added or file.removed or _is_another_module(file)) else "none"
    key = (kind, file.status)
    if key not in by_class:
        alike: dict[tuple[object, ...], _Alike] = {}
        for number, rule in enumerate(rules):
            if _applies(rule, kind, file.status):
                where = rule.languages, rule.scope, rule.files, rule.ignores, rule.kind, _is_about_lost_names(rule)
                alike.setdefault(where, []).append(number)
        by_class[key] = list(alike.values())
    return by_class[key]


def _is_another_module(file: ChangedFile) -> bool:
    """Return whether a file has another module's name now: what it imports and what others read of it may be lost."""
    return file.status == "renamed" and file.path.endswith(".py")


def _looks_at(rule: Rule, file: ChangedFile, *, is_ignored: bool) -> bool:
    """Return whether a file is one that a rule looks at; a name that is lost is looked for under its old name too."""
    if not is_ignored and in_scope(rule, file.path):
        return True
    return _loses_name(file) and _is_about_lost_names(rule) and in_scope(rule, file.base_path)


def _loses_name(file: ChangedFile) -> bool:
    return file.status in {"deleted", "renamed"}


def _is_about_lost_names(rule: Rule) -> bool:
    return rule.reads_names and rule.reads_old


def _applies(rule: Rule, kind: str, status: str) -> bool:
    if rule.is_about_all:
        return False
    if rule.reads_names:
        return status in NEW_NAMES or (_is_about_lost_names(rule) and (status == "deleted" or kind == "none"))
    if kind != "text":
        return False
    if rule.kind == "removed":  # code that goes with its whole file is not lost; a deleted line is a deleted line
        return status not in {"added", "copied"} and (status != "deleted" or _reads_removed_lines(rule))
    if status == "deleted":
        return rule.reads_old
    return True


def _possible(
    file: ChangedFile, rules: tuple[Rule, ...], candidates: Iterable[int], brought_about: frozenset[int]
) -> Iterable[int]:
    """Yield the rules that can match in a file; ``brought_about``: those of which the change may make a finding."""
    added: Vocabulary | None = None
    shown: Vocabulary | None = None
    removed: Vocabulary | None = None
    is_new = file.status == "added"
    for number in candidates:
        rule = rules[number]
        if rule.opening is None and not (is_new and rule.literals is not None):
            yield number
            continue
        if not is_new and number in brought_about:
            if rule.severity == "error":
                yield number
                continue
            if shown is None:
                shown = _vocabulary(
                    file.path, (line[1:] for hunk in file.hunks for line in hunk.lines if line[:1] in {"+", " "})
                )
            if shown.hold(rule.opening):
                yield number
                continue
        if rule.kind != "removed":
            if added is None:
                added = _vocabulary(file.path, (line for _, line in file.added_lines()))
            if added.hold(rule.opening) and (not is_new or added.hold(rule.literals)):
                yield number
                continue
        if rule.reads_old:
            if removed is None:
                removed = _vocabulary(file.base_path, (line for _, line in file.removed_lines()))
            if removed.hold(rule.opening):
                yield number


def _vocabulary(path: str, lines: Iterable[str]) -> Vocabulary:
    return vocabulary_of(path, "\n".join([*lines, ""]))  # each line with its end, the last one too


def files_with_suppressions(files: Iterable[ChangedFile]) -> list[str]:
    """Return the paths, sorted, of files that may have a suppression on an added line."""
    return sorted(
        file.path
        for file in files
        if file.status != "deleted"
        and (not file.hunks or any(MARK in line or "noqa" in line.lower() for _, line in file.added_lines()))
    )


def _directives(file: ChangedFile) -> str:
    """Return the added lines that may hold a suppression."""
    return "\n".join(line for hunk in file.hunks for line in hunk.lines if MARK in line and line[0] == "+")


def _is_unended(file: ChangedFile) -> bool:
    """Return whether the last line at the head has no line end: what is suggested for it is tried on the whole text."""
    last = file.hunks[-1].lines[-2:] if file.hunks else ()
    return len(last) > 1 and last[1][0] == "\\" and last[0][0] != "-"


def _reads_text(rule: Rule) -> bool:
    if rule.required_imports:
        return True
    match rule.matcher:
        case TextLine(unless=unless) | FileName(unless=unless):
            return "file" in unless
        case RemovedLine():
            return False
        case Checked(reads_text=reads_text):
            return reads_text
    return True
