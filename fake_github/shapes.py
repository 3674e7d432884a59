"""Records as the JSON of GitHub's REST API (version 2022-11-28)."""

import base64
from typing import Any
from urllib.parse import quote

from fake_github.calls import Urls
from fake_github.git_store import CommitObject, FileDiff
from fake_github.hosting import Hosting
from fake_github.world import (
    IssueComment,
    Pull,
    Repository,
    Review,
    ReviewComment,
    Status,
    User,
    WorkflowRun,
    timestamp,
)

STATUS_WORDS = {"A": "added", "D": "removed", "M": "modified", "R": "renamed", "C": "copied", "T": "changed"}


class Shapes:
    """Makes JSON of records; the addresses in it are those of this fake GitHub."""

    def __init__(self, hosting: Hosting, urls: Urls) -> None:
        self.hosting = hosting
        self.urls = urls

    def user(self, login: str | None) -> dict[str, Any] | None:
        """Return a simple user; None for a deleted account."""
        return None if login is None else self.account(self.hosting.world.user(login))

    def account(self, user: User) -> dict[str, Any]:
        """Return a simple user."""
        api = f"{self.urls.api}/users/{quote(user.login)}"
        below = ("followers", "subscriptions", "repos", "received_events")
        return {
            "login": user.login,
            "id": user.id,
            "node_id": node_id("User", user.id),
            "avatar_url": f"https://avatars.githubusercontent.com/u/{user.id}?v=4",
            "gravatar_id": "",
            "url": api,
            "html_url": f"{self.urls.html}/{user.login.removesuffix('[bot]')}",
            **{f"{name}_url": f"{api}/{name}" for name in below},
            "following_url": api + "/following{/other_user}",
            "gists_url": api + "/gists{/gist_id}",
            "starred_url": api + "/starred{/owner}{/repo}",
            "organizations_url": api + "/orgs",
            "events_url": api + "/events{/privacy}",
            "type": user.kind,
            "user_view_type": "public",
            "site_admin": False,
        }

    def short_repository(self, one: Repository) -> dict[str, Any]:
        """Return a repository as it is inside of a workflow run."""
        api = f"{self.urls.api}/repos/{one.full_name}"
        return {
            "id": one.id,
            "node_id": node_id("Repository", one.id),
            "name": one.name,
            "full_name": one.full_name,
            "private": one.private,
            "owner": self.user(one.owner),
            "html_url": f"{self.urls.html}/{one.full_name}",
            "description": None,
            "fork": one.parent is not None,
            "url": api,
            **{f"{name}_url": f"{api}/{below}" for name, below in _REPOSITORY_ADDRESSES.items()},
        }

    def repository(self, one: Repository) -> dict[str, Any]:
        """Return a repository."""
        html = f"{self.urls.html}/{one.full_name}"
        return self.short_repository(one) | {
            "git_url": f"git:{html.removeprefix('https:')}.git",
            "ssh_url": f"git@github.com:{one.full_name}.git",
            "clone_url": f"{html}.git",
            "svn_url": html,
            "homepage": None,
            "language": "Python",
            "mirror_url": None,
            "created_at": timestamp(one.created),
            "updated_at": timestamp(one.created),
            "pushed_at": timestamp(one.created),
            "size": 1,
            **dict.fromkeys(("stargazers_count", "watchers_count", "forks_count", "forks", "watchers"), 0),
            "open_issues_count": len(one.pulls),
            "open_issues": len(one.pulls),
            **dict.fromkeys(("has_issues", "has_projects", "has_downloads", "has_wiki", "allow_forking"), True),
            **dict.fromkeys(("has_pages", "has_discussions", "disabled", "is_template"), False),
            "archived": one.archived,
            "web_commit_signoff_required": False,
            "topics": [],
            "license": None,
            "visibility": "private" if one.private else "public",
            "default_branch": one.default_branch,
        }

    def pull_side(self, repository: Repository | None, owner: str, ref: str, sha: str) -> dict[str, Any]:
        """Return head or base of a pull request; ``repo`` is null when the fork is deleted."""
        return {
            "label": f"{owner}:{ref}",
            "ref": ref,
            "sha": sha,
            "user": self.user(owner),
            "repo": None if repository is None else self.repository(repository),
        }

    def pull(self, repository: Repository, pull: Pull, *, full: bool = True) -> dict[str, Any]:
        """Return a pull request, in full as ``GET pulls/{n}`` does, or as it is in lists and events."""
        api, html = f"{self.urls.api}/repos/{repository.full_name}", f"{self.urls.html}/{repository.full_name}"
        me, number = f"{api}/pulls/{pull.number}", pull.number
        links = {
            "self": me,
            "html": f"{html}/pull/{number}",
            "issue": f"{api}/issues/{number}",
            "comments": f"{api}/issues/{number}/comments",
            "review_comments": f"{me}/comments",
            "review_comment": api + "/pulls/comments{/number}",
            "commits": f"{me}/commits",
            "statuses": f"{api}/statuses/{pull.head_sha}",
        }
        head = self.hosting.world.repositories.get(pull.head_repository or 0)
        is_closed = pull.state == "closed"
        found: dict[str, Any] = {
            "url": me,
            "id": pull.id,
            "node_id": node_id("PullRequest", pull.id),
            "html_url": links["html"],
            "diff_url": f"{links['html']}.diff",
            "patch_url": f"{links['html']}.patch",
            "issue_url": links["issue"],
            "number": number,
            "state": pull.state,
            "locked": pull.locked,
            "title": pull.title,
            "user": self.user(pull.author),
            "body": pull.body,
            "created_at": timestamp(pull.created),
            "updated_at": timestamp(pull.updated),
            "closed_at": timestamp(pull.updated) if is_closed else None,
            "merged_at": timestamp(pull.updated) if pull.merged else None,
            "merge_commit_sha": pull.merge_commit or self.hosting.test_merge(repository, pull),
            "assignee": None,
            "assignees": [],
            "requested_reviewers": [],
            "requested_teams": [],
            "labels": [self._label(api, name) for name in pull.labels],
            "milestone": None,
            "draft": pull.draft,
            "commits_url": links["commits"],
            "review_comments_url": links["review_comments"],
            "review_comment_url": links["review_comment"],
            "comments_url": links["comments"],
            "statuses_url": links["statuses"],
            "head": self.pull_side(head, pull.head_owner, pull.head_ref, pull.head_sha),
            "base": self.pull_side(repository, repository.owner, pull.base_ref, pull.base_sha),
            "_links": {name: {"href": href} for name, href in links.items()},
            "author_association": self.association(repository, pull.author),
            "auto_merge": None,
            "active_lock_reason": None,
        }
        if full:
            change = self.hosting.pull_change(repository, pull)
            found |= {
                "merged": pull.merged,
                "mergeable": None if is_closed else found["merge_commit_sha"] is not None,
                "rebaseable": None,
                "mergeable_state": "unknown" if is_closed else "clean" if found["merge_commit_sha"] else "dirty",
                "merged_by": None,
                "comments": sum(one.number == number for one in repository.issue_comments.values()),
                "review_comments": sum(
                    one.number == number and not one.pending for one in repository.review_comments.values()
                ),
                "maintainer_can_modify": False,
                "commits": len(self.hosting.pull_commits(repository, pull)),
                "additions": sum(file.added for file in change.files),
                "deletions": sum(file.removed for file in change.files),
                "changed_files": len(change.files),
            }
        return found

    def association(self, repository: Repository, login: str | None) -> str:
        """Return how a person is tied to the repository."""
        if login is not None and login == repository.owner:
            return "OWNER"
        if login in repository.collaborators:
            return "COLLABORATOR"
        return "NONE" if login is None or login.endswith("[bot]") else "CONTRIBUTOR"

    def files(self, repository: Repository, head: str, files: tuple[FileDiff, ...]) -> list[dict[str, Any]]:
        """Return one answer's worth of changed files.

        After about 20,000 patch lines in one answer, later files have no patch and 0/0/0
        (github.com/orgs/community/discussions/213491).
        """
        rows, used = [], 0
        for file in files:
            row = self._file(repository, head, file)
            used += row["patch"].count("\n") + 1 if "patch" in row else 0
            if used > self.hosting.limits.response_lines:
                row.pop("patch", None)
                row |= {"additions": 0, "deletions": 0, "changes": 0}
            rows.append(row)
        return rows

    def _file(self, repository: Repository, head: str, file: FileDiff) -> dict[str, Any]:
        path = quote(file.path)
        api, html = f"{self.urls.api}/repos/{repository.full_name}", f"{self.urls.html}/{repository.full_name}"
        row: dict[str, Any] = {
            "sha": file.old.sha if file.status == "D" else file.new.sha,
            "filename": file.path,
            "status": STATUS_WORDS[file.status],
            "additions": file.added,
            "deletions": file.removed,
            "changes": file.added + file.removed,
            "blob_url": f"{html}/blob/{head}/{path}",
            "raw_url": f"{html}/raw/{head}/{path}",
            "contents_url": f"{api}/contents/{path}?ref={head}",
        }
        if file.previous is not None:
            row["previous_filename"] = file.previous
        # absent for binary files, pure renames and mode changes, empty files, and diffs that are too big
        # (47degrees/github4s#180, octokit.net#1521, sigmavirus24/github3.py#817)
        if file.patch and not self.hosting.is_too_large(file):
            row["patch"] = file.patch
        return row

    def issue_comment(self, repository: Repository, one: IssueComment) -> dict[str, Any]:
        """Return a comment of the conversation."""
        api = f"{self.urls.api}/repos/{repository.full_name}/issues"
        return {
            "url": f"{api}/comments/{one.id}",
            "html_url": f"{self.urls.html}/{repository.full_name}/pull/{one.number}#issuecomment-{one.id}",
            "issue_url": f"{api}/{one.number}",
            "id": one.id,
            "node_id": node_id("IssueComment", one.id),
            "user": self.user(one.author),
            "created_at": timestamp(one.created),
            "updated_at": timestamp(one.updated),
            "body": one.body,
            "author_association": self.association(repository, one.author),
            "reactions": self.reactions(f"{api}/comments/{one.id}"),
            "performed_via_github_app": None,
        }

    def review_comment(self, repository: Repository, one: ReviewComment) -> dict[str, Any]:
        """Return a comment on a line or a file; ``line`` and ``position`` are null when it is outdated."""
        api = f"{self.urls.api}/repos/{repository.full_name}/pulls"
        html = f"{self.urls.html}/{repository.full_name}/pull/{one.number}#discussion_r{one.id}"
        found = {
            "url": f"{api}/comments/{one.id}",
            "pull_request_review_id": one.review,
            "id": one.id,
            "node_id": node_id("PullRequestReviewComment", one.id),
            "diff_hunk": one.diff_hunk,
            "path": one.path,
            "commit_id": one.commit_id,
            "original_commit_id": one.original_commit_id,
            "user": self.user(one.author),
            "body": one.body,
            "created_at": timestamp(one.created),
            "updated_at": timestamp(one.updated),
            "html_url": html,
            "pull_request_url": f"{api}/{one.number}",
            "author_association": self.association(repository, one.author),
            "_links": {
                "self": {"href": f"{api}/comments/{one.id}"},
                "html": {"href": html},
                "pull_request": {"href": f"{api}/{one.number}"},
            },
            "reactions": self.reactions(f"{api}/comments/{one.id}"),
            "start_line": one.start_line,
            "original_start_line": one.original_start_line,
            "start_side": one.start_side,
            "line": one.line,
            "original_line": one.original_line,
            "side": one.side,
            "original_position": one.original_position,
            "position": one.position,
            "subject_type": one.subject_type,
        }
        return found | ({} if one.in_reply_to is None else {"in_reply_to_id": one.in_reply_to})

    def review(self, repository: Repository, one: Review) -> dict[str, Any]:
        """Return a review; a pending one has no ``submitted_at``."""
        pull = f"{self.urls.api}/repos/{repository.full_name}/pulls/{one.number}"
        html = f"{self.urls.html}/{repository.full_name}/pull/{one.number}#pullrequestreview-{one.id}"
        found = {
            "id": one.id,
            "node_id": node_id("PullRequestReview", one.id),
            "user": self.user(one.author),
            "body": one.body,
            "state": one.state,
            "html_url": html,
            "pull_request_url": pull,
            "author_association": self.association(repository, one.author),
            "_links": {"html": {"href": html}, "pull_request": {"href": pull}},
            "commit_id": one.commit_id,
        }
        return found if one.state == "PENDING" else found | {"submitted_at": timestamp(one.submitted)}

    def status(self, repository: Repository, one: Status) -> dict[str, Any]:
        """Return a commit status."""
        creator = self.hosting.world.user(one.creator)
        return {
            "url": f"{self.urls.api}/repos/{repository.full_name}/statuses/{one.sha}",
            "avatar_url": f"https://avatars.githubusercontent.com/u/{creator.id}?v=4",
            "id": one.id,
            "node_id": node_id("StatusContext", one.id),
            "state": one.state,
            "description": one.description,
            "target_url": one.target_url,
            "context": one.context,
            "created_at": timestamp(one.created),
            "updated_at": timestamp(one.created),
            "creator": self.account(creator),
        }

    def commit(self, repository: Repository, one: CommitObject) -> dict[str, Any]:
        """Return a commit."""
        api = f"{self.urls.api}/repos/{repository.full_name}"
        person = {"name": "Halcyon", "email": "halcyon@example.org", "date": timestamp(one.date)}
        return {
            "url": f"{api}/commits/{one.sha}",
            "sha": one.sha,
            "node_id": node_id("Commit", one.sha),
            "html_url": f"{self.urls.html}/{repository.full_name}/commit/{one.sha}",
            "comments_url": f"{api}/commits/{one.sha}/comments",
            "commit": {
                "url": f"{api}/git/commits/{one.sha}",
                "author": person,
                "committer": person,
                "message": one.message,
                "comment_count": 0,
                "tree": {"sha": one.tree, "url": f"{api}/git/trees/{one.tree}"},
                "verification": {
                    "verified": False,
                    "reason": "unsigned",
                    "signature": None,
                    "payload": None,
                    "verified_at": None,
                },
            },
            "author": None,
            "committer": None,
            "parents": [
                {
                    "url": f"{api}/commits/{sha}",
                    "sha": sha,
                    "html_url": f"{self.urls.html}/{repository.full_name}/commit/{sha}",
                }
                for sha in one.parents
            ],
        }

    def run(self, repository: Repository, one: WorkflowRun) -> dict[str, Any]:
        """Return a workflow run."""
        api = f"{self.urls.api}/repos/{repository.full_name}"
        me = f"{api}/actions/runs/{one.id}"
        tree = self.hosting.store(repository).commit_object(one.head_sha)
        below = ("jobs", "logs", "artifacts", "cancel", "rerun")
        person = {"name": "Halcyon", "email": "halcyon@example.org"}
        return {
            "id": one.id,
            "name": one.name,
            "node_id": node_id("WorkflowRun", one.id),
            "check_suite_id": one.id + 1_000_000,
            "check_suite_node_id": node_id("CheckSuite", one.id),
            "head_branch": one.head_branch,
            "head_sha": one.head_sha,
            "path": one.path,
            "display_title": one.name,
            "run_number": one.number,
            "run_attempt": one.attempt,
            "event": one.event,
            "status": one.status,
            "conclusion": one.conclusion,
            "workflow_id": 1,
            "url": me,
            "html_url": f"{self.urls.html}/{repository.full_name}/actions/runs/{one.id}",
            "pull_requests": [self.pull_minimal(repository, number) for number in one.pull_requests],
            "created_at": timestamp(one.created),
            "updated_at": timestamp(one.created),
            "run_started_at": timestamp(one.created),
            "actor": self.user(repository.owner),
            "triggering_actor": self.user(repository.owner),
            **{f"{name}_url": f"{me}/{name}" for name in below},
            "check_suite_url": f"{api}/check-suites/{one.id + 1_000_000}",
            "previous_attempt_url": None,
            "workflow_url": f"{api}/actions/workflows/1",
            "head_commit": {
                "id": one.head_sha,
                "tree_id": "" if tree is None else tree.tree,
                "message": "" if tree is None else tree.message,
                "timestamp": timestamp(one.created),
                "author": person,
                "committer": person,
            },
            "repository": self.short_repository(repository),
            "head_repository": self.short_repository(repository),
        }

    def pull_minimal(self, repository: Repository, number: int) -> dict[str, Any]:
        """Return a pull request as it is in a workflow run."""
        pull = repository.pulls[number]
        reference = {
            "id": repository.id,
            "url": f"{self.urls.api}/repos/{repository.full_name}",
            "name": repository.name,
        }
        return {
            "id": pull.id,
            "number": number,
            "url": f"{reference['url']}/pulls/{number}",
            "head": {"ref": pull.head_ref, "sha": pull.head_sha, "repo": reference},
            "base": {"ref": pull.base_ref, "sha": pull.base_sha, "repo": reference},
        }

    def labels(self, repository: Repository, pull: Pull) -> list[dict[str, Any]]:
        """Return the labels of a pull request."""
        api = f"{self.urls.api}/repos/{repository.full_name}"
        return [self._label(api, name) for name in pull.labels]

    def _label(self, api: str, name: str) -> dict[str, Any]:
        return {
            "id": sum(name.encode()),
            "node_id": node_id("Label", name),
            "url": f"{api}/labels/{quote(name)}",
            "name": name,
            "description": None,
            "color": "ededed",
            "default": False,
        }

    def reactions(self, address: str) -> dict[str, Any]:
        """Return that there are no reactions."""
        kinds = ("+1", "-1", "laugh", "hooray", "confused", "heart", "rocket", "eyes")
        return {"url": f"{address}/reactions", "total_count": 0, **dict.fromkeys(kinds, 0)}


