"""``review-bot replay`` as a process, over small repositories whose pull requests were merged in each usual way."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from review_bot.configuration import rule_registry
from tests.command import run_command

SWALLOWED = "def read(path):\n    try:\n        rows = parse(path)\n    except Exception:\n        pass\n"
CLEAN = "def total(values):\n    return sum(values)\n"
MARKER = "a = 1\n<<<<<<< HEAD\nb = 2\n=======\nb = 3\n>>>>>>> branch\n"


class Clone:
    """A repository with one commit on ``main``."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        self.git("init", "--quiet", "--initial-branch=main")
        self.git("config", "user.name", "A Person")
        self.git("config", "user.email", "person@example.com")
        self.commit("Begin", {"README.md": "A project.\n"})

    def git(self, *arguments: str) -> str:
        environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        done = subprocess.run(
            ["git", *arguments], cwd=self.folder, env=environment, capture_output=True, text=True, check=True
        )
        return done.stdout.strip()

    def commit(self, subject: str, files: dict[str, str]) -> str:
        for name, text in files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "-m", subject)
        return self.git("rev-parse", "HEAD")

    def branch(self, name: str, *commits: dict[str, str]) -> str:
        """Make a branch from where we are, with one commit for each set of files; stay where we are."""
        here = self.git("symbolic-ref", "--short", "HEAD")
        self.git("checkout", "--quiet", "-b", name)
        for number, files in enumerate(commits):
            self.commit(f"Step {number}", files)
        tip = self.git("rev-parse", "HEAD")
        self.git("checkout", "--quiet", here)
        return tip

    def merge(self, number: int, branch: str) -> None:
        self.git("merge", "--quiet", "--no-ff", "-m", f"Merge pull request #{number} from me/{branch}", branch)

    def squash(self, number: int, branch: str) -> None:
        self.git("merge", "--quiet", "--squash", branch)
        self.git("commit", "--quiet", "-m", f"Do what {branch} does (#{number})")

    def keep(self, number: int, commit: str) -> None:
        self.git("update-ref", f"refs/pull/{number}/head", commit)


@pytest.fixture
def clone(tmp_path):
    return Clone(tmp_path / "clone")


def replay(clone: Clone, *arguments: str, code: int = 0) -> subprocess.CompletedProcess[str]:
    done = run_command(["replay", "-C", clone.folder, *arguments], text=True)
    assert done.returncode == code, done.stderr
    return done


