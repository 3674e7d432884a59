"""Attacks on a person who reviews a hostile branch on their own machine: the real program, on a real clone."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command import run_command
from tests.git_repository import ENVIRONMENT, GitRepository

PROGRAM = [sys.executable, "-I", "-m", "review_bot"]
BAD = "try:\n    run()\nexcept:\n    pass\n"


def review_bot(*arguments: str, folder: Path, program: list[str] | None = None, **variables: str):
    environment = {**ENVIRONMENT, "XDG_CACHE_HOME": str(folder / "no-cache"), **variables}
    if program is None:
        return run_command(arguments, cwd=folder, env=environment, text=True, timeout=60)
    return subprocess.run(
        [*program, *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        stdin=subprocess.DEVNULL,
    )


@pytest.fixture
def repo(tmp_path: Path) -> GitRepository:
    made = GitRepository(tmp_path / "repo")
    made.commit({"a.py": "x = 1\n"})
    return made


@pytest.fixture
def trap(tmp_path: Path) -> Path:
    """Return a program that leaves a trace when it runs."""
    program = tmp_path / "trap"
    program.write_text(f"#!/bin/sh\ntouch {tmp_path}/sprung\ncat\n")
    program.chmod(0o755)
    return program


def sprung(trap: Path) -> bool:
    return (trap.parent / "sprung").exists()


def bare_shaped(trap: Path) -> dict[str, str]:
    """Return files in the form of a bare repository whose configuration runs a program."""
    return {
        "docs/HEAD": "ref: refs/heads/main\n",
        "docs/config": f"[core]\n\trepositoryformatversion = 0\n\tworktree = .\n\tfsmonitor = {trap}\n"
        f'[filter "evil"]\n\tclean = {trap}\n',
        "docs/objects/pack/x": "x",
        "docs/refs/heads/x": "x",
        "docs/.gitattributes": "* filter=evil\n",
        "docs/a.py": BAD,
    }


@pytest.mark.parametrize("arguments", [("review",), ("review", "-C", "."), ("fix", "--dry-run"), ("brief",)])
def test_a_folder_in_the_form_of_a_repository_is_refused(repo, trap, arguments):
    repo.commit(bare_shaped(trap))
    done = review_bot(*arguments, folder=repo.folder / "docs")
    assert done.returncode == 2
    assert "looks like a bare repository inside the working tree" in done.stderr
    assert not sprung(trap)


def test_an_unpacked_tree_in_the_form_of_a_repository_runs_nothing(tmp_path, repo, trap):
    repo.write(bare_shaped(trap))
    shutil.copytree(repo.folder / "docs", tmp_path / "unpacked" / "docs")
    subprocess.run(["git", "init", "--quiet", "--bare", tmp_path / "real.git"], check=True, env=dict(ENVIRONMENT))
    shutil.copytree(tmp_path / "real.git", tmp_path / "unpacked" / "docs", dirs_exist_ok=True)
    (tmp_path / "unpacked" / "docs" / "config").write_text(bare_shaped(trap)["docs/config"])
    done = review_bot("review", folder=tmp_path / "unpacked" / "docs")
    assert done.returncode in {2, 3}
    assert not sprung(trap)


def test_a_bare_repository_that_is_named_is_reviewed(tmp_path, repo):
    repo.git("checkout", "--quiet", "-b", "work")
    repo.commit({"a.py": BAD})
    repo.git("clone", "--quiet", "--bare", str(repo.folder), str(tmp_path / "bare.git"))
    done = review_bot("review", "-C", "bare.git", "--base", "main", "--format", "json", folder=tmp_path)
    assert "errors/swallowed-exception" in done.stdout, done.stderr


@pytest.mark.parametrize("place", [".gitattributes", ".git/info/attributes"])
@pytest.mark.parametrize("key", ["clean", "process"])
@pytest.mark.parametrize("name", ["evil", "a.b", ""])
def test_no_filter_runs(repo, trap, place, key, name):
    repo.git("config", f"filter.{name}.{key}", str(trap))
    repo.git("config", f"filter.{name}.required", "true")
    (repo.folder / place).parent.mkdir(exist_ok=True)
    (repo.folder / place).write_text(f"*.py filter={name}\n")
    repo.write({"a.py": BAD, "untracked.py": BAD})
    done = review_bot("review", "--format", "json", folder=repo.folder)
    assert done.stdout.count('"rule":"errors/swallowed-exception"') == 2 or done.stdout.count("swallowed") > 1
    assert done.returncode == 0
    assert not sprung(trap)


@pytest.mark.parametrize(("section", "key"), [("filter", "clean"), ("hook", "command")])
def test_a_program_that_cannot_be_switched_off_is_refused(repo, trap, section, key):
    with (repo.folder / ".git" / "config").open("a") as config:
        config.write(f'[{section} "a=b"]\n\t{key} = {trap}\n')
    repo.write({".gitattributes": "*.py filter=a=b\n", "a.py": BAD})
    done = review_bot("review", folder=repo.folder)
    assert done.returncode == 2
    assert f"{section} named 'a=b'" in done.stderr
    assert not sprung(trap)


def test_hooks_that_the_configuration_declares_are_switched_off(tmp_path, repo, trap):
    """Git runs them since version 2.54, whatever ``core.hooksPath`` is; an older one shows what it was asked."""
    repo.git("config", "hook.evil.command", str(trap))
    repo.git("config", "hook.evil.event", "post-index-change")
    repo.write({"untracked.py": BAD})
    git = tmp_path / "bin" / "git"
    git.parent.mkdir()
    git.write_text(f'#!/bin/sh\necho "$@" >> {tmp_path}/asked\nexec {shutil.which("git")} "$@"\n')
    git.chmod(0o755)
    review_bot("review", folder=repo.folder, PATH=f"{git.parent}{os.pathsep}{os.environ['PATH']}")
    writes = [line for line in (tmp_path / "asked").read_text().split("\n") if " update-index " in line]
    assert [line.count(" -c hook.evil.enabled=false ") for line in writes] == [1]
    assert not sprung(trap)


@pytest.mark.parametrize("url", ["ext::{trap}", "ssh://host.invalid/x", "file://{remote}"])
def test_a_missing_object_is_not_fetched(tmp_path, repo, trap, url):
    repo.git("checkout", "--quiet", "-b", "work")
    repo.commit({"a.py": BAD})
    blob = repo.git("rev-parse", "HEAD:a.py").decode().strip()
    shutil.copytree(repo.folder, tmp_path / "remote")
    (repo.folder / ".git/objects" / blob[:2] / blob[2:]).unlink()
    for name, value in {
        "core.repositoryFormatVersion": "1",
        "extensions.partialClone": "origin",
        "remote.origin.promisor": "true",
        "remote.origin.url": url.format(trap=trap, remote=tmp_path / "remote"),
        "protocol.ext.allow": "always",
        "core.sshCommand": str(trap),
        "core.gitProxy": str(trap),
    }.items():
        repo.git("config", name, value)
    done = review_bot("review", "--base", "main", "--head", "work", folder=repo.folder)
    assert done.returncode == 3
    assert not sprung(trap)
    assert not (repo.folder / ".git/objects" / blob[:2] / blob[2:]).exists()
    assert not [*(repo.folder / ".git/objects/pack").glob("*.pack")]


@pytest.mark.parametrize("path", ["", ".", "tools", "{folder}/tools"])
def test_git_of_the_tree_does_not_run(repo, trap, path):
    repo.write({"git": trap.read_text(), "tools/git": trap.read_text(), "a.py": BAD})
    for name in ("git", "tools/git"):
        (repo.folder / name).chmod(0o755)
    entry = path.format(folder=repo.folder)
    done = review_bot("review", folder=repo.folder, PATH=f"{entry}{os.pathsep}{os.environ['PATH']}")
    assert done.returncode == 0, done.stderr
    assert not sprung(trap)


def test_textconv_and_external_diff_run_in_no_command(repo, trap):
    repo.git("config", "diff.evil.textconv", str(trap))
    repo.git("config", "diff.evil.command", str(trap))
    first = repo.commit({".gitattributes": "*.py diff=evil\n", "a.py": "x = 2\n"})
    repo.git("checkout", "--quiet", "-b", "topic")
    repo.commit({"a.py": BAD})
    repo.git("checkout", "--quiet", "main")
    repo.git("merge", "--quiet", "--no-ff", "-m", "Merge pull request #7 from x/topic", "topic")
    repo.commit({"a.py": "x = 3\n"})
    for arguments in (("review", "--base", first), ("replay", ".", "--jobs", "1"), ("fix", "--dry-run")):
        review_bot(*arguments, folder=repo.folder)
        assert not sprung(trap), arguments


def test_content_of_lfs_that_is_unchanged_is_no_change_and_text_that_is_changed_is_reviewed(repo):
    content = BAD.encode()
    pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:%s\nsize %d\n" % (
        hashlib.sha256(content).hexdigest().encode(),
        len(content),
    )
    repo.commit({"model.py": pointer, ".gitattributes": "model.py filter=lfs\n"})
    repo.git("config", "filter.lfs.clean", "git-lfs clean -- %f")
    repo.git("config", "filter.lfs.required", "true")
    repo.write({"model.py": content})
    done = review_bot("review", folder=repo.folder)
    assert (done.returncode, "empty" in done.stdout or "no change" in done.stdout.lower()) == (0, True), done.stdout
    repo.write({"model.py": content + b"print()\n"})
    done = review_bot("review", "--format", "json", folder=repo.folder)
    assert "errors/swallowed-exception" in done.stdout


def test_a_module_of_the_tree_is_not_imported(repo, trap):
    repo.write(
        {"argparse.py": f"import os\nos.system({str(trap)!r})\n", "gc.py": f"import os\nos.system({str(trap)!r})\n"}
    )
    done = review_bot("review", folder=repo.folder, program=[sys.executable, "-m", "review_bot"])
    assert done.returncode == 0, done.stderr
    assert not sprung(trap)


def export(repo: GitRepository, *arguments: str):
    repo.write({"a.py": BAD})
    return review_bot("review", *arguments, folder=repo.folder)


@pytest.mark.parametrize(
    ("link", "arguments"),
    [
        ("review/SUMMARY.md", ("--export", "review")),
        ("review/report.html", ("--export", "{root}/review")),
        ("review", ("--export", "review")),
        ("review", ("--export", "{root}/review/deeper")),
        ("report.json", ("--output", "report.json")),
        ("report.json", ("--output", "./x/../report.json")),
        ("out", ("--output", "out/report.json")),
        ("out", ("--output", "{root}/out/report.html")),
        (".github", ("--write-baseline",)),
        (".github/review-bot-baseline.json", ("--write-baseline",)),
    ],
)
@pytest.mark.parametrize("dangling", [False, True])
def test_nothing_is_written_through_a_link_of_the_tree(tmp_path, repo, link, arguments, dangling):
    outside = tmp_path / "outside"
    is_file = "." in Path(link).name[1:]
    if not dangling:
        outside.write_text("{}") if is_file else outside.mkdir()
    place = repo.folder / link
    place.parent.mkdir(exist_ok=True)
    place.symlink_to(outside)
    done = export(repo, *(each.format(root=repo.folder) for each in arguments))
    assert done.returncode in {2, 3}
    assert "symbolic link" in done.stderr
    assert Path(link).name in done.stderr
    assert outside.exists() != dangling
    if not dangling:
        assert outside.read_text() == "{}" if is_file else not any(outside.iterdir())


@pytest.mark.parametrize(
    "link", [".github", ".github/review-bot.yml", ".github/workflows", ".github/workflows/review-bot.yml"]
)
@pytest.mark.parametrize("more", [(), ("--force",)])
def test_init_writes_through_no_link(tmp_path, repo, link, more):
    outside = tmp_path / "outside"
    place = repo.folder / link
    place.parent.mkdir(parents=True, exist_ok=True)
    place.symlink_to(outside)
    done = review_bot("init", "--workflow", "trusted", *more, folder=repo.folder)
    stays = link == ".github/review-bot.yml"  # init keeps a configuration that is there
    assert done.returncode in ({0} if stays else {2, 3})
    assert "review-bot.yml" in done.stdout + done.stderr
    assert not outside.exists()
    assert place.is_symlink()


def test_a_path_outside_of_the_tree_is_the_persons_own(tmp_path, repo):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    (tmp_path / "real/kept.json").write_text("old")
    done = export(repo, "--output", f"{tmp_path}/link/kept.json", "--export", f"{tmp_path}/link/dossier")
    assert done.returncode == 0, done.stderr
    assert '"schema"' in (tmp_path / "real/kept.json").read_text()
    assert (tmp_path / "real/dossier/SUMMARY.md").exists()
    done = export(repo, "--output", "/dev/stdout", "--format", "json")
    assert done.returncode in {0, 2}, done.stderr


def test_a_report_replaces_the_one_of_before_and_keeps_its_permissions(repo):
    (repo.folder / "report.json").write_text("x" * 100_000)
    (repo.folder / "report.json").chmod(0o640)
    assert export(repo, "--output", "report.json").returncode == 0
    assert (repo.folder / "report.json").read_text().startswith("{")
    assert (repo.folder / "report.json").stat().st_mode & 0o777 == 0o640
    assert not [*repo.folder.glob(".review-bot-*")]


def test_a_named_pipe_among_the_rules_is_refused(repo):
    folder = repo.folder / ".github/review-bot/rules"
    folder.mkdir(parents=True)
    os.mkfifo(folder / "slow.yml")
    for arguments in (("rules", "test", str(folder)), ("config", "check"), ("review",)):
        done = review_bot(*arguments, folder=repo.folder)
        assert done.returncode == 2
        assert "slow.yml" in done.stderr
