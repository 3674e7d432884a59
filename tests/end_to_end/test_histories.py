"""Random lives of a pull request, with a run of the Action after each event, against an oracle of our own.

What must hold is read from the report and from what stands at the fake GitHub alone; nothing of the plan's code is asked.
``REVIEW_BOT_FULL_ORACLE=1`` runs 240 histories; a failure names its seed.
"""

from __future__ import annotations

import difflib
import re
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from fake_github.server import Exchange, FakeGitHub
from fake_github.world import ACTIONS_BOT, ReviewComment
from tests.changed_files import FULL
from tests.end_to_end.histories import OURS, TAG, History

HISTORIES = 240 if FULL else 6
EVENTS = 7 if FULL else 4
LATENCY = 0.2
"""Seconds per call where rounds are counted: calls of one round come closer together than that."""

_SETTLED = re.compile(r"^(Fixed in|Suppressed|Accepted in|No longer checked)", re.MULTILINE)
_RULE = re.compile(r"<!-- review-bot:rule (\S+) -->")


class Said(NamedTuple):
    """A comment as it stands."""

    id: int
    author: str | None
    body: str
    path: str
    kind: str
    fingerprints: tuple[str, ...]
    live: bool

    @property
    def matter(self) -> set[tuple[str, str]]:
        """What it is about, as a reader knows it: rule and the defect's own name, where it has one."""
        rule = _RULE.findall(self.body)
        return {(rule[-1] if rule else "", tag) for tag in TAG.findall(self.body)}


def standing(history: History) -> dict[int, Said]:
    found = {}
    for each in history.comments():
        mark = OURS.search(each.body) if each.author == ACTIONS_BOT else None
        kind = mark[1] if mark else ""
        if mark and (kind == "summary") == isinstance(each, ReviewComment):
            kind = ""
        names = tuple(mark[2].strip().split(",")) if mark and mark[2] and kind != "summary" else ()
        path = each.path if isinstance(each, ReviewComment) else ""
        live = kind in {"inline", "file"} and "<!-- review-bot:settled" not in each.body
        found[each.id] = Said(each.id, each.author, each.body, path, kind, names, live)
    return found