def document(clone: Clone, *arguments: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(replay(clone, "--format", "json", *arguments).stdout)
    return data


def ranges(data: dict[str, Any]) -> dict[int, tuple[int, int, str | None]]:
    return {each["number"]: (each["files"], each["added"], each["error"]) for each in data["pull_requests"]}


def test_merge_commits_without_refs_are_pull_requests(clone):
    clone.branch("one", {"pkg/one.py": SWALLOWED}, {"pkg/more.py": CLEAN})
    clone.branch("two", {"pkg/two.py": CLEAN})
    clone.merge(1, "one")
    clone.merge(2, "two")
    data = document(clone)
    assert ranges(data) == {2: (1, 2, None), 1: (2, 7, None)}
    assert [each["number"] for each in data["pull_requests"]] == [2, 1]
    assert {rule["rule"]: rule["hits"] for rule in data["rules"]}["errors/swallowed-exception"] == 1


def test_a_merge_of_the_default_branch_into_itself_is_no_pull_request(clone):
    clone.branch("main-of-another", {"pkg/two.py": CLEAN})
    clone.commit("Go on", {"a.py": CLEAN})
    clone.git("merge", "--quiet", "--no-ff", "-m", "Merge branch 'main' of example.com/p", "main-of-another")
    assert "no merged pull request" in replay(clone, code=2).stderr


def test_squash_commits_without_refs_are_pull_requests(clone):
    clone.branch("one", {"pkg/one.py": SWALLOWED}, {"pkg/more.py": CLEAN})
    clone.squash(7, "one")
    clone.commit("No pull request", {"pkg/direct.py": CLEAN})
    assert ranges(document(clone)) == {7: (2, 7, None)}


def test_refs_give_the_range_of_a_pull_request_whose_head_main_contains(clone):
    tip = clone.branch("one", {"pkg/one.py": CLEAN}, {"pkg/more.py": CLEAN})
    clone.keep(3, tip)
    clone.commit("Meanwhile", {"pkg/meanwhile.py": CLEAN})
    clone.merge(3, "one")
    clone.commit("Afterwards", {"pkg/afterwards.py": CLEAN})
    data = document(clone)
    assert ranges(data) == {3: (2, 4, None)}
    assert data["pull_requests"][0]["merged"] is True


def test_a_commit_below_the_merged_tip_begins_at_the_same_fork(clone):
    clone.branch("one", {"pkg/one.py": CLEAN}, {"pkg/more.py": CLEAN})
    clone.keep(3, clone.git("rev-parse", "one^"))
    clone.merge(3, "one")
    assert ranges(document(clone)) == {3: (1, 2, None)}


def test_refs_give_the_range_of_a_squashed_pull_request(clone):
    clone.keep(4, clone.branch("one", {"pkg/one.py": CLEAN}, {"pkg/more.py": SWALLOWED}))
    clone.squash(4, "one")
    clone.commit("Afterwards", {"pkg/afterwards.py": CLEAN})
    data = document(clone)
    assert ranges(data) == {4: (2, 7, None)}
    assert data["pull_requests"][0]["title"] == "Do what one does (#4)"


def test_where_the_history_was_rewritten_what_landed_is_the_range(clone):
    clone.keep(4, clone.branch("one", {"pkg/one.py": CLEAN}, {"pkg/more.py": SWALLOWED}))
    clone.git("checkout", "--quiet", "--orphan", "rewritten")
    clone.commit("Begin with a lighter history", {"README.md": "A project, begun once more.\n"})
    clone.commit("Do what one does (#4)", {"pkg/one.py": CLEAN, "pkg/more.py": SWALLOWED})
    clone.git("branch", "--force", "main")
    clone.git("checkout", "--quiet", "main")
    data = document(clone)
    assert ranges(data) == {4: (2, 7, None)}
    assert data["pull_requests"][0]["title"] == "Do what one does (#4)"


def test_a_pull_request_without_a_ref_stands_beside_those_with_one(clone):
    clone.keep(4, clone.branch("one", {"pkg/one.py": CLEAN}))
    clone.squash(4, "one")
    clone.branch("two", {"pkg/two.py": CLEAN})
    clone.squash(5, "two")
    assert [each["number"] for each in document(clone)["pull_requests"]] == [5, 4]


def test_unmerged_pull_requests_are_reviewed_when_asked_for(clone):
    clone.keep(4, clone.branch("one", {"pkg/one.py": CLEAN}))
    clone.squash(4, "one")
    clone.keep(9, clone.branch("open", {"pkg/open.py": SWALLOWED}))
    assert list(ranges(document(clone))) == [4]
    assert list(ranges(document(clone, "--unmerged"))) == [4, 9]
    assert list(ranges(document(clone, "--pr", "#9"))) == [9]


def test_what_has_no_range_is_named_and_counted(clone):
    clone.branch("one", {"pkg/one.py": CLEAN})
    clone.merge(1, "one")
    clone.keep(2, clone.git("rev-parse", "main"))
    nothing = clone.branch("nothing", {})
    clone.keep(3, nothing)
    clone.merge(3, "nothing")
    data = document(clone)
    assert [each["name"] for each in data["skipped"]] == ["#2"]
    assert data["empty"] == ["#3"]
    assert data["totals"]["reviewed"] == 1
    assert "pull request 2 cannot be reviewed: its head is on main" in replay(clone, "--pr", "2", code=2).stderr


def test_only_what_lies_among_the_chosen_ones_is_said_to_be_skipped(clone):
    clone.keep(1, clone.commit("Push to main", {"a.py": CLEAN}))
    clone.branch("one", {"pkg/one.py": CLEAN})
    clone.merge(2, "one")
    clone.branch("two", {"pkg/two.py": CLEAN})
    clone.merge(3, "two")
    clone.keep(4, clone.commit("Push to main again", {"b.py": CLEAN}))
    clone.branch("three", {"pkg/three.py": CLEAN})
    clone.merge(5, "three")
    assert "Gaps" not in replay(clone, "--last", "1").stdout
    assert "skipped: #4: its head is on main" in replay(clone, "--last", "2").stdout
    assert [each["name"] for each in document(clone, "--last", "0")["skipped"]] == ["#1", "#4"]


def test_pull_requests_that_are_skipped_for_one_reason_share_a_line(clone):
    clone.branch("one", {"pkg/one.py": CLEAN})
    clone.merge(1, "one")
    for number in range(2, 14):
        clone.keep(number, clone.commit("Push to main", {f"a{number}.py": CLEAN}))
    text = replay(clone).stdout
    assert "  skipped: #2, #3, #4, #5, #6, #7, #8, #9, #10, #11 and 2 more: its head is on main" in text


def test_a_broken_pull_request_does_not_end_the_run(clone):
    clone.keep(1, clone.branch("one", {"pkg/one.py": CLEAN}))
    clone.git("checkout", "--quiet", "--orphan", "stranger")
    clone.keep(2, clone.commit("From elsewhere", {"pkg/strange.py": CLEAN}))
    clone.git("checkout", "--quiet", "main")
    done = replay(clone, "--unmerged", "--last", "0")
    assert "#2  broken: refs/heads/main and" in done.stdout
    assert "1 pull request reviewed; 0 empty, 0 skipped, 1 broken" in done.stdout


def test_last_counts_from_the_newest_merge(clone):
    for number in (1, 2, 3):
        clone.branch(f"b{number}", {f"pkg/f{number}.py": CLEAN})
        clone.merge(number, f"b{number}")
    assert list(ranges(document(clone, "--last", "2"))) == [3, 2]
    assert list(ranges(document(clone, "--last", "0"))) == [3, 2, 1]


def test_red_pull_requests_are_listed_with_their_reason_and_their_lines(clone):
    clone.branch("one", {"docs/one.rst": MARKER})
    clone.merge(1, "one")
    clone.branch("two", {"pkg/two.py": SWALLOWED})
    clone.merge(2, "two")
    done = replay(clone)
    assert "red  #1" in done.stdout
    assert "errors: style/conflict-marker" in done.stdout
    assert "docs/one.rst:2  style/conflict-marker" in done.stdout
    assert "red  #2" not in done.stdout
    red = document(clone)["red"]
    assert [(each["name"], each["decision"]) for each in red] == [("#1", "changes-required")]


def test_findings_can_be_listed_and_rules_chosen(clone):
    clone.branch("one", {"pkg/one.py": MARKER, "pkg/two.py": SWALLOWED})
    clone.merge(1, "one")
    listed = replay(clone, "--list", "--select", "style/*").stdout
    assert "pkg/one.py:2  error line style/conflict-marker" in listed
    assert "swallowed" not in listed
    assert "there is no rule 'style/none'" in replay(clone, "--select", "style/none", code=2).stderr


def test_the_answer_does_not_depend_on_the_number_of_processes(clone):
    for number in range(1, 7):
        clone.branch(f"b{number}", {f"pkg/f{number}.py": SWALLOWED * number})
        clone.merge(number, f"b{number}")
    outputs = {replay(clone, "--format", "json", "--jobs", jobs).stdout for jobs in ("1", "2", "2", "5")}
    assert len(outputs) == 1


def test_the_rules_of_the_repository_take_part(clone):
    rule = "id: ours\nlanguage: python\nrule: {pattern: print($$$)}\nmessage: Do not print.\n"
    clone.branch("one", {"pkg/one.py": "print('here')\n", ".github/review-bot/rules/ours.yml": rule})
    clone.merge(1, "one")
    rules = {each["rule"]: each["hits"] for each in document(clone)["rules"]}
    assert rules["ours"] == 1


@pytest.mark.parametrize("numbers", ["one", "1,,2"])
def test_a_wrong_list_of_numbers_is_said_so(clone, numbers):
    clone.branch("one", {"pkg/one.py": CLEAN})
    clone.merge(1, "one")
    assert "--pr takes numbers" in replay(clone, "--pr", numbers, code=2).stderr


def later(data: dict[str, Any]) -> tuple[tuple[int, int], tuple[int, int]]:
    flagged, added = data["later"]["flagged"], data["later"]["added"]
    return (flagged["lines"], flagged["changed"]), (added["lines"], added["changed"])


def test_lines_that_were_changed_before_the_merge_are_counted_beside_all_lines(clone):
    mended = MARKER.replace("<<<<<<< HEAD\n", "").replace("=======\nb = 3\n>>>>>>> branch\n", "")
    clone.keep(1, clone.branch("one", {"pkg/one.py": MARKER, "pkg/two.py": CLEAN}, {"pkg/one.py": mended}))
    clone.squash(1, "one")
    assert later(document(clone, "--changed-later")) == ((2, 2), (8, 4))
    assert document(clone)["later"] is None


def test_lines_that_were_changed_soon_after_the_merge_count_and_later_ones_do_not(clone, monkeypatch):
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2030-01-01T00:00:00Z")
    clone.branch("one", {"pkg/one.py": CLEAN, "pkg/two.py": CLEAN, "pkg/three.py": CLEAN})
    clone.merge(1, "one")
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2030-01-20T00:00:00Z")
    clone.commit("Soon", {"pkg/one.py": CLEAN.replace("sum", "max")})
    clone.git("mv", "pkg/three.py", "pkg/moved.py")
    clone.commit("Soon too", {"pkg/moved.py": "import os\n\n\n" + CLEAN})
    monkeypatch.setenv("GIT_COMMITTER_DATE", "2030-03-01T00:00:00Z")
    clone.commit("Late", {"pkg/two.py": ""})
    assert later(document(clone, "--changed-later")) == ((0, 0), (6, 1))
    table = replay(clone, "--changed-later").stdout
    assert "lines changed before the merge or within 30 days  lines  changed     %" in table
    assert "all added lines                                       6        1  16.7" in table


def test_a_file_that_is_deleted_soon_takes_all_its_lines_along(clone):
    clone.branch("one", {"pkg/one.py": CLEAN})
    clone.merge(1, "one")
    clone.git("rm", "--quiet", "pkg/one.py")
    clone.commit("Away", {})
    assert later(document(clone, "--changed-later")) == ((0, 0), (2, 2))


def test_what_was_not_merged_has_no_later_life(clone):
    clone.keep(9, clone.branch("open", {"pkg/open.py": CLEAN}))
    data = document(clone, "--changed-later", "--unmerged")
    assert data["later"] is None
    assert data["totals"]["reviewed"] == 1


def test_shards_add_up_to_the_whole(clone, tmp_path):
    for number in range(1, 8):
        clone.branch(f"b{number}", {f"pkg/f{number}.py": SWALLOWED * number, "docs/a.rst": MARKER * number})
        clone.merge(number, f"b{number}")
    clone.keep(99, clone.git("rev-parse", "main"))
    files = []
    for number in (3, 1, 2):
        file = tmp_path / f"{number}.json"
        file.write_text(replay(clone, "--format", "json", "--shard", f"{number}/3", "--changed-later").stdout)
        files.append(str(file))
    whole = replay(clone, "--format", "json", "--changed-later").stdout
    assert replay(clone, "--merge", *files, "--format", "json").stdout == whole
    assert "7 pull requests reviewed" in replay(clone, "--merge", *files).stdout
    assert "3/3 of the replay is missing" in replay(clone, "--merge", *files[1:], code=2).stderr
    assert "4 files are given for 3 shards" in replay(clone, "--merge", *files, files[0], code=2).stderr


def test_more_shards_than_pull_requests_leave_some_empty(clone):
    clone.branch("one", {"pkg/one.py": CLEAN})
    clone.merge(1, "one")
    counts = [len(document(clone, "--shard", f"{n}/3")["pull_requests"]) for n in (1, 2, 3)]
    assert sorted(counts) == [0, 0, 1]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "not valid JSON"),
        ("{}", "not a replay of schema review-bot/replay/v1"),
        ('{"schema": "review-bot/replay/v1", "branch": 5}', "branch: "),
    ],
)
def test_a_file_that_is_no_replay_is_named(clone, tmp_path, text, words):
    file = tmp_path / "part.json"
    file.write_text(text)
    error = replay(clone, "--merge", str(file), code=2).stderr
    assert f"{file}: {words}" in error
    assert "cannot read the file" in replay(clone, "--merge", str(tmp_path / "none.json"), code=2).stderr


