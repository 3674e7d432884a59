"""A repository and a pull request of the fake GitHub as tests and the demo hold them, and what one does there.

Handles hold ids alone; they stay good over ``restore``.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fake_github import conversation, events
from fake_github.calls import Urls
from fake_github.git_store import Content
from fake_github.hosting import Hosting
from fake_github.world import (
    CheckRun,
    IssueComment,
    Permission,
    Pull,
    Repository,
    Review,
    ReviewComment,
    Status,
    Thread,
    WorkflowRun,
)

Changes = Mapping[str, Content]


class FakeRepository:
    """A repository at the fake GitHub."""

    def __init__(self, hosting: Hosting, urls: Urls, identity: int) -> None:
        self.hosting = hosting
        self.urls = urls
        self.id = identity

    @property
    def record(self) -> Repository:
        """Return everything known about it; change fields directly where there is no method."""
        return self.hosting.world.repositories[self.id]

    @property
    def full_name(self) -> str:
        """Return ``owner/name``."""
        return self.record.full_name

    @property
    def git(self) -> Path:
        """Return the bare repository, with everything in it up to now."""
        with self.hosting.lock:
            return self.hosting.lay_out(self.record)

    def commit(
        self,
        changes: Changes | Mapping[bytes, Content],
        branch: str | None = None,
        message: str = "Change",
        *,
        parent: str | None = None,
        parents: tuple[str, ...] | None = None,
        date: int | None = None,
    ) -> str:
        """Commit on a branch (by default the default branch) and return the commit's id.

        A new branch starts at the default branch. ``parent``: start there instead (a rewind, a force push);
        ``parents``: several, for a merge, whose tree is the first one's plus the changes; ``()`` starts a new history.
        ``date``: seconds since the epoch.
        """
        with self.hosting.lock:
            record = self.record
            target = branch or record.default_branch
            if parents is None:
                tip = parent or self.tip(target) or self.tip(record.default_branch)
                parents = (tip,) if tip else ()
            return self.hosting.commit(record, changes, branch=target, message=message, parents=parents, date=date)

    def tip(self, branch: str) -> str | None:
        """Return the commit that a branch points to."""
        return self.record.refs.get(f"refs/heads/{branch}")

    def set_branch(self, branch: str, sha: str | None) -> None:
        """Move, create or (None) delete a branch."""
        with self.hosting.lock:
            self.hosting.set_ref(self.record, f"refs/heads/{branch}", sha)

    def fetch(self, folder: Path | str, *refspecs: str) -> None:
        """Bring commits of a repository on this machine: ``fetch(path, "main:refs/heads/main")``."""
        with self.hosting.lock:
            self.hosting.lay_out(self.record)
            self.hosting.store(self.record).fetch_into(self.hosting.folder / self.record.folder, str(folder), refspecs)
            self.hosting.reread_refs(self.record)

    def fork(self, owner: str) -> "FakeRepository":
        """Return a fork under another account."""
        with self.hosting.lock:
            return FakeRepository(self.hosting, self.urls, self.hosting.fork(self.record, owner).id)

    def rename(self, full_name: str) -> None:
        """Rename or transfer it; the old name redirects."""
        with self.hosting.lock:
            self.hosting.world.renamed[self.full_name.lower()] = self.id
            self.record.owner, _, self.record.name = full_name.partition("/")
            self.hosting.world.user(self.record.owner)

    def archive(self) -> None:
        """Make it read-only."""
        self.record.archived = True

    def delete(self) -> None:
        """Delete it; pull requests from it get ``head.repo: null``."""
        with self.hosting.lock:
            del self.hosting.world.repositories[self.id]
            for one in self.hosting.world.repositories.values():
                for pull in one.pulls.values():
                    pull.head_repository = None if pull.head_repository == self.id else pull.head_repository

    def collaborator(self, login: str, permission: Permission = "write") -> None:
        """Give a person access, with these rights."""
        with self.hosting.lock:
            self.hosting.world.user(login)
            self.record.collaborators[login] = permission

    def open_pull_request(
        self,
        head: str,
        base: str | None = None,
        *,
        title: str = "A change",
        body: str | None = None,
        author: str = "ada",
        head_repository: "FakeRepository | None" = None,
        draft: bool = False,
    ) -> "FakePullRequest":
        """Open a pull request from a branch."""
        with self.hosting.lock:
            world, record = self.hosting.world, self.record
            source = self if head_repository is None else head_repository
            base = base or record.default_branch
            world.user(author)
            base_sha, head_sha = record.refs[f"refs/heads/{base}"], source.record.refs[f"refs/heads/{head}"]
            record.numbers += 1
            moment = world.now()
            pull = Pull(
                world.next_id(),
                record.numbers,
                title,
                body,
                author,
                base,
                base_sha,
                head,
                head_sha,
                source.id,
                source.record.owner,
                moment,
                moment,
                draft,
                heads=[head_sha],
            )
            record.pulls[pull.number] = pull
            record.refs[f"refs/pull/{pull.number}/head"] = head_sha
            return FakePullRequest(self, pull.number)

    def pull_request(self, number: int) -> "FakePullRequest":
        """Return a pull request by its number."""
        return FakePullRequest(self, self.record.pulls[number].number)

    def statuses(self, sha: str) -> list[Status]:
        """Return the statuses of a commit, oldest first."""
        return [status for status in self.record.statuses if status.sha == sha]

    def workflow_run(
        self,
        head_sha: str,
        *,
        event: str = "pull_request",
        branch: str = "feature",
        name: str = "Review",
        path: str = ".github/workflows/review-bot.yml",
        status: str = "completed",
        conclusion: str | None = "failure",
        pull_requests: tuple[int, ...] = (),
    ) -> WorkflowRun:
        """Make a workflow run. For a fork's pull request ``pull_requests`` is empty (actions/runner#3444)."""
        with self.hosting.lock:
            world = self.hosting.world
            run = WorkflowRun(
                world.next_id(),
                name,
                path,
                event,
                head_sha,
                branch,
                status,
                conclusion,
                1,
                world.now(),
                len(self.record.runs) + 1,
                list(pull_requests),
            )
            self.record.runs[run.id] = run
            return run

    def check_run(self, head_sha: str, name: str, conclusion: str | None = "success", run: int | None = None) -> None:
        """Let a check of a commit end so, or run still (None). ``run``: the workflow run whose job it is."""
        with self.hosting.lock:
            status = "in_progress" if conclusion is None else "completed"
            check = CheckRun(self.hosting.world.next_id(), name, head_sha, status, conclusion, run)
            self.record.check_runs.append(check)

    def status(self, sha: str, context: str, state: str, creator: str = "ci") -> None:
        """Let someone else set a status of a commit."""
        with self.hosting.lock:
            world = self.hosting.world
            world.user(creator)
            status = Status(world.next_id(), sha, state, context, None, None, creator, world.now())
            self.record.statuses.append(status)

    def merge_group(self, *pulls: "FakePullRequest", base: str | None = None) -> str:
        """Put pull requests into the merge queue, one group on the other; return the last group's merge commit.

        Makes ``refs/heads/gh-readonly-queue/<base>/pr-<N>-<base sha>`` for each.
        """
        with self.hosting.lock:
            branch = base or self.record.default_branch
            parent = self.record.refs[f"refs/heads/{branch}"]
            for pull in pulls:
                parent = conversation.queue(self.hosting, self.record, pull.record, branch, parent)
            return parent

    def event(
        self, pull: "FakePullRequest", action: str = "opened", *, sender: str | None = None, before: str | None = None
    ) -> dict[str, Any]:
        """Return the payload of ``pull_request`` and ``pull_request_target``."""
        with self.hosting.lock:
            return events.pull_request(self.hosting, self.urls, self.record, pull.record, action, sender, before)

    def merge_group_event(self, head_sha: str, action: str = "checks_requested") -> dict[str, Any]:
        """Return the payload of ``merge_group`` for a commit that ``merge_group`` returned."""
        with self.hosting.lock:
            return events.merge_group(self.hosting, self.urls, self.record, head_sha, action)

    def issue_comment_event(self, comment: IssueComment, action: str = "created") -> dict[str, Any]:
        """Return the payload of ``issue_comment`` for a comment on a pull request."""
        with self.hosting.lock:
            return events.issue_comment(self.hosting, self.urls, self.record, comment, action)

    def review_comment_event(self, comment: ReviewComment, action: str = "created") -> dict[str, Any]:
        """Return the payload of ``pull_request_review_comment`` for a comment in the change."""
        with self.hosting.lock:
            return events.review_comment(self.hosting, self.urls, self.record, comment, action)

    def workflow_dispatch_event(
        self, inputs: Mapping[str, str] | None = None, *, ref: str | None = None, sender: str = "ada"
    ) -> dict[str, Any]:
        """Return the payload of ``workflow_dispatch``."""
        with self.hosting.lock:
            return events.workflow_dispatch(self.hosting, self.urls, self.record, dict(inputs or {}), ref, sender)

    def workflow_run_event(self, run: WorkflowRun, action: str = "completed") -> dict[str, Any]:
        """Return the payload of ``workflow_run``."""
        with self.hosting.lock:
            return events.workflow_run(self.hosting, self.urls, self.record, run, action)


