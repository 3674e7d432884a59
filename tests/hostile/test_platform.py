"""GitHub itself, and the people in a pull request: cases 71 to 84."""

from __future__ import annotations

import gzip

import pytest

from fake_github.faults import Fault
from fake_github.repository import FakePullRequest
from tests.hostile.ground import LOUD, Ground, Ran, is_ours
from tests.hostile.inspection import said_in

ROWS = ("GET", "/pulls/*/files")
EVIL = "PAYLOAD `id` ${{ secrets.X }} ::error::x ##[group] @eve <img src=x> [skip ci] review-bot: ignore[shout] ok"


def good(ran: Ran) -> None:
    """Check that one loud line was found and told."""
    assert (ran.code, ran.verdict, ran.findings) == (0, "comments", [("shout", "a.py", 1)])


def wrote(ran: Ran) -> list[str]:
    """Return the method of every call of a run that writes."""
    return [call.method for call in ran.calls if call.method != "GET" and call.operation is None]


def nothing_said(ran: Ran, code: str) -> None:
    """Check that a run ended red by an error, and that nothing of ours stands in the pull request."""
    assert (ran.code, ran.verdict) == (3, "incomplete")
    assert ran.sentence().startswith(f"Review Bot could not complete this review ({code}): ")
    assert wrote(ran) == []
    assert not [one for one in said_in(ran.pr) if is_ours(one.author, one.body)]


def opened(ground: Ground) -> FakePullRequest:
    """Open a pull request with one loud line."""
    return ground.open({"a.py": LOUD})


def test_71_our_marker_in_a_foreign_comment(ground: Ground) -> None:
    first = opened(ground)
    good(ground.run(first))
    pr = opened(ground)
    for one in first.comments:
        pr.comment_as("eve", one.body)
    pr.review_as("eve", [{"path": "a.py", "line": 1, "side": "RIGHT", "body": first.review_comments[0].body}])
    ran = ground.run(pr)
    good(ran)
    assert ran.inline == [("a.py", 1)]
    assert wrote(ran) == ["POST", "POST"]
    assert wrote(ground.run(pr)) == []


@pytest.mark.parametrize("keeps_marker", [True, False])
def test_72_own_comment_edited(ground: Ground, keeps_marker: bool) -> None:
    pr = opened(ground)
    ground.run(pr)
    (inline,) = pr.review_comments
    (summary,) = [one for one in pr.comments if is_ours(one.author, one.body)]
    texts = [summary.body, inline.body]
    for one in (summary, inline):
        pr.edit_comment(one.id, "All is well. " + (one.body if keeps_marker else ""))
    ran = ground.run(pr)
    good(ran)
    ours = [one.body for one in said_in(pr) if is_ours(one.author, one.body)]
    if not keeps_marker:  # what is no comment of ours any more is a conversation that somebody has to resolve
        line = "All other conversations resolved ("
        ours[0] = ours[0].replace(f"- [ ] {line}1 open)", f"- [x] {line}GitHub lists no other open conversation)")
        ours[0] = ours[0].replace("Merge criteria: 1 of 3 met", "Merge criteria: 2 of 3 met")
    assert ours == texts
    assert sorted(wrote(ran)) == (["PATCH", "PATCH"] if keeps_marker else ["POST", "POST"])


def test_73_own_comment_deleted(ground: Ground) -> None:
    pr = opened(ground)
    ground.run(pr)
    (inline,) = pr.review_comments
    pr.delete_comment(inline.id)
    ran = ground.run(pr)
    good(ran)
    assert [(one.path, one.line, one.body) for one in pr.review_comments] == [("a.py", 1, inline.body)]
    assert wrote(ground.run(pr)) == []


def test_74_reply_in_own_thread(ground: Ground) -> None:
    pr = opened(ground)
    ground.run(pr)
    (inline,) = pr.review_comments
    pr.reply_as("eve", inline.id, "I do not think so.")
    pr.push({"a.py": "quiet = 1\n"})
    ran = ground.run(pr)
    assert (ran.code, ran.verdict, ran.findings) == (0, "no-findings", [])
    own, reply = pr.review_comments
    assert own.id == inline.id
    assert own.body.startswith(f"Fixed in `{pr.head_sha[:7]}`.")
    assert (reply.author, reply.body) == ("eve", "I do not think so.")
    assert "DELETE" not in wrote(ran)


def test_75_payloads_around_the_change(ground: Ground) -> None:
    branch = "x`id`$(id);PAYLOAD<img>@eve"
    ground.repository.set_branch(branch, ground.repository.tip("main"))
    ground.repository.commit({"a.py": LOUD}, branch=branch, message=EVIL)
    pr = ground.repository.open_pull_request(
        branch, title=EVIL, body=f"{EVIL}\n\n::set-output name=x::y", author="mallory"
    )
    ran = ground.run_process(pr)
    good(ran)
    assert "PAYLOAD" not in "".join(ran.written) + ran.log + str(ran.result.outputs)
    assert not any("PAYLOAD" in f"{call.path}{call.query}{call.body}" for call in ran.calls)
    assert ran.result.report()["change"]["title"] == EVIL


