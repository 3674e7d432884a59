"""``/review-bot explain``: the page of a rule as an answer, for everyone who asks."""

from __future__ import annotations

import pytest

from tests.action import BAD_LINE, Action

OWN = """\
id: own-eval
language: python
severity: warning
message: This runs any text as code, says @octo/team.
note: Parse it.
rule: {pattern: eval($X)}
"""


@pytest.fixture
def pr(action: Action):
    action.repository.commit({".github/review-bot/rules/eval.yml": OWN})
    pr = action.open({"halcyon/run.py": BAD_LINE, "halcyon/text.py": '"""Text."""\n\nY = eval("1")\n'})
    action.run(pr)
    return pr


def ask(action, pr, body, *, thread=None, author="mallory"):
    """Comment, in a thread or below, let the Action answer, and return the answer."""
    if thread is None:
        said = pr.comment_as(author, body)
        event, payload = "issue_comment", action.repository.issue_comment_event(said)
    else:
        said = pr.reply_as(author, thread.id, body)
        event, payload = "pull_request_review_comment", action.repository.review_comment_event(said)
    known = {each.id for each in (*pr.comments, *pr.review_comments)}
    result = action.run(None, event=event, payload=payload)
    assert (result.code, result.outputs["verdict"]) == (0, "")
    [answer] = [each for each in (*pr.comments, *pr.review_comments) if each.id not in known]
    return answer


def test_a_reply_explains_the_finding_of_its_thread_to_everyone(action, pr):
    thread = next(each for each in pr.review_comments if each.path == "halcyon/run.py")
    answer = ask(action, pr, "/review-bot explain", thread=thread)
    assert answer.in_reply_to == thread.id
    assert answer.body.startswith(
        "**[`api/missing-module-import`](https://github.com/review-bot/review-bot/blob/main/docs/rules/api/"
        "missing-module-import.md): "
    )
    assert "**Reports.** " not in answer.body, (
        "the message of this rule is made of values, and the comment above has it"
    )
    assert "\\*Fine" not in answer.body
    for part in ("**Why.** ", "**Instead.** ", "**When to ignore it.** ", "**If it is wrong here:**"):
        assert f"\n\n{part}" in answer.body
    assert "`# review-bot: ignore[api/missing-module-import] the reason`" in answer.body
    assert "`/review-bot decline reason`" in answer.body


def test_a_comment_below_explains_by_id_and_by_rule(action, pr):
    thread = next(each for each in pr.review_comments if each.path == "halcyon/run.py")
    name = thread.body.rsplit(" ", 2)[1]
    by_id = ask(action, pr, f"/review-bot explain {name}").body
    assert by_id == ask(action, pr, "/review-bot explain api/missing-module-import please").body
    assert by_id.startswith("**[`api/missing-module-import`]")


def test_a_rule_of_the_repository_is_explained_from_the_default_branch(action, pr):
    thread = next(each for each in pr.review_comments if each.path == "halcyon/text.py")
    body = ask(action, pr, "/review-bot explain", thread=thread).body
    assert body.startswith("**`own-eval`: ")
    assert "This runs any text as code" in body
    assert "**Instead.** Parse it." in body
    assert "@octo" not in body


def test_a_row_without_a_comment_is_explained_by_its_id(action):
    pr = action.open({"halcyon/run.py": BAD_LINE})
    result = action.run(pr, inputs={"comments": "summary"})
    [finding] = result.report()["findings"]
    assert "`api/missing-module-import`" in ask(action, pr, f"/review-bot explain {finding['fingerprint']}").body


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("", "Usage: `/review-bot explain RULE`, `/review-bot explain ID`, or `/review-bot explain` as a reply"),
        ("api/missing-module-inport", "There is no rule `api/missing-module-inport`; did you mean 'api/missing-module-import'?"),
        ("</details><script>@octo", "There is no rule `</details><script>"),
        ("0123456789abcdef", "No finding has the ID `0123456789abcdef`."),
        ("suppression/unused", "[`suppression/unused`](https://github.com/review-bot/review-bot/blob/main/docs/suppressions.md#unused)"),
    ],
)  # fmt: skip
def test_what_cannot_be_explained_gets_a_helpful_answer(action, pr, words, said):
    assert ask(action, pr, f"/review-bot explain {words}".rstrip()).body.startswith(said)


def test_help_names_it(action, pr):
    assert "`/review-bot explain ID`" in ask(action, pr, "/review-bot help").body
