"""Both doors against git itself: generated repositories, damaged diffs.

``REVIEW_BOT_FULL_ORACLE=1`` runs 20,000 generated file diffs and 100,000 damaged ones.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from review_bot.changes import patching
from review_bot.changes.diff_header import unquote
from review_bot.changes.pull_request import ChangedFile, PullRequest, without_mark
from review_bot.changes.text_kinds import text_kind
from review_bot.changes.unified_diff import Section, split_sections
from review_bot.errors import DiffError
from review_bot.forges.diff_text import DiffText
from review_bot.forges.local_git import LocalGit
from tests.changed_files import FULL, SUBMODULE, SYMLINK, Change, Side, make_changes, quote
from tests.git_repository import ENVIRONMENT, GitRepository

EXAMPLES = 700 if FULL else 12
MUTATIONS = 150 if FULL else 30
SEEDS = st.integers(0, 2**64)
_run = settings(
    phases=[Phase.generate],  # a seed cannot be made simpler
    max_examples=EXAMPLES,
    deadline=None,
    database=None,
    derandomize=not FULL,
    suppress_health_check=list(HealthCheck),
)


DAMAGED = [0]


class Doors(NamedTuple):
    """A bare repository, a folder for the new files, and how many file diffs were compared."""

    repo: GitRepository
    source: Path
    compared: list[int]


@pytest.fixture(scope="module")
def doors(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Doors]:
    folder = tmp_path_factory.mktemp("oracle")
    kept = {name: os.environ.pop(name) for name in list(os.environ) if name.startswith("GIT_")}
    os.environ.update({name: value for name, value in ENVIRONMENT.items() if name.startswith("GIT_")})
    compared: list[int] = []
    yield Doors(GitRepository(folder / "repo", "--bare"), folder / "source", compared)
    for name in ENVIRONMENT:
        if name.startswith("GIT_"):
            os.environ.pop(name, None)
    os.environ.update(kept)
    sys.stderr.write(f"\ncompared with git: {sum(compared):,} file diffs, {DAMAGED[0]:,} damaged diffs read\n")


def lay_out(repo: GitRepository, made: list[Change]) -> None:
    """Commit the two trees as ``base`` and ``head``."""
    who = b"Halcyon <halcyon@example.org> 1772366400 +0000"
    out = [b"feature done\n"]
    for ref, mark, parent in ((b"base", 1, b""), (b"head", 2, b"from :1\n")):
        out.append(b"reset refs/heads/%b\n\n" % ref if not parent else b"")
        out.append(b"commit refs/heads/%b\nmark :%d\ncommitter %b\ndata 1\nx\n%bdeleteall\n" % (ref, mark, who, parent))
        for each in made:
            path, side = (each.old_path, each.old) if mark == 1 else (each.path, each.new)
            if side is None:
                continue
            name = quote(path).encode()
            if side.mode == SUBMODULE:
                out.append(b"M 160000 %b %b\n" % (side.content, name))
            else:
                out.append(
                    b"M %b inline %b\ndata %d\n%b\n" % (side.mode.encode(), name, len(side.content), side.content)
                )
    out.append(b"done\n")
    repo.git("fast-import", "--quiet", "--force", given=b"".join(out))


def write_head(folder: Path, made: list[Change]) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for each in made:
        if each.new is None:
            continue
        path = os.path.join(os.fsencode(folder), os.fsencode(each.path))
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if each.new.mode == SYMLINK:
            os.symlink(each.new.content, path)
        elif each.new.mode == SUBMODULE:
            os.mkdir(path)
        else:
            with open(path, "wb") as stream:
                stream.write(each.new.content)


def as_lines(side: Side | None) -> list[str]:
    """Return the lines of a file as we show them: UTF-8, else Latin-1, line by line."""
    parts = [] if side is None else side.content.split(b"\n")
    shown = []
    for part in parts:
        try:
            shown.append(part.decode())
        except UnicodeDecodeError:
            shown.append(part.decode("latin-1"))
    return shown


def numstat(repo: GitRepository) -> dict[str, tuple[int, int] | None]:
    fields = iter(repo.git("diff", "--numstat", "-z", "-M", "--diff-algorithm=myers", "base", "head").split(b"\0"))
    found: dict[str, tuple[int, int] | None] = {}
    for field in fields:
        if not field:
            continue
        added, removed, name = field.split(b"\t", 2)
        if not name:
            next(fields)
            name = next(fields)
        found[os.fsdecode(name)] = None if added == b"-" else (int(added), int(removed))
    return found


def check_lines(change: PullRequest, made: list[Change]) -> None:
    """Every added line is that line of the head, every removed one that line of the base."""
    heads = {each.path: as_lines(each.new) for each in made}
    bases = {each.old_path: as_lines(each.old) for each in made}
    for file in change.files:
        for number, text in file.added_lines():
            line = heads[file.path][number - 1]
            assert text == (without_mark(line) if number == 1 else line), (file.path, number)
        for number, text in file.removed_lines():
            line = bases[file.base_path][number - 1]
            assert text == (without_mark(line) if number == 1 else line), (file.base_path, number)


def bare(file: ChangedFile) -> tuple[object, ...]:
    """Return what both doors must agree on: an abbreviated diff has no modes for an exact rename, and no full ids."""
    return file[:7]


@_run
@given(seed=SEEDS)
def test_both_doors_agree_with_git(doors: Doors, seed: int) -> None:
    made = make_changes(seed)
    lay_out(doors.repo, made)
    local = LocalGit(str(doors.repo.folder), base="base", head="head")
    change = local.read()
    counts = numstat(doors.repo)
    doors.compared.append(len(change.files))

    assert {file.path for file in change.files} == set(counts)
    check_lines(change, made)
    unreviewed = {entry.path for entry in change.unreviewed}
    new_sides, old_sides = {each.path: each.new for each in made}, {each.old_path: each.old for each in made}
    for file in change.files:
        expected = counts[file.path]
        if file.kind in {"text", "symlink"} and file.status != "retyped" and expected is not None:
            assert (file.added, file.removed) == expected
        if file.kind == "text" and file.new_mode.startswith("100"):
            new = new_sides[file.path]
            assert new is not None
            try:
                new.content.decode()
            except UnicodeDecodeError:
                assert file.path in unreviewed

    texts = [
        index
        for index, file in enumerate(change.files)
        if file.kind == "text" and file.path not in unreviewed and counts[file.path] is not None
    ]
    new_texts, old_texts = (
        local.read_new(n for n in texts if change.files[n].status != "deleted"),
        local.read_old(texts),
    )
    assert new_texts.unreviewed == ()
    for index in texts:
        file = change.files[index]
        new, old = new_sides.get(file.path), old_sides.get(file.base_path) if file.status != "added" else None
        new_text = "" if new is None or file.status == "deleted" else new.content.decode()
        old_text = "" if old is None or old.mode == SUBMODULE else old.content.decode()
        assert new_texts.texts.get(index, "") == new_text
        assert (old_texts.texts[index] or "") == old_text
        assert patching.apply(old_text, file.hunks) == new_text
        assert patching.undo(new_text, file.hunks) == old_text
        assert patching.misfit(new_text, file.hunks) is None
    local.close()

    diff = doors.repo.git("diff", "-M", "--diff-algorithm=myers", "base", "head")
    alone = DiffText(diff).read()
    shown = [file if counts[file.path] is not None else without_lines(file) for file in change.files]
    hidden = {path for path, count in counts.items() if count is None and text_kind(path) is not None}
    assert [bare(file) for file in alone.files] == [bare(file) for file in shown]
    assert {entry.path for entry in alone.unreviewed} == unreviewed | hidden

    write_head(doors.source, made)
    beside = DiffText(diff, source=str(doors.source))
    with_source = beside.read()
    assert [bare(file) for file in with_source.files] == [bare(file) for file in shown]
    assert {entry.path for entry in with_source.unreviewed} == unreviewed | hidden
    assert beside.read_new(n for n in texts if change.files[n].status != "deleted").texts == new_texts.texts
    for index, text in beside.read_old(texts).texts.items():
        assert (text or "") == (old_texts.texts[index] or "")


def without_lines(file: ChangedFile) -> ChangedFile:
    """Return a file as a diff has it that git takes for binary."""
    return file._replace(kind="binary", hunks=(), added=0, removed=0)


def mutations(diff: bytes, chance: random.Random, count: int) -> Iterator[bytes]:
    """Yield damaged copies of a diff: bytes turned, lines dropped, doubled and swapped, the end cut off."""
    lines = diff.split(b"\n")
    headers = [
        n
        for n, line in enumerate(lines)
        if line.startswith((b"diff ", b"--- ", b"+++ ", b"@@ ", b"index ", b"rename "))
    ]
    for _ in range(count):
        kind = chance.randrange(6)
        at = chance.choice(headers) if chance.random() < 0.5 else chance.randrange(len(lines))
        other = chance.choice(headers)
        changed = list(lines)
        if kind == 0:
            damaged = bytearray(diff)
            place = chance.randrange(len(damaged))
            damaged[place] ^= 1 << chance.randrange(8)
            yield bytes(damaged)
            continue
        if kind == 1:
            del changed[at]
        elif kind == 2:
            changed = changed[: at + 1] if chance.random() < 0.5 else changed[:at]
        elif kind == 3:
            changed[at], changed[other] = changed[other], changed[at]
        elif kind == 4:
            changed.insert(at, changed[other])
        else:
            line = bytearray(changed[at] or b" ")
            line[chance.randrange(min(len(line), 12))] = chance.choice(b' +-@\\d0123456789abx/"\t\r')
            changed[at] = bytes(line)
        yield b"\n".join(changed)


def marked_lines(text: bytes) -> int:
    """Count the lines that look like an added or a removed one; the headers' pairs are among them."""
    return sum(line[:1] in {b"+", b"-"} for line in text.split(b"\n"))


