"""``python -m bench.recall --clones DIR``: how many collected bugs of other projects the rules of today name.

``rules/evidence/bugs.json`` holds the bugs: a commit that fixes one, the lines of its parent where the defect is, a
family, one sentence, and a half. Rules were written from the half ``write`` alone; ``hold`` was labelled afterwards and
shows what others may expect. Each file of a bug is reviewed as it was at the parent, as if it were new there, with the
parent's tree around it. A finding is *near* if it is on the lines of the defect or at most two lines away. A bug
is *caught* if such a finding is about it, which a reader decided: ``speaks`` lists the rules.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache, partial
from multiprocessing import Pool
from pathlib import Path
from typing import NamedTuple

from bench.fix_commits import folder_of, git, half_of
from review_bot import pipeline
from review_bot.changes.pull_request import ChangedFile, Hunk, PullRequest, WholeTexts
from review_bot.changes.repository import Repository
from review_bot.configuration import rule_registry
from review_bot.errors import ReviewBotError
from review_bot.forges.diff_text import DiffText
from review_bot.rules.rulebook import Rulebook

BUGS = Path(__file__).resolve().parent.parent / "rules/evidence/bugs.json"
HALVES = ("write", "hold")
BESIDE = 2
"""Lines around a defect that still count as its place."""


class Bug(NamedTuple):
    """A defect of another project. ``places``: path, first and last line at the parent."""

    repository: str
    commit: str
    parent: str
    half: str
    family: str
    what: str
    places: tuple[tuple[str, int, int], ...]
    speaks: frozenset[str]


class Near(NamedTuple):
    """A finding on the lines of a defect."""

    rule: str
    path: str
    line: int
    message: str


class Outcome(NamedTuple):
    """What the rules say of one bug; ``trouble``: why that could not be found out."""

    bug: Bug
    near: tuple[Near, ...]
    trouble: str = ""

    @property
    def caught(self) -> bool:
        """Whether a finding on the defect's lines is about it."""
        return any(each.rule in self.bug.speaks for each in self.near)


def read_bugs(path: Path = BUGS) -> list[Bug]:
    """Return the collected bugs. Raises ValueError for one whose half is not that of its commit."""
    bugs = []
    for row in json.loads(path.read_text(encoding="utf-8")):
        places = tuple((place[0], place[1], place[2]) for place in row.pop("places"))
        bug = Bug(**row, places=places)._replace(speaks=frozenset(row["speaks"]))
        if bug.half != half_of(bug.commit):
            raise ValueError(f"{bug.commit} belongs to the other half")
        bugs.append(bug)
    return bugs


class ParentSource(DiffText):
    """Some files of a commit as a change that adds them, with the rest of the commit's tree around them."""

    def __init__(self, folder: Path, commit: str, paths: Iterable[str]) -> None:
        super().__init__(b"")
        self._folder, self._commit, self._paths = folder, commit, sorted(paths)
        self._texts: dict[str, str | None] = {}

    def read(self) -> PullRequest:
        """Return the files as new ones, all of their lines added."""
        return PullRequest(tuple(_as_new(path, self._text(path) or "") for path in self._paths))

    def read_new(self, wanted: Iterable[int]) -> WholeTexts:
        """Return whole texts of the files."""
        return WholeTexts({number: self._text(self._paths[number]) for number in wanted})

    def read_old(self, wanted: Iterable[int]) -> WholeTexts:
        """Return nothing: each file is new."""
        return WholeTexts(dict.fromkeys(wanted))

    def repository(self) -> Repository:
        """Return the commit's tree; its texts are read when asked for."""
        names = git(self._folder, "ls-tree", "-r", "-z", "--name-only", self._commit).split("\0")
        head = frozenset(name for name in names if name)
        return Repository(head, head - frozenset(self._paths), self._text, self._text, available=True)

    def _text(self, path: str) -> str | None:
        if not self._texts:
            self._texts = _python_texts(self._folder, self._commit)
        if path not in self._texts:
            shown = subprocess.run(
                ["git", "-C", str(self._folder), "show", f"{self._commit}:{path}"], capture_output=True, check=False
            )
            self._texts[path] = None if shown.returncode else _decoded(shown.stdout)
        return self._texts[path]


