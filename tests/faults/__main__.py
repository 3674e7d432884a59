"""``python -m tests.faults``: every scripted fault and 2,000 random schedules; prints how many, and every breach."""

from __future__ import annotations

import argparse
import functools
import os
import sys
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from tests.faults import campaign

PROCESSES_A_CORE = 2
"""Half of the time a run waits for an answer that does not come."""


def main() -> int:
    """Run them all and return 1 if something is broken."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("--schedules", type=int, default=2000, metavar="N", help="random schedules (default: 2000)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="the first schedule's number (default: 0)")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only each N-th scripted fault")
    parser.add_argument("--processes", type=int, default=PROCESSES_A_CORE * (os.cpu_count() or 1), metavar="N")
    options = parser.parse_args()
    started = time.monotonic()
    counts: Counter[str] = Counter()
    breaches: list[str] = []
    share = options.processes
    with ProcessPoolExecutor(share, mp_context=get_context("spawn")) as pool:
        todo = [pool.submit(campaign.scripted, number, share, options.every) for number in range(share)]
        todo += [
            pool.submit(campaign.random, options.seed + number, options.seed + options.schedules, share)
            for number in range(min(share, options.schedules))
        ]
        todo.append(pool.submit(campaign.processes, options.every))
        for future in todo:
            found, broken = future.result()
            counts += found
            breaches += broken
    say = functools.partial(print, flush=True)
    scripted = sum(number for name, number in counts.items() if name not in {"schedules", "runs", "faults"})
    groups = ", ".join(f"{number} {name}" for name, number in sorted(counts.items()) if name not in _OF_SCHEDULES)
    say(f"{scripted} scripted faults: {groups}")
    say(
        f"{counts['schedules']:,} random schedules: {counts['runs']:,} runs with {counts['faults']:,} faults that struck"
    )
    for kind, words in _KINDS.items():
        say(f"{sum(any(word in each for word in words) for each in breaches)} {kind}")
    for each in breaches:
        say(f"  {each}")
    say(f"{len(breaches)} breaches in all; {time.monotonic() - started:.0f} s")
    return 1 if breaches else 0


_OF_SCHEDULES = ("schedules", "runs", "faults")
_KINDS = {
    "duplicates": ("comments", "summaries", "requests for changes stand"),
    "lost findings": ("lost", "does not tell", "left no report"),
    "false greens": ("green",),
}


if __name__ == "__main__":
    sys.exit(main())
