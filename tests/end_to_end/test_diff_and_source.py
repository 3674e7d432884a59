"""``review --diff FILE --source DIR`` with the real program: the folder has what the diff says, or the file is named."""

import json
import os
import re

import pytest

from tests.command import run_command
from tests.git_repository import ENVIRONMENT, GitRepository

SWALLOWS = "def f(g):\n    try:\n        g()\n    except Exception:\n        pass\n"


@pytest.fixture
def repo(tmp_path):
    made = GitRepository(tmp_path / "repo")
    made.commit({"thing.py": "X = 1\n", "folder/a.py": "Y = 1\n", "kept.py": "Z = 1\n"})
    return made


def review(folder, diff):
    """Return exit code, the paths with a swallowed exception, and reason by path of what is unreviewed."""
    done = run_command(["review", "--diff", "-", "--source", folder, "--format", "json"], input=diff, env=ENVIRONMENT)
    report = json.loads(done.stdout)
    assert report["failures"] == []
    found = sorted(each["path"] for each in report["findings"] if each["rule"] == "errors/swallowed-exception")
    return done.returncode, found, {each["path"]: each["reason"] for each in report["unreviewed"]}


def test_a_file_becomes_a_folder_and_a_folder_a_file(repo):
    repo.write({"thing.py": None, "folder/a.py": None})
    os.rmdir(repo.folder / "folder")
    repo.commit({"thing.py/b.py": SWALLOWS, "folder": "Text.\n", "kept.py": SWALLOWS})
    diff = repo.git("diff", "HEAD~1", "HEAD")
    assert review(repo.folder, diff) == (0, ["kept.py", "thing.py/b.py"], {})


def test_a_file_becomes_a_link_and_a_link_a_file(repo):
    os.symlink("kept.py", repo.folder / "link.py")
    repo.commit()
    os.unlink(repo.folder / "link.py")
    os.unlink(repo.folder / "thing.py")
    os.symlink("/etc/hostname", repo.folder / "thing.py")
    repo.commit({"link.py": SWALLOWS})
    diff = repo.git("diff", "HEAD~1", "HEAD")
    assert review(repo.folder, diff) == (0, ["link.py"], {})


@pytest.mark.parametrize("target", ["../outside.py", "/etc/hostname"])
def test_a_link_out_of_the_folder_is_not_followed(repo, target):
    repo.commit({"thing.py": SWALLOWS, "kept.py": SWALLOWS})
    diff = repo.git("diff", "HEAD~1", "HEAD")
    (repo.folder.parent / "outside.py").write_text(SWALLOWS)
    os.unlink(repo.folder / "thing.py")
    os.symlink(target, repo.folder / "thing.py")
    code, found, unreviewed = review(repo.folder, diff)
    assert (code, found) == (3, ["kept.py"])
    assert unreviewed == {"thing.py": "its text in --source could not be read: a symbolic link leads out of the folder"}


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (None, "thing.py is not there"),
        ("X = 2\n", "line 1 there differs from the diff"),
        (SWALLOWS + "Y\n", "is not the object"),
    ],
)
def test_a_file_that_does_not_fit_is_named_and_the_others_are_reviewed(repo, content, reason):
    repo.commit({"thing.py": SWALLOWS, "kept.py": SWALLOWS})
    diff = repo.git("diff", "--full-index", "HEAD~1", "HEAD")
    repo.write({"thing.py": content})
    code, found, unreviewed = review(repo.folder, diff)
    assert (code, list(unreviewed)) == (3, ["thing.py"])
    assert "kept.py" in found
    assert unreviewed["thing.py"].startswith("the diff does not match --source: ")
    assert reason in unreviewed["thing.py"]


@pytest.mark.parametrize("setting", ["core.autocrlf=true", "core.eol=crlf"])
def test_a_tree_with_crlf_line_ends(repo, tmp_path, setting):
    repo.commit(
        {".gitattributes": "*.py text\n" if "eol" in setting else "", "thing.py": SWALLOWS, "kept.py": SWALLOWS}
    )
    diff = repo.git("diff", "HEAD~1", "HEAD")
    source = tmp_path / "source"
    repo.git("-c", setting, "worktree", "add", "--quiet", "--detach", str(source), "HEAD", "--no-checkout")
    repo.git("-c", setting, f"--work-tree={source}", "checkout", "--quiet", "HEAD", "--", ".")
    assert b"\r\n" in (source / "thing.py").read_bytes()
    assert review(source, diff) == (0, ["kept.py", "thing.py"], {})


def test_a_diff_without_its_files_says_how_many_rules_did_not_run(repo):
    repo.commit({"kept.py": "import missing_module\nZ = 2\n"})
    diff = repo.git("diff", "HEAD~1", "HEAD")
    for form in ("terminal", "markdown", "html"):
        for source in ([], ["--source", str(repo.folder)]):
            done = run_command(["review", "--diff", "-", *source, "--format", form], input=diff, env=ENVIRONMENT)
            said = re.search(
                r"\d+ rules need the files and did not run: add -?-source DIR", " ".join(done.stdout.decode().split())
            )
            assert (said is None) == bool(source), (form, source)


@pytest.mark.parametrize("more", ["", "Z = 2\n"])
def test_all_of_a_copy_is_new(repo, more):
    repo.commit({"thing.py": SWALLOWS})
    repo.commit({"copy.py": SWALLOWS + more})
    diff = repo.git("diff", "--find-copies-harder", "HEAD~1", "HEAD")
    assert b"copy from thing.py" in diff
    assert review(repo.folder, diff) == (0, ["copy.py"], {})


@pytest.mark.parametrize("old", ["thing.py", "notes.txt"])
def test_what_a_diff_does_not_show_of_a_copy_or_of_a_file_that_rules_did_not_read_is_named(repo, old):
    head = f"diff --git a/{old} b/new.py\nsimilarity index 100%\n"
    kind = "copy" if old == "thing.py" else "rename"
    diff = f"{head}{kind} from {old}\n{kind} to new.py\n"
    done = run_command(["review", "--diff", "-", "--format", "json"], input=diff.encode(), env=ENVIRONMENT)
    ((path, reason),) = [(each["path"], each["reason"]) for each in json.loads(done.stdout)["unreviewed"]]
    assert (done.returncode, path) == (3, "new.py")
    assert reason.startswith("all of its lines are new to rules, but the diff does not show them")
