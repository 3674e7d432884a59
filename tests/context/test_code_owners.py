"""CODEOWNERS as GitHub reads it: the examples of its documentation, git where the grammars agree, and broken lines."""

from __future__ import annotations

import subprocess
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from review_bot.context.code_owners import LARGEST, MOST_PROBLEMS, PLACES, owners_of
from review_bot.context.gather import gather
from review_bot.errors import ConfigError, ForgeError
from review_bot.review.context import Owned, Owners, ReviewContext
from tests.git_repository import GitRepository
from tests.reviews import ALL

DOCUMENTED = r"""
# This is a comment.
*       @global-owner1 @global-owner2
*.js    @js-owner #This is an inline comment.
*.go docs@example.com
*.txt @octo-org/octocats
/build/logs/ @doctocat
docs/* docs@example.com
apps/ @octocat
/docs/ @doctocat
/scripts/ @doctocat @octocat
**/logs @octocat
/apps/ @octocat
/apps/github
/My\ Folder/ @spaced
/engine/*/kernel.py @kernel
/engine/**/cache.py @cache
/notes @notes
"""
OWNED = {
    "README": "@global-owner1 @global-owner2",
    "src/a.js": "@js-owner",
    "a.go": "docs@example.com",
    "x/y.txt": "@octo-org/octocats",
    "build/logs/a/b": "@octocat",  # **/logs comes later
    "build/x": "@global-owner1 @global-owner2",
    "a/docs/b": "@global-owner1 @global-owner2",
    "docs/a.md": "@doctocat",
    "docs/build-app/a.md": "@doctocat",
    "x/apps/a": "@octocat",
    "apps": "@global-owner1 @global-owner2",
    "scripts/a.sh": "@doctocat @octocat",
    "deeply/nested/logs/today": "@octocat",
    "logs": "@octocat",
    "Logs/a": "@global-owner1 @global-owner2",
    "apps/github": "",
    "apps/github/a/b": "",
    "apps/gitlab": "@octocat",
    "My Folder/a": "@spaced",
    "engine/cuda/kernel.py": "@kernel",
    "engine/a/b/kernel.py": "@global-owner1 @global-owner2",
    "engine/cache.py": "@cache",
    "engine/a/b/cache.py": "@cache",
    "notes": "@notes",
    "notes/a": "@notes",
    "notes.md": "@global-owner1 @global-owner2",
}


def owners(text: str, path: str) -> str:
    """Return the owners of one path, in one line."""
    found = owners_of("CODEOWNERS", text, [path])
    return " ".join(found.owned[0].owners) if found.owned else ""


@pytest.mark.parametrize("path", OWNED)
def test_the_documented_patterns_mean_what_they_should(path):
    assert owners(DOCUMENTED, path) == OWNED[path]


def test_a_star_at_the_end_does_not_reach_below():
    assert owners("docs/* @a\n", "docs/a.md") == "@a"
    assert owners("docs/* @a\n", "docs/b/a.md") == ""
    assert owners("docs/a* @a\n", "docs/ab/c.md") == "@a"
    assert owners("/ @a\n", "a") == ""


def test_files_of_the_same_people_are_told_together():
    found = owners_of("CODEOWNERS", "*.py @a\n*.md @b @c\n", ["z.py", "a.md", "b.py", "c.txt"])
    assert found == Owners("CODEOWNERS", (Owned(("@b", "@c"), ("a.md",)), Owned(("@a",), ("b.py", "z.py"))), ("c.txt",))


BROKEN = {
    "!a.py @a": "a pattern cannot begin with `!`",
    "\\#a @a": "a pattern cannot begin with `#`",
    "[ab].py @a": "a pattern cannot contain `[` or `]`",
    "a*** @a": "a pattern cannot contain `***`",
    "a.py ada": "an owner is neither `@user`, `@organization/team` nor an e-mail address",
    "a.py @a/b/c": "an owner is neither `@user`, `@organization/team` nor an e-mail address",
    "a.py @a\\\\b": "an owner is neither `@user`, `@organization/team` nor an e-mail address",
    "\\": "a pattern cannot contain `[` or `]`",
}


@pytest.mark.parametrize("line", BROKEN)
def test_a_broken_line_is_passed_over_and_named(line):
    found = owners_of("CODEOWNERS", f"# who\n*.py @b\n{line}\n", ["a.py"])
    assert found.owned == (Owned(("@b",), ("a.py",)),)
    assert found.problems == (f"line 3: {BROKEN[line]}",)


def test_many_broken_lines_are_not_all_named():
    problems = owners_of("CODEOWNERS", "!a @b\n" * 1000, ["a"]).problems
    assert len(problems) == MOST_PROBLEMS + 1
    assert problems[-1] == "and 980 more lines"


def test_a_file_that_github_ignores_owns_nothing():
    found = owners_of("CODEOWNERS", "* @a\n" + "#" * LARGEST, ["a"])
    assert found == Owners("CODEOWNERS", (), ("a",), ("it is larger than 3 MB, so GitHub ignores it",))


