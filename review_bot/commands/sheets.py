"""``review-bot replay --sample``: a sheet of findings for people to judge, and its key."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from review_bot.commands.exhibits import Clone, exhibit
from review_bot.commands.planting import Ground, plant
from review_bot.configuration import rule_registry
from review_bot.errors import UsageError
from review_bot.evidence import sheet
from review_bot.evidence.files import read_marks
from review_bot.evidence.marks import Mark
from review_bot.evidence.sampling import Sighting, rank, sample
from review_bot.files.file_writing import write_typed
from review_bot.forges import git_process
from review_bot.forges.local_git import find_root
from review_bot.replay.outcome import Outcome
from review_bot.reports.wording import count

ONE_PLANTED_IN = 10

_OWNER_NAME = re.compile(r"(?P<owner>[A-Za-z0-9._-]+)[/+](?P<name>[A-Za-z0-9._-]+)")
_ADDRESS = re.compile(r"[/:](?P<owner>[A-Za-z0-9._-]+)/(?P<name>[A-Za-z0-9._-]+?)(?:\.git)?/?$")


class Order(NamedTuple):
    """What sheet is wanted. ``evidence``: the folder of marks; what has one there is not asked again.

    ``counted``: also findings that reports only count; nobody is asked to act on those, so that few want to know.
    """

    file: str
    size: int
    seed: str
    inline: bool
    repository: str
    evidence: str
    counted: bool = False


def repository_name(folder: str, given: str | None) -> str:
    """Return ``owner/name`` of a clone: as given, as its remote says, or as its folder is called (``owner+name``)."""
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
    raise UsageError("nothing tells how this repository is called; say --repository owner/name")


def write(order: Order, folder: str, outcomes: Sequence[Outcome], rules_digest: str) -> str:
    """Write the sheet and its key; return a sentence that says so. Raises UsageError if there is nothing to ask."""
    pages = {page.rule.id: page for page in rule_registry.builtin_pages()}
    sightings = [each for outcome in outcomes for each in outcome.sightings if each.finding.rule in pages]
    known = read_marks(order.evidence, order.repository)
    listed = [each for each in sightings if order.counted or not each.finding.counted]
    asked = [each for each in listed if not order.inline or each.finding.placement == "inline"]
    done = {(mark.rule, mark.statement) for mark in known if mark.verdict is not None or len(mark.readings) > 1}
    chosen = sample(asked, order.size, seed=order.seed, judged=done)
    if not chosen:
        raise UsageError("the replay gave nothing that is not judged yet; take more pull requests or other rules")
    changes = sorted({(each.merge_base or "", each.past.head) for each in outcomes if each.merge_base})
    clone = Clone(folder)
    try:
        entries = [(each, exhibit(clone, each)) for each in chosen]
        ground = Ground(clone, order.seed, sightings, changes, pages)
        wanted = max(1, round(len(chosen) / (ONE_PLANTED_IN - 1)))
        entries += plant(ground, chosen, wanted, _settled_true(known, sightings))
    finally:
        clone.close()
    entries.sort(key=lambda entry: rank(f"{order.seed}\0order", entry[0]))
    exhibits = [each for _, each in entries]
    key = sheet.make_key(exhibits, repository=order.repository, seed=order.seed, rules_digest=rules_digest)
    write_typed(order.file, sheet.render(exhibits, order.repository))
    write_typed(order.file + sheet.KEY_SUFFIX, sheet.render_key(key))
    rules = len({each.finding.rule for each in chosen})
    return (
        f"{order.file}: {count(len(chosen), 'finding')} of {count(rules, 'rule')} and "
        f"{len(entries) - len(chosen)} planted; the key is {order.file}{sheet.KEY_SUFFIX}"
    )


def _settled_true(known: Sequence[Mark], sightings: Sequence[Sighting]) -> list[Sighting]:
    """Return what this replay saw again of the findings that are held true."""
    held = {(mark.rule, mark.statement) for mark in known if mark.verdict is not None and mark.verdict.useful}
    found = {(each.finding.rule, each.statement): each for each in sightings}
    return [found[key] for key in sorted(held & found.keys())]
