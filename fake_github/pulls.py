"""REST: repositories, pull requests, their files, commits and diffs; collaborators."""

from typing import Any

from fake_github.calls import Answer, Call, Refusal, Route, not_found
from fake_github.hosting import Change
from fake_github.shapes import Shapes, node_id
from fake_github.world import Pull, Repository

DOC = "https://docs.github.com/rest/pulls/pulls"


def get_repository(call: Call) -> Answer:
    """Answer ``GET /repos/{o}/{r}``."""
    return Answer(200, Shapes(call.hosting, call.urls).repository(call.repository))


def list_pulls(call: Call) -> Answer:
    """Answer ``GET pulls``: open ones, newest first; ``state``, ``head`` and ``base`` filter."""
    call.need("pull_requests")
    query = call.request.query
    state = query.get("state", "open")
    found = [
        pull
        for pull in sorted(call.repository.pulls.values(), key=lambda pull: -pull.number)
        if state in {"all", pull.state}
        and query.get("base", pull.base_ref) == pull.base_ref
        and query.get("head", f"{pull.head_owner}:{pull.head_ref}") == f"{pull.head_owner}:{pull.head_ref}"
    ]
    shapes = Shapes(call.hosting, call.urls)
    return call.page([shapes.pull(call.repository, pull, full=False) for pull in found])


def get_pull(call: Call) -> Answer:
    """Answer ``GET pulls/{n}``, as JSON or as a diff.

    The diff is refused with 406 above 300 files or 20,000 lines (truongnh1992/gemini-ai-code-reviewer#51,
    pascalgn/size-label-action#53: context lines count).
    """
    call.need("pull_requests")
    pull = call.pull
    if ".diff" in call.request.headers.get("accept", ""):
        return _diff(call, call.hosting.pull_change(call.repository, pull))
    return Answer(200, Shapes(call.hosting, call.urls).pull(call.repository, pull))


def list_files(call: Call) -> Answer:
    """Answer ``GET pulls/{n}/files``: at most 3,000 files (rest/pulls/pulls#list-pull-requests-files)."""
    call.need("pull_requests")
    pull, hosting = call.pull, call.hosting
    files = hosting.pull_change(call.repository, pull).files[: hosting.limits.files]
    paged = call.page(list(files))
    shaped = Shapes(hosting, call.urls).files(call.repository, pull.head_sha, tuple(paged.content))
    return Answer(200, shaped, paged.headers)


def list_commits(call: Call) -> Answer:
    """Answer ``GET pulls/{n}/commits``: at most 250."""
    call.need("pull_requests")
    shapes = Shapes(call.hosting, call.urls)
    commits = call.hosting.pull_commits(call.repository, call.pull)[: call.hosting.limits.compare_commits]
    return call.page([shapes.commit(call.repository, commit) for commit in commits])


def get_collaborator_permission(call: Call) -> Answer:
    """Answer ``GET collaborators/{login}/permission`` (rest/collaborators); 404 for a name that is no account."""
    login = call.parameters["login"]
    if call.token is None:
        raise Refusal(401, "Requires authentication")
    if login not in call.hosting.world.users:
        raise not_found(
            "https://docs.github.com/rest/collaborators/collaborators#get-repository-permissions-for-a-user"
        )
    held = call.hosting.world.permission(call.repository, login)
    # "maintain" is reported as "write" and "triage" as "read"; role_name distinguishes them (rest/collaborators)
    permission = {"maintain": "write", "triage": "read"}.get(held, held)
    user = Shapes(call.hosting, call.urls).account(call.hosting.world.user(login))
    levels = ("pull", "triage", "push", "maintain", "admin")
    rank = {"none": 0, "read": 1, "triage": 2, "write": 3, "maintain": 4, "admin": 5}[held]
    granted = {level: at < rank for at, level in enumerate(levels)}
    return Answer(
        200, {"permission": permission, "user": user | {"permissions": granted, "role_name": held}, "role_name": held}
    )


