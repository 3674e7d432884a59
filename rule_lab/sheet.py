"""``python -m rule_lab sheet``: writes a sheet of findings from past pull requests for annotation, and its key."""

from __future__ import annotations

import argparse
import re
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from review_bot.configuration import rule_registry
from review_bot.errors import UsageError
from review_bot.files.file_writing import write_typed
from review_bot.forges import git_process
from review_bot.forges.merged_pull_requests import MergedPullRequest, read_history
from review_bot.forges.repository_root import find_root
from review_bot.replay import selection
from review_bot.replay.past_review import review_commits, review_each
from review_bot.text import console
from review_bot.text.listing import count
from rule_lab import annotation_sheet
from rule_lab.annotation_items import Clone, item_of
from rule_lab.control_items import ItemPool, make_control_items
from rule_lab.label_files import EVIDENCE, read_labels
from rule_lab.labels import Label
from rule_lab.sampling import Candidate, candidates_of, rank, sample, simple_random_sample

ONE_CONTROL_IN = 10
"""One item in so many is a control item."""

_OWNER_NAME = re.compile(r"(?P<owner>[A-Za-z0-9._-]+)[/+](?P<name>[A-Za-z0-9._-]+)")
_ADDRESS = re.compile(r"[/:](?P<owner>[A-Za-z0-9._-]+)/(?P<name>[A-Za-z0-9._-]+?)(?:\.git)?/?$")


class SheetRequest(NamedTuple):
    """The sheet to write. ``evidence``: the folder of labels; findings that are judged there are left out.

    ``counted``: include findings that reports only count, which ask no one to act. ``random``: ``size``
    comments on lines and ``size`` findings of the summary, each equally likely, instead of rule by rule.
    """

    file: str
    size: int
    seed: str
    inline: bool
    repository: str
    evidence: str
    counted: bool = False
    random: bool = False


class Reviewed(NamedTuple):
    """The candidates of one past pull request, or the ``error`` for which it could not be reviewed."""

    past: MergedPullRequest
    merge_base: str = ""
    candidates: tuple[Candidate, ...] = ()
    error: str = ""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    selection.add_arguments(parser)
    parser.add_argument(
        "--sample",
        type=selection.number_from_1,
        required=True,
        metavar="N",
        help="number of findings, of those not judged yet",
    )
    parser.add_argument("--sheet", required=True, metavar="FILE", help="the sheet to write; its key is FILE.key.json")
    parser.add_argument("--seed", default="", metavar="TEXT", help="another text gives another sample")
    parser.add_argument("--inline", action="store_true", help="only findings that are comments on lines")
    parser.add_argument(
        "--random",
        action="store_true",
        help="N comments on lines and N findings of the summary, each equally likely, instead of rule by rule",
    )
    parser.add_argument(
        "--commit",
        dest="commits",
        action="append",
        default=[],
        metavar="COMMIT",
        help="review this commit against its first parent, instead of pull requests; repeatable",
    )
    parser.add_argument(
        "--repository", metavar="OWNER/NAME", help="the repository of the clone (default: that of its remote)"
    )
    parser.add_argument(
        "--evidence", default=EVIDENCE, metavar="DIR", help=f"the folder of labels (default: {EVIDENCE})"
    )


def run(options: argparse.Namespace) -> int:
    """Review the selected pull requests, write the sheet and its key, and return 0."""
    started = time.monotonic()
    wanted = selection.selected(options)
    request = _request(options)
    commits: list[str] = options.commits
    chosen = _single_commits(wanted.folder, commits) if commits else pull_requests(wanted)
    rulebook = selection.rulebook(wanted)

    def review(past: MergedPullRequest) -> Reviewed:
        review = review_commits(wanted.folder, past.base, past.head, rulebook)
        candidates = (each for each in candidates_of(past.name, review) if wanted.includes(each.finding.rule))
        return Reviewed(past, review.pull_request.merge_base or "", tuple(candidates))

    with console.progress("Reviewing the past", len(chosen)) as done:
        reviewed = review_each(chosen, review, _broken, jobs=wanted.jobs, done=done)
    for each in reviewed:
        if each.error:
            console.warn(f"{each.past.name} could not be reviewed: {each.error}")
    console.warn(write(request, wanted.folder, reviewed, rulebook.digest))
    processes = count(wanted.jobs, "process", "processes")
    console.warn(f"{count(len(chosen), 'pull request')} in {time.monotonic() - started:.1f} s, {processes}")
    return 0


