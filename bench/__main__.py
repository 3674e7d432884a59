"""``python -m bench``: run the anchors and Review Bot in turn, and say for each figure whether it meets its target.

Only ratios are judged: of CPU time (user and system, with git and the workers), so that a busy machine does not decide.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import sysconfig
import tempfile
import venv
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from bench import rule_costs
from bench.corpus import Change, large_change, small_change
from bench.more_rules import COPIES, cost_of_a_rule
from bench.processes import Timing, in_turn, peak_memory, script
from review_bot.configuration import rule_registry
from review_bot.files.yaml_file import read_yaml

ROOT = Path(__file__).resolve().parent.parent
SEMGREP = "semgrep==1.182.0"
CONFIG = """\
fail-on: error
rules:
  style/*: {severity: hint}
  errors/swallowed-exception: {severity: warning, ignores: ["scripts/**"]}
paths:
  ignore: ["third_party/**", "**/*.lock"]
"""


class Row(NamedTuple):
    """One figure and its target; ``met`` is None where it was not measured."""

    what: str
    value: str
    target: str
    met: bool | None
    detail: str = ""


def main() -> int:
    """Measure, print, and return 1 if a target is missed."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--rounds", type=int, default=15, metavar="N", help="rounds of the small runs (default: 15)")
    parser.add_argument(
        "--large-rounds", type=int, default=3, metavar="N", help="rounds of the large runs (default: 3)"
    )
    parser.add_argument(
        "--semgrep", action="store_true", help=f"install {SEMGREP} into its own environment, and compare"
    )
    parser.add_argument("--small-only", action="store_true", help="leave out the change of 100,000 lines")
    options = parser.parse_args()
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="review-bot-bench-") as folder:
        place = Path(folder)
        small = small_change(place / "small")
        rows += _start_up(place, small, options.rounds)
        rows += _semgrep(place, small, options)
        large: Change | None = None
        if not options.small_only:
            large = large_change(place / "large")
            rows += _throughput(place, large, options.large_rounds)
            rows += _more_rules(large, options.large_rounds)
        _print(rows, small, large)
        for name, change in (("small", small), ("large", large)):
            if change is not None:
                print(
                    f"\nThe dearest rules of the {name} change, as shares of its CPU time (see bench/rule_costs.py):\n"
                )
                print("\n".join(rule_costs.table(rule_costs.in_own_process(change))))
    return 1 if any(row.met is False for row in rows) else 0


def _start_up(place: Path, small: Change, rounds: int) -> list[Row]:
    bare = [sys.executable, "-c", "pass"]
    again = [*_with_cache(place), script("review-bot"), "review", small.range, "--format", "json"]
    review = [script("review-bot"), "review", small.range, "--format", "json", "--no-cache"]
    with_config = place / "config.yml"
    with_config.write_text(CONFIG, encoding="utf-8")
    timings = in_turn(
        {
            "bare": (bare, place),
            "version": ([script("review-bot"), "--version"], place),
            "review": (review, small.folder),
            "again": (again, small.folder),
            "config": ([*again, "--config", str(with_config)], small.folder),
        },
        rounds,
    )
    bare_time = timings["bare"]
    return [
        _ratio("`--version` to bare Python", timings["version"], bare_time, 3),
        _ratio("small change to bare Python", timings["review"], bare_time, 7),
        _ratio("second review of the small change to bare Python", timings["again"], bare_time, 11),
        _ratio("the same with a configuration to bare Python", timings["config"], bare_time, 12),
    ]


def _with_cache(place: Path) -> list[str]:
    """Return what runs a command with a cache of its own, also where ``CI`` switches the cache off."""
    return ["env", "-u", "CI", "-u", "REVIEW_BOT_NO_CACHE", f"XDG_CACHE_HOME={place / 'cache'}"]


