"""Leaves to the repository's own linters what they answer for.

Of a rule that sees more than a linter does, that is what the linter's configuration exempts a file from by its code.
Nothing is read unless a rule with a linter's code saw something.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from typing import TYPE_CHECKING

from review_bot.findings import LEFT_TO, LINTERS, Examination, Finding, NotRun
from review_bot.rules.rule import Rule
from review_bot.text.listing import count

if TYPE_CHECKING:
    from review_bot.linters.claims import Claim, Claims


class Linters:
    """The linters of a repository. ``read`` returns the text of a configuration file at the base, or None."""

    def __init__(self, read: Callable[[str], str | None] = lambda _path: None) -> None:
        self._read = read

    @cached_property
    def claims(self) -> Claims:
        """What they answer for, read when it is first asked."""
        from review_bot.linters.claims import read_claims  # only where a mirror rule saw something

        return read_claims(self._read)


def leave_to_linters(examination: Examination, rules: Iterable[Rule], linters: Linters) -> Examination:
    """Return what was seen without the findings that a linter answers for, whose rules are named as not run."""
    mirrors = {rule.id: rule for rule in rules if rule.mirrors}
    if not any(finding.rule in mirrors for finding in examination.findings):
        return examination
    kept: list[Finding] = []
    left: dict[tuple[str, Claim], int] = {}
    for finding in examination.findings:
        rule = mirrors.get(finding.rule)
        claim = None if rule is None else _claim(rule, finding, linters)
        if claim is None:
            kept.append(finding)
        else:
            left[finding.rule, claim] = left.get((finding.rule, claim), 0) + 1
    said = [NotRun(rule, _words(mirrors[rule].mirrors, claim, number)) for (rule, claim), number in left.items()]
    said += [
        NotRun(LINTERS, f"{path} was ignored, so findings may repeat what a linter reports: {problem}")
        for path, problem in linters.claims.problems
    ]
    return examination._replace(findings=tuple(kept), not_run=tuple(sorted({*examination.not_run, *said})))


def _claim(rule: Rule, finding: Finding, linters: Linters) -> Claim | None:
    path = finding.path or ""
    if rule.mirror:
        return None if finding.severity == "error" else linters.claims.covering(rule.mirrors, path)
    return linters.claims.exempting(rule.mirrors, path)


def _words(codes: tuple[str, ...], claim: Claim, number: int) -> str:
    covered = [code for code in codes if claim._replace(paths=(), all_files=True).covers((code,), "")]
    places = count(number, "place")
    does = "exempts the file from" if claim.exempts else "configures"
    return f"{places}{LEFT_TO}{claim.linter}: {claim.file} {does} {', '.join(covered)}"
