"""Carries out a plan, and reads back what came of it.

::

    plan ─▶ write ─▶ read ─▶ plan ─▶ empty: done
              │        ▲       └────▶ not empty: once more, three times at most, then a problem is named
              └ answer lost: nothing more is written before it is read

A list may lag behind what was written, so what GitHub has accepted is never sent again, and what may have been lost is
sent again only when it has not shown up for some seconds. The plan itself comes from the caller.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, NoReturn

from review_bot.comments.model import Deletion, Edit, NewComment, Posted, PostedComment, PublicationPlan
from review_bot.errors import Forbidden, ForgeError, NotFound, Rejected, Superseded
from review_bot.forges.github import review_draft, review_threads
from review_bot.forges.github.client import Client
from review_bot.forges.github.guarded_writes import Again, GuardedWrites, Stop
from review_bot.forges.github.wire import Answer
from review_bot.records import NamedTuple

Fingerprints = tuple[str, ...]
PlanOf = Callable[[Posted, Mapping[Fingerprints, str]], PublicationPlan]

MOST_PASSES = 3
MOST_READINGS = 10
POLLS = 5
POLL_SECONDS = 2.0
"""A list is asked so often, so far apart, before what it does not show is taken for lost."""

_NOT_SETTLED = "The comments on the pull request do not match the review yet (E-AMBIGUOUS); run the review again."
_NO_REQUEST = re.compile(r"request changes", re.IGNORECASE)


class Place(NamedTuple):
    """A pull request: ``repository`` is ``owner/name``."""

    repository: str
    number: int


class Withheld(NamedTuple):
    """A comment that GitHub refuses, with GitHub's reason."""

    comment: NewComment
    reason: str


class Outcome(NamedTuple):
    """What came of it. ``problems``: what could not be written, in sentences. ``read_only``: nothing could."""

    posted: Posted = Posted()
    withheld: tuple[Withheld, ...] = ()
    problems: tuple[str, ...] = ()
    summary_url: str | None = None
    read_only: bool = False


class _Made(Answer):
    id: int
    html_url: str = ""