def test_shards_of_other_rules_are_not_added_up(clone, tmp_path):
    clone.branch("one", {"pkg/one.py": CLEAN})
    clone.merge(1, "one")
    files = []
    for number in (1, 2):
        data = document(clone, "--shard", f"{number}/2")
        file = tmp_path / f"{number}.json"
        file.write_text(json.dumps({**data, "rules_digest": f"digest {number}"}))
        files.append(str(file))
    assert "were created with different rules" in replay(clone, "--merge", *files, code=2).stderr


@pytest.mark.parametrize("shard", ["0/3", "4/3", "1", "a/b", "1/0"])
def test_a_wrong_shard_is_said_so(clone, shard):
    assert "--shard takes a part and the number of parts" in replay(clone, "--shard", shard, code=2).stderr


IN_CHECKOUT = pytest.mark.skipif(
    not (Path(rule_registry.SOURCE).parent / ".git").exists(),
    reason="only a checkout of Review Bot has earlier versions",
)


@IN_CHECKOUT
def test_the_rules_of_this_very_commit_say_the_same(clone):
    clone.branch("one", {"pkg/one.py": SWALLOWED})
    clone.merge(1, "one")
    revision = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=Path(rule_registry.SOURCE).parent, capture_output=True, text=True, check=True
    ).stdout.strip()
    data = document(clone, "--against", revision, "--select", "style/conflict-marker")
    assert (data["compared"], data["rules"], data["verdicts"]) == (1, [], [])
    assert "No differences." in replay(clone, "--against", revision, "--select", "style/conflict-marker").stdout


@IN_CHECKOUT
def test_a_revision_that_does_not_exist_is_said_so(clone):
    clone.branch("one", {"pkg/one.py": CLEAN})
    clone.merge(1, "one")
    assert "--against no-such-commit: " in replay(clone, "--against", "no-such-commit", code=2).stderr
    assert "remove --shard" in replay(clone, "--against", "HEAD", "--shard", "1/2", code=2).stderr


def test_rules_that_are_off_by_default_run_only_if_they_are_selected(clone):
    clone.branch("more", {"pkg/more.py": CLEAN})
    clone.merge(1, "more")

    every = replay(clone, "--format", "json").stdout
    selected = replay(clone, "--format", "json", "--select", "pr/missing-sign-off").stdout

    assert "pr/missing-sign-off" not in every
    assert [each["rule"] for each in json.loads(selected)["rules"]] == ["pr/missing-sign-off"]