def node_id(kind: str, identity: int | str) -> str:
    """Return an opaque id as GraphQL has them."""
    return f"{kind}_" + base64.urlsafe_b64encode(str(identity).encode()).decode().rstrip("=")


_REPOSITORY_ADDRESSES = {
    "archive": "{archive_format}{/ref}",
    "assignees": "assignees{/user}",
    "blobs": "git/blobs{/sha}",
    "branches": "branches{/branch}",
    "collaborators": "collaborators{/collaborator}",
    "comments": "comments{/number}",
    "commits": "commits{/sha}",
    "compare": "compare/{base}...{head}",
    "contents": "contents/{+path}",
    "contributors": "contributors",
    "deployments": "deployments",
    "downloads": "downloads",
    "events": "events",
    "forks": "forks",
    "git_commits": "git/commits{/sha}",
    "git_refs": "git/refs{/sha}",
    "git_tags": "git/tags{/sha}",
    "hooks": "hooks",
    "issue_comment": "issues/comments{/number}",
    "issue_events": "issues/events{/number}",
    "issues": "issues{/number}",
    "keys": "keys{/key_id}",
    "labels": "labels{/name}",
    "languages": "languages",
    "merges": "merges",
    "milestones": "milestones{/number}",
    "notifications": "notifications{?since,all,participating}",
    "pulls": "pulls{/number}",
    "releases": "releases{/id}",
    "stargazers": "stargazers",
    "statuses": "statuses/{sha}",
    "subscribers": "subscribers",
    "subscription": "subscription",
    "tags": "tags",
    "teams": "teams",
    "trees": "git/trees{/sha}",
}