class Publication:
    """Writes what is missing until the plan is empty.

    ``plan``: what is missing in ``posted``. ``plan_of`` takes what is there later, and why comments with some
    fingerprints cannot be posted. ``head``: the commit that was reviewed; the caller has just seen that it is still the
    head.
    """

    def __init__(
        self,
        client: Client,
        place: Place,
        head: str,
        posted: Posted,
        plan: PublicationPlan,
        plan_of: PlanOf,
        refetch: Callable[[], Posted],
        still_head: Callable[[], bool],
    ) -> None:
        self._client, self._head, self._plan_of, self._refetch = client, head, plan_of, refetch
        self._repository = f"/repos/{place.repository}"
        self._pull = f"{self._repository}/pulls/{place.number}"
        self._issue = f"{self._repository}/issues/{place.number}"
        self._posted, self._missing = posted, plan
        self._withheld: dict[Fingerprints, Withheld] = {}
        self._writes = GuardedWrites(client.clock, head, still_head)
        self._given_up: set[object] = set()
        self._accepted: set[Fingerprints] = set()
        self._expected: list[Callable[[Posted], bool]] = []
        self._summary: _Made | None = None
        self._drafts, self._draft_in_doubt = True, False

    def run(self) -> Outcome:
        """Publish. Raises Superseded once ``head`` is no longer the head; every other failure is in ``problems``."""
        with suppress(Stop):
            self._publish()
        return Outcome(
            self._posted,
            tuple(self._withheld.values()),
            tuple(self._writes.problems),
            self._summary_url(),
            self._writes.read_only,
        )

    def _publish(self) -> None:
        passes = 0
        for _ in range(MOST_READINGS):
            plan = self._feasible(self._missing)
            if plan == PublicationPlan(review_body=plan.review_body):
                break
            if passes == MOST_PASSES:
                self._writes.stop(_NOT_SETTLED)
            try:
                self._carry_out(plan)
                passes += 1
            except Again:
                pass
            self._read_back()
            self._missing = self._plan()
        else:
            self._writes.stop(_NOT_SETTLED)
        if not self._missing.empty and not self._writes.problems:
            self._writes.problems.append(
                "GitHub accepted comments but does not list them (E-AMBIGUOUS); check the pull request."
            )

    def _plan(self) -> PublicationPlan:
        return self._plan_of(self._posted, {key: entry.reason for key, entry in self._withheld.items()})

    def _feasible(self, plan: PublicationPlan) -> PublicationPlan:
        """Leave out what GitHub has accepted already or refused for good."""
        return plan._replace(
            new=tuple(each for each in plan.new if each.fingerprints not in {*self._accepted, *self._withheld}),
            request_changes=plan.request_changes and "request" not in self._given_up,
            edits=tuple(each for each in plan.edits if ("edit", each.id) not in self._given_up),
            deletions=tuple(each for each in plan.deletions if ("delete", each.id) not in self._given_up),
            reopen=() if "resolve" in self._given_up else plan.reopen,
            resolve=() if "resolve" in self._given_up else plan.resolve,
            withdraw=tuple(each for each in plan.withdraw if ("withdraw", each) not in self._given_up),
            summary=None if self._summary is not None or "summary" in self._given_up else plan.summary,
        )

    def _carry_out(self, plan: PublicationPlan) -> None:
        """Write in the order of the plan, the summary last. Raises Again, Stop, Superseded."""
        if plan.new or plan.request_changes:
            self._writes.check_head()
            self._post_new(plan)
        self._change_threads(plan.reopen, review_threads.reopen)  # while the text still says that it was settled
        for edit in plan.edits:
            if edit.kind != "summary":
                self._edit(edit)
        for deletion in plan.deletions:
            self._delete(deletion)
        self._change_threads(plan.resolve, review_threads.resolve)
        for review in plan.withdraw:
            self._withdraw(review)
        summary_edits = [edit for edit in plan.edits if edit.kind == "summary"]
        if summary_edits or plan.summary is not None:
            self._writes.check_head()
        for edit in summary_edits:
            self._edit(edit)
        if plan.summary is not None:
            self._post_summary(plan.summary)

    def _post_new(self, plan: PublicationPlan) -> None:
        """Post the new comments in one review, so that a run sends one notification for them."""
        files = [each for each in plan.new if each.line is None]
        if not files:
            self._post_review(plan)
        elif self._drafts and (len(plan.new) > 1 or plan.request_changes):
            self._post_draft(plan, files)
        else:
            if len(plan.new) > len(files) or plan.request_changes:
                self._post_review(plan)
            for comment in files:
                self._post_on_file(comment, plan)

    def _post_review(self, plan: PublicationPlan) -> None:
        """Post one review with all new comments on lines: https://docs.github.com/en/rest/pulls/reviews."""
        comments = [each for each in plan.new if each.line is not None]
        body = {
            **review_draft.draft_of(self._head, plan.review_body, comments),
            "event": review_draft.event(asks=plan.request_changes),
        }
        self._expect_review(comments, plan)
        try:
            self._write("POST", f"{self._pull}/reviews", body, _Made)
        except Rejected as error:
            self._expected.clear()
            self._refused(error, comments, plan)
        self._accepted.update(each.fingerprints for each in comments)

    def _post_draft(self, plan: PublicationPlan, files: list[NewComment]) -> None:
        """Post one review that also has comments on files, which only a pending review takes by and by."""
        comments = [each for each in plan.new if each.line is not None]
        try:
            draft = self._write(
                "POST",
                f"{self._pull}/reviews",
                review_draft.draft_of(self._head, plan.review_body, comments),
                review_draft.Draft,
            )
        except Again:
            self._draft_in_doubt = True
            raise
        except Rejected as error:
            # The reason may be a draft of this run, even if the response does not say so.
            was_in_doubt, self._draft_in_doubt = self._draft_in_doubt, False
            if was_in_doubt and self._discard_draft(plan.review_body):
                raise Again from error
            self._refused(error, comments, plan)
        address = f"{self._pull}/reviews/{draft.id}"
        try:
            for comment in files:
                self._add_to_draft(draft, comment)
            self._expect_review(plan.new, plan)
            body = {"event": review_draft.event(asks=plan.request_changes), "body": plan.review_body}
            self._write("POST", f"{address}/events", body, _Made)
        except (Again, Stop, Rejected, Superseded) as error:
            with suppress(ForgeError):  # if it was submitted after all, GitHub refuses to delete it
                self._client.send("DELETE", address, None, None, best_effort=True)
            if not isinstance(error, Rejected):
                raise
            self._expected.clear()
            self._refused(error, plan.new, plan)
        self._accepted.update(each.fingerprints for each in plan.new)

    def _add_to_draft(self, draft: review_draft.Draft, comment: NewComment) -> None:
        try:
            self._writes.run(
                lambda: review_draft.add_file_comment(self._client, draft, comment.path, comment.body),
                may_be_forbidden=True,
            )
        except (Forbidden, NotFound) as error:
            self._drafts = False
            raise Again from error
        except Rejected as error:
            self._withhold([comment], error)
            raise Again from error

    def _expect_review(self, comments: Sequence[NewComment], plan: PublicationPlan) -> None:
        self._expect_comments(comments)
        if plan.request_changes:
            before = len(self._posted.requests)
            self._expected.append(lambda found: len(found.requests) > before)

    def _refused(self, error: Rejected, comments: Sequence[NewComment], plan: PublicationPlan) -> NoReturn:
        """Take the reason for the refusal of a review out of the way, and raise Again, or Stop if that cannot be."""
        if review_draft.is_in_the_way(error):
            if not self._discard_draft(plan.review_body):
                self._writes.stop(
                    f"This account has a pending review here; submit or delete it ({error.code}): {error}"
                )
        elif plan.request_changes and (not comments or _NO_REQUEST.search(str(error))):
            self._give_up("request", f"Changes could not be requested ({error.code}): {error}")
        else:
            self._withhold(comments, error)
        raise Again from error

    def _discard_draft(self, body: str) -> bool:
        """Delete a pending review of ours, not that of anyone else; return whether there was one. Raises Stop."""
        try:
            return review_draft.discard(self._client, self._pull, body)
        except ForgeError as failure:
            self._writes.stop(f"A pending review of an earlier run could not be deleted ({failure.code}): {failure}")

    def _post_on_file(self, comment: NewComment, plan: PublicationPlan) -> None:
        """Post a comment on a whole file: https://docs.github.com/en/rest/pulls/comments."""
        body = {"commit_id": self._head, "path": comment.path, "subject_type": "file", "body": comment.body}
        self._expect_comments([comment])
        try:
            self._write("POST", f"{self._pull}/comments", body, _Made)
        except Rejected as error:
            self._expected.pop()
            self._refused(error, [comment], plan._replace(request_changes=False))
        self._accepted.add(comment.fingerprints)

    def _post_summary(self, text: str) -> None:
        """Post the summary: https://docs.github.com/en/rest/issues/comments."""
        self._expected.append(lambda found: any(each.kind == "summary" for each in found.comments))
        try:
            self._summary = self._write("POST", f"{self._issue}/comments", {"body": text}, _Made)
        except Rejected as error:
            self._expected.pop()
            self._give_up("summary", f"The summary could not be posted ({error.code}): {error}")

    def _edit(self, edit: Edit) -> None:
        before = next((each.body for each in self._posted.comments if each.id == edit.id), None)
        self._expected.append(lambda found: _body_of(found, edit.id) != before)
        try:
            self._write("PATCH", self._address(edit), {"body": edit.body}, _Made)
        except NotFound as error:  # someone deleted it, and soon the list will show that
            self._expected[-1] = lambda found: _body_of(found, edit.id) is None
            if ("gone", edit.id) in self._given_up:
                self._give_up(("edit", edit.id), f"A comment could not be edited ({error.code}): {error}")
            self._given_up.add(("gone", edit.id))
            raise Again from None
        except Rejected as error:
            self._expected.pop()
            self._give_up(("edit", edit.id), f"A comment could not be edited ({error.code}): {error}")

    def _delete(self, deletion: Deletion) -> None:
        self._expected.append(lambda found: _body_of(found, deletion.id) is None)
        try:
            self._write("DELETE", self._address(deletion), None, None)
        except NotFound:
            pass  # someone else was quicker
        except Rejected as error:
            self._expected.pop()
            self._give_up(("delete", deletion.id), f"A comment could not be deleted ({error.code}): {error}")

    def _change_threads(self, threads: Iterable[str], change: Callable[[Client, str], None]) -> None:
        for thread in threads:
            if "resolve" not in self._given_up:
                self._change_thread(thread, change)

    def _change_thread(self, thread: str, change: Callable[[Client, str], None]) -> None:
        try:
            self._writes.run(lambda: change(self._client, thread), may_be_forbidden=True)
        except (Forbidden, NotFound, Rejected) as error:
            self._give_up(
                "resolve",
                f"Threads could not be resolved or reopened, which needs `contents: write` ({error.code}): {error}",
            )

    def _withdraw(self, review: int) -> None:
        """Dismiss our own request for changes; a protected branch may leave that to administrators."""
        body = {"message": "The review no longer requests changes.", "event": "DISMISS"}
        address = f"{self._pull}/reviews/{review}/dismissals"
        try:
            self._writes.run(lambda: self._client.send("PUT", address, body, None), may_be_forbidden=True)
        except (Forbidden, NotFound, Rejected) as error:
            self._give_up(
                ("withdraw", review), f"The request for changes could not be dismissed ({error.code}): {error}"
            )

    def _write(self, method: str, path: str, body: Mapping[str, Any] | None, shape: type[Answer] | None) -> Any:
        return self._writes.run(
            lambda: self._client.send(method, path, body, shape),
            is_creation=method == "POST",
        )

    def _read_back(self) -> None:
        """Read until what was written shows up, or long enough has been waited for it. Raises Stop."""
        for poll in range(POLLS + 1):
            if poll:
                self._client.clock.sleep(POLL_SECONDS)
            try:
                self._posted = self._refetch()
            except ForgeError as error:
                self._writes.stop(f"The posted comments could not be read back ({error.code}): {error}")
            if all(is_there(self._posted) for is_there in self._expected):
                break
        self._expected.clear()

    def _expect_comments(self, comments: Iterable[NewComment]) -> None:
        before = {each.id for each in self._posted.comments}
        wanted = [each.fingerprints for each in comments]
        self._expected.append(
            lambda found: {*wanted} <= {each.fingerprints for each in found.comments if each.id not in before}
        )

    def _withhold(self, comments: Iterable[NewComment], error: Rejected) -> None:
        """Give comments up. Raises Superseded if they were refused because their commit is gone."""
        self._writes.check_head(good_for=0)
        reason = f"GitHub rejects it ({'; '.join(error.messages) or error})"
        self._withheld.update({each.fingerprints: Withheld(each, reason) for each in comments})

    def _give_up(self, what: object, problem: str) -> None:
        self._given_up.add(what)
        self._writes.problems.append(problem)

    def _address(self, comment: Edit | Deletion) -> str:
        kind = "issues" if comment.kind == "summary" else "pulls"
        return f"{self._repository}/{kind}/comments/{comment.id}"

    def _summary_url(self) -> str | None:
        made = self._summary.html_url if self._summary else ""
        return next((each.url for each in self._posted.comments if each.kind == "summary"), made) or None


def _body_of(posted: Posted, identity: int) -> str | None:
    found: PostedComment | None = next((each for each in posted.comments if each.id == identity), None)
    return found.body if found else None
