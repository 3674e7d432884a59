"""REST: commit statuses, workflow runs."""

from fake_github.calls import Answer, Call, Refusal, Route, not_found
from fake_github.shapes import Shapes
from fake_github.world import Status

STATES = ("error", "failure", "pending", "success")
DOC = "https://docs.github.com/rest/commits/statuses#create-a-commit-status"


def create_status(call: Call) -> Answer:
    """Answer ``POST statuses/{sha}``: 201; description at most 140 signs (sclorg/testing-farm-as-github-action#187)."""
    call.need("statuses", "write")
    body, repository = call.body(), call.repository
    sha = call.parameters["sha"]
    if call.hosting.store(repository).commit_object(sha) is None:
        raise Refusal(422, f"No commit found for SHA: {sha}", documentation=DOC)
    if body.get("state") not in STATES:
        error = {
            "resource": "Status",
            "code": "custom",
            "field": "state",
            "message": "state is not included in the list",
        }
        raise Refusal(422, "Validation Failed", [error], DOC)
    description = body.get("description")
    if description is not None and len(description) > call.hosting.limits.status_description:
        words = "description is too long (maximum is 140 characters)"
        error = {"resource": "Status", "code": "custom", "field": "description", "message": words}
        raise Refusal(422, "Validation Failed", [error], DOC)
    context = str(body.get("context") or "default")
    same = [one for one in repository.statuses if one.sha == sha and one.context.lower() == context.lower()]
    if len(same) >= 1000:
        words = "This SHA and context has reached the maximum number of statuses."
        error = {"resource": "Status", "code": "custom", "message": words}
        raise Refusal(422, "Validation Failed", [error], DOC)
    world = call.hosting.world
    status = Status(
        world.next_id(),
        sha,
        body["state"],
        context,
        description,
        body.get("target_url"),
        call.viewer.login,
        world.now(),
    )
    repository.statuses.append(status)
    return Answer(201, Shapes(call.hosting, call.urls).status(repository, status))


def list_statuses(call: Call) -> Answer:
    """Answer ``GET commits/{ref}/statuses``: newest first."""
    call.need("statuses")
    sha = call.hosting.resolve(call.repository, call.parameters["ref"])
    shapes = Shapes(call.hosting, call.urls)
    rows = [shapes.status(call.repository, one) for one in call.repository.statuses if one.sha == sha]
    return call.page(rows[::-1])


def get_combined_status(call: Call) -> Answer:
    """Answer ``GET commits/{ref}/status``: the latest of each context."""
    call.need("statuses")
    repository = call.repository
    sha = call.hosting.resolve(repository, call.parameters["ref"]) or ""
    latest = {one.context.lower(): one for one in repository.statuses if one.sha == sha}
    states = {one.state for one in latest.values()}
    state = "failure" if states & {"error", "failure"} else "success" if states == {"success"} else "pending"
    shapes = Shapes(call.hosting, call.urls)
    api = f"{call.urls.api}/repos/{repository.full_name}/commits/{sha}"
    rows = [shapes.status(repository, one) for one in latest.values()]
    for row in rows:
        del row["creator"]  # the combined form has none
    body = {"state": state, "statuses": rows, "sha": sha, "total_count": len(latest)}
    shape = shapes.repository(repository)
    return Answer(200, body | {"repository": shape, "commit_url": api, "url": f"{api}/status"})


def list_runs(call: Call) -> Answer:
    """Answer ``GET actions/runs``: newest first; ``head_sha``, ``event``, ``branch`` and ``status`` filter."""
    call.need("actions")
    query, shapes = call.request.query, Shapes(call.hosting, call.urls)
    found = [
        run
        for run in sorted(call.repository.runs.values(), key=lambda run: -run.id)
        if query.get("head_sha", run.head_sha) == run.head_sha
        and query.get("event", run.event) == run.event
        and query.get("branch", run.head_branch) == run.head_branch
        and query.get("status", run.status) in {run.status, run.conclusion}
    ]
    paged = call.page([shapes.run(call.repository, run) for run in found])
    return Answer(200, {"total_count": len(found), "workflow_runs": paged.content}, paged.headers)


def get_run(call: Call) -> Answer:
    """Answer ``GET actions/runs/{id}``."""
    call.need("actions")
    number = call.parameters["id"]
    run = call.repository.runs.get(int(number)) if number.isdecimal() else None
    if run is None:
        raise not_found("https://docs.github.com/rest/actions/workflow-runs#get-a-workflow-run")
    return Answer(200, Shapes(call.hosting, call.urls).run(call.repository, run))


def rerun(call: Call) -> Answer:
    """Answer ``POST actions/runs/{id}/rerun``: 201 with ``{}``; needs ``actions: write`` (rest/actions)."""
    call.need("actions", "write")
    number = call.parameters["id"]
    run = call.repository.runs.get(int(number)) if number.isdecimal() else None
    if run is None:
        raise not_found("https://docs.github.com/rest/actions/workflow-runs#re-run-a-workflow")
    if run.status != "completed":
        raise Refusal(403, "This workflow is already running")
    run.attempt, run.status, run.conclusion = run.attempt + 1, "queued", None
    return Answer(201, {})


ROUTES = (
    Route("POST", "statuses/{sha}", create_status),
    Route("GET", "commits/{ref}/statuses", list_statuses),
    Route("GET", "commits/{ref}/status", get_combined_status),
    Route("GET", "actions/runs", list_runs),
    Route("GET", "actions/runs/{id}", get_run),
    Route("POST", "actions/runs/{id}/rerun", rerun),
)
