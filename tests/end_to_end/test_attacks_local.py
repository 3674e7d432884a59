"""Attacks on a local review by what a clone or an unpacked archive holds beside its files: refs, history, pipes."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import yaml

from review_bot.errors import ForgeError
from review_bot.forges import git_process
from tests.command import run_command
from tests.git_repository import ENVIRONMENT, GitRepository

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = [sys.executable, "-I", "-m", "review_bot"]
BAD = {"halcyon/b.py": "from halcyon.outputs import StepOutput\n"}
BASE = {"halcyon/__init__.py": "", "halcyon/a.py": "x = 1\n"}


@pytest.fixture
def clone(tmp_path: Path) -> GitRepository:
    """Return a clone on the branch ``feature``, which adds an import of a module that does not exist."""
    origin = GitRepository(tmp_path / "origin")
    origin.commit(BASE)
    made = GitRepository(tmp_path / "clone")
    made.git("remote", "add", "origin", str(origin.folder))
    made.git("fetch", "--quiet", "origin")
    made.git("reset", "--quiet", "--hard", "origin/main")
    made.git("remote", "set-head", "origin", "main")
    made.git("checkout", "--quiet", "-b", "feature")
    made.commit(BAD)
    return made


def review(clone: GitRepository, *arguments: str, pushed: str | None = None) -> tuple[int, str]:
    """Return exit code and all that was printed. ``pushed``: the commit that pre-commit names to a hook."""
    environment = {**ENVIRONMENT, **({} if pushed is None else {"PRE_COMMIT_TO_REF": pushed})}
    done = run_command(["review", *arguments], cwd=clone.folder, env=environment, text=True, timeout=60)
    return done.returncode, done.stdout + done.stderr


def finds(clone: GitRepository, *arguments: str) -> bool:
    code, words = review(clone, *arguments)
    return code == 1 and "missing-module-import" in words


def test_the_hook_reviews_the_pushed_branch_and_not_the_one_that_is_checked_out(clone):
    commit = clone.git("rev-parse", "feature").strip()
    clone.git("checkout", "--quiet", "--detach", "origin/main")
    hook = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())[0]
    assert review(clone, *hook["args"])[0] == 0
    code, words = review(clone, *hook["args"], pushed=commit)
    assert code == 1
    assert "missing-module-import" in words
    assert review(clone, "--pushed", "--head", "HEAD")[0] == 2


def test_the_plain_form_is_found(clone):
    assert finds(clone)
    assert finds(clone, "main..feature")


@pytest.mark.parametrize(
    ("ref", "to", "arguments"),
    [
        ("refs/tags/main", "HEAD", ["--base", "main"]),
        ("refs/tags/main", "HEAD", ["main..feature"]),
        ("refs/tags/origin/main", "HEAD", ["--base", "origin/main"]),
        ("refs/heads/origin/main", "HEAD", ["--base", "origin/main"]),
        ("refs/tags/main", "HEAD", ["--base", "main^0"]),
        ("refs/tags/feature", "main", ["main..feature"]),
        ("refs/tags/feature", "main", ["--head", "feature"]),
    ],
)
def test_a_name_of_several_refs_is_refused(clone, ref, to, arguments):
    clone.git("update-ref", ref, to)
    code, words = review(clone, *arguments)
    assert code == 2
    assert "is ambiguous" in words
    assert ref in words or "^" in arguments[-1]


def test_a_pseudo_ref_in_the_git_folder_is_refused(clone):
    (clone.folder / ".git" / "main").write_bytes(clone.git("rev-parse", "HEAD"))
    code, words = review(clone, "--base", "main")
    assert code == 2
    assert "is ambiguous" in words


@pytest.mark.parametrize(
    "setting", ["core.ignoreStat=true", "core.sparseCheckout=true", "diff.relative=true", "color.diff=always"]
)
def test_no_setting_of_the_clone_hides_a_file_that_git_does_not_know_yet(clone, setting):
    clone.git("reset", "--quiet", "--soft", "main")
    clone.git("reset", "--quiet")
    clone.git("config", *setting.split("="))
    assert finds(clone)


def test_an_edit_is_seen_though_size_and_time_are_as_before(clone):
    path, long_ago = clone.folder / "halcyon" / "b.py", (1e9, 1e9)
    clone.commit({"halcyon/b.py": "from halcyon.a import x as Step1234567\n"})
    os.utime(path, long_ago)
    clone.git("update-index", "--refresh")
    clone.git("config", "core.trustctime", "false")
    clone.git("config", "core.checkStat", "minimal")
    time.sleep(1.1)  # git compares whole seconds
    path.write_text(BAD["halcyon/b.py"])
    os.utime(path, long_ago)
    assert clone.git("diff", "--name-only") == b""
    assert finds(clone, "HEAD")


@pytest.mark.parametrize("arguments", [[], ["--head", "HEAD"]])
def test_the_chosen_base_and_head_are_full_names(clone, arguments):
    for ref in ("refs/tags/main", "refs/tags/origin/main", "refs/heads/origin/main"):
        clone.git("update-ref", ref, "HEAD")
    for ref in ("refs/heads/HEAD", "refs/tags/HEAD", "refs/remotes/HEAD"):
        clone.git("update-ref", ref, "refs/heads/main")
    assert finds(clone, *arguments)


@pytest.mark.parametrize("target", ["refs/heads/feature", "HEAD", "refs/remotes/other/feature"])
@pytest.mark.parametrize("name", ["HEAD", "main"])
def test_a_remote_branch_that_leads_to_the_change_is_no_base(clone, name, target):
    clone.git("update-ref", "refs/remotes/other/feature", "HEAD")
    clone.git("symbolic-ref", f"refs/remotes/origin/{name}", target)
    assert finds(clone)


@pytest.mark.parametrize("old", ["HEAD:halcyon/b.py", "HEAD^{tree}", "main"])
def test_replaced_objects_are_read_as_they_are(clone, old):
    new = {"HEAD:halcyon/b.py": "HEAD:halcyon/a.py", "HEAD^{tree}": "main^{tree}", "main": "HEAD"}[old]
    old_id, new_id = (clone.git("rev-parse", name).decode().strip() for name in (old, new))
    clone.git("replace", "-f", old_id, new_id)
    assert finds(clone)
    assert finds(clone, "main..feature")


def test_a_graft_changes_no_history(clone):
    base, head = (clone.git("rev-parse", name).decode().strip() for name in ("main", "HEAD"))
    (clone.folder / ".git" / "info").mkdir(exist_ok=True)
    (clone.folder / ".git" / "info" / "grafts").write_text(f"{base} {head}\n")
    assert finds(clone)
    assert finds(clone, "main..feature")


def test_the_working_tree_is_the_one_that_was_named(tmp_path, clone):
    (tmp_path / "clean").mkdir()
    clone.git("config", "core.worktree", str(tmp_path / "clean"))
    assert finds(clone)


def test_a_git_that_waits_for_ever_is_ended(clone):
    os.mkfifo(clone.folder / ".gitignore")
    running = git_process.start(str(clone.folder), ["ls-files", "--others", "--exclude-standard"])
    if sys.platform == "linux":  # where `core.attributesFile = /dev/zero` would take all memory
        assert resource.prlimit(running.pid, resource.RLIMIT_DATA)[0] <= git_process.MEMORY
    with pytest.raises(ForgeError, match="named pipe"):
        git_process.finish(running, silence=0.5)
    with pytest.raises(ProcessLookupError):
        os.kill(running.pid, 0)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="finds processes in /proc")
@pytest.mark.parametrize("pipe", [".gitignore", ".git/shallow"])
def test_a_signal_ends_a_review_whose_git_waits(clone, pipe):
    os.mkfifo(clone.folder / pipe)
    begun = subprocess.Popen(
        [*PROGRAM, "review"],
        cwd=clone.folder,
        env=dict(ENVIRONMENT),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    time.sleep(1.5)
    begun.send_signal(signal.SIGTERM)
    begun.communicate(timeout=2)
    assert begun.returncode == 143
    with pytest.raises(ProcessLookupError):
        os.killpg(begun.pid, 0)  # no git is left in its session


def test_a_caller_that_ignores_the_end_of_children_changes_nothing(clone):
    program = (
        "import os, signal, sys; signal.signal(signal.SIGCHLD, signal.SIG_IGN); "
        f"os.execv({sys.executable!r}, {[*PROGRAM, 'review', '-C', str(clone.folder)]!r})"
    )
    done = subprocess.run([sys.executable, "-c", program], env=dict(ENVIRONMENT), capture_output=True, check=False)
    assert done.returncode == 1
