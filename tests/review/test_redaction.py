"""What a change holds of credentials is repeated by nobody."""

from __future__ import annotations

from review_bot.changes.pull_request import ChangedFile, Hunk, PullRequest, Unreviewed
from review_bot.findings import Examination, Failure, Held, NotRun, Related, Suggestion, Suppressed
from review_bot.reports import catalog
from review_bot.reports.brief import render as brief
from review_bot.review.redaction import without_secrets
from tests.reviews import finding, review_of

TOKEN = "ghp_QwErTyUiOpAsDfGhJkLzXcVbNmQwErTyUiOp"
OTHER = "npm_QwErTyUiOpAsDfGhJkLzXcVbNmQwErTyUiOp"
LINE = f"connect('{TOKEN}', x={OTHER})"
CHANGE = PullRequest((ChangedFile("a.py", None, "added", "text", (Hunk(0, 0, 1, 1, (f"+{LINE}",)),), 1),))
SECRET = finding(rule="security/hardcoded-secret", path="a.py", line=1, message="This line contains a credential.")


def test_the_words_of_the_line_are_told_by_nobody() -> None:
    loud = finding(
        rule="echo",
        path="b.py",
        line=3,
        message=f"This is {TOKEN}, and {OTHER}.",
        related=(Related("a.py", 1, f"said {TOKEN}", (Held("x", TOKEN),)),),
        suggestion=Suggestion(3, 3, f"log('{TOKEN}')"),
    )
    seen = Examination((SECRET, loud), (Suppressed(loud, "comment", "why", 2),))
    told = without_secrets(CHANGE, seen)
    assert told.findings[0] == SECRET
    for each in (told.findings[1], told.suppressed[0].finding):
        assert each.message == "This is [not shown], and [not shown]."
        assert each.related == (Related("a.py", 1, "said [not shown]", (Held("x", "[not shown]"),)),)
        assert each.suggestion is None


def test_a_suppressed_one_is_told_by_nobody_either() -> None:
    loud = finding(rule="echo", path="a.py", line=1, message=f"This is {TOKEN}.")
    told = without_secrets(CHANGE, Examination((loud,), (Suppressed(SECRET, "baseline", "old", None),)))
    assert told.findings[0].message == "This is [not shown]."


def test_without_a_credential_nothing_is_taken_out() -> None:
    loud = Examination((finding(rule="echo", path="a.py", line=1, message=f"This is {TOKEN}."),))
    assert without_secrets(CHANGE, loud) is loud


def test_the_reasons_for_what_is_missing_do_not_tell_it() -> None:
    words = f"the alias *{TOKEN} has no anchor before it"
    seen = Examination(
        (SECRET,),
        unreviewed=(Unreviewed("a.py", words),),
        not_run=(NotRun("echo", words),),
        failures=(Failure("echo", None, words),),
    )
    told = without_secrets(CHANGE, seen)
    shown = "the alias *[not shown] has no anchor before it"
    assert (told.unreviewed[0].reason, told.not_run[0].reason, told.failures[0].error) == (shown, shown, shown)


def test_a_definition_with_its_name_is_not_named() -> None:
    lines = tuple(f"+{line}" for line in (f"class {TOKEN}:", "    size = 1", "class Fine:", "    size = 1"))
    file = ChangedFile("a.py", None, "added", "text", (Hunk(0, 0, 1, 4, lines),), 4)
    review = review_of([file], Examination((SECRET,)))
    reports = {**dict(catalog.dossier(review)), "brief": brief(review)}
    assert "Adds `Fine`" in reports["REVIEW.md"]
    assert "adds `Fine`" in reports["brief"]
    assert [name for name, text in reports.items() if TOKEN in text] == []
