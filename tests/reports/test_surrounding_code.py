"""Findings on lines that the diff does not show have their code in every report."""

from __future__ import annotations

import html
import re

import pytest

from review_bot.reports.content.snippets import NOT_SHOWN
from tests.command import run_command
from tests.git_repository import ENVIRONMENT, GitRepository

MORE = "".join(f"    path = step_{number}(path)\n" for number in range(8))
OLD = f'def load(path, mode):\n    """Load.\n\n    Args:\n        path: The path.\n        mode: How.\n    """\n{MORE}    return path, mode\n'
NEW = OLD.replace("path, mode", "path, kind").replace("def load", "import os\n\n\ndef load")


def run(repository: GitRepository, *arguments: str) -> str:
    command = ["review", "main", "--select", "docs/stale-args", *arguments]
    done = run_command(command, text=True, cwd=repository.folder, env=ENVIRONMENT)
    assert done.returncode == 0, done.stderr
    return str(done.stdout)


@pytest.fixture(params=["\n", "\r\n"])
def repository(request, tmp_path) -> GitRepository:
    made = GitRepository(tmp_path / "clone")
    fill = "".join(f"    # {number}\n" for number in range(12))
    old, new = (text.replace('    """\n', f'{fill}    """\n') for text in (OLD, NEW))
    made.commit({"m.py": old.replace("\n", request.param)})
    made.git("checkout", "-q", "-b", "work")
    made.commit({"m.py": new.replace("\n", request.param)})
    return made


def test_the_terminal_shows_it(repository):
    lines = run(repository).split("\n")
    at = lines.index("m.py:9:9")
    assert lines[at + 3 : at + 8] == [
        "      7 | Args:",
        "      8 |     path: The path.",
        "  >   9 |     mode: How.",
        "     10 | # 0",
        "     11 | # 1",
    ]


def test_the_page_and_the_dossier_show_it(repository, tmp_path):
    page = html.unescape(re.sub(r"<[^>]*>", "", run(repository, "--format", "html")))
    assert "mode: How." in page
    run(repository, "--export", str(tmp_path / "dossier"))
    assert "mode: How." in (tmp_path / "dossier/REVIEW.md").read_text()


def test_a_diff_without_files_has_no_more_than_it_shows(repository):
    diff = repository.folder / "change.patch"
    diff.write_bytes(repository.git("diff", "main", "work"))
    done = run_command(["review", "--diff", str(diff), "--format", "html"], text=True, env=ENVIRONMENT)
    assert done.returncode == 0, done.stderr
    assert "mode: How." not in done.stdout


def test_a_credential_of_the_change_is_hidden_there_too(repository, tmp_path):
    key = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"
    repository.git("checkout", "-q", "main")
    text = (repository.folder / "m.py").read_bytes().decode()
    repository.commit({"m.py": text.replace("    # 0", f"    # {key}")})
    repository.git("checkout", "-q", "-B", "work")
    text = (repository.folder / "m.py").read_bytes().decode().replace("path, mode", "path, kind")
    repository.commit({"m.py": text, "n.py": f'TOKEN = "{key}"\n'})
    command = ["review", "main", "--select", "docs/stale-args,security/hardcoded-secret", "--format"]
    for name in ("terminal", "html"):
        done = run_command([*command, name], text=True, cwd=repository.folder, env=ENVIRONMENT)
        assert ("mode: How." in html.unescape(re.sub(r"<[^>]*>", "", done.stdout)), key in done.stdout) == (True, False)
        assert NOT_SHOWN in html.unescape(done.stdout)
