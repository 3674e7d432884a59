"""Edits of lines: applied, carried into a change, and written as a patch that git itself applies."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from review_bot.changes import line_edits, patching
from review_bot.changes.line_edits import apply, carried, unified_diff
from review_bot.changes.pull_request import ChangedFile
from review_bot.changes.unified_diff import parse_diff
from tests.git_repository import GitRepository

LINES = st.lists(st.sampled_from(["", "a", "b", "  c", "é\x0c", "@@ -1 +1 @@", "+++", "d "]), min_size=1, max_size=9)
TEXTS = st.builds(lambda lines, end: "\n".join(lines) + end, LINES, st.sampled_from(["", "\n"])).filter(
    lambda text: text.strip("\n")
)
NAMES = st.sampled_from(
    ["m.py", "a b.py", 'q"uote.py', "new\nline.py", "tab\t.py", "back\\slash", "ü.py", "\udcff.py", "d/ e/f", "-n"]
)


@st.composite
def edited(draw):
    """Draw a text, and edits of it that share no line."""
    text = draw(TEXTS)
    count = len(patching.split_lines(text))
    edits: list[line_edits.Edit] = []
    line = 1
    while line <= count and len(edits) < 4:
        first = draw(st.integers(line, count))
        last = draw(st.integers(first, min(count, first + 2)))
        unended = last == count and not text.endswith("\n")
        new = draw(st.sampled_from(["x", "a", "x\ny", "b\n", "\n"] + ([] if unended else [""])))
        edits.append((first, last, new))
        line = last + draw(st.integers(1, 4))
    return text, edits


@pytest.fixture(scope="module")
def repository(tmp_path_factory):
    return GitRepository(tmp_path_factory.mktemp("edits") / "repo")


@settings(max_examples=150, deadline=None)
@given(edited(), NAMES)
@example(("a\n\n\n", [(2, 2, "\n"), (3, 3, "")]), "m.py")
def test_git_applies_the_diff_and_gets_the_text(repository, case, name):
    text, edits = case
    repository.git("reset", "--quiet", "--hard", check=False)
    repository.write({name: text})
    patch = unified_diff(name, text, edits)
    after = apply(text, edits)
    assert (patch == "") == (after == text)
    if patch:
        given = patch.encode()
        repository.git("apply", "--check", "-", given=given)
        repository.git("apply", "--whitespace=nowarn", "-", given=given)
        path = repository.folder.joinpath(name)
        assert path.read_bytes() == after.encode()
    repository.write({name: None})


@settings(max_examples=150, deadline=None)
@given(TEXTS, edited())
def test_a_change_carried_on_leads_from_the_base_to_the_patched_text(base, case):
    text, edits = case
    whole = [(1, len(patching.split_lines(base)), text.removesuffix("\n") if base.endswith("\n") else text)]
    head = apply(base, whole)
    if head != text:
        return  # a text that ends otherwise than its base
    change = _change(unified_diff("m.py", base, whole))
    result = carried(change, edits)
    if result is not None:
        assert patching.apply(base, result.hunks) == apply(text, edits)
        assert patching.misfit(apply(text, edits), result.hunks) is None
        assert result.added == sum(1 for _ in result.added_lines())


def _change(patch: str) -> ChangedFile:
    if not patch:
        return ChangedFile("m.py", None, "modified", "text")
    return parse_diff(patch).files[0]


def test_what_is_again_as_it_was_is_no_change():
    file = _change("diff --git a/m.py b/m.py\n--- a/m.py\n+++ b/m.py\n@@ -1,2 +1,3 @@\n a\n-b\n+b \n+c\n")
    result = carried(file, [(2, 2, "b")])
    assert result is not None
    assert [line for hunk in result.hunks for line in hunk.lines] == [" a", " b", "+c"]
    gone = carried(file, [(2, 3, "b")])
    assert gone is not None
    assert (gone.hunks, gone.added, gone.removed) == ((), 0, 0)


@pytest.mark.parametrize("edits", [[(0, 1, "x")], [(2, 3, "x")], [(2, 1, "x")], [(1, 2, "x"), (2, 2, "y")]])
def test_edits_outside_or_out_of_order_are_refused(edits):
    with pytest.raises(ValueError, match="are not among the 2 lines, or not in order"):
        apply("a\nb\n", edits)


def test_the_last_line_without_an_end_is_not_deleted():
    with pytest.raises(ValueError, match="deleting it would also change the line before it"):
        apply("a\nb", [(2, 2, "")])
    assert apply("a\nb", [(2, 2, "b\n")]) == "a\nb\n"
    assert line_edits.unified_diff("m", "a\nb", [(2, 2, "b\n")]).endswith(" a\n-b\n\\ No newline at end of file\n+b\n")
