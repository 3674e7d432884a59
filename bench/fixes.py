"""``python -m bench.fixes``: applies the fixes of real pull requests, and checks without the engine that they hold.

For each pull request of the clones below ``--clones DIR`` (each called ``owner+name``) the patch that a review offers
is applied by ``git apply`` to a checkout of the head. Then every patched file must parse and hold exactly the bytes
that the suggestions say, no other file may have changed, and a fresh review must lack each settled finding and have no
new one.
"""

from __future__ import annotations

import argparse
import ast
import os
import subprocess
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

from review_bot import pipeline
from review_bot.configuration import rule_registry
from review_bot.errors import ReviewBotError
from review_bot.findings import Finding
from review_bot.forges.local_git import LocalGit
from review_bot.forges.merged_pull_requests import MergedPullRequest, read_history
from review_bot.linters.delegation import Linters
from review_bot.review.review import Review
from review_bot.rules.rulebook import Rulebook

TARGET = 1_000
"""Findings with a suggestion that a run should see."""

LARGEST = 20_000
"""Added lines of a pull request that is still tried: larger ones import whole repositories."""


class Checked(NamedTuple):
    """One pull request: findings that had a suggestion, and of these the ones that a fix on offer settles.

    ``offered``: rules of these fixes; ``skipped``: reasons of the others; ``problems``: what is wrong.
    """

    name: str
    suggested: int = 0
    settled: int = 0
    offered: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    error: str = ""


def main() -> int:
    """Check, print, and return 1 if one fix does not hold or too few were seen."""
    parser = argparse.ArgumentParser(prog="python -m bench.fixes", description=__doc__)
    parser.add_argument("--clones", type=Path, required=True, metavar="DIR", help="a folder of clones, each owner+name")
    parser.add_argument("--last", type=int, default=300, metavar="N", help="pull requests of each clone (default: 300)")
    parser.add_argument("--first", action="store_true", help="the first ones of each clone, in place of the last")
    parser.add_argument("--only", action="append", default=[], metavar="NAME", help="clones whose name holds this")
    parser.add_argument("--every-rule", action="store_true", help="leave nothing to the linters of a repository")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N")
    options = parser.parse_args()
    every: list[Checked] = []
    for name, folder in _clones(options.clones, options.only):
        past = read_history(str(folder)).pull_requests
        past = past[-options.last :] if options.first else past[: options.last]
        check = partial(_check, str(folder), every_rule=options.every_rule)
        with ProcessPoolExecutor(max_workers=options.jobs) as pool:
            found = list(pool.map(check, past, chunksize=4))
        every += found
        _print(name, found)
    print()
    _print("all", every)
    for title, words in (("offered, by rule", "offered"), ("skipped, by reason", "skipped")):
        print(f"{title}:")
        for word, number in Counter(word for each in every for word in getattr(each, words)).most_common():
            print(f"  {number:5}  {word}")
    for each in every:
        for problem in each.problems:
            print(f"WRONG {each.name}: {problem}")
    suggested = sum(each.suggested for each in every)
    if suggested < TARGET:
        print(f"only {suggested} findings with a suggestion; {TARGET} are wanted")
    return 1 if suggested < TARGET or any(each.problems for each in every) else 0


def _clones(folder: Path, only: Sequence[str]) -> Iterator[tuple[str, Path]]:
    for each in sorted(folder.iterdir()):
        path = each / "repo" if (each / "repo").is_dir() else each
        if "+" in each.name and path.is_dir() and (not only or any(name in each.name for name in only)):
            yield each.name.replace("+", "/", 1), path


def _print(name: str, found: Sequence[Checked]) -> None:
    offered = [word for each in found for word in each.offered]
    wrong = sum(bool(each.problems) for each in found)
    print(
        f"{name}: {len(found)} pull requests ({sum(bool(each.error) for each in found)} not read), "
        f"{sum(each.suggested for each in found)} findings with a suggestion, {sum(each.settled for each in found)} "
        f"settled by {len(offered)} fixes, "
        f"{sum(len(each.skipped) for each in found)} skipped, {wrong} pull requests with something wrong",
        flush=True,
    )


@cache
def _rulebook(every_rule: bool) -> Rulebook:  # noqa: FBT001  # a key of the cache
    rulebook = rule_registry.builtin_rulebook()
    if not every_rule:
        return rulebook
    return rulebook._replace(rules=tuple(rule._replace(mirror=False) for rule in rulebook.rules))


def _check(folder: str, past: MergedPullRequest, *, every_rule: bool) -> Checked:
    """Check one pull request; one that cannot be read is reported."""
    name = f"{folder.split('/')[-2]} {past.name} {past.base[:12]}..{past.head[:12]}"
    try:
        review = _review(folder, past.base, past.head, every_rule, prove=True)
        if review.fixes is None or review.pull_request.added > LARGEST:
            return Checked(name, error="too large")
        suggested = sum(each.suggestion is not None and not each.moved for each in review.findings)
        offered = tuple(fix.rule for fix in review.fixes.proven)
        skipped = tuple(each.reason for each in review.fixes.skipped)
        problems = tuple(_problems(folder, past, review, every_rule)) if offered else ()
        named = {name for fix in review.fixes.proven for name in fix.fingerprints}
        settled = sum(each.suggestion is not None and each.fingerprint in named for each in review.findings)
        return Checked(name, suggested, settled, offered, skipped, problems)
    except ReviewBotError as error:
        return Checked(name, error=str(error))


