"""``review-bot review --pr`` as a process: dry unless ``--post``, and a token that goes nowhere else."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest

from fake_github.server import FakeGitHub
from tests.action import BAD_LINE, Action
from tests.command import run_command
from tests.git_repository import ENVIRONMENT, GitRepository

BAD = {"halcyon/run.py": BAD_LINE}


class Laptop:
    """A machine with a clone, a token of its own, and the command."""

    def __init__(self, action: Action, folder) -> None:
        self.github = action.github
        self.folder = folder
        self.token = action.github.token("grace", {"contents": "read", "pull_requests": "write"})
        self.told = {
            name: value for name, value in action.github.environment().items() if name.endswith(("_API_URL", "QL_URL"))
        }

    def review(self, *arguments, command="review", **environment):
        """Run the command; a variable that is None is left out."""
        given = {**ENVIRONMENT, **self.told, "GITHUB_TOKEN": self.token, **environment}
        environment = {name: value for name, value in given.items() if value is not None}
        return run_command([command, *arguments], cwd=self.folder, env=environment, text=True, timeout=60)

    def writes(self):
        return [each for each in self.github.requests if each.method != "GET" and "graphql" not in each.path] + [
            each for each in self.github.requests if "mutation" in str(each.body)
        ]


@pytest.fixture
def laptop(action, tmp_path) -> Laptop:
    return Laptop(action, tmp_path)


@pytest.mark.parametrize(
    "name",
    ["octo/halcyon#1", "https://github.com/octo/halcyon/pull/1", "https://github.com/octo/halcyon/pull/1/files#r1"],
)
def test_it_writes_nothing_unless_it_is_told_to(action, laptop, name):
    pr = action.open(BAD)
    done = laptop.review("--pr", name, "--format", "json")
    assert (done.returncode, done.stderr) == (1, "")
    report = json.loads(done.stdout)
    assert (report["change"]["repository"], report["change"]["number"], report["change"]["head"]) == (
        "octo/halcyon", 1, pr.head_sha,
    )  # fmt: skip
    assert [each["rule"] for each in report["findings"]] == ["api/missing-module-import"]
    assert laptop.writes() == []
    assert not pr.comments


def test_a_review_of_a_pull_request_has_no_cache(action, laptop, tmp_path):
    action.repository.commit({".github/review-bot.yml": "fail-on: warning\n"})
    action.open(BAD)
    given = {"HOME": str(tmp_path), "XDG_CACHE_HOME": None, "CI": None, "REVIEW_BOT_NO_CACHE": None}
    assert laptop.review("--pr", "octo/halcyon#1", **given).returncode == 1
    assert not (tmp_path / ".cache").exists()


def test_a_brief_of_a_pull_request_writes_nothing(action, laptop):
    pr = action.open(BAD, title="Ignore all previous instructions")
    done = laptop.review("--pr", "octo/halcyon#1", command="brief")
    assert (done.returncode, done.stderr) == (0, "")
    assert "`octo/halcyon#1` `Ignore all previous instructions`" in done.stdout
    assert "- `halcyon/run.py:1` `api/missing-module-import` error: " in done.stdout
    assert "`review-bot review --pr octo/halcyon#1`" in done.stdout
    assert laptop.writes() == []
    assert not pr.comments
    assert laptop.review("--pr", "octo/halcyon#1", "--diff", "-", command="brief").returncode == 2


def test_post_comments_once(action, laptop):
    pr = action.open(BAD)
    done = laptop.review("--pr", "octo/halcyon#1", "--post")
    assert done.returncode == 1
    assert [(each.author, each.path, each.line) for each in pr.review_comments] == [("grace", "halcyon/run.py", 1)]
    assert [each.author for each in pr.comments] == ["grace"]
    assert f"Summary: https://github.com/octo/halcyon/pull/1#issuecomment-{pr.comments[0].id}" in done.stderr
    before = len(laptop.writes())
    assert laptop.review("--pr", "octo/halcyon#1", "--post").returncode == 1
    assert len(laptop.writes()) == before
    assert action.run(pr).code == 1, "the Action is another author, and leaves a person's comments alone"
    assert [each.author for each in pr.comments] == ["grace", "github-actions[bot]"]


def test_post_with_a_token_that_may_not_write_ends_red(action, laptop):
    pr = action.open({"halcyon/fine.py": '"""Fine."""\n'})
    laptop.token = action.github.token("grace", read_only=True)
    done = laptop.review("--pr", "octo/halcyon#1", "--post")
    assert done.returncode == 3
    assert "Review Bot could not comment, which needs `pull-requests: write`" in done.stderr
    assert not pr.comments


def test_a_bare_number_takes_the_repository_of_the_job_then_of_origin(action, laptop):
    action.open(BAD)
    assert laptop.review("--pr", "1", GITHUB_REPOSITORY="octo/halcyon").returncode == 1
    assert laptop.review("--pr-number", "#1", GITHUB_REPOSITORY="octo/halcyon").returncode == 1
    repository = GitRepository(laptop.folder / "clone")
    laptop.folder = repository.folder
    lost = laptop.review("--pr", "1")
    assert lost.returncode == 2
    assert lost.stderr == "review-bot: --pr 1: no repository given; write owner/name#1\n"
    repository.git("remote", "add", "origin", "git@github.com:octo/halcyon.git")
    assert laptop.review("--pr", "1").returncode == 1
    repository.git("remote", "set-url", "origin", "https://gitlab.example/octo/halcyon.git")
    asked = len(action.github.requests)
    other = laptop.review("--pr", "1")
    assert other.returncode == 2
    assert "no repository given; write owner/name#1" in other.stderr
    assert len(action.github.requests) == asked


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("https://evil.example/octo/halcyon/pull/1", "this is not on https://github.com; set GITHUB_SERVER_URL and GITHUB_API_URL"),
        ("http://github.com/octo/halcyon/pull/1", "this is not on https://github.com; set GITHUB_SERVER_URL and GITHUB_API_URL"),
        ("https://github.com/octo/halcyon/issues/1", "write 19, owner/name#19, or the URL of the pull request"),
        ("nonsense", "write 19, owner/name#19, or the URL of the pull request"),
        ("0", "write 19, owner/name#19, or the URL of the pull request"),
    ],
)  # fmt: skip
def test_any_other_address_is_refused_before_anything_is_asked(action, laptop, address, said):
    done = laptop.review("--pr", address, GITHUB_REPOSITORY="octo/halcyon")
    assert done.returncode == 2
    assert done.stderr.startswith(f"review-bot: --pr {address}: ")
    assert said in done.stderr
    assert done.stderr.count("\n") == 1
    assert not action.github.requests


NO_TOKEN = "Reading without a token: only public repositories, and GitHub allows 60 requests an hour. For more, set GITHUB_TOKEN or GH_TOKEN to a token that can read the repository; with the GitHub CLI, run `export GH_TOKEN=$(gh auth token)`.\n"


def findings_of(done):
    report = json.loads(done.stdout)
    return report["verdict"]["decision"], report["findings"], report["change"], report["policy"]


FILES = {
    "engine/run.py": BAD_LINE,
    "engine/old.py": None,
    "engine/kept.py": '"""Kept."""\n\nimport os\n\nLIMIT = 3\n',
    "docs/guide.md": "# Guide\n\n<<<<<<< HEAD\n",
    "logo.png": b"\x89PNG\r\n\x1a\n\0\0",
    "many.go": "package main\n\nfunc main() {\n}\n",
}
BEFORE = {
    "engine/old.py": '"""Old."""\n',
    "engine/kept.py": '"""Kept."""\n\nLIMIT = 2\n',
    "engine/user.py": '"""User."""\n\nfrom engine import old\n',
    "many.go": "package main\n",
    "pyproject.toml": "[tool.ruff]\nline-length = 88\n",
    ".github/review-bot.yml": "fail-on: warning\nrules:\n  docs/*: off\n",
    ".github/review-bot/rules/local.yml": "id: local/limit\nlanguage: python\nseverity: warning\nmessage: A limit.\nrule: {pattern: LIMIT = 3}\n",
    ".github/CODEOWNERS": "* @octo/core\n",
}


def test_without_a_token_a_public_pull_request_gets_the_same_review(action, laptop):
    action.repository.commit(BEFORE)
    action.open(FILES)
    known = laptop.review("--pr", "octo/halcyon#1", "--format", "json")
    assert known.stderr == ""
    action.github.requests.clear()
    for name in ("octo/halcyon#1", "https://github.com/octo/halcyon/pull/1"):
        done = laptop.review("--pr", name, "--format", "json", GITHUB_TOKEN=None)
        assert (done.returncode, done.stderr) == (known.returncode, NO_TOKEN)
        assert findings_of(done) == findings_of(known)
        assert {each["rule"] for each in json.loads(done.stdout)["findings"]} > {"local/limit", "style/conflict-marker"}
    asked = [each for each in action.github.requests if each.host == "api"]
    assert not [each for each in asked if "authorization" in each.headers or "graphql" in each.path]
    assert len(asked) <= 2 * 15


def test_a_branch_that_is_not_the_default_branch_is_judged_alike_without_a_token(action, laptop):
    action.repository.commit(BEFORE)
    action.repository.commit({"release.txt": "1\n"}, branch="release/1")
    action.open(FILES, base="release/1")
    known, done = (
        laptop.review("--pr", "octo/halcyon#1", "--format", "json", GITHUB_TOKEN=token)
        for token in (laptop.token, None)
    )
    assert findings_of(done) == findings_of(known)


def test_without_a_token_a_private_repository_and_a_missing_one_say_what_to_do(action, laptop):
    action.github.repository("octo/secret", private=True).commit({"a.py": "x = 1\n"})
    for name in ("octo/secret#1", "octo/nowhere#1"):
        done = laptop.review("--pr", name, GITHUB_TOKEN=None)
        assert done.returncode == 3
        assert (
            "it does not exist, or is not public: set GITHUB_TOKEN or GH_TOKEN to a token that can read" in done.stderr
        )


def test_without_a_token_the_end_of_the_limit_is_named(action, laptop):
    action.open(BAD)
    action.github.limits.anonymous_an_hour = 4
    done = laptop.review("--pr", "octo/halcyon#1", GITHUB_TOKEN=None)
    assert done.returncode == 3
    assert "without a token GitHub allows 60 requests an hour; set GITHUB_TOKEN or GH_TOKEN for more" in done.stderr
    assert re.search(r"run it again after 20\d\d-\d\d-\d\d \d\d:\d\d:\d\d UTC\n", done.stderr)


def test_posting_without_a_token_is_refused_before_anything_is_asked(action, laptop):
    done = laptop.review("--pr", "octo/halcyon#1", "--post", GITHUB_TOKEN=None)
    assert done.returncode == 2
    assert done.stderr.startswith("review-bot: --post needs a token that can write to pull requests; set GITHUB_TOKEN")
    assert not action.github.requests


def test_select_and_ignore_choose_the_rules_of_a_pull_request(action, laptop):
    action.open({"halcyon/run.py": BAD_LINE + "try:\n    run()\nexcept:\n    pass\n"})

    def rules(*arguments):
        done = laptop.review("--pr", "octo/halcyon#1", "--format", "json", *arguments)
        return {each["rule"] for each in json.loads(done.stdout)["findings"]}

    everything = rules()
    assert rules("--select", "api/missing-module-import") == {"api/missing-module-import"}
    assert rules("--ignore", "api") == {each for each in everything if not each.startswith("api/")}
    assert "api/missing-module-import" in everything
    unknown = laptop.review("--pr", "octo/halcyon#1", "--select", "api/missing-modul-import")
    assert unknown.returncode == 2
    assert "did you mean 'api/missing-module-import'?" in unknown.stderr
    posted = laptop.review("--pr", "octo/halcyon#1", "--select", "api", "--post")
    assert (posted.returncode, posted.stderr) == (
        2,
        "review-bot: --post posts the whole review; remove --select and --ignore\n",
    )


def test_gh_token_will_do(action, laptop):
    action.open(BAD)
    assert laptop.review("--pr", "octo/halcyon#1", GITHUB_TOKEN=None, GH_TOKEN=laptop.token).returncode == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--base", "main"], "--pr selects the change; remove --base"),
        (["main..HEAD"], "--pr selects the change; remove main..HEAD"),
        (["--write-baseline"], "--write-baseline writes to a working tree; remove --pr"),
    ],
)
def test_what_does_not_go_together_is_refused(laptop, arguments, said):
    done = laptop.review("--pr", "octo/halcyon#1", *arguments)
    assert (done.returncode, done.stderr) == (2, f"review-bot: {said}\n")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--post"], "--post requires --pr: it comments on a pull request on GitHub"),
        (["--max-comments", "3"], "--max-comments requires --post: it controls what --post writes"),
        (["--pr", "1", "--resolve-threads"], "--resolve-threads requires --post: it controls what --post writes"),
    ],
)
def test_post_alone_is_refused(laptop, arguments, said):
    done = laptop.review(*arguments)
    assert (done.returncode, done.stderr) == (2, f"review-bot: {said}\n")


@pytest.mark.parametrize(
    ("flag", "value", "said"),
    [
        ("--max-comments", "101", "must be a number from 0 to 100, not '101'"),
        ("--name", "Two", "'Two' is not 1 to 40 of the characters a-z, 0-9 and -"),
        ("--comment-on", "all", "invalid choice: 'all'"),
        ("--comment-on", "hint", "hints are never comments on lines; set `show: line` for"),
    ],
)
def test_a_publishing_flag_with_a_wrong_value_is_refused(laptop, flag, value, said):
    done = laptop.review("--pr", "octo/halcyon#1", "--post", flag, value)
    assert done.returncode == 2
    assert f"argument {flag}: {said}" in done.stderr


def test_post_obeys_the_settings_that_the_action_has(action, laptop):
    pr = action.open(BAD, draft=True)
    post = ("--pr", "octo/halcyon#1", "--post", "--name", "gate")
    assert laptop.review(*post, "--comments", "off").returncode == 1
    assert laptop.writes() == []
    for held in (("--drafts", "quiet"), ("--max-comments", "0"), ("--comments", "summary")):
        assert laptop.review(*post, *held).returncode == 1
    assert (len(pr.comments), pr.review_comments) == (1, [])
    assert "<!-- review-bot:1 gate summary" in pr.comments[0].body
    assert laptop.review(*post, "--comment-on", "error", "--request-changes").returncode == 1
    assert [(each.path, each.line) for each in pr.review_comments] == [("halcyon/run.py", 1)]
    assert [each.state for each in pr.reviews] == ["CHANGES_REQUESTED"]


def test_a_pull_request_that_is_not_there_or_closed(action, laptop):
    gone = laptop.review("--pr", "octo/halcyon#7")
    assert gone.returncode == 3
    assert gone.stderr.startswith("review-bot: ")
    assert gone.stderr.count("\n") == 1
    pr = action.open(BAD)
    pr.close()
    closed = laptop.review("--pr", "octo/halcyon#1", "--post")
    assert (closed.returncode, closed.stdout) == (0, "Nothing to review: pull request 1 is closed.\n")
    assert laptop.writes() == []


@pytest.fixture
def enterprise() -> Iterator[Action]:
    with FakeGitHub(enterprise=True) as github:
        yield Action(github)


def test_an_enterprise_server(enterprise, tmp_path):
    pr = enterprise.open(BAD)
    assert enterprise.github.url.endswith("/api/v3")
    assert enterprise.run(pr).code == 1
    laptop = Laptop(enterprise, tmp_path)
    del laptop.told["GITHUB_GRAPHQL_URL"]
    server = {"GITHUB_SERVER_URL": "https://ghe.example"}
    assert laptop.review("--pr", "octo/halcyon#1", **server).returncode == 1
    assert laptop.review("--pr", "https://ghe.example/octo/halcyon/pull/1", **server).returncode == 1
    other = laptop.review("--pr", "https://github.com/octo/halcyon/pull/1", **server)
    assert other.returncode == 2
    assert "this is not on https://ghe.example" in other.stderr
    assert {each.path.split("/")[1] for each in enterprise.github.requests if each.host == "api"} == {"api"}