class Oracle:
    """Looks at one history after each run."""

    def __init__(self, history: History, counts: Counter[str]) -> None:
        self.history, self.counts, self.story = history, counts, ["opened"]

    def check(self, what: str, before: dict[int, Said], report: dict[str, Any], calls: list[Exchange]) -> None:
        """Say what must hold after a run."""
        self.story.append(what)
        after = standing(self.history)
        findings = [each for each in report["findings"] if not each["moved"]]
        everything = {each["fingerprint"] for each in report["findings"]}
        live = [each for each in after.values() if each.live]
        posted = [each for key, each in after.items() if key not in before and each.kind in {"inline", "file"}]
        closed = [each for key, each in after.items() if key in before and before[key].live and not each.live]
        self.counts.update(runs=1, findings=len(findings), posted=len(posted), closed=len(closed))
        stayed = [(before[key], each) for key, each in after.items() if key in before and each.live]
        self.counts["posted on files"] += sum(each.kind == "file" for each in posted)
        self.counts["posted as lists"] += sum(len(each.fingerprints) > 1 for each in posted)
        self.counts["closed as suppressed"] += sum(each.body.startswith("Suppressed") for each in closed)
        self.counts["reopened"] += sum(bool(old.kind) and not old.live for old, _ in stayed)
        self.counts["kept through a rename"] += sum(old.live and old.path in self.history.renamed for old, _ in stayed)
        self.counts["outdated"] += sum(
            isinstance(each, ReviewComment) and each.outdated and after[each.id].live
            for each in self.history.comments()
        )
        self._not_repeated(before, posted, closed, live)
        self._rightly_closed(closed, after, everything, report)
        self._rightly_open(live, everything)
        self._none_lost(after, live, findings)
        self._others_untouched(before, after)
        self._few_writes(before, after, posted, calls)

    def fail(self, why: str) -> None:
        self.counts[why.split(":", maxsplit=1)[0]] += 1
        pytest.fail(f"{self.history.repository.full_name}: {why}\nstory: {self.story}\ninputs: {self.history.inputs}")

    def _not_repeated(self, before: dict[int, Said], posted: list[Said], closed: list[Said], live: list[Said]) -> None:
        named = Counter(name for each in live for name in each.fingerprints)
        if twice := [name for name, number in named.items() if number > 1]:
            self.fail(f"repeated: two live comments for {twice}")
        stood = {name for key, each in before.items() for name in each.fingerprints if self._stands(key)}
        if again := [name for each in posted for name in each.fingerprints if name in stood]:
            self.fail(f"repeated: {again} had a comment")
        if refused := self.history.declined & {name for each in posted for name in each.fingerprints}:
            self.fail(f"repeated: {refused} were declined")
        for each in posted:
            for other in closed:
                same_place = each.path == other.path or self.history.renamed.get(other.path) == each.path
                if same_place and each.matter & other.matter and "Fixed in" in other.body:
                    self.fail(f"repeated: {other.matter} was closed on {other.path} and said anew on {each.path}")

    def _stands(self, number: int) -> bool:
        return any(each.id == number for each in self.history.comments())

    def _rightly_closed(
        self, closed: list[Said], after: dict[int, Said], everything: set[str], report: dict[str, Any]
    ) -> None:
        for each in after.values():
            if each.kind in {"inline", "file"} and not each.live and everything & set(each.fingerprints):
                self.fail(f"wrongly closed: {each.body[:60]!r} of {everything & set(each.fingerprints)}")
        silenced = {each["fingerprint"] for each in report["suppressed"]}
        for each in closed:
            first = _SETTLED.search(each.body)
            if first is None:
                self.fail(f"wrongly closed: without a word: {each.body[:60]!r}")
            elif (first[1] == "Suppressed") != bool(silenced & set(each.fingerprints)):
                self.fail(f"wrongly closed: {first[1]}, and suppressed are {silenced}")

    def _rightly_open(self, live: list[Said], everything: set[str]) -> None:
        for each in live:
            if set(each.fingerprints) - everything:
                self.fail(f"wrongly open: {each.body[:80]!r} on {each.path}")

    def _none_lost(self, after: dict[int, Said], live: list[Said], findings: list[dict[str, Any]]) -> None:
        summaries = [each for each in after.values() if each.kind == "summary"]
        if len(summaries) != 1:
            self.fail(f"lost: {len(summaries)} summaries")
        text = summaries[0].body.replace("\u200b", "")
        named = {name for each in live for name in each.fingerprints}
        statements = {name[:16] for name in self.history.declined}
        for each in findings:
            if each["fingerprint"] in named:
                continue
            if each["fingerprint"][:16] in statements and " declined, still counted in the verdict\n" in text:
                self.counts["told as declined"] += 1
                continue
            by_rule = each["severity"] in {"info", "hint"} and each["rule"] in text
            tag = TAG.search(each["message"])
            where = f"{each['path']}:{each['line']}" if each["line"] else each["path"] or each["rule"]
            if not (by_rule or (tag and tag[0] in text) or (not tag and where in text)):
                self.fail(f"lost: {each['rule']} {each['message']} at {where}")

    def _others_untouched(self, before: dict[int, Said], after: dict[int, Said]) -> None:
        others = {key: each.body for key, each in before.items() if not each.kind}
        if {key: each.body for key, each in after.items() if not each.kind} != others:
            self.fail("touched: a comment of somebody else")

    def _few_writes(
        self, before: dict[int, Said], after: dict[int, Said], posted: list[Said], calls: list[Exchange]
    ) -> None:
        writes = [(each.method, each.path.split("/")[-1], each) for each in calls if is_write(each)]
        reviews = [each for method, last, each in writes if (method, last) == ("POST", "reviews")]
        rest = [each for each in writes if each[2] not in reviews and each[2].operation not in {"Resolve", "Reopen"}]
        changed = sum(1 for key, each in after.items() if key in before and before[key].body != each.body)
        gone = sum(1 for key in before if key not in after)
        files, lines = (sum(each.kind == kind for each in posted) for kind in ("file", "inline"))
        in_draft = files > 0 and files + lines > 1  # one write for each file, and one that submits them all
        needed = changed + gone + files + in_draft
        needed += sum(each.kind == "summary" for key, each in after.items() if key not in before)
        if len(reviews) != (lines > 0 or in_draft) or len(rest) != needed:
            self.fail(
                f"wasteful: {[(method, last) for method, last, _ in writes]} where {needed} beside a review would do"
            )
        if len(posted) > int(self.history.inputs["max-comments"]):
            self.fail("wasteful: more than max-comments")
        if self.history.pr.record.draft and self.history.inputs["drafts"] and posted:
            self.fail("wasteful: a comment on a quiet draft")
        self.counts["writes"] += len(writes)