def _single_commits(folder: str, commits: Iterable[str]) -> list[MergedPullRequest]:
    """Return the range of each commit from its first parent, whether it is on the default branch or not.

    Raises UsageError if the folder is not a repository or lacks one of the commits, or if one has no parent.
    """
    root, _ = find_root(folder)
    found: list[MergedPullRequest] = []
    for commit in commits:
        answer = git_process.run(root, "rev-list", "--no-walk", "--parents", "--end-of-options", commit)
        names = answer.output.decode("utf-8", "replace").split()
        if answer.code or len(names) < 2:
            raise UsageError(f"the clone lacks the commit {commit!r} or its first parent")
        found.append(MergedPullRequest(None, names[1], names[0], "", merged=True, landed=names[0]))
    return found


def pull_requests(wanted: selection.Selection) -> list[MergedPullRequest]:
    """Return the selected pull requests of a clone. Raises UsageError, ForgeError."""
    return selection.pull_requests(read_history(wanted.folder), wanted)


def _request(options: argparse.Namespace) -> SheetRequest:
    repository = repository_name(options.folder, options.repository)
    counted = bool(options.rules)
    return SheetRequest(
        options.sheet,
        options.sample,
        options.seed,
        options.inline,
        repository,
        options.evidence,
        counted,
        options.random,
    )


def _broken(past: MergedPullRequest, error: str) -> Reviewed:
    return Reviewed(past, error=error)


def repository_name(folder: str, given: str | None) -> str:
    """Return ``owner/name`` of a clone: the given one, that of its remote, or of its folder (``owner+name``)."""
    if given is not None:
        if _OWNER_NAME.fullmatch(given) is None or "/" not in given:
            raise UsageError(f"--repository takes owner/name, not {given!r}")
        return given
    root, _ = find_root(folder)
    answer = git_process.run(root, "config", "--get-regexp", r"^remote\..*\.url$")
    for line in answer.output.decode("utf-8", "replace").split("\n"):
        if found := _ADDRESS.search(line):
            return f"{found['owner']}/{found['name']}"
    for part in reversed(Path(root).resolve().parts):
        if "+" in part and (found := _OWNER_NAME.fullmatch(part)):
            return f"{found['owner']}/{found['name']}"
    raise UsageError("neither a remote nor the folder names the repository; add --repository owner/name")


def write(request: SheetRequest, folder: str, reviewed: Sequence[Reviewed], rules_digest: str) -> str:
    """Write the sheet and its key, and return a sentence that names them.

    Raises UsageError if there is nothing to annotate.
    """
    pages = {page.rule.id: page for page in rule_registry.builtin_pages()}
    candidates = [each for one in reviewed for each in one.candidates if each.finding.rule in pages]
    known = read_labels(request.evidence, request.repository)
    listed = [each for each in candidates if request.counted or not each.finding.counted]
    wanted = [each for each in listed if not request.inline or each.finding.placement == "inline"]
    judged = {
        (label.rule, label.statement) for label in known if label.judgement is not None or len(label.annotations) > 1
    }
    draw = simple_random_sample if request.random else sample
    chosen = draw(wanted, request.size, seed=request.seed, judged=judged)
    if not chosen:
        raise UsageError("the replay found nothing that is not judged yet; select more pull requests or other rules")
    changes = sorted({(each.merge_base, each.past.head) for each in reviewed if each.merge_base})
    clone = Clone(folder)
    try:
        entries = [(each, item_of(clone, each)) for each in chosen]
        pool = ItemPool(clone, request.seed, candidates, changes, pages)
        controls = max(1, round(len(chosen) / (ONE_CONTROL_IN - 1)))
        entries += make_control_items(pool, chosen, controls, _known_useful(known, candidates))
    finally:
        clone.close()
    entries.sort(key=lambda entry: rank(f"{request.seed}\0order", entry[0]))
    items = [each for _, each in entries]
    key = annotation_sheet.make_key(items, repository=request.repository, seed=request.seed, rules_digest=rules_digest)
    write_typed(request.file, annotation_sheet.render(items, request.repository))
    write_typed(request.file + annotation_sheet.KEY_SUFFIX, annotation_sheet.render_key(key))
    rules = len({each.finding.rule for each in chosen})
    return (
        f"{request.file}: {count(len(chosen), 'finding')} of {count(rules, 'rule')} and "
        f"{count(len(entries) - len(chosen), 'control item')}; the key is {request.file}{annotation_sheet.KEY_SUFFIX}"
    )


def _known_useful(known: Sequence[Label], candidates: Sequence[Candidate]) -> list[Candidate]:
    """Return the candidates of this replay that are already labelled useful."""
    held = {(label.rule, label.statement) for label in known if label.judgement is not None and label.judgement.useful}
    found = {(each.finding.rule, each.statement): each for each in candidates}
    return [found[key] for key in sorted(held & found.keys())]
