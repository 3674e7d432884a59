"""``make bench-changes CLONES=DIR``: how much a single check takes of the review of real changes.

The newest changes of each clone are reviewed, each in a new process. A rule is an offender if it takes over 15 % of a
review that takes over half a second of CPU time, or over 2 s where up to 2,000 lines are added (in proportion where
more are). ``bench/rule_costs.py`` says how a rule's time is measured. Seconds are those of a machine on which bare
Python takes 9 ms: the time of bare Python is measured in turn with the changes, so that a busy machine makes no
offenders. Exits with 1 if there is one.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

from bench.corpus import Change
from bench.processes import run_once
from bench.rule_costs import SHARED, Costs, in_own_process

BARE = 0.009
"""CPU seconds of bare Python on the machine of reference."""

LARGEST_SHARE = 0.15
LONG_REVIEW = 0.5
MOST_SECONDS = 2.0
USUAL_LINES = 2_000


class Offence(NamedTuple):
    """A rule that takes too much of one review: its seconds, its share, and what was reviewed."""

    rule: str
    seconds: float
    share: float
    change: str
    added: int


def offences(costs: Costs, change: str, speed: float) -> list[Offence]:
    """Return the rules that take too much; ``speed``: seconds of the machine of reference in one second here."""
    allowed = MOST_SECONDS * max(1.0, costs.added / USUAL_LINES)
    found = []
    for cost in costs.rules:
        seconds, share = cost.total * speed, cost.total / costs.total
        is_large = share > LARGEST_SHARE and costs.total * speed > LONG_REVIEW
        if cost.rule != SHARED and (is_large or seconds > allowed):
            found.append(Offence(cost.rule, seconds, share, change, costs.added))
    return found


def changes_of(clone: Path, count: int) -> list[Change]:
    """Return the newest changes on a clone's main line that are no merges."""
    log = ["log", "--first-parent", "--no-merges", f"--max-count={count}", "--pretty=%H %P", "HEAD"]
    lines = subprocess.run(["git", "-C", str(clone), *log], capture_output=True, text=True, check=True).stdout.split(
        "\n"
    )
    pairs = [line.split() for line in lines if line.count(" ") == 1]
    return [Change(clone, parent, commit, 0, 0, 0) for commit, parent in pairs]


def main() -> int:
    """Measure, print the offenders, and return 1 if there are any."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clones", required=True, type=Path, metavar="DIR", help="clones, directly or one level below")
    parser.add_argument("--changes", type=int, default=300, metavar="N", help="changes of all clones (default: 300)")
    options = parser.parse_args()
    clones = clones_in(options.clones)
    if not clones:
        parser.error(f"{options.clones} holds no clone")
    found: list[Offence] = []
    bare: list[float] = []
    measured = long = 0
    for clone in clones:
        for change in changes_of(clone, -(-options.changes // len(clones))):
            bare.append(run_once([sys.executable, "-c", "pass"], clone).cpu / 1000)
            speed = BARE / statistics.median(bare[-5:])
            costs = in_own_process(change)
            measured += 1
            long += costs.total * speed > LONG_REVIEW
            name = clone.parent.name if clone.name == "repo" else clone.name
            found += offences(costs, f"{name} {change.head[:10]}", speed)
    print_offences(found, measured, long)
    return 1 if found else 0


def clones_in(folder: Path) -> list[Path]:
    """Return the clones in a folder or one level below it, with or without a work tree, sorted."""
    return sorted(path for path in [*folder.iterdir(), *folder.glob("*/*")] if _is_repository(path))


def _is_repository(path: Path) -> bool:
    return path.name != ".git" and ((path / ".git").exists() or (path / "HEAD").is_file())


def print_offences(found: list[Offence], measured: int, long: int) -> None:
    """Print each rule with the number of changes in which it took too much, and the worst of them."""
    print(
        f"{measured} changes, {long} of them longer than {LONG_REVIEW} s; {len({each.change for each in found})} with "
    )
    print(f"a rule that takes over {LARGEST_SHARE:.0%} of them, or over {MOST_SECONDS:g} s for {USUAL_LINES:,} lines.")
    by_rule: defaultdict[str, list[Offence]] = defaultdict(list)
    for each in found:
        by_rule[each.rule].append(each)
    if found:
        print("\n| rule | changes | largest share | longest | of |\n|---|---|---|---|---|")
    for rule, offended in sorted(by_rule.items(), key=lambda item: -len(item[1])):
        longest = max(offended, key=lambda each: each.seconds)
        print(
            f"| {rule} | {len(offended)} | {max(each.share for each in offended):.0%} | {longest.seconds:.2f} s "
            f"| {longest.change}, +{longest.added:,} |"
        )


if __name__ == "__main__":
    sys.exit(main())
