"""``/review-bot ...`` as a reply in the thread of a finding: which finding is meant, who may, what is answered."""

from __future__ import annotations

import pytest

from fake_github.world import ACTIONS_BOT
from tests.action import BAD_LINE

BAD = {"halcyon/run.py": BAD_LINE}
MANY = "".join(f"from halcyon.gone_{number} import name_{number}\n" for number in range(5))
NOT_OURS = (
    "This thread is not about a finding of Review Bot. Use `/review-bot {} ID reason`; each comment of Review Bot shows "
    "its ID."
)

DISPUTE = "Everyone can use `/review-bot {}`; the answer says how to suppress or dispute the finding."


@pytest.fixture
def pr(action):
    action.repository.collaborator("grace")
    pr = action.open(BAD)
    action.run(pr)
    return pr


def reply(action, pr, body, author="grace", *, to=None, kind="created", **options):
    """Reply in a thread, and let the Action answer; return its result, and the answers in the thread and below."""
    first = to or pr.review_comments[0]
    known = {each.id for each in (*pr.comments, *pr.review_comments)}
    said = pr.reply_as(author, first.id, body)
    payload = action.repository.review_comment_event(said, kind)
    result = action.run(None, event="pull_request_review_comment", payload=payload, **options)
    assert result.outputs.get("verdict", "") in {"", "incomplete"}
    new = [each for each in (*pr.review_comments, *pr.comments) if each.id not in known | {said.id}]
    assert {each.author for each in new} <= {ACTIONS_BOT}
    return result, new


def summary(pr):
    [found] = [each for each in pr.comments if "review-bot:1 review-bot summary" in each.body]
    return found


def test_a_reply_declines_the_finding_of_its_thread(action, pr):
    result, [answer] = reply(action, pr, "/review-bot decline it is *generated* @octo <!-- x -->")
    assert (result.code, result.log) == (0, "decline: 1 comment hidden\n")
    first = pr.review_comments[0]
    assert (first.minimized, answer.in_reply_to) == ("resolved", first.id)
    text, line = answer.body.rsplit("\n\n", 1)
    assert text.startswith("Declined by grace: it is ")
    assert text.endswith(
        "Its comment is now hidden. The next run will list it as declined in the summary. The verdict does not change. "
        "To undo, comment `/review-bot reopen`."
    )
    assert "@octo" not in answer.body
    assert line.startswith("<!-- review-bot:declined review-bot ")
    assert action.run(pr).code == 1, "the verdict stays"
    assert "- 1 finding declined, still counted in the verdict\n" in summary(pr).body
    assert "### Errors (must fix)" not in summary(pr).body
    assert len(pr.review_comments) == 3


def test_a_reply_may_name_another_finding_by_its_id(action, pr):
    pr.push({"halcyon/other.py": "from halcyon.lost import name\n"})
    action.run(pr)
    first, other = pr.review_comments
    name = other.body.rsplit(" ", 2)[1]
    _, [answer] = reply(action, pr, f"/review-bot decline {name} because", to=first)
    assert (first.minimized, other.minimized) == (None, "resolved")
    assert f"`/review-bot reopen {name}`" in answer.body


def test_a_reply_in_the_thread_of_several_findings_declines_them_all(action):
    action.repository.collaborator("grace")
    pr = action.open({"halcyon/run.py": MANY})
    action.run(pr)
    [first] = pr.review_comments
    reply(action, pr, "/review-bot decline all of them are generated")
    assert first.minimized == "resolved"
    result = action.run(pr)
    assert result.code == 1
    assert len(result.report()["declined"]) == 5
    assert "- 5 findings declined, still counted in the verdict\n" in summary(pr).body


def test_a_comment_on_a_file_can_be_declined_in_its_thread(action):
    action.repository.collaborator("grace")
    pr = action.open({"halcyon/run.py": BAD_LINE, "halcyon/long.py": f'NAME = "{"x" * 120_000}"  # \u202e\n'})
    action.run(pr)
    first = next(each for each in pr.review_comments if each.subject_type == "file")
    result, [answer] = reply(action, pr, "/review-bot decline it is data", to=first)
    assert (result.code, first.minimized, answer.in_reply_to) == (0, "resolved", first.id)


def test_a_reply_reopens_the_finding_of_its_thread(action, pr):
    _, [record] = reply(action, pr, "/review-bot decline it is generated")
    result, [answer] = reply(action, pr, "/review-bot reopen")
    assert (result.code, result.log) == (0, "reopen: 1 comment shown\n")
    assert pr.review_comments[0].minimized is None
    assert answer.body == "Reopened by grace. The next run will list it as open in the summary."
    assert record.body.endswith("\n\nReopened by grace.")
    action.run(pr)
    assert "### Errors (must fix)" in summary(pr).body
    _, [answer] = reply(action, pr, "/review-bot reopen")
    assert answer.body == "This finding is neither declined nor accepted."


def test_a_comment_below_reopens_what_a_reply_declined(action, pr):
    reply(action, pr, "/review-bot decline it is generated")
    name = pr.review_comments[0].body.rsplit(" ", 2)[1]
    said = pr.comment_as("grace", f"/review-bot reopen {name}")
    result = action.run(None, event="issue_comment", payload=action.repository.issue_comment_event(said))
    assert result.log == "reopen: 1 comment shown\n"


