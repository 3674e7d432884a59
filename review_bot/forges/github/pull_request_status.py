"""The status of a pull request apart from this review: other checks, open conversations, approvals of the head.

What the query of the overview brings for it, and what follows. A token without `checks: read` and `statuses: read` is
refused these checks one by one, as errors in addition to the rest of the answer
(https://github.com/philips-software/pull-request-report-action/issues/557); the workflow run of a check would need
`actions: read` besides (https://github.com/ag-grid/ag-charts/pull/7916), so its number is taken from the address of the
check. Nothing here may keep a review from going on: what is not known is None.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Literal

from review_bot.forges.github import review_threads
from review_bot.forges.github.git_ids import ObjectId
from review_bot.forges.github.review_threads import Thread, Threads
from review_bot.forges.github.wire import Answer, plain
from review_bot.records import NamedTuple
from review_bot.review.context import PullRequestStatus
from review_bot.text.lazy_regex import LazyRegex

ROLLUP = "statusCheckRollup"
"""The field that may be refused: https://docs.github.com/en/graphql/reference/objects#statuscheckrollup."""

FIELDS = (
    f" commits(last: 1) {{ nodes {{ commit {{ oid {ROLLUP} {{ contexts(first: 100) {{ totalCount nodes {{"
    " ... on CheckRun { databaseId name status conclusion detailsUrl }"
    " ... on StatusContext { context state }"
    " } } } } } }" + review_threads.FIELDS
)
"""What to ask of a pull request."""

MOST_NAMED = 10
"""Failing checks that are named."""

_RUN = LazyRegex(r"/actions/runs/(\d+)(?:/|$)")

State = Literal["passed", "failed", "pending"]


class Check(NamedTuple):
    """A check of the head, the last of its name. ``run``: the workflow run it belongs to, empty if it has none."""

    name: str
    state: State
    run: str = ""


class Reported(NamedTuple):
    """The result of the query. None: GitHub did not return it, or only a part (which ``checks`` holds).

    ``all_checks``: these are all.
    """

    checks: tuple[Check, ...] | None = None
    all_checks: bool = True
    threads: tuple[Thread, ...] | None = None


class Own(NamedTuple):
    """What is ours among it: the name of our job and status, our workflow run, and our comments."""

    name: str
    run: str = ""
    comments: Collection[int] = ()


class _Context(Answer):
    databaseId: int | None = None  # noqa: N815  # GitHub's own names, here and below
    name: str | None = None
    status: str | None = None
    conclusion: str | None = None
    detailsUrl: str | None = None  # noqa: N815
    context: str | None = None
    state: str | None = None


class _Contexts(Answer):
    totalCount: int = 0  # noqa: N815
    nodes: list[_Context | None] | None = None


class _Rollup(Answer):
    contexts: _Contexts | None = None


class _Commit(Answer):
    oid: ObjectId
    statusCheckRollup: _Rollup | None = None  # noqa: N815


class _CommitNode(Answer):
    commit: _Commit


class Commits(Answer):
    """The last commit of a pull request, with its checks."""

    nodes: list[_CommitNode | None] | None = None


def reported(head: str, commits: Commits | None, threads: Threads | None) -> Reported:
    """Read what the query brought. No rollup: there are no checks, or this token may not see them."""
    commit = next((node.commit for node in (commits.nodes or []) if node), None) if commits is not None else None
    if commit is None or commit.oid != head or commit.statusCheckRollup is None:
        return Reported(threads=_conversations(threads))
    contexts = commit.statusCheckRollup.contexts
    nodes = contexts.nodes or [] if contexts is not None else []
    told = [node for node in nodes if node is not None]
    whole = contexts is not None and len(told) == contexts.totalCount
    return Reported(_latest(told), whole, _conversations(threads))


def status_of(found: Reported, own: Own, approved_by: tuple[str, ...] | None) -> PullRequestStatus:
    """Return the status of the pull request, without what is ours."""
    others = [each for each in found.checks or () if not _is_own(each, own)]
    running = [each for each in found.checks or () if own.run and each.run == own.run and each.state == "pending"]
    if len(running) == 1 and running[0] in others:  # the job that is running this, by a name that one cannot know
        others.remove(running[0])
    failing = sorted({each.name for each in others if each.state == "failed"})
    unfinished = any(each.state == "pending" for each in others)
    return PullRequestStatus(
        ci="failed" if failing else None if found.checks is None or not found.all_checks else _ci(others, unfinished),
        failing=tuple(plain(name) for name in failing[:MOST_NAMED]),
        unresolved=_unresolved(found.threads, own),
        approved_by=approved_by,
    )


def _ci(others: list[Check], unfinished: bool) -> Literal["pending", "passed", "none"]:  # noqa: FBT001
    return "pending" if unfinished else "passed" if others else "none"


def _is_own(check: Check, own: Own) -> bool:
    """Return whether a check is ours by its name: ours alone, or as the first word of one of its jobs.

    ``WORKFLOW / review-bot`` and ``review-bot comments`` are.
    """
    parts = check.name.casefold().split(" / ")
    return any(part == own.name or part.startswith(f"{own.name} ") for part in parts)


def _unresolved(threads: tuple[Thread, ...] | None, own: Own) -> int | None:
    if threads is None:
        return None
    return sum(not each.resolved and each.first not in own.comments for each in threads)


def _conversations(threads: Threads | None) -> tuple[Thread, ...] | None:
    if threads is None or len(threads.nodes or []) < threads.totalCount:
        return None
    return threads.listed


def _latest(contexts: Iterable[_Context]) -> tuple[Check, ...]:
    """Return the checks, of several runs of one name the last: GitHub lists those that were run again, too."""
    found: dict[tuple[bool, str], tuple[int, Check]] = {}
    for each in contexts:
        name = each.context or each.name or ""
        run = _RUN.search(each.detailsUrl or "")
        check = Check(name, _state(each), run[1] if run else "")
        key = (each.context is not None, name)
        if name and (key not in found or found[key][0] <= (each.databaseId or 0)):
            found[key] = each.databaseId or 0, check
    return tuple(sorted(check for _, check in found.values()))


def _state(context: _Context) -> State:
    """Return the state of either kind.

    Sources: https://docs.github.com/en/graphql/reference/enums#checkconclusionstate,
    https://docs.github.com/en/graphql/reference/enums#statusstate; skipped and neutral count as success,
    https://docs.github.com/en/pull-requests/collaborating-with-pull-requests/collaborating-on-repositories-with-code-quality-features/about-status-checks.
    """
    if context.context is None:
        if context.status != "COMPLETED":
            return "pending"
        return "passed" if context.conclusion in {"SUCCESS", "NEUTRAL", "SKIPPED"} else "failed"
    return {"SUCCESS": "passed", "PENDING": "pending", "EXPECTED": "pending"}.get(context.state or "", "failed")  # type: ignore[return-value]
