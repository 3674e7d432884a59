"""The same change through GitHub and through local git: the same files, hunks, texts, findings.

``REVIEW_BOT_FULL_ORACLE=1`` compares some hundreds of generated changes.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from fake_github.demo import sample_change
from fake_github.repository import FakeRepository
from fake_github.server import FakeGitHub
from review_bot import pipeline
from review_bot.changes import patching
from review_bot.changes.pull_request import ChangedFile, PullRequest
from review_bot.changes.repository import Repository
from review_bot.configuration import rule_registry
from review_bot.engine.plan import Plan, make_plan
from review_bot.findings import Finding
from review_bot.forges.github.client import Client
from review_bot.forges.github.pull_requests import GitHubPullRequest, GitHubRange
from review_bot.forges.github.source import GitHubSource
from review_bot.forges.local_git import LocalGit
from review_bot.review.review import Review
from review_bot.rules.rulebook import Selection, select
from tests.changed_files import FULL, SUBMODULE, make_changes
from tests.forges.test_git_oracle import lay_out
from tests.git_repository import ENVIRONMENT, GitRepository

SEEDS = st.integers(0, 2**64)
_run = settings(
    phases=[Phase.generate],  # a seed cannot be made simpler
    max_examples=150 if FULL else 6,
    deadline=None,
    database=None,
    derandomize=not FULL,
    suppress_health_check=list(HealthCheck),
)


class World(NamedTuple):
    """A repository here, the same one at a fake GitHub, and how many files were compared."""

    local: GitRepository
    github: FakeGitHub
    hosted: FakeRepository
    compared: list[int]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    kept = {name: os.environ.pop(name) for name in list(os.environ) if name.startswith("GIT_")}
    os.environ.update({name: value for name, value in ENVIRONMENT.items() if name.startswith("GIT_")})
    compared: list[int] = []
    with FakeGitHub() as github:
        local = GitRepository(tmp_path_factory.mktemp("oracle") / "repo", "--bare")
        yield World(local, github, github.repository("octo/halcyon"), compared)
    for name in ENVIRONMENT:
        if name.startswith("GIT_"):
            os.environ.pop(name, None)
    os.environ.update(kept)
    sys.stderr.write(f"\ncompared with local git: {sum(compared):,} changed files\n")


def hosted_change(world: World, seed: int, *, renames: bool = True) -> tuple[str, str]:
    """Lay a generated change out here and there; return both commits."""
    # What is no UTF-8 in a name has no place in GitHub's JSON.
    made = [each for each in make_changes(seed) if "\udcff" not in each.path + each.old_path]
    lay_out(world.local, [each for each in made if renames or each.old_path == each.path])
    world.hosted.fetch(world.local.folder, "+base:refs/heads/main", "+head:refs/heads/feature")
    base, head = (world.local.git("rev-parse", name).decode().strip() for name in ("base", "head"))
    return base, head


def check_same(local: LocalGit, remote: GitHubSource) -> tuple[PullRequest, PullRequest]:
    """Compare two doors: files with their hunks, what is unreviewed, and whole texts."""
    here, there = local.read(), remote.read()
    assert [file.path for file in there.files] == [file.path for file in here.files]
    for file, other in zip(here.files, there.files, strict=True):
        if other.shown:
            assert other == file
        else:  # hunks of our own may stand elsewhere than git's, and lead to the same text
            assert without_hunks(other) == without_hunks(file)
            assert other.added - other.removed == file.added - file.removed
    assert sorted(there.unreviewed) == sorted(here.unreviewed)
    assert (there.merge_base, there.head) == (here.merge_base, here.head)
    texts = [index for index, file in enumerate(here.files) if SUBMODULE not in {file.new_mode, file.old_mode}]
    new = [index for index in texts if here.files[index].status != "deleted"]
    (new_here, new_there), (old_here, old_there) = (
        (local.read_new(new), remote.read_new(new)),
        (local.read_old(texts), remote.read_old(texts)),
    )
    assert new_there.texts == new_here.texts
    assert set(new_there.unreviewed) == set(new_here.unreviewed)
    assert old_there.texts == old_here.texts
    for index, file in enumerate(there.files):
        new_text, old_text = new_there.texts.get(index), old_there.texts.get(index)
        if file.kind == "text" and file.status != "retyped" and new_text is not None and index in texts:
            assert patching.apply(old_text or "", file.hunks) == new_text or (file.old_blob and old_text is None)
    return here, there


def without_hunks(file: ChangedFile) -> ChangedFile:
    return file._replace(hunks=(), added=0, removed=0, shown=True)


def plan_with_texts(plan: Plan) -> Plan:
    return plan._replace(needs_tree=True, needs_tree_text=True)


def check_same_texts(here: Repository, there: Repository) -> None:
    assert there.head_paths == here.head_paths
    assert there.base_paths == here.base_paths
    assert there.texts_available
    for path in here.head_paths:
        if path.endswith((".py", ".txt")):
            assert there.head_text(path) == here.head_text(path), path
    for path in here.base_paths:
        if path.endswith((".py", ".txt")):
            assert there.base_text(path) == here.base_text(path), path


def about_code(review: Review, hidden: Collection[str] = ()) -> list[Finding]:
    """Return the findings without those on the description, which a local branch does not have.

    ``hidden``: files whose lines GitHub does not show, and so no comment can name; their placement is left out.
    """
    found = [finding for finding in review.findings if finding.rule != "docs/pr-description"]
    return [each._replace(placement="summary") if each.path in hidden else each for each in found]


@_run
@given(seed=SEEDS)
def test_a_pull_request_is_what_local_git_sees(world: World, seed: int) -> None:
    base, head = hosted_change(world, seed)
    pull = world.hosted.open_pull_request("feature")
    local = LocalGit(str(world.local.folder), base=base, head=head)
    rulebook = select(rule_registry.builtin_rulebook(), Selection())
    with Client(world.github.url, world.github.token(), graphql_url=world.github.graphql_url) as client:
        remote = GitHubPullRequest(client, "octo/halcyon", pull.number, expected_head=head, expected_base=base)
        remote.open()
        remote.prefetch(plan_with_texts(make_plan(remote.provisional(), rulebook)))
        here, there = check_same(local, remote)
        check_same_texts(local.repository(), remote.repository())
        world.compared.append(len(there.files))
        if [file.hunks for file in here.files] == [file.hunks for file in there.files]:
            seen, expected = (
                pipeline.run_review(source, pipeline.ReviewRequest(rulebook)) for source in (remote, local)
            )
            hidden = {file.path for file in there.files if not file.shown}
            assert about_code(seen, hidden) == about_code(expected, hidden)
            assert seen.verdict.decision == expected.verdict.decision
    local.close()


def test_the_sample_has_the_same_findings_by_both_doors(world: World, tmp_path: Path) -> None:
    sample_change.lay_out(tmp_path)
    world.hosted.fetch(tmp_path, "+main:refs/heads/start", f"+{sample_change.BRANCH}:refs/heads/embeds")
    pull = world.hosted.open_pull_request("embeds", base="start")
    local = LocalGit(str(tmp_path), base="main", head=sample_change.BRANCH)
    rulebook = select(rule_registry.builtin_rulebook(), Selection())
    with Client(world.github.url, world.github.token(), graphql_url=world.github.graphql_url) as client:
        remote = GitHubPullRequest(client, "octo/halcyon", pull.number)
        remote.open()
        remote.prefetch(make_plan(remote.provisional(), rulebook))
        seen, expected = (pipeline.run_review(source, pipeline.ReviewRequest(rulebook)) for source in (remote, local))
        rounds = {call.round for call in client.calls}
    local.close()

    assert len(expected.findings) > 8
    assert about_code(seen) == about_code(expected)
    assert (seen.examination.not_run, seen.examination.failures, seen.unreviewed) == (
        expected.examination.not_run,
        expected.examination.failures,
        expected.unreviewed,
    )
    assert len(rounds) <= 3


@_run
@given(seed=SEEDS)
def test_a_merge_group_with_a_short_list_is_what_local_git_sees(world: World, seed: int) -> None:
    # Which files of the rest are renames is for nobody to tell: they are a deletion and an addition.
    base, head = hosted_change(world, seed, renames=False)
    world.github.limits.compare_files = 4
    local = LocalGit(str(world.local.folder), base=base, head=head)
    try:
        with Client(world.github.url, world.github.token(), graphql_url=world.github.graphql_url) as client:
            remote = GitHubRange(client, "octo/halcyon", base, head, "main")
            remote.read()
            if not any(file.status == "renamed" for file in local.read().files):  # two files may look alike by chance
                check_same(local, remote)
    finally:
        world.github.limits.compare_files = 300
        local.close()
