"""``python -m bench.dossier``: what the whole dossier (``--export``) costs over the plain review, in the same run.

The change has the size of vLLM-Omni's pull request 19 (5 files, some 460 lines); ``--clone`` measures that one too.
The added wall time is judged; bare Python, run in turn with both, says how fast the machine is.
"""

from __future__ import annotations

import argparse
import sys
import sysconfig
import tempfile
from pathlib import Path

from bench.corpus import small_change
from bench.processes import in_turn

TARGET = 150
"""Milliseconds over the plain review."""

_CLONED = "7a85034d..9ebc1dd6"


def main() -> int:
    """Measure, print, and return 1 if the target is missed."""
    parser = argparse.ArgumentParser(prog="python -m bench.dossier", description=__doc__)
    parser.add_argument("--clone", metavar="DIR", help="a clone of vLLM-Omni with its pull requests")
    parser.add_argument("--rounds", type=int, default=15, metavar="N", help="rounds of each (default: 15)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="review-bot-bench-") as temporary:
        folder = Path(temporary)
        small = small_change(folder / "small")
        met = _measure(f"Generated, {small.files} files, +{small.added} -{small.removed}", small.folder, small.range,
                       folder, options.rounds)  # fmt: skip
        if options.clone is not None:
            met &= _measure("vLLM-Omni 19", Path(options.clone), _CLONED, folder, options.rounds)
    return 0 if met else 1


def _measure(what: str, repository: Path, change: str, folder: Path, rounds: int) -> bool:
    program = str(Path(sysconfig.get_path("scripts")) / "review-bot")
    plain = [program, "review", change, "--format", "json", "--no-cache"]
    timings = in_turn(
        {
            "bare": ([sys.executable, "-c", "pass"], repository),
            "plain": (plain, repository),
            "dossier": ([*plain, "--export", str(folder / "dossier")], repository),
        },
        rounds,
    )
    bare, without, with_it = timings["bare"], timings["plain"], timings["dossier"]
    added = with_it.wall - without.wall
    print(
        f"{what}: {without.wall:.0f} ms plain, {with_it.wall:.0f} ms with the dossier: {added:+.0f} ms "
        f"(target {TARGET}: {'met' if added <= TARGET else 'MISSED'}; CPU {with_it.cpu - without.cpu:+.0f} ms; "
        f"bare Python {bare.wall:.0f} ms)"
    )
    return added <= TARGET


if __name__ == "__main__":
    sys.exit(main())
