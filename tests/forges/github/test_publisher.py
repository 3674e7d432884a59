"""Publishing on the fake GitHub, and reading back: nothing twice, nothing lost, nobody else's touched."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

import pytest

from fake_github.faults import Fault
from fake_github.server import FakeGitHub
from fake_github.world import ACTIONS_BOT, ACTIONS_BOT_ID
from review_bot.comments import marker
from review_bot.comments.model import CommentKind, Deletion, Edit, NewComment, Posted, PostedComment, PublicationPlan
from review_bot.errors import Superseded
from review_bot.forges.github import conversation, publisher, statuses
from review_bot.forges.github.client import Client, Limits
from review_bot.forges.github.publisher import Place
from tests.forges.github.scripted_server import VirtualClock

NAME = "review-bot"
OLD = "".join(f"old {n}\n" for n in range(1, 21))
NEW = OLD.replace("old 5\n", "new 5\n").replace("old 6\n", "new 6\n").replace("old 7\n", "new 7\n")
REVIEW = ("POST", "/pulls/*/reviews")
ON_FILE = ("POST", "/pulls/*/comments")
ADDED = ("GRAPHQL", "AddFileComment")
SUBMITTED = ("POST", "/pulls/*/reviews/*/events")
SUMMARY = ("POST", "/issues/*/comments")
EDIT = ("PATCH", "/pulls/comments/*")
LISTS = ("GET", "/*/comments")


def name_of(n):
    return f"{n:016x}-{n:08x}"


class Want(NamedTuple):
    """A comment that shall stand there."""

    n: int
    line: int | None
    text: str = "Look."
    start_line: int | None = None
    path: str = "a.txt"


WANTED: tuple[Want, ...] = (Want(1, 5), Want(2, 7, start_line=6), Want(3, None))


class Room:
    """A pull request, a client, and a plan that wants certain comments."""

    def __init__(self, github, **token):
        self.github = github
        self.clock = VirtualClock()
        repository = github.repository("octo/halcyon")
        repository.commit({"a.txt": OLD})
        repository.commit({"a.txt": NEW}, branch="feature")
        self.pr = repository.open_pull_request("feature", title="Change", author="ada")
        self.place = Place("octo/halcyon", self.pr.number)
        self.client = Client(
            github.url, github.token(**token), clock=self.clock, limits=Limits(call=0.3), random=Random(1)
        )
        self.wanted, self.words, self.ask = WANTED, "Summary.", False
        self.resolves: tuple[int, ...] = ()
        self.reopens: tuple[int, ...] = ()

    def plan(self, posted, withheld):
        there: dict[tuple[str, ...], PostedComment] = {}
        edits, deletions = [], []
        for each in posted.comments:
            if each.kind == "summary":
                continue
            if each.fingerprints in there:
                deletions.append(Deletion(each.id, each.kind))
            there.setdefault(each.fingerprints, each)
        new = []
        for want in self.wanted:
            key = (name_of(want.n),)
            kind: CommentKind = "file" if want.line is None else "inline"
            body = f"{want.text}\n{marker.write(NAME, kind, key)}"
            if key in there:
                if there[key].body != body:
                    edits.append(Edit(there[key].id, kind, body))
            elif key not in withheld:
                new.append(NewComment(want.path, want.line, want.start_line, body, key))
        told = "".join(f"\n{key[0]}: {reason}" for key, reason in withheld.items())
        text = f"{self.words}{told}\n{marker.write(NAME, 'summary')}"
        summaries = [each for each in posted.comments if each.kind == "summary"]
        deletions += [Deletion(each.id, "summary") for each in summaries[1:]]
        if summaries and summaries[0].body != text:
            edits.append(Edit(summaries[0].id, "summary", text))
        ask = self.ask and not posted.requests
        said = "Changes." if ask else "New comments."
        line = f"{said}\n{marker.write(NAME, 'summary')}" if ask or new else ""
        withdraw = tuple(each.id for each in posted.requests) if not self.ask else ()
        resolve = tuple(each.thread for each in posted.comments if each.fingerprints[:1] in [(name_of(n),) for n in self.resolves] and each.thread and not each.resolved)  # fmt: skip
        reopen = tuple(each.thread for each in posted.comments if each.fingerprints[:1] in [(name_of(n),) for n in self.reopens] and each.thread and each.resolved)  # fmt: skip
        return PublicationPlan(
            tuple(new),
            line,
            ask,
            reopen,
            tuple(edits),
            tuple(deletions),
            resolve,
            withdraw,
            None if summaries else text,
        )

    def read(self):
        found = conversation.fetch(self.client, self.place.repository, self.place.number, threads=True, requests=True)
        return found.ours(ACTIONS_BOT_ID, ACTIONS_BOT, NAME)

    def publish(self, posted=None, still_head=lambda: True):
        posted = self.read() if posted is None else posted
        return publisher.Publication(
            self.client, self.place, self.pr.head_sha, posted, self.plan(posted, {}), self.plan, self.read, still_head
        ).run()

    def writes(self):
        return [
            (each.method, each.path.split("/")[-1])
            for each in self.client.calls
            if each.method != "GET" and each.path != "/graphql"
        ]

    def check(self, *, comments=3, summaries=1):
        names = sorted(each.body.rsplit(" ", 2)[1] for each in self.pr.review_comments if each.author == ACTIONS_BOT)
        assert names == [name_of(n) for n in range(1, comments + 1)]
        assert len([each for each in self.pr.comments if each.author == ACTIONS_BOT]) == summaries


@pytest.fixture
def github():
    with FakeGitHub() as made:
        yield made


@pytest.fixture
def room(github):
    made = Room(github)
    yield made
    made.client.close()


def test_everything_is_posted_once_the_summary_last_and_a_second_run_writes_nothing(room):
    outcome = room.publish()
    assert (outcome.problems, outcome.withheld, outcome.read_only) == ((), (), False)
    assert [path for _, path in room.writes()] == ["reviews", "events", "comments"]
    room.check()
    first = {each.fingerprints: each for each in outcome.posted.comments}
    assert first[name_of(2),].line == 7
    assert first[name_of(2),].start_line == 6
    assert first[name_of(3),][6:9] == (None, False, first[name_of(3),].thread)
    assert outcome.summary_url == next(each.url for each in outcome.posted.comments if each.kind == "summary")
    assert [review.state for review in room.pr.reviews] == ["COMMENTED"]  # one notification, of the file's comment too
    before = len(room.writes())
    assert room.publish().posted == outcome.posted
    assert len(room.writes()) == before


def test_texts_are_edited_and_copies_deleted(room):
    room.publish()
    room.wanted = (*WANTED[1:], WANTED[0]._replace(text="Look again."))
    room.words = "Another."
    copy = next(each for each in room.pr.review_comments if each.line == 7)
    room.client.send("POST", f"/repos/octo/halcyon/pulls/{room.pr.number}/comments", {"commit_id": room.pr.head_sha, "path": "a.txt", "line": 6, "side": "RIGHT", "body": copy.body}, None)  # fmt: skip
    assert room.publish().problems == ()
    assert [method for method, _ in room.writes()][-3:] == ["PATCH", "DELETE", "PATCH"]
    room.check()
    assert any(each.body.startswith("Look again.") for each in room.pr.review_comments)
    assert room.pr.comments[0].body.startswith("Another.")


def test_what_others_wrote_is_not_ours_whatever_it_says(room):
    room.publish()
    ours = room.read()
    line = ours.comments[0].body
    room.pr.comment_as("mallory", line)
    reply = room.pr.reply_as("bob", next(each.id for each in ours.comments if each.line == 5), f"No.\n{line}")
    assert reply.author == "bob"
    after = room.read()
    assert [each.id for each in after.comments] == [each.id for each in ours.comments]
    assert [each.replied for each in after.comments if each.line == 5] == [True]
    assert not any(each.replied for each in after.comments if each.line != 5)
    found = conversation.fetch(room.client, "octo/halcyon", room.pr.number, threads=False, requests=False)
    assert found.ours(None, "github-actions", NAME).comments[0]._replace(thread=None).id == ours.comments[0].id
    assert found.ours(ACTIONS_BOT_ID, ACTIONS_BOT, "other") == Posted()
    assert found.ours(1, ACTIONS_BOT, NAME) == Posted()
    room.github.delete_account("bob")
    assert [each.replied for each in room.read().comments if each.line == 5] == [True]


@pytest.mark.parametrize("where", [REVIEW, ON_FILE, SUMMARY])
@pytest.mark.parametrize(
    "kind",
    [
        "reset_before",
        "reset_after",
        "timeout",
        "timeout_after",
        "500",
        "500_after",
        "502_html",
        "502_after",
        "503_retry_after",
        "403_secondary",
        "429",
        "truncated_json",
        "short_body",
        "html_200",
        "wrong_shape",
        "slow_drip",
        "bad_gzip",
    ],
)
def test_a_write_that_fails_once_is_neither_lost_nor_doubled(room, where, kind):
    room.github.faults.add(Fault(where, kind))
    outcome = room.publish()
    assert outcome.problems == ()
    room.check()


@pytest.mark.parametrize("kind", ["reset_before", "500", "502_html", "403_secondary", "timeout"])
def test_a_write_that_fails_for_ever_is_named_and_the_next_run_heals_it(room, kind):
    fault = room.github.faults.add(Fault(REVIEW, kind, times=None))
    outcome = room.publish()
    assert len(outcome.problems) == 1
    assert not outcome.read_only
    assert fault.hits <= 5
    room.github.faults.clear()
    room.check(comments=0, summaries=0)
    again = Client(room.github.url, room.github.token(), clock=VirtualClock())
    with room.client:
        room.client = again
    assert room.publish().problems == ()
    room.check()


@pytest.mark.parametrize("kind", ["reset_after", "502_after", "timeout_after", "truncated_json", "slow_drip"])
@pytest.mark.parametrize("where", [REVIEW, ADDED, SUBMITTED, SUMMARY])
def test_a_write_whose_answer_never_comes_is_found_by_reading(room, where, kind):
    fault = room.github.faults.add(Fault(where, kind))
    assert room.publish().problems == ()
    assert fault.hits == 1
    room.check()
    assert [review.state for review in room.pr.reviews] == ["COMMENTED"]


@pytest.mark.parametrize("lag", [1, 3])
def test_a_list_that_lags_behind_makes_nothing_double(room, lag):
    posted = room.read()
    room.github.faults.add(Fault(LISTS, "empty_list", times=2 * lag))
    assert room.publish(posted).problems == ()
    room.check()


def test_a_list_that_stays_behind_is_named_and_makes_nothing_double(room):
    posted = room.read()
    room.github.faults.add(Fault(LISTS, "empty_list", times=None))
    outcome = room.publish(posted)
    assert "does not list" in outcome.problems[0]
    room.check()


@pytest.mark.parametrize("prepare", [lambda room: room.pr.lock(), lambda room: room.pr.source.archive()])
def test_where_nobody_may_write_nothing_more_is_tried(room, prepare):
    prepare(room)
    outcome = room.publish()
    assert outcome.read_only
    assert "could not comment" in outcome.problems[0]
    assert len(room.writes()) == 1


def test_a_read_only_token_is_told(github):
    room = Room(github, read_only=True)
    with room.client:
        outcome = room.publish()
    assert outcome.read_only
    assert "Resource not accessible by integration" in outcome.problems[0]
    assert len(room.writes()) == 1


def test_a_refused_line_is_told_in_the_summary_and_the_rest_goes_on(room):
    room.wanted = (*WANTED, Want(4, 900))
    outcome = room.publish()
    assert outcome.problems == ()
    assert [each.comment.fingerprints for each in outcome.withheld] == [(name_of(n),) for n in (1, 2, 4)]
    assert "part of the diff" in outcome.withheld[0].reason or "resolved" in outcome.withheld[0].reason
    assert len(room.pr.review_comments) == 1  # the one on the file
    assert name_of(4) in room.pr.comments[0].body


def test_a_line_that_is_refused_because_the_head_has_moved_is_no_refusal(room):
    room.wanted = (Want(4, 900),)
    with pytest.raises(Superseded):
        room.publish(still_head=lambda: False)
    assert not room.pr.comments


def test_a_refused_file_is_told(room):
    room.wanted = (*WANTED[:2], Want(3, None, path="nowhere.txt"))
    outcome = room.publish()
    assert outcome.problems == ()
    assert [each.comment.path for each in outcome.withheld] == ["nowhere.txt"]
    room.check(comments=2)


def test_what_github_takes_for_spam_ends_the_writing(room):
    room.github.faults.add(Fault(REVIEW, "422_spam", times=None))
    outcome = room.publish()
    assert "no more comments" in outcome.problems[0]
    assert len(room.writes()) == 1


def test_a_comment_that_somebody_deleted_is_posted_again_once(room):
    room.publish()
    room.wanted = tuple(each._replace(text="Other.") for each in WANTED)
    gone = next(each.id for each in room.pr.review_comments if each.line == 5)
    room.github.before(EDIT, lambda: room.pr.delete_comment(gone))
    assert room.publish().problems == ()
    room.check()


def test_the_head_is_asked_again_before_the_summary_if_time_went_by(room):
    room.github.faults.add(Fault(SUBMITTED, "403_secondary"))
    asked = []

    def still_head():
        asked.append(1)
        return False

    with pytest.raises(Superseded):
        room.publish(still_head=still_head)
    assert asked == [1]
    assert not room.pr.comments


def test_changes_are_requested_once_and_withdrawn(room):
    room.ask = True
    assert room.publish().problems == ()
    assert [each.state for each in room.pr.reviews].count("CHANGES_REQUESTED") == 1
    writes = len(room.writes())
    room.publish()
    assert len(room.writes()) == writes
    room.ask = False
    outcome = room.publish()
    states = [each.state for each in room.pr.reviews]
    if outcome.problems:  # the token of a workflow may not dismiss
        assert "could not be dismissed" in outcome.problems[0]
    else:
        assert "CHANGES_REQUESTED" not in states


def test_threads_are_resolved_only_with_the_permission_for_it(github):
    room = Room(github, permissions={"contents": "write", "pull_requests": "write"})
    with room.client:
        room.publish()
        room.resolves = (1,)
        assert room.publish().problems == ()
        assert [each.resolved for each in room.read().comments if each.line == 5] == [True]
        writes = len(room.client.calls)
        room.publish()
        assert not [each for each in room.client.calls[writes:] if each.method == "PATCH"]


def test_a_resolved_thread_is_reopened_before_its_comment_is_edited(github):
    room = Room(github, permissions={"contents": "write", "pull_requests": "write"})
    with room.client:
        room.publish()
        room.resolves = (1,)
        room.publish()
        room.resolves, room.reopens = (), (1,)
        room.wanted = (WANTED[0]._replace(text="It is back."), *WANTED[1:])
        at_edit: list[bool] = []
        github.before(("PATCH", "/pulls/comments/*"), lambda: at_edit.extend(each.resolved for each in room.pr.threads))
        assert room.publish().problems == ()
        assert [each.resolved for each in room.read().comments if each.line == 5] == [False]
        assert at_edit == [False] * 3


@pytest.mark.parametrize("body", ["New comments.\n" + marker.write(NAME, "summary"), marker.write(NAME, "summary")])
@pytest.mark.parametrize("wanted", [WANTED, WANTED[:1], WANTED[2:]])
def test_a_pending_review_that_a_killed_run_left_behind_is_deleted(room, body, wanted):
    room.wanted = wanted
    line = {"path": "a.txt", "line": 5, "side": "RIGHT", "body": "Half of a run."}
    room.pr.review_as(ACTIONS_BOT, [line], body=body, event="")
    outcome = room.publish()
    assert (outcome.problems, outcome.withheld) == ((), ())
    assert {each.state for each in room.pr.reviews} == {"COMMENTED"}
    assert len(room.read().comments) == len(wanted) + 1


def test_a_pending_review_of_somebody_else_by_the_same_account_stays(room):
    room.pr.review_as(ACTIONS_BOT, [], body="A draft of another workflow.", event="")
    outcome = room.publish()
    assert [each.partition(" here;")[0] for each in outcome.problems] == ["This account has a pending review"]
    assert [each.state for each in room.pr.reviews] == ["PENDING"]


def test_a_comment_on_a_file_that_github_refuses_keeps_no_other_back(room):
    room.wanted = (*WANTED, Want(4, None, path="missing.txt"))
    outcome = room.publish()
    assert [entry.comment.path for entry in outcome.withheld] == ["missing.txt"]
    assert "path is invalid" in outcome.withheld[0].reason
    room.check()
    assert [review.state for review in room.pr.reviews] == ["COMMENTED"]


def test_where_no_comment_can_be_added_to_a_pending_review_each_file_gets_a_review(room):
    room.github.faults.add(Fault(ADDED, "403_permission", times=None))
    assert room.publish().problems == ()
    room.check()
    assert [review.state for review in room.pr.reviews] == ["COMMENTED"] * 2


def test_changes_requested_with_a_comment_on_a_file_are_one_review(room):
    room.ask = True
    assert room.publish().problems == ()
    assert [each.state for each in room.pr.reviews] == ["CHANGES_REQUESTED"]
    room.check()


def test_a_thread_that_may_not_be_resolved_is_a_problem_and_no_more(room):
    room.publish()
    room.resolves, room.words = (1, 2), "Changed."
    outcome = room.publish()
    assert [each.partition(",")[0] for each in outcome.problems] == ["Threads could not be resolved or reopened"]
    assert not outcome.read_only
    assert room.pr.comments[0].body.startswith("Changed.")


def test_two_runs_at_once_leave_one_of_each(room):
    empty = room.read()
    room.publish(empty)
    room.publish(empty)
    room.publish()
    room.check()


def test_a_status_is_set_and_a_long_sentence_is_cut(github):
    room = Room(github, permissions={"statuses": "write", "contents": "read"})
    github.faults.add(Fault(("POST", "/statuses/*"), "reset_after"))
    with room.client:
        statuses.post(
            room.client, "octo/halcyon", room.pr.head_sha, NAME, "failure", "Word " * 60, "https://example.org/1"
        )
        statuses.post(room.client, "octo/halcyon", room.pr.head_sha, NAME, "error", "Unclear.")
    found = room.pr.source.statuses(room.pr.head_sha)
    assert {each.state for each in found} == {"failure", "error"}
    assert all(len(each.description or "") <= 140 for each in found)
