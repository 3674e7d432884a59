"""What we think of a change: the examination, judged. Data only; every report is a function of it."""

from typing import NamedTuple

from review_bot.changes.pull_request import PullRequest, Unreviewed
from review_bot.findings import Failure, Finding, NotRun, Suppressed
from review_bot.review.policy import Policy
from review_bot.review.verdict import Verdict


class NoText(NamedTuple):
    """A changed file that has no text of its own to review: binary, symlink, submodule, LFS pointer."""

    path: str
    kind: str


class Review(NamedTuple):
    """A judged pull request. ``rules_digest`` identifies the set of rules that looked at it."""

    pull_request: PullRequest
    verdict: Verdict
    policy: Policy
    rules_digest: str
    findings: tuple[Finding, ...] = ()
    suppressed: tuple[Suppressed, ...] = ()
    no_text: tuple[NoText, ...] = ()
    unreviewed: tuple[Unreviewed, ...] = ()
    allowed_unreviewed: tuple[Unreviewed, ...] = ()
    ignored: tuple[str, ...] = ()
    not_run: tuple[NotRun, ...] = ()
    failures: tuple[Failure, ...] = ()
    rules_run: int = 0

    @property
    def minutes(self) -> int:
        """Minutes to settle what is open: a further hit of a rule in the same file adds a fifth of its effort."""
        seen: set[tuple[str, str | None]] = set()
        total = 0.0
        for finding in self.findings:
            if finding.moved:
                continue
            key = (finding.rule, finding.path)
            total += finding.effort_minutes * (0.2 if key in seen else 1)
            seen.add(key)
        return round(total)
