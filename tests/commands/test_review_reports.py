"""``review-bot review`` as a process: what reaches standard output, files and the exit code."""

import json
import os
import re
import subprocess
import sys

import pytest

from tests.command import run_command

HEAVY = ("rich", "jinja2", "pydantic", "yaml", "httpx", "asyncio", "logging")

PROBE = """
import sys
from review_bot.cli import main
code = main(sys.argv[1:])
sys.stdout.flush()
print(*sorted({name.partition(".")[0] for name in sys.modules}), file=sys.stderr)
sys.exit(code)
"""


@pytest.fixture
def repository(tmp_path):
    """Make a repository whose branch adds a file with a conflict marker and a name that is no English."""

    def git(*arguments):
        subprocess.run(["git", "-C", tmp_path, *arguments], check=True, capture_output=True)

    git("init", "-q", "-b", "main")
    git("config", "user.email", "a@example.org")
    git("config", "user.name", "A")
    (tmp_path / "a.py").write_text("import os\n")
    git("add", ".")
    git("commit", "-qm", "one")
    git("checkout", "-qb", "work")
    (tmp_path / "naïve \x1b.txt").write_text("x = 1\n<<<<<<< ours\n")
    git("add", ".")
    git("commit", "-qm", "two")
    return tmp_path


def review(repository, *arguments, probe=False, **environment):
    clean = {
        name: value for name, value in os.environ.items() if name not in {"NO_COLOR", "FORCE_COLOR", "COLUMNS", "TERM"}
    }
    command = ["review", "-C", str(repository), "--base", "main", *arguments]
    if not probe:
        return run_command(command, env={**clean, **environment}, cwd=repository)
    return subprocess.run(
        [sys.executable, "-c", PROBE, *command],
        capture_output=True,
        check=False,
        env={**clean, **environment},
        cwd=repository,
    )


def test_a_pipe_gets_plain_text(repository):
    done = review(repository)
    assert (done.returncode, done.stderr) == (1, b"")
    text = done.stdout.decode()
    assert "\x1b" not in text
    assert "naïve \\u001b.txt:2:1\n" in text
    assert "Gate: fails (fail-on: error)." in text


def test_colour_can_be_forced_and_forbidden(repository):
    assert b"\x1b[1;31merror" in review(repository, FORCE_COLOR="1").stdout
    assert b"\x1b" not in review(repository, FORCE_COLOR="1", NO_COLOR="1").stdout


def test_an_old_locale_ends_no_review(repository):
    done = review(repository, PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert done.returncode == 1
    assert b"na\\xefve \\u001b.txt:2:1\n" in done.stdout


def test_a_locale_without_the_letters_of_a_file_name_says_what_to_set(repository):
    (repository / "naïve.py").write_text("x = 1\n")
    done = review(repository, LC_ALL="C", PYTHONCOERCECLOCALE="0", PYTHONUTF8="0")
    assert (done.returncode, done.stdout) == (3, b"")
    assert done.stderr == b"review-bot: this locale has no letter for a file name (ascii); set PYTHONUTF8=1\n"
    assert review(repository, LC_ALL="C", PYTHONCOERCECLOCALE="0", PYTHONUTF8="1").returncode == 1


@pytest.mark.parametrize("form", ["terminal", "json", "github"])
def test_plain_output_imports_nothing_heavy(repository, form):
    review(repository)  # the compiled rules are there after the first run
    done = review(repository, "--format", form, probe=True)
    assert done.returncode == 1
    assert not set(done.stderr.decode().split()) & set(HEAVY)


def test_files_follow_their_suffix(repository, tmp_path_factory):
    folder = tmp_path_factory.mktemp("reports")
    names = ["r.json", "r.sarif", "r.md", "r.txt"]
    done = review(repository, *(f"--output={folder / name}" for name in names), FORCE_COLOR="1")
    assert done.returncode == 1
    assert json.loads((folder / "r.json").read_text())["verdict"]["passed"] is False
    assert json.loads((folder / "r.sarif").read_text())["version"] == "2.1.0"
    assert (folder / "r.md").read_text().startswith("## Review Bot: changes required\n")
    assert "\x1b" not in (folder / "r.txt").read_text()


def test_a_report_that_cannot_be_written_is_no_success_and_hides_no_finding(repository):
    done = review(repository, f"--output={repository / 'no' / 'such' / 'r.json'}")
    assert done.returncode == 3
    assert b"could not write" in done.stderr
    assert b"error  " in done.stdout


def test_no_report_names_the_machine(repository):
    for form in ("terminal", "json", "markdown", "sarif", "github"):
        assert str(repository).encode() not in review(repository, "--format", form).stdout


def test_an_exported_folder_is_no_part_of_the_next_review(repository):
    first = review(repository, "--export", str(repository / "dossier"))
    report = (repository / "dossier/report.json").read_bytes()
    again = review(repository, "--export", str(repository / "dossier"))
    assert again.stdout == first.stdout
    assert (repository / "dossier/report.json").read_bytes() == report


def test_what_stands_in_a_folder_that_is_there_stays_visible_to_git(repository):
    (repository / "kept").mkdir()
    review(repository, "--export", str(repository / "kept"))
    assert not (repository / "kept/.gitignore").exists()


def test_an_export_that_could_not_be_finished_can_be_repeated(repository):
    (repository / "out/REVIEW.md").mkdir(parents=True)
    done = review(repository, "--export", str(repository / "out"))
    assert done.returncode == 3
    assert b"could not write" in done.stderr
    (repository / "out/REVIEW.md").rmdir()
    assert review(repository, "--export", str(repository / "out")).returncode == 1
    assert (repository / "out/REVIEW.md").stat().st_size


def test_an_export_replaces_no_file_but_those_of_an_earlier_one(repository):
    (repository / "out").mkdir()
    (repository / "out/SUMMARY.md").write_text("A table of contents.\n")
    done = review(repository, "--export", str(repository / "out"))
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"SUMMARY.md exists there, and no earlier --export wrote it" in done.stderr
    assert [each.name for each in (repository / "out").iterdir()] == ["SUMMARY.md"]
    assert (repository / "out/SUMMARY.md").read_text() == "A table of contents.\n"

    (repository / "out/SUMMARY.md").unlink()
    assert (
        b"the next review of this working tree includes them"
        in review(repository, "--export", str(repository / "out")).stderr
    )
    assert review(repository, "--export", str(repository / "out")).returncode == 1


def test_an_export_says_what_it_wrote_and_what_is_empty(repository, tmp_path):
    folder = tmp_path / "dossier"
    said = review(repository, "--export", str(folder)).stderr.decode()
    assert said.startswith(f"Written to {folder}: SUMMARY.md, REVIEW.md, ")
    empty = {each.name for each in folder.iterdir() if not each.stat().st_size}
    assert (set(said.partition("without content: ")[2].rstrip(".\n").split(", ")) - {""}) == empty


def test_the_concise_report_is_a_line_for_each_finding(repository):
    done = review(repository, "--format", "concise")
    lines = done.stdout.decode().splitlines()
    assert (done.returncode, done.stderr) == (1, b"")
    assert lines
    assert [
        line for line in lines if not re.match(r"(.+:\d+:\d+|\(change\)): (error|warning|info|hint) \S+ \S", line)
    ] == []
    assert len(review(repository, "--format", "concise", "--all").stdout.decode().splitlines()) >= len(lines)


def test_all_is_refused_where_it_changes_nothing(repository):
    done = review(repository, "--all", "--format", "json")
    assert done.returncode == 2
    assert b"--all only affects concise and terminal; remove it or --format json" in done.stderr