def get_user(call: Call) -> Answer:
    """Answer ``GET /user``: not for an installation's token (rest/users)."""
    viewer = call.viewer
    if call.token is not None and call.token.is_app:
        raise Refusal(403, "Resource not accessible by integration")
    return Answer(200, Shapes(call.hosting, call.urls).account(viewer) | _PROFILE)


def get_user_named(call: Call) -> Answer:
    """Answer ``GET /users/{login}``."""
    login = call.parameters["login"]
    if login not in call.hosting.world.users:
        raise not_found("https://docs.github.com/rest")
    return Answer(200, Shapes(call.hosting, call.urls).account(call.hosting.world.user(login)) | _PROFILE)


def get_issue(call: Call) -> Answer:
    """Answer ``GET issues/{n}``: a pull request is an issue too."""
    call.need("pull_requests")
    return Answer(200, issue(Shapes(call.hosting, call.urls), call.repository, call.pull))


def issue(shapes: Shapes, repository: Repository, pull: Pull) -> dict[str, Any]:
    """Return a pull request as the issue that it also is."""
    full = shapes.pull(repository, pull)
    same = (
        "number state title user body labels assignee assignees milestone locked comments closed_at created_at "
        "updated_at author_association html_url draft active_lock_reason"
    )
    links = {name: full[name] for name in ("html_url", "diff_url", "patch_url", "merged_at", "url")}
    return {name: full[name] for name in same.split()} | {
        "id": pull.id,
        "node_id": node_id("Issue", pull.id),
        "url": full["issue_url"],
        "repository_url": f"{shapes.urls.api}/repos/{repository.full_name}",
        "labels_url": full["issue_url"] + "/labels{/name}",
        "comments_url": full["comments_url"],
        "events_url": full["issue_url"] + "/events",
        "timeline_url": full["issue_url"] + "/timeline",
        "pull_request": links,
        "reactions": shapes.reactions(full["issue_url"]),
        "performed_via_github_app": None,
        "state_reason": None,
    }


def _diff(call: Call, change: Change) -> Answer:
    limits = call.hosting.limits
    rows = sum(file.patch.count("\n") + 1 for file in change.files if file.patch)
    for what, count, most in (("files", len(change.files), limits.diff_files), ("lines", rows, limits.diff_lines)):
        if count > most:
            raise Refusal(
                406,
                f"Sorry, the diff exceeded the maximum number of {what} ({most}). Consider using 'List pull requests "
                "files' API or locally cloning the repository instead.",
                [{"resource": "PullRequest", "field": "diff", "code": "too_large"}],
                f"{DOC}#list-pull-requests-files",
            )
    text = "".join(file.header + (file.patch + "\n" if file.patch else "") for file in change.files)
    return Answer(200, text.encode("utf-8"), {"Content-Type": "application/vnd.github.diff; charset=utf-8"})


def is_visible(repository: Repository, repositories: tuple[int, ...] | None, *, signed_in: bool) -> bool:
    """Return whether a token may see a repository: a public one always, a private one if it was granted."""
    if not repository.private:
        return True
    return signed_in and (repositories is None or repository.id in repositories)


_PROFILE = {
    **dict.fromkeys(("name", "company", "location", "email", "hireable", "bio", "twitter_username")),
    "blog": "",
    **dict.fromkeys(("public_repos", "public_gists", "followers", "following"), 0),
    "created_at": "2026-03-01T12:00:00Z",
    "updated_at": "2026-03-01T12:00:00Z",
}

ROUTES = (
    Route("GET", "", get_repository),
    Route("GET", "pulls", list_pulls),
    Route("GET", "pulls/{number}", get_pull),
    Route("GET", "pulls/{number}/files", list_files),
    Route("GET", "pulls/{number}/commits", list_commits),
    Route("GET", "issues/{number}", get_issue),
    Route("GET", "collaborators/{login}/permission", get_collaborator_permission),
    Route("GET", "user", get_user, root=True),
    Route("GET", "users/{login}", get_user_named, root=True),
)
