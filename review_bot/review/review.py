"""What we think of a change: the examination, judged. Data only; every report is a function of it."""

from review_bot.assessment.assessment import Assessment
from review_bot.assessment.metrics import effort_minutes
from review_bot.changes.pull_request import PullRequest, Unreviewed
from review_bot.findings import Examination, Finding, Fixes, Suppressed
from review_bot.records import NamedTuple
from review_bot.review.context import ReviewContext
from review_bot.review.policy import Policy
from review_bot.review.reach import Reach
from review_bot.review.surrounding_code import NO_CODE, Code
from review_bot.review.verdict import Verdict


class Review(NamedTuple):
    """A judged pull request. ``rules_digest`` identifies the set of rules that looked at it.

    ``examination``: what was seen, with credentials masked. The baseline moves known findings from ``findings`` to
    ``suppressed``, and the policy moves the files that it allows from ``unreviewed`` to ``allowed_unreviewed``.
    ``rules``: ids of those that looked wherever they can, kept from no file by the configuration. ``fixes``: the
    suggestions that were proven together, None if not requested; ``patch``: the same as one unified diff from
    the head, for ``git apply``. ``context``: what reports show in addition to the findings. ``reach``: which files have
    rules for their language. ``code``: that of findings on lines that the diff does not show, where it is known.
    """

    pull_request: PullRequest
    verdict: Verdict
    policy: Policy
    rules_digest: str
    assessment: Assessment
    examination: Examination = Examination()
    findings: tuple[Finding, ...] = ()
    suppressed: tuple[Suppressed, ...] = ()
    unreviewed: tuple[Unreviewed, ...] = ()
    allowed_unreviewed: tuple[Unreviewed, ...] = ()
    rules_run: int = 0
    rules: frozenset[str] = frozenset()
    fixes: Fixes | None = None
    patch: str = ""
    context: ReviewContext = ReviewContext()
    reach: Reach = Reach()
    code: Code = NO_CODE

    @property
    def open(self) -> tuple[Finding, ...]:
        """Findings that are not moved: the listed and the counted ones."""
        return tuple(finding for finding in self.findings if not finding.moved)

    @property
    def listed(self) -> tuple[Finding, ...]:
        """Open findings that reports list and that count in the verdict."""
        return tuple(finding for finding in self.findings if finding.listed)

    @property
    def to_do(self) -> tuple[Finding, ...]:
        """Listed findings that no person with write access declined."""
        declined = {each.fingerprint for each in self.context.declined}
        return tuple(finding for finding in self.listed if finding.fingerprint not in declined)

    @property
    def moved(self) -> tuple[Finding, ...]:
        """Findings on lines that the change only moved or reformatted."""
        return tuple(finding for finding in self.findings if finding.moved)

    @property
    def counted(self) -> tuple[Finding, ...]:
        """Open findings of which reports give the number alone."""
        return tuple(finding for finding in self.open if finding.counted)

    @property
    def rules_with_findings(self) -> frozenset[str]:
        """The ids of the rules that found something, silenced or not."""
        return frozenset(each.rule for each in (*self.findings, *(entry.finding for entry in self.suppressed)))

    @property
    def minutes(self) -> int:
        """Minutes to fix what is left to do."""
        return effort_minutes(self.to_do)
