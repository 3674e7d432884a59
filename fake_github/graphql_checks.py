"""Checks and statuses of a commit, as the stand-in's GraphQL tells them: one rollup of both."""

from collections.abc import Callable
from functools import partial
from typing import Any

from fake_github.calls import Call
from fake_github.graphql_nodes import Known, Located, Node, Page, connection, need, paged, scalar
from fake_github.shapes import node_id
from fake_github.world import CheckRun, Status

_BAD = {"failure", "error", "cancelled", "timed_out", "action_required", "startup_failure", "stale"}


def _both(at: Located) -> list[CheckRun | Status]:
    """Return every check run of a commit, and of its statuses the latest of each context."""
    runs: list[CheckRun | Status] = [one for one in at.repository.check_runs if one.head_sha == at.value]
    latest = {one.context.lower(): one for one in at.repository.statuses if one.sha == at.value}
    return runs + list(latest.values())


def _rollup(_: Call, at: Located, __: Any) -> Node | None:
    """Return null where nobody reported anything."""
    return Node("StatusCheckRollup", at) if _both(at) else None


def _state(_: Call, at: Located, __: Any) -> str:
    words = {one.state if isinstance(one, Status) else one.conclusion or "pending" for one in _both(at)}
    if words & _BAD:
        return "FAILURE"
    return "PENDING" if words & {"pending", "expected"} else "SUCCESS"


def _nodes(call: Call, page: Page, _: Any) -> list[Callable[[], Node]]:
    """Return either kind; one that the token may not read becomes null, with an error of its own.

    Source: https://github.com/philips-software/pull-request-report-action/issues/557
    """
    return [partial(_node, call, row) for row in page.rows]


def _node(call: Call, at: Located) -> Node:
    is_status = isinstance(at.value, Status)
    need(call, at.repository, "statuses" if is_status else "checks")
    return Node("StatusContext" if is_status else "CheckRun", at)


def _details(call: Call, at: Located, _: Any) -> str | None:
    run = at.value.run
    if run is None:
        return None
    return f"{call.urls.html}/{at.repository.full_name}/actions/runs/{run}/job/{at.value.id}"


_CONTEXT = "StatusCheckRollupContext"

TYPES: dict[str, dict[str, Known]] = {
    "StatusCheckRollup": {
        "state": Known(_state),
        "contexts": Known(
            lambda _, at, given: paged(_CONTEXT, [Located(at.repository, one) for one in _both(at)], given),
            f"{_CONTEXT}Connection",
            ("first", "last", "after", "before"),
        ),
    },
    f"{_CONTEXT}Connection": connection(_CONTEXT) | {"nodes": Known(_nodes, _CONTEXT)},
    _CONTEXT: {},
    "CheckRun": {
        "id": scalar(lambda at: node_id("CheckRun", at.value.id)),
        "databaseId": scalar(lambda at: at.value.id),
        "name": scalar(lambda at: at.value.name),
        "status": scalar(lambda at: at.value.status.upper()),
        "conclusion": scalar(lambda at: at.value.conclusion and at.value.conclusion.upper()),
        "detailsUrl": Known(_details),
    },
    "StatusContext": {
        "id": scalar(lambda at: node_id("StatusContext", at.value.id)),
        "context": scalar(lambda at: at.value.context),
        "state": scalar(lambda at: at.value.state.upper()),
        "description": scalar(lambda at: at.value.description),
        "targetUrl": scalar(lambda at: at.value.target_url),
    },
}

ROLLUP = Known(_rollup, "StatusCheckRollup")
"""The field of a commit."""