def is_write(call: Exchange) -> bool:
    if call.path.endswith("/graphql"):
        return "mutation" in str(call.body)
    return call.method != "GET"


def differences(before: dict[int, Said], after: dict[int, Said]) -> str:
    """Return what became of comments, as a diff."""
    both = [
        difflib.unified_diff(before[key].body.splitlines(), after[key].body.splitlines(), lineterm="", n=0)
        for key in before
        if key in after
    ]
    return "\n".join(line for each in both for line in each) + f"; {sorted(before.keys() ^ after.keys())}"


def rounds(calls: list[Exchange]) -> int:
    """Count the calls that had to wait for another one: under latency those of one round come at once."""
    times = sorted(each.started for each in calls)
    return sum(1 for number, at in enumerate(times) if not number or at - times[number - 1] > LATENCY * 0.7)


def before_publishing(calls: list[Exchange]) -> list[Exchange]:
    """Return the reads before the look at the head, which comes before publishing and at the end of every review."""
    for number, each in enumerate(calls):
        if is_write(each) or re.fullmatch(r"/repos/[^/]+/[^/]+/pulls/\d+", each.path):
            return calls[:number]
    return calls


@pytest.fixture(scope="module")
def github() -> Iterator[FakeGitHub]:
    with FakeGitHub() as github:
        github.limits.requests_an_hour = github.limits.points_an_hour = 10**9
        yield github


COUNTS: Counter[str] = Counter()


@pytest.fixture(scope="module", autouse=True)
def told() -> Iterator[None]:
    yield
    sys.stderr.write(f"\n{', '.join(f'{number:,} {name}' for name, number in COUNTS.items())}\n")


@pytest.mark.parametrize("part", range(6))
def test_random_lives_of_a_pull_request(github: FakeGitHub, part: int) -> None:
    bare = github.snapshot()
    for seed in range(part, HISTORIES, 6):
        live_through(github, seed)
        github.restore(bare)


def live_through(github: FakeGitHub, seed: int) -> None:
    """Make one history, and look at it after each run."""
    history = History(github, seed)
    oracle = Oracle(history, COUNTS)
    COUNTS["histories"] += 1
    timed = seed == 5 or (FULL and seed % 24 == 5)
    what = "opened"
    for _ in range(EVENTS + 1):
        before, seen = standing(history), len(github.requests)
        github.latency = LATENCY if timed else 0.0
        result = history.run()
        github.latency = 0.0
        calls = github.requests[seen:]
        if result.code not in {0, 1}:
            oracle.fail(f"failed: {what}: exit {result.code}: {result.log}")
        report = result.report()
        refused = [each for each in calls if (each.status or 500) >= 400]
        if refused:
            oracle.fail(f"refused: {[(each.method, each.path, each.answer) for each in refused]}")
        oracle.check(what, before, report, calls)
        wrong = any(each["severity"] == "error" and not each["moved"] for each in report["findings"])
        if result.code != int(wrong):
            oracle.fail(f"verdict: exit {result.code}")
        second, told = len(github.requests), standing(history)
        github.latency = LATENCY if timed else 0.0
        again = history.run()
        github.latency = 0.0
        written = [each for each in github.requests[second:] if is_write(each)]
        if written or again.code != result.code or again.report() != report:
            oracle.fail(f"not idempotent: after {what}: {differences(told, standing(history))}")
        COUNTS["second runs without a write"] += 1
        if timed:
            most = max(rounds(before_publishing(calls)), rounds(before_publishing(github.requests[second:])))
            if most > 3:  # the machine may have been busy; nothing has changed, so look once more
                third = len(github.requests)
                github.latency = LATENCY
                history.run()
                github.latency = 0.0
                most = rounds(before_publishing(github.requests[third:]))
            COUNTS["runs with counted rounds"] += 2
            COUNTS[f"rounds of reading at most {most}"] += 1
            if most > 3:
                oracle.fail(f"slow: {most} rounds: {[(each.path, each.started) for each in github.requests[seen:]]}")
        what = history.go_on()
