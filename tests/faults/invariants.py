"""What has to hold after every run, whatever went wrong; each breach is a sentence."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from fake_github.faults import TAKES_EFFECT
from review_bot.comments import marker
from review_bot.forges.github.client import Limits
from tests.action import Result
from tests.faults.cases import LIES, Case, Site, site_of
from tests.faults.scenes import HASTY, Made, Stage, Standing

RETRY_AFTER = {"503_retry_after": 2.0, "403_secondary": 60.0, "429": 60.0}
"""Seconds that these faults ask for."""

FINAL = {
    "reset_before": "E-NET", "reset_after": "E-NET", "timeout": "E-NET", "slow_drip": "E-NET",
    "500": "E-GITHUB", "502_html": "E-GITHUB", "503_retry_after": "E-GITHUB",
    "403_secondary": "E-RATE", "429": "E-RATE", "primary_limit": "E-RATE",
    "truncated_json": "E-BADDATA", "html_200": "E-BADDATA",
}  # fmt: skip
"""How reading ends where a fault lasts: the table of docs/when-it-fails.md."""

BESIDE = frozenset({Site("GRAPHQL", "OpenPullRequests"), Site("GRAPHQL", "OpenTexts")})
"""Reads that are for advice alone: a fault there changes what the summary says of other pull requests."""

Finding = tuple[str, str | None, str]
"""Rule, path and fingerprint."""

_SUBMISSION = Site("POST", "/pulls/*/reviews/*/events")
_CREATIONS = (
    Site("POST", "/pulls/*/reviews"),
    Site("POST", "/pulls/*/comments"),
    Site("POST", "/issues/*/comments"),
    _SUBMISSION,
)
_REAL_SECONDS = 20.0
_CODES = ("E-NET", "E-GITHUB", "E-RATE", "E-TOKEN", "E-PERMISSION", "E-GONE", "E-REJECTED", "E-BADDATA",
          "E-INCOMPLETE", "E-AMBIGUOUS", "E-SUPERSEDED")  # fmt: skip


def of_run(stage: Stage, made: Made, limits: Limits, *, is_paced: bool = True) -> Iterator[str]:
    """Yield what a run by itself did wrong: its time, its pace, and what it let out."""
    if made.seconds > limits.total + _REAL_SECONDS:
        yield f"it took {made.seconds:.0f} s, and may take {limits.total:.0f}"
    if is_paced:
        yield from _pace(made)
    for stamp in made.calls:
        if stamp.call.host == "archive" and "authorization" in stamp.call.headers:
            yield "the token went to the host of the archives"
    if made.result is not None:
        for where, text in _told(made.result):
            if stage.token in text:
                yield f"the token is in {where}"
        if made.result.code not in {0, 1, 2, 3}:
            yield f"it ended with {made.result.code}"
        said = (*_CODES, "Review incomplete:")  # the latter names the files and rules, which need no code
        if made.result.code == 3 and not any(words in made.result.log for words in said):
            yield f"no code says what went wrong: {made.result.log[-300:]!r}"
        if made.result.code == 3 and not made.result.summary:
            yield "the page of the job says nothing"
        if (made.result.outputs.get("passed") == "true") != (made.result.code == 0):
            yield f"the outputs say {dict(made.result.outputs)}, the exit code {made.result.code}"


def of_standing(before: Standing, now: Standing, *, may_repeat: bool = False) -> Iterator[str]:
    """Yield what is wrong with what stands, whoever wrote it. ``may_repeat``: two runs were at work at once."""
    if set(before.others) - set(now.others):
        yield "what others wrote has changed"
    if not may_repeat:
        yield from set(repeated(now)) - set(repeated(before))


def repeated(now: Standing) -> Iterator[str]:
    """Yield what stands twice."""
    named = Counter(name for comment in now.ours if comment.kind != "summary" for name in comment.fingerprints)
    yield from (f"the finding {name} has {number} comments" for name, number in named.items() if number > 1)
    summaries = sum(comment.kind == "summary" for comment in now.ours)
    if summaries > 1:
        yield f"there are {summaries} summaries"
    if now.requests > 1:
        yield f"{now.requests} requests for changes stand"


def said_twice(made: Made) -> Iterator[str]:
    """Yield what a run created twice, though it may have deleted one of both: people were told twice.

    Of a pending review nobody is told before it is submitted.
    """
    named: Counter[str] = Counter()
    pending: list[str] = []
    for stamp in made.calls:
        call = stamp.call
        happened = call.fault in TAKES_EFFECT or (call.fault is None and (call.status or 500) < 300)
        if site_of(call) in _CREATIONS and happened and isinstance(call.body, dict):
            texts = [call.body.get("body", ""), *(each["body"] for each in call.body.get("comments", []))]
            if site_of(call) == _CREATIONS[0] and "event" not in call.body:
                texts, pending = [], texts[1:]
            elif site_of(call) == _SUBMISSION:
                texts, pending = [*texts, *pending], []
            for text in texts:
                mark = marker.read(text, "review-bot")
                if mark is not None:
                    named.update(mark.fingerprints if mark.kind != "summary" else [text])
    yield from (f"{number} comments say the same: {name[:60]}" for name, number in named.items() if number > 1)


def never_greener(made: Made, calm: Made, now: Standing) -> Iterator[str]:
    """Yield a verdict that is better than the one without a fault."""
    if made.code == 0 and calm.code != 0:
        yield "the run is green, and was not to be"
    if made.code == 1 and calm.code == 0:
        yield "the run found something that is not there"
    if now.status == "success" and calm.code != 0:
        yield "the status is green, and was not to be"


def nothing_lost(made: Made, calm: Made) -> Iterator[str]:
    """Yield findings that a run knew and told nowhere. One that could not review says so in words."""
    if made.result is None or calm.result is None or calm.code not in {0, 1}:
        return
    written = (made.result.folder / "workspace/review-bot-report/report.json").exists()
    if not written:
        if made.result.code in {0, 1}:
            yield "it ended well and left no report"
        elif "Review incomplete" not in made.result.log or "incomplete" not in made.result.summary:
            yield "it could not review, and does not say so"
        return
    known, told = findings(calm.result), findings(made.result)
    if known - told:
        yield f"{len(known - told)} findings are lost"
    for rule, path, _ in known:
        if rule not in made.result.summary or (path or "") not in made.result.summary:
            yield f"the page of the job does not tell of {rule} in {path}"


def of_case(stage: Stage, case: Case, limits: Limits = HASTY, **how: Any) -> list[str]:
    """Play a case and return every breach; ``how`` as in ``Stage.run``."""
    scene = stage.scene(case.scene)
    calm, calm_standing = stage.calm(scene)
    stage.github.restore(scene.state)
    before = stage.standing(scene)
    if case.kill is not None:
        made = stage.play(scene, kill=lambda: len(stage.github.requests) >= (case.kill or 0))
    else:
        made = stage.play(scene, case.fault(), limits=limits, **how)
    after = stage.standing(scene)
    is_command = scene.event == "issue_comment"
    breaches = [*of_run(stage, made, limits, is_paced=not case.headers), *never_greener(made, calm, after)]
    if case.kind not in LIES:
        breaches += said_twice(made)
    if is_command:
        return [*breaches, *_of_command(case, made, calm)]
    breaches += [*of_standing(before, after), *nothing_lost(made, calm), *_as_documented(case, made, calm)]
    if case.site in BESIDE:
        after, calm_standing_now = _without_summary(after), _without_summary(calm_standing)
    else:
        calm_standing_now = calm_standing
    if made.code == calm.code and not _is_read_only(case) and after != calm_standing_now:
        breaches.append(f"it ended as on a calm day, and left something else: {difference(after, calm_standing_now)}")
    healed = stage.again(scene)
    now = stage.standing(scene)
    if healed.code != calm.code:
        breaches.append(f"the next run ended with {healed.code} in place of {calm.code}")
    if now != calm_standing:
        breaches.append(f"the next run left something else than a calm one: {difference(now, calm_standing)}")
    return breaches


def _without_summary(standing: Standing) -> Standing:
    return standing._replace(ours=tuple(each for each in standing.ours if each.kind != "summary"))


def difference(one: Standing, other: Standing) -> str:
    """Return in short what one has and the other has not."""
    extra = Counter(one.ours) - Counter(other.ours)
    lacking = Counter(other.ours) - Counter(one.ours)
    words = [f"+ {each.kind} {each.path} {each.body[:60]!r} {each.resolved}" for each in extra]
    words += [f"- {each.kind} {each.path} {each.body[:60]!r} {each.resolved}" for each in lacking]
    if (one.requests, one.status) != (other.requests, other.status):
        words.append(f"{(one.requests, one.status)} for {(other.requests, other.status)}")
    return "; ".join(words)


def writes(made: Made) -> list[str]:
    """Return the writes of a run, the status left out: it is set by every run."""
    found = [site_of(stamp.call) for stamp in made.calls]
    return [" ".join(site) for site in found if site.is_write and "/statuses/" not in site.path]


def _as_documented(case: Case, made: Made, calm: Made) -> Iterator[str]:
    """Yield an ending that docs/when-it-fails.md does not promise."""
    if made.result is None or not any(stamp.call.fault for stamp in made.calls):
        return
    heals = case.times == 1 and case.kind not in {"primary_limit", *LIES} and case.group in {"reading", "pages"}
    heals = heals or case.group == "limits"
    heals = heals or (case.times == 1 and case.group in {"writing", "lost answers"} and case.kind != "primary_limit")
    if heals and made.code != calm.code:
        yield f"a fault that passes ended the run with {made.code}: {made.result.log[-400:]!r}"
    if case.group == "writing" and case.times is None and made.code != calm.code:
        code = "E-RATE" if FINAL[case.kind] == "E-RATE" else "E-AMBIGUOUS"
        if f"({code})" not in made.result.log:
            yield f"it does not say {code}: {made.result.log[-400:]!r}"
    if case.group == "reading" and case.times is None:
        # few texts are fetched one by one, and the redirect to the archive has no body that could be damaged
        if case.site in BESIDE:
            if made.code != calm.code and FINAL[case.kind] != "E-RATE":  # a limit holds for every call
                yield f"advice that could not be read ended the run: {made.result.log[-400:]!r}"
            return
        may_do_without = case.site.path == "/tarball/*" or ("tar" in case.site.path and case.scene != "large")
        # What half of an archive holds is right, as each text has its hash, and then few texts are left.
        may_do_without = may_do_without or ("tar" in case.site.path and case.kind == "truncated_json")
        if made.code == calm.code and not may_do_without:
            yield "a fault of reading that lasts changed nothing"
        named = "Review incomplete:" if case.site.path == "/git/blobs/*" else FINAL[case.kind]
        if made.code != calm.code and FINAL[case.kind] not in made.result.log and named not in made.result.log:
            yield f"it does not say {FINAL[case.kind]}: {made.result.log[-400:]!r}"


def _of_command(case: Case, made: Made, calm: Made) -> Iterator[str]:
    replies = sum(
        site_of(stamp.call) == ("POST", "/issues/*/comments") and (stamp.call.status or 0) < 300 for stamp in made.calls
    )
    if replies > 1:
        yield f"{replies} replies"
    if made.code not in {0, 3}:
        yield f"a command ended with {made.code}"


def _is_read_only(case: Case) -> bool:
    """Return whether the token may not write in this case: the verdict stands, and nothing is posted."""
    return case.kind in {"403_permission", "404", "410"}


def _pace(made: Made) -> Iterator[str]:
    """Yield writes that came too fast, and waits that GitHub asked for, in words that make sense, and did not get."""
    sent = [stamp for stamp in made.calls if site_of(stamp.call).is_write]
    for number, (before, now) in enumerate(itertools.pairwise(sent), start=2):
        if number >= 3 and now.at - before.at < 0.999:
            yield f"write {number} came {now.at - before.at:.2f} s after the one before"
    for index, stamp in enumerate(made.calls):
        asked = RETRY_AFTER.get(stamp.call.fault or "")
        if asked is None:
            continue
        same = next((each for each in made.calls[index + 1 :] if site_of(each.call) == site_of(stamp.call)), None)
        if same is not None and site_of(stamp.call).is_write and same.at - stamp.at < asked - 0.001:
            yield f"{site_of(stamp.call)} came again after {same.at - stamp.at:.2f} s, and was to wait {asked:.0f}"


def findings(result: Result) -> set[Finding]:
    """Return the findings of the report of a run."""
    report = result.report()
    return {(one["rule"], one["path"], one["fingerprint"]) for one in report["findings"] if not one["moved"]}


def _told(result: Result) -> Iterable[tuple[str, str]]:
    yield "the log", result.log
    yield "the page of the job", result.summary
    yield "the outputs", json.dumps(dict(result.outputs))
    for path in sorted((result.folder / "workspace").rglob("*.*")):
        if path.is_file():
            yield path.name, path.read_text(encoding="utf-8", errors="replace")
