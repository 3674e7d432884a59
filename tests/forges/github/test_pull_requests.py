"""A pull request read from a fake GitHub: what is proved, what is named, and in how many rounds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

import pytest

from fake_github.faults import KINDS, Fault, FaultKind
from fake_github.git_store import Content, Executable, Link, Submodule
from fake_github.repository import FakePullRequest, FakeRepository
from fake_github.server import FakeGitHub
from review_bot import pipeline
from review_bot.changes.pull_request import PullRequest, Unreviewed
from review_bot.configuration import rule_registry
from review_bot.engine.plan import Plan, make_plan
from review_bot.errors import BadData, ForgeError, IncompleteChange, NotFound, ServerBroken, Superseded, Unreachable
from review_bot.forges.github import tree_texts
from review_bot.forges.github.archive import read_archive
from review_bot.forges.github.client import Client
from review_bot.forges.github.pull_requests import GitHubPullRequest, GitHubRange
from review_bot.rules.rulebook import Selection, select
from tests.action import QUICK, VirtualClock

NAME = "octo/halcyon"
ALL_TEXTS = Plan((), (), needs_tree=True, needs_tree_text=True)
MANY = "".join(f"value_{n} = {n}\n" for n in range(300))


class World:
    """A fake GitHub with one repository, and a client of it."""

    def __init__(self, github: FakeGitHub) -> None:
        self.github = github
        self.clock = VirtualClock()
        self.repo: FakeRepository = github.repository(NAME)
        self.client = Client(github.url, github.token(), graphql_url=github.graphql_url, clock=self.clock)

    def change(self, base: Mapping[str, Content], head: Mapping[str, Content]) -> FakePullRequest:
        self.repo.commit(base)
        self.repo.commit(head, branch="feature")
        return self.repo.open_pull_request("feature")

    def source(self, pull: FakePullRequest, *, told: bool = True) -> GitHubPullRequest:
        head, base = (pull.head_sha, pull.base_sha) if told else (None, None)
        return GitHubPullRequest(self.client, NAME, pull.number, expected_head=head, expected_base=base)

    def read(self, base: Mapping[str, Content], head: Mapping[str, Content]) -> PullRequest:
        return self.source(self.change(base, head)).read()


@pytest.fixture
def world() -> Iterator[World]:
    with FakeGitHub() as github:
        made = World(github)
        with made.client:
            yield made


def names(change: PullRequest) -> list[tuple[str, str, str]]:
    return [(file.path, file.status, file.kind) for file in change.files]


@pytest.mark.parametrize(("told", "most"), [(True, 2), (False, 3)])
def test_an_ordinary_pull_request_takes_few_rounds(world: World, told: bool, most: int) -> None:
    base = {f"pkg/m{n}.py": f"import os\n\n\ndef f{n}(a):\n    return a\n" for n in range(120)}
    head: dict[str, Content] = {
        f"pkg/m{n}.py": f"import os\n\n\ndef f{n}(a):\n    try:\n        return a\n    except Exception:\n        pass\n"
        for n in range(60)
    }
    head |= {"pkg/new.py": "import pkg.missing\n", "pkg/m99.py": None, "pkg/m98.py": Executable(base["pkg/m98.py"])}
    pull = world.change({**base, "pkg/__init__.py": "", "pyproject.toml": "[project]\nname = 'pkg'\n"}, head)
    source, rulebook = world.source(pull, told=told), select(rule_registry.builtin_rulebook(), Selection())
    source.open()
    plan = source.prepare(lambda change: make_plan(change, rulebook))
    assert plan.needs_tree_text
    review = pipeline.run_review(source, pipeline.ReviewRequest(rulebook, plan=plan))

    assert len({call.round for call in world.client.calls}) <= most
    assert len(world.client.calls) <= 10
    assert review.verdict.decision != "incomplete"
    assert {"errors/broad-except-silent", "api/missing-module-import"} <= {found.rule for found in review.findings}
    assert not review.examination.not_run


def test_the_token_does_not_go_to_the_host_of_the_archive(world: World) -> None:
    source = world.source(world.change({"a.py": "a = 1\n"}, {"a.py": "a = 2\n"}))
    source.open()
    source.prefetch(ALL_TEXTS)

    there = [each for each in world.github.requests if each.host == "archive"]
    assert len(there) == 1
    assert "authorization" not in there[0].headers


def test_every_kind_of_file_is_told_apart(world: World) -> None:
    pointer = f"version https://git-lfs.github.com/spec/v1\noid sha256:{'a' * 64}\nsize 5\n"
    change = world.read(
        {"old.py": MANY, "gone.py": "x = 1\n", "link": Link("a"), "sub": Submodule("1" * 40), "run.sh": "ls\n",
         "turns": "text\n", "same.bin": b"\0\1\2" * 99},
        {"old.py": None, "new.py": MANY + "last = 1\n", "gone.py": None, "link": Link("b"), "sub": Submodule("2" * 40),
         "run.sh": Executable("ls\n"), "turns": Link("text"), "empty.py": "", "large.weights": pointer,
         "picture.png": b"\x89PNG\0\0\0" + bytes(range(256)) * 9, "same.bin": None, "moved.bin": b"\0\1\2" * 99},
    )  # fmt: skip

    assert names(change) == [
        ("empty.py", "added", "text"),
        ("gone.py", "deleted", "text"),
        ("large.weights", "added", "lfs"),
        ("link", "modified", "symlink"),
        ("moved.bin", "renamed", "binary"),
        ("new.py", "renamed", "text"),
        ("picture.png", "added", "binary"),
        ("run.sh", "modified", "text"),
        ("sub", "modified", "submodule"),
        ("turns", "retyped", "symlink"),
    ]
    assert change.unreviewed == ()
    by_path = {file.path: file for file in change.files}
    assert (by_path["run.sh"].old_mode, by_path["run.sh"].new_mode) == ("100644", "100755")
    assert by_path["new.py"].old_path == "old.py"


def test_a_file_whose_diff_is_not_shown_is_reviewed_from_its_blobs(world: World) -> None:
    world.github.limits.patch_lines = 50
    change = world.read(
        {"large.py": MANY}, {"large.py": "import os\n" * 100 + MANY, "made.py": MANY, "small.py": "a\n"}
    )

    large, made, small = change.files
    assert change.unreviewed == ()
    assert (large.added, large.removed, large.shown) == (100, 0, False)
    assert [number for number, _ in large.added_lines()] == list(range(1, 101))
    assert not large.commentable(1)
    assert (made.added, made.shown) == (300, False)
    assert small.shown


def test_files_after_the_limit_of_an_answer_are_reviewed_from_their_blobs(world: World) -> None:
    world.github.limits.response_lines = 30
    change = world.read({}, {"a.py": MANY[:2000], "b.py": "import os\n", "c.py": "x = 1\n"})

    assert [(file.path, file.added) for file in change.files][1:] == [("b.py", 1), ("c.py", 1)]
    assert change.unreviewed == ()


def test_text_does_not_hide_behind_bytes(world: World) -> None:
    change = world.read(
        {"nul.py": "a = 1\n" * 50},
        {"nul.py": "a = 1\n" * 50 + "b = '\0'\n", "wide.py": "a = 1\n".encode("utf-16"), "odd.py": b"\0\1\2\xff" * 50,
         "latin.py": b"# caf\xe9\nx = 1\n"},
    )  # fmt: skip

    by_path = {file.path: file for file in change.files}
    assert list(by_path["nul.py"].added_lines()) == [(51, "b = '\0'")]
    assert not by_path["nul.py"].shown
    assert list(by_path["latin.py"].added_lines()) == [(1, "# caf\xe9"), (2, "x = 1")]
    assert {entry.path: entry.reason.split(",")[0] for entry in change.unreviewed} == {
        "latin.py": "not UTF-8; not every rule could be tried on it",
        "odd.py": "not UTF-8; not every rule could be tried on it",
        "wide.py": "UTF-16 text is not supported; save it as UTF-8",
    }


def test_a_list_that_lacks_a_page_is_read_again(world: World) -> None:
    pull = world.change({}, {f"f{n:03}.py": f"x = {n}\n" for n in range(130)})
    world.github.faults.add(Fault(("GET", "/pulls/*/files"), "lost_page"))

    assert len(world.source(pull).read().files) == 130

    world.github.faults.add(Fault(("GET", "/pulls/*/files"), "lost_page", times=2))
    with pytest.raises(IncompleteChange, match="reports 130 changed files but lists 100"):
        world.source(pull).open()


def test_a_change_of_more_files_than_github_lists_is_named(world: World) -> None:
    pull = world.change({}, {f"f{n:04}.txt": f"{n}\n" for n in range(3_002)})
    change = world.source(pull).read()

    assert len(change.files) == 3_000
    assert [entry.path for entry in change.unreviewed] == ["f3000.txt", "f3001.txt"]
    assert "3,000 files" in change.unreviewed[0].reason


def test_a_head_that_moved_is_superseded(world: World) -> None:
    pull = world.change({"a.py": "a = 1\n"}, {"a.py": "a = 2\n"})
    source = world.source(pull)
    pull.push({"a.py": "a = 3\n"})
    with pytest.raises(Superseded, match="has moved"):
        source.open()

    assert world.clock.slept == 4  # the API may lag behind the event

    again = world.source(pull)
    again.open()
    assert again.head_now().head_sha == pull.head_sha
    assert (again.head_now().state, again.head_now().base_ref) == ("open", "main")
    pull.close()
    assert again.head_now().state == "closed"


def test_an_api_that_lags_behind_the_event_is_asked_again(world: World) -> None:
    pull = world.change({"a.py": "a = 1\n"}, {"a.py": "a = 2\n"})
    old, new = pull.head_sha, pull.push({"a.py": "a = 3\n"})
    pull.force_push(sha=old)
    world.github.before(("GRAPHQL", "Overview"), lambda: pull.force_push(sha=new), after=1)

    source = GitHubPullRequest(world.client, NAME, pull.number, expected_head=new, expected_base=pull.base_sha)
    assert source.open().head_sha == new
    assert world.clock.slept == 1


def test_the_change_is_counted_from_where_the_branch_left(world: World) -> None:
    pull = world.change({"a.py": "a = 1\n", "b.py": "b = 1\n"}, {"a.py": "a = 2\n"})
    world.repo.commit({"b.py": "b = 2\n", "later.py": "c = 1\n"})

    for told in (True, False):
        change = world.source(pull, told=told).read()
        assert names(change) == [("a.py", "modified", "text")]
        assert change.unreviewed == ()


def test_a_fork_that_was_deleted_is_still_read(world: World) -> None:
    world.repo.commit({"a.py": "a = 1\n"})
    fork = world.repo.fork("mallory")
    fork.commit({"a.py": "a = 2\n", "b.py": MANY}, branch="feature")
    pull = world.repo.open_pull_request("feature", head_repository=fork, author="mallory")
    pull.delete_head_repository()
    source = world.source(pull)
    overview = source.open()

    assert not overview.same_repository
    assert names(source.read()) == [("a.py", "modified", "text"), ("b.py", "added", "text")]


def test_whole_texts_come_by_query_and_one_by_one(world: World) -> None:
    world.github.limits.blob_text = 1_000
    pull = world.change({"long.py": MANY, "short.py": "a = 1\n"}, {"long.py": MANY + "x = 1\n", "short.py": "a = 2\n"})
    source = world.source(pull)
    change = source.read()

    assert source.read_new(range(2)).texts == {0: MANY + "x = 1\n", 1: "a = 2\n"}
    assert source.read_old(range(2)).texts == {0: MANY, 1: "a = 1\n"}
    assert change.unreviewed == ()


def test_a_text_that_github_does_not_give_out_is_named(world: World) -> None:
    world.github.limits.patch_lines = 50
    world.github.limits.blob_text = 10
    pull = world.change({}, {"large.txt": MANY, "small.py": "a = 1\n"})
    world.github.faults.add(Fault(("GET", "/git/blobs/*"), "404", times=None))
    change = world.source(pull).read()

    assert change.unreviewed == (Unreviewed("large.txt", "GitHub does not return its text"),)
    assert change.files[1].added == 1


def test_an_old_text_that_github_does_not_give_out_is_named(world: World) -> None:
    world.github.limits.blob_text = 10
    pull = world.change({"a.py": MANY}, {"a.py": MANY + "x = 1\n"})
    world.github.faults.add(Fault(("GET", "/git/blobs/*"), "404", times=None))
    source = world.source(pull)

    assert source.read().unreviewed == ()
    old = source.read_old([0])
    assert old.texts == {0: None}
    assert old.unreviewed == (Unreviewed("a.py", "GitHub does not return its text (as it was before this change)"),)


def test_the_old_bytes_of_a_binary_file_are_not_fetched(world: World) -> None:
    pull = world.change({"a.png": b"\x89PNG\0" + bytes(60)}, {"a.png": b"\x89PNG\0" + bytes(80)})
    source = world.source(pull)
    source.read()
    old = source.read_old([0])

    assert (old.texts, old.unreviewed) == ({0: None}, ())
    assert sum("/git/blobs/" in each.path for each in world.github.requests) == 1


def test_attributes_of_the_change_do_not_hide_texts_of_the_tree(world: World) -> None:
    attributes = "hidden.py export-ignore\nrewritten.py export-subst\n"
    tree = {"hidden.py": "a = 1\n", "rewritten.py": "# $Format:%H$\n", "plain.py": "b = 1\n"}
    source = world.source(world.change(tree, {".gitattributes": attributes, "new.py": "import hidden\n"}))
    source.open()
    source.prefetch(ALL_TEXTS)
    repository = source.repository()

    assert repository.texts_available
    assert {path: repository.head_text(path) for path in tree} == tree
    assert {path: repository.base_text(path) for path in tree} == tree


def test_bytes_of_the_base_that_are_too_many_to_unpack_hide_no_text(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tree_texts, "read_archive", partial(read_archive, most_unpacked=1_000_000))
    tree = {f"m{n}.py": f"x = {n}\n" for n in range(250)}
    source = world.source(world.change({"a.bin": bytes(2_000_000), **tree}, {"new.py": "import m1\n"}))
    source.open()
    source.prefetch(ALL_TEXTS)
    repository = source.repository()

    assert repository.texts_available
    assert {path: repository.head_text(path) for path in tree} == tree


@pytest.mark.parametrize(("files", "available"), [(20, True), (250, False)])
def test_without_the_archive_few_texts_are_fetched_and_many_are_not(world: World, files: int, available: bool) -> None:
    pull = world.change({f"m{n}.py": f"x = {n}\n" for n in range(files)}, {"new.py": "import m1, gone\n"})
    world.github.faults.add(Fault(("GET", "/legacy.tar.gz/**"), "404", times=None))
    source = world.source(pull)
    source.open()
    source.prefetch(ALL_TEXTS)
    repository = source.repository()

    assert repository.available
    assert repository.texts_available == available
    assert not available or repository.head_text("m1.py") == "x = 1\n"


@pytest.mark.parametrize(
    ("kind", "error"),
    [("500", ServerBroken), ("reset_before", Unreachable), ("html_200", BadData), ("truncated_json", BadData)],
)
def test_an_archive_that_another_day_may_bring_is_not_done_without(
    world: World, kind: FaultKind, error: type[ForgeError]
) -> None:
    pull = world.change({f"m{n}.py": f"x = {n}\n" for n in range(900)}, {"new.py": "import m1, gone\n"})
    world.github.faults.add(Fault(("GET", "/legacy.tar.gz/**"), kind, times=None))
    source = world.source(pull)
    source.open()
    source.prefetch(ALL_TEXTS)

    with pytest.raises(error):
        source.repository()


def test_an_archive_that_is_cut_off_is_fetched_again(world: World) -> None:
    pull = world.change({f"m{n}.py": f"x = {n}\n" for n in range(250)}, {"new.py": "import m1, gone\n"})
    world.github.faults.add(Fault(("GET", "/legacy.tar.gz/**"), "truncated_json", times=2))
    source = world.source(pull)
    source.open()
    source.prefetch(ALL_TEXTS)

    assert source.repository().texts_available


def test_a_tree_that_is_too_large_leaves_the_rows_as_proof(world: World) -> None:
    base = {f"m{n}.py": f"x = {n}\n" for n in range(40)}
    pull = world.change(
        {**base, "from.py": MANY},
        {"m39.py": "y = 1\n", "m38.py": None, "new.py": "import os\n", "sub": Submodule("1" * 40), "m1.py": Executable("x = 1\n"),
         "from.py": None, "to.py": MANY, "m2.py": "x = 2\ny = '\0'\n"},
    )  # fmt: skip
    world.github.limits.tree_entries = 5
    source = world.source(pull)
    change = source.read()

    assert names(change) == [
        ("m1.py", "modified", "text"), ("m2.py", "modified", "text"), ("m38.py", "deleted", "text"),
        ("m39.py", "modified", "text"), ("new.py", "added", "text"), ("sub", "added", "submodule"),
        ("to.py", "renamed", "text"),
    ]  # fmt: skip
    assert change.unreviewed == ()
    assert (change.files[0].old_mode, change.files[0].new_mode) == ("100644", "100755")
    assert list(change.files[1].added_lines()) == [(2, "y = '\0'")]
    assert source.read_new([3, 6]).texts == {3: "y = 1\n", 6: MANY}
    assert source.read_old([3]).texts == {3: "x = 39\n"}
    assert not source.repository().available


def test_a_merge_group_in_a_large_tree_has_a_limit(world: World) -> None:
    base = world.repo.commit({"a.py": ""})
    head = world.repo.commit({f"f{n}.txt": f"{n}\n" for n in range(300)}, branch="group")
    world.github.limits.tree_entries = 5

    with pytest.raises(IncompleteChange, match="lists only 300 files"):
        GitHubRange(world.client, NAME, base, head, "main").read()


@pytest.mark.parametrize("kind", KINDS)
def test_a_fault_while_reading_changes_nothing_or_is_an_error(world: World, kind: FaultKind) -> None:
    world.github.limits.patch_lines = 50
    pull = world.change(
        {"a.py": MANY, "b.py": "x = 1\n"}, {"a.py": MANY + "y = 1\n" * 60, "b.py": "x = 2\n", "c.png": b"\0\1"}
    )
    expected = world.source(pull).read()
    assert expected.unreviewed == ()
    calls = (("GET", "/pulls/*/files"), ("GRAPHQL", "Blobs"), ("GET", "/git/trees/*"), ("GET", "/git/blobs/*"))
    for match in calls[KINDS.index(kind) % 2 :: 2]:
        world.github.faults.add(Fault(match, kind))
        with Client(
            world.github.url,
            world.github.token(),
            graphql_url=world.github.graphql_url,
            clock=world.clock,
            limits=QUICK,
        ) as client:
            try:
                found = GitHubPullRequest(client, NAME, pull.number, expected_head=pull.head_sha).read()
            except ForgeError:
                continue
            finally:
                world.github.faults.clear()
        assert found.unreviewed != () or found == expected


def test_hostile_names_come_through(world: World) -> None:
    hostile = [
        "$(id).py",
        "`id`.py",
        "a;b|c&d.py",
        "-rf.py",
        "two\nlines.py",
        "a b/ b/x.py",
        "::error::x.py",
        "\u202ex.py",
    ]
    change = world.read({}, dict.fromkeys(hostile, "x = 1\n"))

    assert [file.path for file in change.files] == sorted(hostile)
    assert change.unreviewed == ()


def test_a_pull_request_that_is_not_there(world: World) -> None:
    world.repo.commit({"a.py": ""})
    with pytest.raises(NotFound):
        GitHubPullRequest(world.client, NAME, 99).open()


def test_a_merge_group_is_its_own_diff(world: World) -> None:
    pull = world.change({"a.py": "a = 1\n", ".github/review-bot.yml": "fail-on: info\n"}, {"a.py": "a = 2\n"})
    base = world.repo.tip("main") or ""
    head = world.repo.merge_group(pull)
    source = GitHubRange(world.client, NAME, base, head, "main")
    overview = source.open()

    assert (overview.number, overview.approved_by, overview.head_sha) == (None, (), head)
    assert source.settings_on(overview.base).settings(".github/review-bot.yml") == "fail-on: info\n"
    assert names(source.read()) == [("a.py", "modified", "text")]
    assert len({call.round for call in world.client.calls}) <= 2