@pytest.mark.parametrize("call", [("GET", "/git/trees/*"), ("POST", "/pulls/*/reviews")])
def test_76_force_push_while_at_work(ground: Ground, call: tuple[str, str]) -> None:
    pr = opened(ground)
    ground.github.before(call, lambda: pr.force_push({"b.py": LOUD}))
    ran = ground.run(pr)
    assert (ran.code, ran.verdict) == (3, "incomplete")
    assert "(E-SUPERSEDED)" in ran.sentence()
    assert not [one for one in pr.comments if is_ours(one.author, one.body)]
    if call[0] == "GET":
        nothing_said(ran, "E-SUPERSEDED")
    newer = ground.run(pr)
    assert (newer.code, newer.findings) == (0, [("shout", "b.py", 1)])
    assert [one.path for one in pr.review_comments] == ["b.py"]


def test_77_other_base(ground: Ground) -> None:
    ground.repository.commit({"a.py": LOUD}, branch="weak")
    pr = ground.open({"b.py": "quiet = 1\n"}, base="weak")
    strict = {"fail-on": "warning"}
    assert (ground.run(pr, inputs=strict).code, pr.record.base_ref) == (0, "weak")
    pr.retarget("main")
    ran = ground.run(pr, kind="edited", inputs=strict)
    assert (ran.code, ran.verdict, ran.findings) == (1, "changes-required", [("shout", "a.py", 1)])
    other = opened(ground)
    ground.github.before(("GET", "/git/trees/*"), lambda: other.retarget("weak"))
    nothing_said(ground.run(other), "E-SUPERSEDED")


def test_78_closed_while_at_work(ground: Ground) -> None:
    pr = opened(ground)
    ground.github.before(("GET", "/git/trees/*"), pr.close)
    nothing_said(ground.run(pr), "E-SUPERSEDED")
    ran = ground.run(pr)
    nothing_said(ran, "E-SUPERSEDED")
    assert f"pull request {pr.number} is closed; reopen it to have it reviewed." in ran.sentence()


def test_79_head_repository_deleted(ground: Ground) -> None:
    fork = ground.repository.fork("mallory")
    pr = ground.open({"a.py": LOUD}, head_repository=fork, author="mallory")
    payload = ground.repository.event(pr, "synchronize")
    pr.delete_head_repository()
    good(ground.run(pr))
    good(ground.run(pr, payload=payload))


@pytest.mark.parametrize("author", ["ghost", "dependabot[bot]", "github-actions[bot]"])
def test_80_author(ground: Ground, author: str) -> None:
    pr = ground.open({"a.py": LOUD}, author="mallory" if author == "ghost" else author)
    if author == "ghost":
        ground.github.delete_account("mallory")
    good(ground.run(pr))


def test_81_locked_conversation(ground: Ground) -> None:
    pr = opened(ground)
    pr.lock()
    ran = ground.run(pr, token=ground.github.token(read_only=True))
    good(ran)
    assert not [one for one in said_in(pr) if is_ours(one.author, one.body)]
    assert "a.py:1" in ran.page
    assert "This line shouts." in ran.page
    again = ground.run(pr)
    assert (again.code, again.findings) == (0, [("shout", "a.py", 1)])


@pytest.mark.parametrize("to", ["elsewhere", "itself"])
def test_82_next_page(ground: Ground, to: str) -> None:
    pr = opened(ground)
    host = ground.github.url if to == "itself" else ground.github.archive_url
    address = f"{host}/repos/octo/halcyon/issues/{pr.number}/comments?per_page=100"
    headers = {"Link": f'<{address}>; rel="next"'}
    ground.github.faults.add(Fault(("GET", "/issues/*/comments"), "headers", times=None, headers=headers))
    ran = ground.run(pr)
    nothing_said(ran, "E-BADDATA")
    assert {call.host for call in ran.calls} == {"api"}


def test_83_redirect_elsewhere(ground: Ground) -> None:
    pr = opened(ground)
    elsewhere = {"Location": f"{ground.github.archive_url}/repos/octo/halcyon/pulls/1/files"}
    ground.github.faults.add(Fault(ROWS, "redirect_away", times=None, headers=elsewhere))
    ran = ground.run_process(pr)
    nothing_said(ran, "E-BADDATA")
    assert {call.host for call in ran.calls} == {"api"}


def test_84_gzip_bomb(ground: Ground) -> None:
    pr = opened(ground)
    bomb = gzip.compress(b" " * (256 << 20), 9)
    assert len(bomb) < 300_000
    ground.github.tamper(ROWS, lambda _rows: bomb)
    ground.github.faults.add(Fault(ROWS, "headers", times=None, headers={"Content-Encoding": "gzip"}))
    nothing_said(ground.run(pr), "E-BADDATA")