def _review(folder: str, base: str, head: str, every_rule: bool, *, prove: bool = False) -> Review:  # noqa: FBT001
    source = LocalGit(folder, base=base, head=head)
    try:
        rulebook = _rulebook(every_rule)
        return pipeline.run_review(
            source, pipeline.ReviewRequest(rulebook, linters=Linters(source.settings), prove_fixes=prove)
        )
    finally:
        source.close()


def _problems(folder: str, past: MergedPullRequest, review: Review, every_rule: bool) -> Iterator[str]:  # noqa: FBT001
    with tempfile.TemporaryDirectory(prefix="review-bot-fixes-") as temporary:
        git = _Checkout(Path(temporary), folder)
        expected = _expected(git, past.head, review)
        git.run("read-tree", past.head)
        git.run("checkout-index", "--force", "--index", "-z", "--stdin", given="\0".join(expected).encode())
        answer = git.try_run("apply", "--index", "--whitespace=nowarn", "-", given=review.patch.encode())
        if answer.returncode:
            yield f"git apply refuses the patch: {answer.stderr.decode(errors='replace').strip()}"
            return
        for path, data in expected.items():
            there = (git.folder / path).read_bytes()
            if there != data:
                yield f"{path} has other bytes than the suggestions say"
            if path.endswith(".py") and not _parses(there):
                yield f"{path} does not parse"
        tree = git.run("write-tree").decode().strip()
        changed = git.run("diff-tree", "-r", "-z", "--name-only", past.head, tree).decode().split("\0")[:-1]
        if sorted(changed) != sorted(expected):
            yield f"other files changed: {sorted({*changed} ^ {*expected})}"
        commit = git.run("commit-tree", tree, "-p", past.head, "-m", "fixed").decode().strip()
        git.run("config", "core.bare", "true")  # or linters would be looked for in the working tree
        after = _review(str(git.folder / ".git"), review.pull_request.base or past.base, commit, every_rule)
        yield from _differences(review, after)


def _expected(git: _Checkout, head: str, review: Review) -> dict[str, bytes]:
    """Return the bytes of each file with its suggestions, computed line by line from the last to the first."""
    expected: dict[str, list[str]] = {}
    for fix in reversed(review.fixes.proven if review.fixes is not None else ()):
        if fix.path not in expected:
            expected[fix.path] = git.run("cat-file", "blob", f"{head}:{fix.path}").decode().split("\n")
        first, last, text = fix.suggestion
        expected[fix.path][first - 1 : last] = text.split("\n") if text else []
    return {path: "\n".join(lines).encode() for path, lines in expected.items()}


def _differences(before: Review, after: Review) -> Iterator[str]:
    named = {name for fix in before.fixes.proven for name in fix.fingerprints} if before.fixes is not None else set()
    settled = [each for each in before.findings if each.fingerprint in named]
    if len(settled) != len(named):
        yield "a fix names a finding that is not there"
    wanted = Counter(map(_kind, before.findings)) - Counter(map(_kind, settled))
    seen = Counter(map(_kind, after.findings))
    for kind in {*wanted, *seen}:
        if wanted[kind] != seen[kind]:
            yield f"{kind[0]} in {kind[1]}: {wanted[kind]} wanted, {seen[kind]} there"
    if {each.path for each in after.unreviewed} - {each.path for each in before.unreviewed}:
        yield "a file can no longer be reviewed"


def _kind(finding: Finding) -> tuple[str, str | None, bool]:
    return finding.rule, finding.path, finding.moved


def _parses(data: bytes) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(data)
    except (SyntaxError, ValueError):
        return False
    return True


class _Checkout:
    """A new repository that borrows the objects of a clone, which is only read."""

    def __init__(self, folder: Path, clone: str) -> None:
        self.folder = folder
        self.run("init", "--quiet")
        inside = Path(clone, ".git") if Path(clone, ".git").is_dir() else Path(clone)
        (folder / ".git" / "objects" / "info" / "alternates").write_text(f"{(inside / 'objects').resolve()}\n")

    def run(self, *arguments: str, given: bytes = b"") -> bytes:
        """Run git there and return what it prints. Raises CalledProcessError."""
        answer = self.try_run(*arguments, given=given)
        answer.check_returncode()
        return answer.stdout

    def try_run(self, *arguments: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        """Run git there; nothing of a user's configuration counts."""
        environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
        roles = [f"GIT_{role}_{fact}" for role in ("AUTHOR", "COMMITTER") for fact in ("NAME", "EMAIL")]
        return subprocess.run(
            ["git", "-C", str(self.folder), *arguments],
            input=given,
            capture_output=True,
            check=False,
            env=environment
            | dict.fromkeys(roles, "bench@example.org")
            | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"},
        )


if __name__ == "__main__":
    sys.exit(main())
