"""Where a comment stands, and which suggestion may be committed by a click."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review_bot.changes.pull_request import ChangedFile, Hunk
from review_bot.findings import Suggestion
from review_bot.publishing.anchors import Anchor, anchor, offered
from tests.reviews import RUN_PY, changed, finding

TWO = changed("a.py", "@@ -1,3 +1,4 @@\n a\n+b\n c\n d\n@@ -20,3 +21,4 @@\n x\n-y\n+z\n+w\n v\n")
TALL = changed("tall.py", "@@ -1 +1,60 @@\n context\n" + "+x\n" * 59)


@pytest.mark.parametrize(
    ("file", "first", "last", "side", "expected"),
    [
        (TWO, 2, 2, "RIGHT", Anchor(2, None, "RIGHT")),
        (TWO, 1, 4, "RIGHT", Anchor(2, 1, "RIGHT")),
        (TWO, 1, 1, "RIGHT", Anchor(1, None, "RIGHT")),
        (TWO, 3, 22, "RIGHT", Anchor(22, 21, "RIGHT")),
        (TWO, 10, 12, "RIGHT", None),
        (TWO, 21, 21, "LEFT", Anchor(21, None, "LEFT")),
        (TWO, 10, 30, "LEFT", Anchor(21, 20, "LEFT")),
        (TWO._replace(shown=False), 2, 2, "RIGHT", None),
        (TALL, 1, 31, "RIGHT", Anchor(31, 1, "RIGHT")),
        (TALL, 1, 60, "RIGHT", Anchor(2, None, "RIGHT")),
        (TWO, 2, None, "RIGHT", Anchor(2, None, "RIGHT")),
    ],
)
def test_a_comment_stands_in_one_hunk_on_changed_lines(file, first, last, side, expected):
    assert anchor(file, finding(line=first, end_line=last, side=side)) == expected


def test_a_very_long_line_bears_no_comment():
    long, short = "+" + "x" * 200_000, "+y = 1"
    file = changed("a.py", f"@@ -0,0 +1,2 @@\n{long}\n{short}")
    assert anchor(file, finding(path="a.py", line=1, end_line=1)) is None
    assert anchor(file, finding(path="a.py", line=2, end_line=2)) == Anchor(2, None, "RIGHT")
    assert anchor(file, finding(path="a.py", line=1, end_line=2)) == Anchor(2, None, "RIGHT")


def test_a_finding_without_a_line_has_no_anchor():
    assert anchor(TWO, finding(line=None, end_line=None)) is None


@given(st.lists(st.sampled_from(" +-"), min_size=1, max_size=60), st.integers(1, 70), st.integers(0, 70), st.booleans())
def test_github_would_take_every_anchor(markers, first, height, left):
    """``start_line`` before ``line``, at most 30 above, and both inside the hunk, for whatever lines."""
    old, new = sum(m != "+" for m in markers), sum(m != "-" for m in markers)
    hunk = Hunk(1, old, 1, new, tuple(f"{marker}x" for marker in markers))
    file = ChangedFile("a.py", "a.py", "modified", "text", (hunk,))
    found = anchor(file, finding(line=first, end_line=first + height, side="LEFT" if left else "RIGHT"))
    if found is None:
        assert first > (old if left else new)
        return
    start = found.start_line or found.line
    assert first <= start <= found.line <= first + height
    assert found.line - start <= 30
    assert found.start_line != found.line
    assert file.commentable(start, found.side)
    assert file.commentable(found.line, found.side)


def offer(text, *, file=RUN_PY, first=14, last=15, hidden=(), **facts):
    suggestion = Suggestion(first, last, text)
    return offered(file, finding(suggestion=suggestion, path=file.path, line=first, **facts), hidden)


@pytest.mark.parametrize("text", ["        return None", "", "\tif x:\n\t\tpass", "naïve = '编码'", "a ``b`` c"])
def test_plain_text_is_offered_as_it_is(text):
    assert offer(text).replacement == text


@pytest.mark.parametrize(
    "text",
    [
        "```",
        "````suggestion",
        "x\r",
        "x\ry",
        "x\u202ey",
        "x\x1b[31m",
        "x\u200by",
        "x\x00",
        "\udcff",
        "x\u2028y",
        "\n".join("x" * 51),
        "x" * 10_001,
        "<!-- review-bot:1 review-bot inline -->",
        "        if True:\n            return None",
    ],
)
def test_text_that_could_mislead_is_not_offered(text):
    assert offer(text) is None


@pytest.mark.parametrize(
    "path",
    [
        ".github/workflows/ci.yml",
        ".github/review-bot.yml",
        ".github/review-bot/rules/x.yaml",
        "CODEOWNERS",
        "docs/CODEOWNERS",
        "uv.lock",
        "web/package-lock.json",
        "go.sum",
    ],
)
def test_what_guards_the_gate_is_left_to_people(path):
    assert offer("x", file=RUN_PY._replace(path=path)) is None


def test_only_lines_of_one_hunk_on_the_right_of_a_file_with_plain_line_ends():
    assert offer("x", first=14, last=40) is None
    assert offer("x", file=TWO, first=3, last=22) is None
    assert offer("x", side="LEFT") is None
    assert offer("x", file=RUN_PY._replace(shown=False)) is None
    assert offer("x", file=changed("a.py", "@@ -1,2 +1,2 @@\n-a\r\n+b\r\n c\r\n"), first=1, last=1) is None
    assert offered(RUN_PY, finding(), ()) is None


def test_a_line_with_a_credential_is_never_repeated():
    assert offer("x", hidden={("engine/run.py", 15)}) is None
    assert offer("x", rule="security/hardcoded-secret") is None