class FakePullRequest:
    """A pull request at the fake GitHub."""

    def __init__(self, repository: FakeRepository, number: int) -> None:
        self.repository = repository
        self.number = number

    @property
    def record(self) -> Pull:
        """Return everything known about it."""
        return self.repository.record.pulls[self.number]

    @property
    def head_sha(self) -> str:
        """Return the head's commit."""
        return self.record.head_sha

    @property
    def base_sha(self) -> str:
        """Return the tip of the base branch when the head last moved."""
        return self.record.base_sha

    @property
    def source(self) -> FakeRepository:
        """Return the repository that the head branch is in."""
        identity = self.record.head_repository
        if identity is None:
            raise LookupError("the head repository is deleted")
        return FakeRepository(self.repository.hosting, self.repository.urls, identity)

    @property
    def comments(self) -> list[IssueComment]:
        """Return the comments of the conversation, oldest first."""
        return [one for one in self.repository.record.issue_comments.values() if one.number == self.number]

    @property
    def review_comments(self) -> list[ReviewComment]:
        """Return the comments on lines and files, oldest first, pending ones left out."""
        found = self.repository.record.review_comments.values()
        return [one for one in found if one.number == self.number and not one.pending]

    @property
    def reviews(self) -> list[Review]:
        """Return the reviews, oldest first."""
        return [one for one in self.repository.record.reviews.values() if one.number == self.number]

    @property
    def threads(self) -> list[Thread]:
        """Return the threads, oldest first."""
        return [one for one in self.repository.record.threads.values() if one.number == self.number]

    def push(self, changes: Changes, message: str = "Change") -> str:
        """Push a commit to the head branch."""
        return self.source.commit(changes, self.record.head_ref, message, parent=self.head_sha)

    def force_push(self, changes: Changes | None = None, *, parent: str | None = None, sha: str | None = None) -> str:
        """Replace the head: by ``sha``, or by a new commit on ``parent`` (by default on the merge base)."""
        source = self.source
        if sha is None:
            change = self.repository.hosting.pull_change(self.repository.record, self.record)
            return source.commit(changes or {}, self.record.head_ref, "Change", parent=parent or change.base)
        source.set_branch(self.record.head_ref, sha)
        return sha

    def rebase(self, onto: str | None = None) -> str:
        """Replay the change as one commit on ``onto`` (a commit; by default the base branch's tip)."""
        hosting = self.repository.hosting
        with hosting.lock:
            target = onto or self.repository.record.refs[f"refs/heads/{self.record.base_ref}"]
            store = hosting.store(self.repository.record)
            tree = store.merge(target, self.head_sha)
            if tree is None:
                raise ValueError("the change is in conflict with that commit")
            sha = store.commit_tree(tree, (target,), "Rebased", hosting.world.now())
        self.source.set_branch(self.record.head_ref, sha)
        return sha

    def close(self) -> None:
        """Close it."""
        self.record.state = "closed"

    def reopen(self) -> None:
        """Open it again."""
        self.record.state = "open"

    def merge(self) -> str:
        """Merge it with a merge commit, and return that."""
        hosting = self.repository.hosting
        with hosting.lock:
            sha = hosting.test_merge(self.repository.record, self.record)
            if sha is None:
                raise ValueError("the pull request is in conflict with its base, or closed")
            self.record.state, self.record.merged, self.record.merge_commit = "closed", True, sha
            hosting.set_ref(self.repository.record, f"refs/heads/{self.record.base_ref}", sha)
        return sha

    def lock(self) -> None:
        """Lock the conversation."""
        self.record.locked = True

    def retarget(self, base: str) -> None:
        """Give it another base branch."""
        hosting = self.repository.hosting
        with hosting.lock:
            self.record.base_ref = base
            hosting.set_head(self.repository.record, self.record, self.head_sha)

    def convert_to_draft(self) -> None:
        """Make it a draft."""
        self.record.draft = True

    def ready_for_review(self) -> None:
        """End the draft."""
        self.record.draft = False

    def edit(self, *, title: str | None = None, body: str | None = None) -> None:
        """Change title or description."""
        self.record.title = self.record.title if title is None else title
        self.record.body = self.record.body if body is None else body

    def delete_head_repository(self) -> None:
        """Delete the fork it comes from."""
        self.source.delete()

    def delete_head_branch(self) -> None:
        """Delete its branch: that closes it."""
        self.source.set_branch(self.record.head_ref, None)
        self.close()

    def comment_as(self, login: str, body: str) -> IssueComment:
        """Comment in the conversation."""
        hosting = self.repository.hosting
        with hosting.lock:
            hosting.world.user(login)
            return conversation.add_issue_comment(hosting, self.repository.record, self.record, login, body)

    def review_as(
        self,
        login: str,
        comments: list[dict[str, Any]] | None = None,
        *,
        body: str = "",
        event: str = "COMMENT",
        sha: str | None = None,
    ) -> Review:
        """Review as a person, with the fields that REST takes. Raises Refusal where GitHub refuses."""
        hosting = self.repository.hosting
        with hosting.lock:
            hosting.world.user(login)
            draft = conversation.ReviewDraft(sha or self.head_sha, body, event, tuple(comments or ()))
            return conversation.add_review(hosting, self.repository.record, self.record, login, draft)

    def approve_as(self, login: str, sha: str | None = None) -> Review:
        """Approve the head, or an older commit."""
        return self.review_as(login, event="APPROVE", sha=sha)

    def reply_as(self, login: str, comment_id: int, body: str) -> ReviewComment:
        """Answer in the thread of a review comment."""
        hosting = self.repository.hosting
        with hosting.lock:
            hosting.world.user(login)
            return conversation.add_reply(hosting, self.repository.record, self.record, login, comment_id, body)

    def edit_comment(self, comment_id: int, body: str) -> None:
        """Change the text of any comment, as someone with write access can."""
        hosting = self.repository.hosting
        with hosting.lock:
            conversation.edit(hosting, self.repository.record, comment_id, body)

    def delete_comment(self, comment_id: int) -> None:
        """Delete any comment, as someone with write access can."""
        with self.repository.hosting.lock:
            conversation.delete(self.repository.record, comment_id)

    def resolve_thread(self, thread_id: str, *, login: str = "ada") -> None:
        """Resolve a thread as a person."""
        thread = self.repository.record.threads[thread_id]
        thread.resolved, thread.resolved_by = True, login