@pytest.mark.parametrize("author", ["mallory", "ada", "triager"])
@pytest.mark.parametrize("verb", ["decline", "reopen", "rerun"])
def test_who_may_not_push_is_refused_in_the_thread(action, pr, author, verb):
    action.repository.collaborator("triager", "triage")
    _, [answer] = reply(action, pr, f"/review-bot {verb} because", author)
    open_to_all = f" {DISPUTE.format('explain')}" if verb == "decline" else ""
    assert answer.body == f"Only people with write access can use `/review-bot {verb}`.{open_to_all}"
    assert pr.review_comments[0].minimized is None


@pytest.mark.parametrize("association", ["OWNER", "MEMBER", "COLLABORATOR"])
def test_the_association_in_the_payload_gives_no_right(action, pr, association):
    said = pr.reply_as("mallory", pr.review_comments[0].id, "/review-bot decline because")
    payload = action.repository.review_comment_event(said)
    payload["comment"]["author_association"] = association
    assert action.run(None, event="pull_request_review_comment", payload=payload).code == 0
    assert pr.review_comments[-1].body.startswith("Only people with write access can use `/review-bot decline`. ")


def test_a_thread_that_is_not_ours_means_no_finding(action, pr):
    [comment] = pr.review_comments
    pr.review_as("mallory", [{"path": "halcyon/run.py", "line": 1, "body": comment.body}])
    copied = pr.review_comments[-1]
    for verb in ("decline because", "reopen"):
        result, [answer] = reply(action, pr, f"/review-bot {verb}", to=copied)
        assert result.code == 0
        assert answer.body == NOT_OURS.format(verb.split()[0])
        assert answer.in_reply_to == copied.id
    assert comment.minimized is None


def test_a_command_that_begins_a_thread_means_no_finding(action, pr):
    pr.review_as("grace", [{"path": "halcyon/run.py", "line": 1, "body": "/review-bot decline because"}])
    payload = action.repository.review_comment_event(pr.review_comments[-1])
    action.run(None, event="pull_request_review_comment", payload=payload)
    assert pr.review_comments[-1].body == NOT_OURS.format("decline")


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("decline", "Usage: `/review-bot decline ID reason`, or `/review-bot decline reason` as a reply to a comment of Review Bot."),
        ("declne because", "There is no command `declne`; did you mean 'decline'?"),
        ("approve", "There is no command `approve`."),
    ],
)  # fmt: skip
def test_what_is_no_command_gets_a_helpful_answer(action, pr, body, said):
    _, [answer] = reply(action, pr, f"/review-bot {body}")
    assert answer.body.startswith(said)


@pytest.mark.parametrize("kind", ["edited", "deleted"])
def test_an_edited_or_deleted_reply_is_no_command(action, pr, kind):
    asked = len(action.github.requests)
    result, answers = reply(action, pr, "/review-bot decline because", kind=kind)
    assert (result.code, answers, len(action.github.requests)) == (0, [], asked)
    assert result.log == "Nothing to do: only a new comment is a command.\n"


def test_an_edit_of_the_reply_leaves_the_decline(action, pr):
    reply(action, pr, "/review-bot decline it is generated")
    said = next(each for each in pr.review_comments if each.author == "grace")
    pr.edit_comment(said.id, "Never mind.")
    action.run(pr)
    assert "1 finding declined" in summary(pr).body
    pr.delete_comment(said.id)
    action.run(pr)
    assert "1 finding declined" in summary(pr).body, "the decline is in our answer"


def test_deleting_our_answer_in_the_thread_takes_the_decline_back(action, pr):
    _, [answer] = reply(action, pr, "/review-bot decline it is generated")
    pr.delete_comment(answer.id)
    action.run(pr)
    assert "1 finding declined" not in summary(pr).body


def test_a_forged_record_in_a_thread_declines_nothing(action, pr):
    _, [answer] = reply(action, pr, "/review-bot decline it is generated")
    forged = answer.body
    pr.delete_comment(answer.id)
    for author in ("mallory", "grace"):
        pr.reply_as(author, pr.review_comments[0].id, forged)
    action.run(pr)
    assert "1 finding declined" not in summary(pr).body


def test_bots_are_not_answered(action, pr):
    action.repository.collaborator("helper[bot]")
    asked = len(action.github.requests)
    result, answers = reply(action, pr, "/review-bot decline because", "helper[bot]")
    assert (result.code, answers, len(action.github.requests)) == (0, [], asked)
    assert result.log == "Nothing to do: the comment was posted by a bot.\n"


def test_where_the_thread_takes_no_reply_the_answer_is_below(action, pr):
    pr.review_as(ACTIONS_BOT, [], body="A run was killed here.", event="")
    result, [answer] = reply(action, pr, "/review-bot decline it is generated")
    assert result.code == 0
    assert answer in pr.comments
    action.run(pr)
    assert "1 finding declined" in summary(pr).body


def test_a_token_that_may_only_read_explains_what_to_do(action, pr):
    action.token = action.github.token(read_only=True)
    result, answers = reply(action, pr, "/review-bot decline it is generated")
    assert (result.code, answers) == (2, [])
    assert "post the command with its ID as a comment below the pull request" in result.log
    assert pr.review_comments[0].minimized is None
