"""What holds for every text, change and name."""

from __future__ import annotations

import difflib
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review_bot.changes import patching
from review_bot.changes.diff_header import unquote
from review_bot.changes.pull_request import Hunk, without_mark
from review_bot.changes.unified_diff import counts, parse_diff, read_hunks
from review_bot.errors import DiffError
from tests.changed_files import LINES, quote

texts = st.lists(st.sampled_from(LINES), max_size=12).flatmap(
    lambda parts: st.sampled_from(["\n".join(parts), "\n".join([*parts, ""])])
)


def diff_of(old: str, new: str, context: int = 3) -> str:
    """Return the hunks between two texts, as git writes them."""
    made = list(difflib.unified_diff(patching.split_lines(old), patching.split_lines(new), n=context))[2:]
    return "".join(line if line.endswith("\n") else line + "\n\\ No newline at end of file\n" for line in made)


@given(texts, texts, st.integers(0, 4))
def test_a_diff_applied_gives_the_new_text_and_undone_the_old_one(old: str, new: str, context: int) -> None:
    hunks = read_hunks(diff_of(old, new, context))

    assert patching.apply(old, hunks) == new
    assert patching.undo(new, hunks) == old
    assert patching.apply(patching.undo(new, hunks), hunks) == new
    assert patching.misfit(new, hunks) is None


@given(texts, texts, texts)
def test_a_text_fits_only_if_it_can_be_undone(old: str, new: str, other: str) -> None:
    hunks = read_hunks(diff_of(old, new, 1))
    try:
        patching.undo(other, hunks)
    except DiffError:
        assert patching.misfit(other, hunks) is not None
    else:
        assert patching.misfit(other, hunks) is None


@given(texts, texts)
def test_every_line_has_its_number(old: str, new: str) -> None:
    parsed = parse_diff("--- a/x\n+++ b/x\n" + diff_of(old, new)) if old != new else None
    for file in parsed.files if parsed else ():
        olds, news = old.split("\n"), new.split("\n")
        olds[0], news[0] = without_mark(olds[0]), without_mark(news[0])
        assert all(news[number - 1] == text for number, text in file.added_lines())
        assert all(olds[number - 1] == text for number, text in file.removed_lines())
        assert counts(file.hunks) == (file.added, file.removed)


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1))
def test_a_quoted_name_comes_back(name: str) -> None:
    assert unquote(quote(name)) == name


@given(st.text())
def test_no_text_makes_the_reader_fail_in_another_way(text: str) -> None:
    with suppress(DiffError):
        parse_diff(text)


@given(
    st.lists(
        st.sampled_from(
            [
                *LINES,
                "--- a/x",
                "+++ b/x",
                "@@ -1 +1 @@",
                "+a",
                "-a",
                " a",
                "diff --git a/x b/x",
                "new file mode 100644",
            ]
        ),
        max_size=14,
    )
)
def test_no_diff_like_text_makes_the_reader_fail_in_another_way(lines: list[str]) -> None:
    with suppress(DiffError):
        parse_diff("\n".join(lines))


def test_a_hunk_that_does_not_fit_says_where() -> None:
    hunks = (Hunk(1, 1, 1, 1, ("-a", "+b")),)
    with pytest.raises(DiffError, match="line 1 of the text"):
        patching.apply("c\n", hunks)
    with pytest.raises(DiffError, match="line 1 of the text"):
        patching.apply("a", hunks)  # the diff says that it has a line end
    with pytest.raises(DiffError, match="outside the text"):
        patching.apply("", (Hunk(5, 1, 5, 1, ("-a", "+b")),))
    with pytest.raises(DiffError, match="no line end"):
        patching.apply("a\nb\n", (Hunk(1, 1, 1, 1, ("-a", "+c", "\\ No newline at end of file")),))
    assert patching.misfit("c\n", hunks) == 1
    assert patching.misfit("b", hunks) == 1
    assert patching.misfit("", (Hunk(1, 1, 9, 0, ("-a",)),)) == 1