def _semgrep(place: Path, small: Change, options: argparse.Namespace) -> list[Row]:
    what = "small change to semgrep with 20 rules"
    if not options.semgrep:
        return [Row(what, "not measured", "<= 1/15", None, "run with --semgrep")]
    folder = place / "semgrep"
    venv.create(folder, with_pip=True)
    install = [str(folder / "bin/python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", SEMGREP]
    subprocess.run(install, check=True)
    changed = subprocess.run(
        ["git", "diff", "--name-only", small.base, small.head],
        cwd=small.folder, capture_output=True, text=True, check=True,
    ).stdout.split()  # fmt: skip
    rules = str(ROOT / "bench/semgrep_rules.yaml")
    scan = [str(folder / "bin/semgrep"), "scan", "--metrics=off", "--disable-version-check", "--quiet", "--json",
            "--config", rules, *changed]  # fmt: skip
    review = [script("review-bot"), "review", small.range, "--format", "json", "--no-cache"]
    timings = in_turn({"semgrep": (scan, small.folder), "review": (review, small.folder)}, 5)
    ours, theirs = timings["review"], timings["semgrep"]
    share = theirs.cpu / ours.cpu
    return [Row(what, f"1/{share:.1f}", "<= 1/15", share >= 15, _detail(ours, theirs))]


def _throughput(place: Path, large: Change, rounds: int) -> list[Row]:
    rules = place / "structural"
    rules.mkdir()
    alone = place / "structural.yml"
    on = ["rules:", "  '*': off"]
    for path in sorted((ROOT / "rules").glob("*/*.yaml")):
        text = path.read_text(encoding="utf-8")
        if "rule" in read_yaml(text)[0].data:
            (rules / f"{path.parent.name}-{path.name}").write_text(text, encoding="utf-8")
            on.append(f"  {path.parent.name}/{path.stem}: on")
    count = len(on) - 2
    alone.write_text("\n".join(on) + "\n", encoding="utf-8")
    config = place / "sgconfig.yml"
    config.write_text(f"ruleDirs: ['{rules}']\n", encoding="utf-8")
    changed = subprocess.run(
        ["git", "diff", "--name-only", large.base, large.head],
        cwd=large.folder, capture_output=True, text=True, check=True,
    ).stdout.split()  # fmt: skip
    again = [*_with_cache(place), script("review-bot"), "review", large.range, "--format", "json", "--jobs", "2"]
    review = [script("review-bot"), "review", large.range, "--format", "json", "--jobs", "2", "--no-cache"]
    scan = [script("ast-grep"), "scan", "--config", str(config), "--threads", "2", "--json=stream", *changed]
    same = [*review, "--config", str(alone)]
    in_turn({"first": (again, large.folder)}, 1)  # fills the cache
    commands = {"review": review, "again": again, "same": same, "scan": scan}
    timings = in_turn({name: (command, large.folder) for name, command in commands.items()}, rounds)
    ours, theirs = timings["review"], timings["scan"]
    rows = [
        _ratio(f"100,000 lines to the ast-grep command with our {count} structural rules", ours, theirs, 2),
        Row("the same, wall time", f"{ours.wall / theirs.wall:.2f}x", "(no target)", None),
        Row(
            "the same, with those structural rules alone on our side too",
            f"{timings['same'].cpu / theirs.cpu:.2f}x",
            "(no target)",
            None,
            _detail(timings["same"], theirs),
        ),
        _ratio("second review of 100,000 lines to the ast-grep command", timings["again"], theirs, 1.5),
    ]
    memory = peak_memory(review, large.folder)
    if memory is None:
        return [*rows, Row("100,000 lines, peak memory", "not measured", "<= 150 MB", None, "needs /proc")]
    detail = (
        f"parent and workers at one moment; the largest alone {memory.largest / 1e6:.0f} MB; "
        f"with shared pages counted in each {memory.resident_sum / 1e6:.0f} MB"
    )
    total = memory.proportional_sum / 1e6
    return [*rows, Row("100,000 lines, peak memory", f"{total:.0f} MB", "<= 150 MB", total <= 150, detail)]


def _more_rules(large: Change, rounds: int) -> list[Row]:
    cost = cost_of_a_rule(large, rounds)
    detail = f"{COPIES} copies of {cost.rule}, run in {cost.tried} files, added to {cost.rules} rules; one process"
    return [Row("one more rule, 100,000 lines", f"{100 * cost.share:.2f} %", "<= 0.5 %", cost.share <= 0.005, detail)]


def _ratio(what: str, ours: Timing, anchor: Timing, target: float) -> Row:
    ratio = ours.cpu / anchor.cpu
    return Row(what, f"{ratio:.2f}x", f"<= {target:g}x", ratio <= target, _detail(ours, anchor))


def _detail(ours: Timing, anchor: Timing) -> str:
    return (
        f"CPU {ours.cpu:,.0f} to {anchor.cpu:,.0f} ms; wall {ours.wall:,.0f} to {anchor.wall:,.0f} ms "
        f"({ours.wall / anchor.wall:.2f}x)"
    )


def interpreter() -> str:
    """Return the version of Python and how it was built: without PGO and LTO it is a tenth to a third slower."""
    flags = f"{sysconfig.get_config_var('CONFIG_ARGS') or ''} {sysconfig.get_config_var('PY_CORE_CFLAGS') or ''}"
    pgo = "--enable-optimizations" in flags or "-fprofile-use" in flags
    lto = "--with-lto" in flags or "-flto" in flags
    how = " and ".join(name for name, is_on in (("PGO", pgo), ("LTO", lto)) if is_on)
    return f"Python {platform.python_version()} ({f'built with {how}' if how else 'built without PGO and LTO'})"


def _print(rows: list[Row], small: Change, large: Change | None) -> None:
    rules = rule_registry.builtin_rulebook().rules
    structural = sum(rule.kind == "structural" for rule in rules)
    machine = f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores"
    print(f"{datetime.now(UTC):%Y-%m-%d}, {interpreter()}, {machine}.")
    print(f"{len(rules)} rules, {structural} of them structural.")
    for name, change in (("Small", small), ("Large", large)):
        if change is not None:
            print(f"{name} change: {change.files:,} files, +{change.added:,} -{change.removed:,} lines.")
    print()
    print("| figure | measured | target | met | |")
    print("|---|---|---|---|---|")
    for row in rows:
        met = "–" if row.met is None else "yes" if row.met else "**no**"
        print(f"| {row.what} | {row.value} | {row.target} | {met} | {row.detail} |")


if __name__ == "__main__":
    sys.exit(main())