@_run
@given(seed=SEEDS)
def test_no_damage_to_a_diff_loses_a_line_in_silence(doors: Doors, seed: int) -> None:
    made = make_changes(seed, 12)
    lay_out(doors.repo, made)
    diff = doors.repo.git("diff", "-M", "base", "head")
    if not diff:
        return
    whole = {file.path: bare(file) for file in DiffText(diff).read().files}
    for damaged in mutations(diff, random.Random(seed), MUTATIONS):
        DAMAGED[0] += 1
        try:
            change = DiffText(damaged).read()
        except DiffError:
            continue
        if damaged.strip() == b"" or {file.path: bare(file) for file in change.files} == whole:
            continue
        if any("calls it binary" not in entry.reason for entry in change.unreviewed):
            continue
        if any(file.kind == "submodule" and file.status == "retyped" for file in change.files):
            continue  # the lines of the file that was there are not shown by either door
        pairs = 2 * sum(
            line.startswith("+++ ")
            for section in split_sections(damaged.decode("utf-8", "surrogateescape"))
            if isinstance(section, Section)
            for line in section.header
        )
        links = len(re.findall(rb"^[-+]Subproject commit ", damaged, re.MULTILINE))
        links -= sum(
            "Subproject commit " in line for file in change.files for hunk in file.hunks for line in hunk.lines
        )
        told = sum(file.added + file.removed for file in change.files)
        assert told + pairs + links == marked_lines(damaged), damaged.decode("utf-8", "replace")