def test_hostile_patterns_and_paths_take_no_time():
    text = "".join(f"/**/{'*a' * 40}/**/{'a*' * 40}b{n} @a\n" for n in range(20)) + "/plain/x @b\n" * 20_000
    paths = ["/".join(["a" * 100] * 40) + str(n) for n in range(20)]
    before = time.process_time()
    owners_of("CODEOWNERS", text, paths)
    assert time.process_time() - before < 20
    many = owners_of("CODEOWNERS", "*x*y @a\n" * 100_000, [f"path/{n}" for n in range(1_000)])
    assert many.problems == ("it has too many patterns for the files of this change",)


@given(
    text=st.text(st.sampled_from("ab*?/\\ #![]@.\n\r\t\x0b\u2028é"), max_size=60), path=st.text(min_size=1, max_size=12)
)
@settings(max_examples=400, deadline=None)
def test_no_text_breaks_the_reader(text, path):
    found = owners_of("CODEOWNERS", text, [path])
    assert sorted([*found.unowned, *(each for entry in found.owned for each in entry.paths)]) == [path]


names = st.text("ab.", min_size=1, max_size=3).filter(lambda name: name.strip("."))
pattern_parts = st.one_of(
    names, st.text("ab*?", min_size=1, max_size=3).filter(lambda part: "**" not in part), st.just("**")
)


@st.composite
def patterns(draw):
    """Draw a pattern that CODEOWNERS and .gitignore read alike: none that ends in a part of stars alone."""
    parts = [*draw(st.lists(pattern_parts, max_size=2)), draw(names)]
    return draw(st.sampled_from(["", "/"])) + "/".join(parts) + draw(st.sampled_from(["", "/"]))


@pytest.fixture(scope="module")
def ignoring(tmp_path_factory):
    return GitRepository(tmp_path_factory.mktemp("ignoring"))


@given(
    pattern=patterns(), paths=st.lists(st.lists(names, min_size=1, max_size=4).map("/".join), min_size=1, max_size=8)
)
@settings(max_examples=80, deadline=None)
def test_git_agrees_where_the_grammars_do(ignoring, pattern, paths):
    (ignoring.folder / ".gitignore").write_text(pattern + "\n")
    asked = sorted(set(paths))
    said = subprocess.run(
        ["git", "-C", str(ignoring.folder), "check-ignore", "--no-index", "--stdin", "-z"],
        input="\0".join(asked) + "\0", capture_output=True, text=True, check=False,
    ).stdout  # fmt: skip
    assert [path for path in asked if owners(f"{pattern} @a\n", path)] == [path for path in said.split("\0") if path]


class Here:
    """A source that knows what the base holds, and nothing else."""

    def __init__(self, files):
        self._files = files

    def head_paths(self):
        return None

    def head_text(self, path):
        return None

    def base_file(self, path):
        return self._files.get(path)

    def open_pull_requests(self):
        return None


def test_the_first_place_counts_and_the_base_decides():
    review = next(iter(ALL.values()))
    paths = tuple(sorted(file.path for file in review.pull_request.files))
    files = {place: f"* @owner{at}\n" for at, place in enumerate(PLACES)}
    for at, place in enumerate(PLACES):
        found = gather(review, Here({name: files[name] for name in PLACES[at:]}), ReviewContext()).owners
        assert found == Owners(place, (Owned((f"@owner{at}",), paths),))
    assert gather(review, Here({}), ReviewContext()).owners is None


class Broken(Here):
    """A clone that lacks objects."""

    def head_paths(self):
        raise ForgeError("this clone lacks objects")

    def base_file(self, path):
        raise ForgeError("this clone lacks objects")


class Linked(Here):
    """A base whose CODEOWNERS is a symbolic link."""

    def base_file(self, path):
        raise ConfigError("it is a symbolic link, which is not followed here", path=path)


def test_what_cannot_be_read_fails_no_review():
    review = next(iter(ALL.values()))
    around = gather(review, Broken({}), ReviewContext())
    assert (around.owners, around.tests) == (None, None)
    paths = tuple(sorted(file.path for file in review.pull_request.files))
    assert gather(review, Linked({}), ReviewContext()).owners == Owners(
        PLACES[0], (), paths, ("it is a symbolic link, which is not followed here",)
    )


def test_the_change_does_not_choose_its_own_owners(action):
    action.repository.commit({".github/CODEOWNERS": "*.py @octo/core\n"})
    pr = action.open({"halcyon/new.py": '"""New."""\n', ".github/CODEOWNERS": "* @ada\n"})
    result = action.run(pr)
    body = pr.comments[0].body.replace("\u200b", "")
    assert result.code == 0
    assert "octo/core" in body
    assert "`@octo/core`" in body, "as code, so that nobody is called"