def _python_texts(folder: Path, commit: str) -> dict[str, str | None]:
    """Return the text of each Python file of a commit, with one git process."""
    rows = [row.split("\t", 1) for row in git(folder, "ls-tree", "-r", "-z", commit).split("\0") if row]
    wanted = [(row[0].split()[2], row[1]) for row in rows if row[1].endswith(".py") and row[0].split()[1] == "blob"]
    asked = "".join(f"{blob}\n" for blob, _ in wanted).encode()
    answer = subprocess.run(
        ["git", "-C", str(folder), "cat-file", "--batch"], input=asked, capture_output=True, check=True
    ).stdout
    texts: dict[str, str | None] = {}
    start = 0
    for _, path in wanted:
        end = answer.index(b"\n", start)
        head = answer[start:end].split()
        start = end + 1
        if head[-1] == b"missing":
            continue
        size = int(head[2])
        texts[path] = _decoded(answer[start : start + size])
        start += size + 1
    return texts


def _decoded(data: bytes) -> str | None:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return None


def _as_new(path: str, text: str) -> ChangedFile:
    lines = text.removesuffix("\n").split("\n")
    hunk = Hunk(0, 0, 1, len(lines), tuple(f"+{line}" for line in lines))
    return ChangedFile(path, None, "added", "text", (hunk,), len(lines), new_mode="100644")


@cache
def _rulebook() -> Rulebook:
    return rule_registry.builtin_rulebook()


def outcome_of(bug: Bug, *, clones: Path) -> Outcome:
    """Review the files of a bug as they were, and return what is on its lines."""
    folder = folder_of(clones, bug.repository)
    try:
        source = ParentSource(folder, bug.parent, {path for path, _, _ in bug.places})
        review = pipeline.run_review(source, pipeline.ReviewRequest(_rulebook()))
    except (OSError, subprocess.CalledProcessError, ReviewBotError) as error:
        return Outcome(bug, (), f"{type(error).__name__}: {error}")
    near = {
        Near(finding.rule, finding.path, finding.line, finding.message)
        for finding in review.findings
        if finding.path is not None and finding.line is not None
        for path, first, last in bug.places
        if path == finding.path
        and first - BESIDE <= (finding.end_line or finding.line)
        and finding.line <= last + BESIDE
    }
    return Outcome(bug, tuple(sorted(near)))


def table(outcomes: Sequence[Outcome]) -> list[str]:
    """Return the figures as lines of a Markdown table: caught of all, for each family and half."""
    rows = ["| family | write | hold |", "|---|---|---|"]
    families = sorted({each.bug.family for each in outcomes})
    for family in [*families, ""]:
        cells = []
        for half in HALVES:
            those = [each for each in outcomes if each.bug.half == half and family in {each.bug.family, ""}]
            caught = sum(each.caught for each in those)
            share = f" ({100 * caught / len(those):.1f} %)" if those and not family else ""
            cells.append(f"{caught} of {len(those)}{share}" if those else "–")
        rows.append(f"| {family or '**all**'} | {' | '.join(cells)} |")
    return rows


def main() -> int:
    """Print recall for both halves, by family."""
    parser = argparse.ArgumentParser(prog="python -m bench.recall", description=__doc__)
    parser.add_argument("--clones", default=os.environ.get("CLONES"), metavar="DIR", help="holds OWNER+NAME/repo")
    parser.add_argument("--half", choices=HALVES, help="only this half")
    parser.add_argument("--list", action="store_true", help="also print each finding on the lines of a defect")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N")
    options = parser.parse_args()
    bugs = [bug for bug in read_bugs() if options.half in {None, bug.half}]
    split = Counter(bug.half for bug in bugs)
    repositories = len({bug.repository for bug in bugs})
    print(
        f"{len(bugs)} bugs of {repositories} repositories: {', '.join(f'{split[h]} {h}' for h in HALVES if split[h])}."
    )
    if options.clones is None:
        print("Not computed: which of them are caught; that needs clones (--clones DIR).")
        return 0
    review: Callable[[Bug], Outcome] = partial(outcome_of, clones=Path(options.clones).resolve())
    with Pool(options.jobs) as pool:
        outcomes = pool.map(review, bugs, chunksize=1)
    for each in outcomes:
        if each.trouble:
            print(f"Not reviewed: {each.bug.repository}@{each.bug.commit[:9]}: {each.trouble}")
        for finding in each.near if options.list else ():
            mark = "speaks" if finding.rule in each.bug.speaks else "-"
            place = f"{each.bug.repository}@{each.bug.commit[:9]} {finding.path}:{finding.line}"
            print(f"{each.bug.half}\t{mark}\t{finding.rule}\t{place}\t{each.bug.what}\t{finding.message}")
    outcomes = [each for each in outcomes if not each.trouble]
    print("\n".join(table(outcomes)))
    near = sum(bool(each.near) for each in outcomes)
    caught = sum(each.caught for each in outcomes)
    print(f"{near} of {len(outcomes)} have some finding on their lines, {caught} one that speaks of the bug.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