@_run
@given(seed=SEEDS)
def test_a_diff_that_is_cut_off_is_noticed_with_the_files_beside_it(doors: Doors, seed: int) -> None:
    made = make_changes(seed, 6)
    lay_out(doors.repo, made)
    diff = doors.repo.git("diff", "-M", "base", "head")
    write_head(doors.source, made)
    lines = diff.split(b"\n")[:-1]
    whole = {file.path: bare(file) for file in DiffText(diff).read().files}
    for end in range(0, len(lines), 1 if FULL else 7):
        cut = b"\n".join(lines[:end]) + b"\n"
        try:
            change = DiffText(cut, source=str(doors.source)).read()
        except DiffError:
            continue
        named = {entry.path for entry in change.unreviewed}
        for file in change.files:
            # A change of mode alone is a whole section; nothing in it tells that hunks came after it.
            mode_alone = file.old_mode != file.new_mode and file.status == "modified" and not file.hunks
            assert file.path in named or mode_alone or bare(file) == whole[file.path]


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1))
def test_a_quoted_name_comes_back(name: str) -> None:
    assert unquote(quote(name)) == name


@given(st.binary(min_size=1).filter(lambda name: b"\0" not in name))
def test_a_quoted_name_of_any_bytes_comes_back(name: bytes) -> None:
    assert unquote(quote(os.fsdecode(name))) == os.fsdecode(name)


def test_the_quoting_of_these_tests_is_that_of_git(tmp_path: Path) -> None:
    repo = GitRepository(tmp_path / "repo")
    name = "".join(map(chr, [*range(1, 47), *range(48, 128)])) + "é\udcff"
    repo.commit({name: "1\n"})

    assert repo.git("-c", "core.quotePath=on", "ls-files").decode() == quote(name) + "\n"
