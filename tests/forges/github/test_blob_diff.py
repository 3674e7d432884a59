"""Our own line diff: right for every pair of texts, like git's for plain ones, and never slow."""

from __future__ import annotations

import time
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from review_bot.changes import patching
from review_bot.changes.unified_diff import counts, read_hunks
from review_bot.forges.github.blob_diff import hunks_between
from tests.changed_files import LINES
from tests.git_repository import GitRepository

lines = st.lists(st.one_of(st.sampled_from(LINES), st.sampled_from("abc")), max_size=25)
texts = lines.flatmap(lambda parts: st.sampled_from(["\n".join(parts), "\n".join([*parts, ""])]))


def as_text(hunks: tuple[object, ...]) -> str:
    return "".join(
        f"@@ -{hunk[0]},{hunk[1]} +{hunk[2]},{hunk[3]} @@\n" + "".join(line + "\n" for line in hunk[4])  # type: ignore[index]
        for hunk in hunks
    )


@given(texts, texts, st.sampled_from([0, 20, 1_000_000]))
def test_hunks_lead_from_one_text_to_the_other(old: str, new: str, most_steps: int) -> None:
    hunks = hunks_between(old, new, most_steps=most_steps)

    assert patching.apply(old, hunks) == new
    assert patching.undo(new, hunks) == old
    assert patching.misfit(new, hunks) is None
    assert (hunks == ()) == (old == new)
    added, removed = counts(hunks)
    assert added - removed == len(patching.split_lines(new)) - len(patching.split_lines(old))
    if hunks:
        assert read_hunks(as_text(hunks)) == hunks  # which checks order, counts and places


def test_plain_changes_look_as_git_shows_them(tmp_path: Path) -> None:
    repo = GitRepository(tmp_path / "repo")
    numbered = [f"line {n}\n" for n in range(60)]
    cases = {
        "middle": (numbered, [*numbered[:20], "new\n", *numbered[21:]]),
        "near": (numbered, [*numbered[:20], "new\n", *numbered[21:27], "more\n", *numbered[27:]]),
        "apart": (numbered, [*numbered[:20], "new\n", *numbered[21:28], "more\n", *numbered[28:]]),
        "top": (numbered, ["new\n", *numbered]),
        "end": (numbered, [*numbered, "unended"]),
        "gone": (numbered, [*numbered[:5], *numbered[9:]]),
        "all": (numbered, []),
        "made": ([], numbered),
        "doubled": (["a\n", "b\n"], ["a\n", "b\n", "a\n", "b\n"]),
    }
    repo.commit({name: "".join(old) for name, (old, _) in cases.items()})
    repo.commit({name: "".join(new) for name, (_, new) in cases.items()})
    for name, (old, new) in cases.items():
        diff = repo.git("diff", "HEAD~1", "HEAD", "--", name).decode()
        hunks = hunks_between("".join(old), "".join(new))
        assert hunks == read_hunks(diff[diff.index("@@ ") :]), name


def test_texts_made_to_be_slow_end_soon() -> None:
    started = time.process_time()
    old = "".join(f"{n % 7}\n" for n in range(60_000))
    new = "".join(f"{n * n % 11 % 7}\n" for n in range(60_000))
    assert patching.apply(old, hunks_between(old, new)) == new
    old = "".join(f"{n}\n" for n in range(40_000))
    new = "".join(f"{n}\n" if n % 4 else f"new {n}\n" for n in range(40_000))
    hunks = hunks_between(old, new)
    assert counts(hunks) == (10_000, 10_000)  # far more edits than one search looks for
    assert time.process_time() - started < 12
