"""Checks and statuses of a commit, as the fake GitHub's GraphQL returns them: one rollup of both."""

from typing import Any

from fake_github.calls import Call
from fake_github.graphql_nodes import Located, Node, Resolver, connection, need, paged, scalar
from fake_github.shapes import node_id
from fake_github.world import CheckRun, Status

_BAD = {"failure", "error", "cancelled", "timed_out", "action_required", "startup_failure", "stale"}


def _both(at: Located) -> list[CheckRun | Status]:
    """Return every check run of a commit, and of its statuses the latest of each context."""
    runs: list[CheckRun | Status] = [one for one in at.repository.check_runs if one.head_sha == at.value]
    latest = {one.context.lower(): one for one in at.repository.statuses if one.sha == at.value}
    return runs + list(latest.values())


def rollup(_: Call, at: Located, __: Any) -> Node | None:
    """Return null where nothing was reported."""
    return Node("StatusCheckRollup", at) if _both(at) else None


def _state(_: Call, at: Located, __: Any) -> str:
    words = {one.state if isinstance(one, Status) else one.conclusion or "pending" for one in _both(at)}
    if words & _BAD:
        return "FAILURE"
    return "PENDING" if words & {"pending", "expected"} else "SUCCESS"


def context_kind(call: Call, node: Node) -> str:
    """Return the type of a node; a check or status that the token may not read is an error, and so null.

    Source: https://github.com/philips-software/pull-request-report-action/issues/557
    """
    if node.kind != _CONTEXT:
        return node.kind
    is_status = isinstance(node.value.value, Status)
    need(call, node.value.repository, "statuses" if is_status else "checks")
    return "StatusContext" if is_status else "CheckRun"


def _details(call: Call, at: Located, _: Any) -> str | None:
    run = at.value.run
    if run is None:
        return None
    return f"{call.urls.html}/{at.repository.full_name}/actions/runs/{run}/job/{at.value.id}"


_CONTEXT = "StatusCheckRollupContext"

TYPES: dict[str, dict[str, Resolver]] = {
    "StatusCheckRollup": {
        "state": _state,
        "contexts": lambda _, at, given: paged(_CONTEXT, [Located(at.repository, one) for one in _both(at)], given),
    },
    f"{_CONTEXT}Connection": connection(_CONTEXT),
    "CheckRun": {
        "id": scalar(lambda at: node_id("CheckRun", at.value.id)),
        "databaseId": scalar(lambda at: at.value.id),
        "name": scalar(lambda at: at.value.name),
        "status": scalar(lambda at: at.value.status.upper()),
        "conclusion": scalar(lambda at: at.value.conclusion and at.value.conclusion.upper()),
        "detailsUrl": _details,
    },
    "StatusContext": {
        "id": scalar(lambda at: node_id("StatusContext", at.value.id)),
        "context": scalar(lambda at: at.value.context),
        "state": scalar(lambda at: at.value.state.upper()),
        "description": scalar(lambda at: at.value.description),
        "targetUrl": scalar(lambda at: at.value.target_url),
    },
}
