"""``python -m bench.evidence``: how right and how useful the rules are, from the labels and from replays of clones.

The labels alone give the precision figures. ``--clones DIR`` names a folder of clones, each called ``owner+name`` (or
with the repository in ``owner+name/repo``); with them the current rules are run again: which labels still hold, what
would have been red, how many comments a pull request gets. What cannot be computed is said to be so.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from bench.current_labels import Today, look_again
from review_bot.configuration import rule_registry
from review_bot.rules.precision import Precision
from review_bot.text.listing import count
from rule_lab.agreement import AnnotatorScore, agreement
from rule_lab.judge import agreement_line, score_line
from rule_lab.label_files import EVIDENCE, read_all, read_scores, write_labels
from rule_lab.labels import Label
from rule_lab.measuring import measure, total
from rule_lab.placement import RulePlacement, placement_problems

FIRST = "vllm-project/vllm-omni"
"""The repository that the rules are made for; all its pull requests are replayed, merged or not."""

LAST = 250
"""Pull requests of the second repository."""

LINES_OVER = 150
"""Pull requests over which comments per 1,000 added lines are counted, and the later life of lines."""


class Replayed(NamedTuple):
    """What one replay printed, and its arguments."""

    repository: str
    folder: Path
    scope: str
    data: Mapping[str, Any]


def main() -> int:
    """Print all figures, and return 1 if the labels of a rule do not justify its placement."""
    parser = argparse.ArgumentParser(prog="python -m bench.evidence", description=__doc__)
    parser.add_argument("--clones", type=Path, metavar="DIR", help="a folder of clones, each called owner+name")
    parser.add_argument(
        "--second", metavar="OWNER/NAME", help="the second repository (default: the one with most labels)"
    )
    parser.add_argument(
        "--write",
        action="store_true",
        help="update the labels: which findings are still reported, and where",
    )
    parser.add_argument(
        "--evidence", default=EVIDENCE, metavar="DIR", help=f"the folder of labels (default: {EVIDENCE})"
    )
    options = parser.parse_args()
    labels = read_all(Path(options.evidence))
    clones = _clones(options.clones)
    replays: list[Replayed] = []
    if clones:
        labels = _refreshed(labels, clones, options.evidence if options.write else None)
        replays = _replays(clones, options.second or _second(labels, clones))
    _print_labels(labels)
    measured = measure(labels)
    _print_rules(labels, measured)
    problems = _print_problems(measured)
    _print_annotators(labels, read_scores(options.evidence))
    for replay in replays:
        _print_replay(replay, measured)
    if replays:
        _print_later(replays[0])
    else:
        print(
            "\nNot computed without clones (CLONES=DIR): which findings are still reported, the share of red pull "
            "requests,"
        )
        print("comments per pull request and per 1,000 lines, what became of flagged lines.")
    _print_recall(options.clones)
    return 1 if problems else 0


def _clones(folder: Path | None) -> dict[str, Path]:
    """Return the clones in a folder, by ``owner/name``."""
    found: dict[str, Path] = {}
    for each in sorted(folder.iterdir()) if folder is not None else ():
        if "+" in each.name and each.is_dir():
            found[each.name.replace("+", "/", 1)] = each / "repo" if (each / "repo").is_dir() else each
    return found


def _second(labels: Sequence[Label], clones: Mapping[str, Path]) -> str | None:
    names = [label.repository for label in labels if label.repository != FIRST and label.repository in clones]
    return max(sorted(set(names)), key=names.count, default=None)


def _refreshed(labels: Sequence[Label], clones: Mapping[str, Path], folder: str | None) -> list[Label]:
    """Return the labels updated by the current rules; those without a clone stay as they are.

    With ``folder`` they are written there.
    """
    result: list[Label] = []
    reworded = 0
    unknown: list[str] = []
    for repository in sorted({label.repository for label in labels}):
        own = [label for label in labels if label.repository == repository]
        if repository not in clones:
            unknown.append(f"{repository} ({count(len(own), 'label')})")
            result += own
            continue
        today = look_again(own, str(clones[repository]))
        reworded += sum(each.state == "reworded" for each in today.values())
        if lost := sum(label.key not in today for label in own):
            unknown.append(f"{count(lost, 'label')} of {repository}, whose commits are not in the clone")
        anew = {key for key, each in today.items() if each.state == "reworded"}
        own = [_as_of_today(label, today.get(label.key)) for label in own if label.key not in anew]
        if folder is not None:
            write_labels(folder, repository, own)
        result += own
    print("Labels compared with the current rules" + (f"; not compared: {', '.join(unknown)}" if unknown else ""))
    print(f"  {count(reworded, 'finding')} reported with another text than the judged one, to be judged again")
    return result


def _as_of_today(label: Label, today: Today | None) -> Label:
    """Return a label updated with whether its finding is still reported, and where."""
    if today is None:
        return label
    placement = today.placement or label.placement
    return label.model_copy(update={"fires": today.state != "gone", "placement": placement})


def _replays(clones: Mapping[str, Path], second: str | None) -> list[Replayed]:
    found: list[Replayed] = []
    if FIRST in clones:
        every = ("--last", "0", "--unmerged")
        found.append(_replay(FIRST, clones[FIRST], "all pull requests, merged or not", *every))
    else:
        print(f"Not computed: the replay of {FIRST}, which is not among the clones")
    if second is not None and second in clones:
        last = f"the last {LAST} merged pull requests"
        found.append(_replay(second, clones[second], last, "--last", str(LAST)))
    else:
        print("Not computed: the replay of a second repository, since none with labels is among the clones")
    return found


def _replay(repository: str, folder: Path, scope: str, *arguments: str) -> Replayed:
    command = [sys.executable, "-m", "review_bot", "replay", "-C", str(folder), "--format", "json", *arguments]
    answer = subprocess.run(command, check=True, capture_output=True, text=True)
    return Replayed(repository, folder, scope, json.loads(answer.stdout))


def _print_labels(labels: Sequence[Label]) -> None:
    every, inline = total(labels), total(label for label in labels if label.placement != "summary")
    where = count(every.repositories, "repository", "repositories")
    print(f"\n{count(every.judged, 'finding')} judged in {where}, two annotations each")
    for name, found in (("comments beside the code", inline), ("of all rules", every)):
        print(f"  {name:<32} {_told(found)}")
    print(f"  not counted: {every.gone} no longer reported, {every.waiting} annotated once or not adjudicated")
    by_repository = {label.repository for label in labels}
    for repository in sorted(by_repository):
        print(f"  {repository}: {_told(total(label for label in labels if label.repository == repository))}")


def _told(found: Precision) -> str:
    if not found.judged:
        return "nothing judged"
    true = f"{found.true} true ({found.true / found.judged:.1%})"
    return f"{found.judged} judged, {true}, {found.useful} useful ({found.share:.1%}, 95 % sure of {found.lower:.1%})"


def _print_rules(labels: Sequence[Label], measured: Mapping[str, Precision]) -> None:
    inline = _inline_rules()
    rows: list[tuple[str, ...]] = [
        ("rule", "place", "judged", "true", "useful", "share", "sure of", "repos", "gone", "waiting")
    ]
    for rule, found in sorted(measured.items(), key=lambda pair: (pair[0] not in inline, pair[0])):
        share, lower = (f"{found.share:.2f}", f"{found.lower:.2f}") if found.judged else ("", "")
        numbers = (found.judged, found.true, found.useful)
        rest = (found.repositories, found.gone, found.waiting)
        place = "inline" if rule in inline else "summary"
        rows.append((rule, place, *map(str, numbers), share, lower, *map(str, rest)))
    unjudged = sorted(inline - {rule for rule, found in measured.items() if found.judged})
    if labels:
        print()
        _print_table(rows)
    print(f"\nInline rules without a judged finding: {', '.join(unjudged) or 'none'}")


@cache
def _inline_rules() -> frozenset[str]:
    return frozenset(page.rule.id for page in rule_registry.builtin_pages() if page.rule.show == "line")


def _print_table(rows: Sequence[Sequence[str]]) -> None:
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        cells = [
            cell.ljust(width) if number < 2 else cell.rjust(width)
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        print("  ".join(cells).rstrip())


def _print_problems(measured: Mapping[str, Precision]) -> list[str]:
    rules = [
        RulePlacement(page.rule.id, page.rule.show, page.rule.severity, page.documentation["provable"])
        for page in rule_registry.builtin_pages()
    ]
    problems = placement_problems(rules, dict(measured))
    print("\nPlacements below the bar:" + ("" if problems else " none"))
    for problem in problems:
        print(f"  {problem}")
    return problems


def _print_annotators(labels: Sequence[Label], scores: Sequence[AnnotatorScore]) -> None:
    print("\nReaders" + ("" if scores else ": none yet"))
    for score in scores:
        print(f"  {score_line(score)}; {score.sheet}")
    control = sum(score.control_true + score.control_false for score in scores)
    right = sum(score.control_true_right + score.control_false_right for score in scores)
    if control:
        print(f"  all: {right} of {control} control items right ({right / control:.1%})")
    print(f"  {agreement_line(agreement(labels))}")


def _print_replay(replay: Replayed, measured: Mapping[str, Precision]) -> None:
    totals, red = replay.data["totals"], replay.data["red"]
    reviewed = totals["reviewed"]
    print(f"\n{replay.repository}, {replay.scope}: {reviewed} reviewed, {totals['added']:,} added lines")
    print(f"  red: {len(red)} ({len(red) / reviewed:.1%})" if reviewed else "  nothing reviewed")
    for each in red:
        print(f"    {each['name']}: {'; '.join(each['reasons'])}")
        for finding in each["findings"]:
            print(f"      {finding['path']}:{finding['line']}  {finding['rule']}")
    print(f"  comments: median {totals['median_comments']:g}, 90th percentile {totals['p90_comments']:g}")
    newest = [each for each in replay.data["pull_requests"] if not each["error"] and each["files"]][:LINES_OVER]
    lines, comments = (sum(each[name] for each in newest) for name in ("added", "comments"))
    if lines:
        print(
            f"  comments per 1,000 added lines over {len(newest)}: {1000 * comments / lines:.2f} ({comments} comments)"
        )
    _print_weighted(replay.data["rules"], measured)


def _print_weighted(rules: Iterable[Mapping[str, Any]], measured: Mapping[str, Precision]) -> None:
    """Print what share of the comments is useful if each is as good as its rule was judged."""
    inline = [(each["inline"], measured.get(each["rule"])) for each in rules if each["inline"]]
    known = [(comments, found) for comments, found in inline if found is not None and found.shown]
    every, judged = sum(comments for comments, _ in inline), sum(comments for comments, _ in known)
    if judged:
        useful = sum(comments * found.shown_useful / found.shown for comments, found in known) / judged
        print(f"  of these comments {useful:.1%} useful, by the labels of their rules, which {judged} of {every} have")


def _print_later(replay: Replayed) -> None:
    arguments = ("--last", str(LINES_OVER), "--changed-later")
    later = _replay(replay.repository, replay.folder, "", *arguments).data.get("later")
    if later is None:
        print("\nNot computed: what became of flagged lines (the replay did not tell)")
        return
    head = f"{replay.repository}, the last {LINES_OVER} merged"
    print(f"\n{head}: lines changed before the merge or within {later['days']} days")
    for name, share in (("with an inline comment", later["flagged"]), ("all added lines", later["added"])):
        print(f"  {name}: {share['changed']:,} of {share['lines']:,} ({share['percent']:.1f} %)")


def _print_recall(clones: Path | None) -> None:
    if importlib.util.find_spec("bench.recall") is None:
        print("\nNot computed: recall on collected bugs (bench/recall.py is not there)")
        return
    print("\nRecall on collected bugs", flush=True)
    environment = {**os.environ, **({"CLONES": str(clones)} if clones is not None else {})}
    code = subprocess.run([sys.executable, "-m", "bench.recall"], check=False, env=environment).returncode
    if code:
        print(f"Not computed: bench.recall ended with {code}")


if __name__ == "__main__":
    sys.exit(main())
