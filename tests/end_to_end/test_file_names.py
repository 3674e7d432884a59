"""File names of every kind that git can store, given to the real program through a repository and through a diff."""

import json
import os
import re
import subprocess
import sys

import pytest

from tests.git_repository import ENVIRONMENT, GitRepository

SWALLOWS = "def f(g):\n    try:\n        g()\n    except Exception:\n        pass\n"
NAMES = {
    os.fsdecode(b"lat\xe9in.py"): "lat\\xe9in.py",
    os.fsdecode(b"lat\xe8in.py"): "lat\\xe8in.py",
    os.fsdecode(b"f\xf6lder/caf\xc3\xa9\xff.py"): "f\\xf6lder/café\\xff.py",
    os.fsdecode(b"half\xed\xa0\x80pair.py"): "half\\xed\\xa0\\x80pair.py",
    os.fsdecode(b"escaped\xed\xb3\xa9.py"): "escaped\\xed\\xb3\\xa9.py",
    os.fsdecode(b"new\nline.py"): "new\nline.py",
    os.fsdecode(b"tab\tand \"quotes\" 'both'.py"): "tab\tand \"quotes\" 'both'.py",
    os.fsdecode(b"back\\slash.py"): "back\\slash.py",
    os.fsdecode(b"control\x01\x1b[31m.py"): "control\x01\x1b[31m.py",
    "bidi\u202eyp.py": "bidi\u202eyp.py",
    "replaced\ufffd.py": "replaced\ufffd.py",
    os.fsdecode(b" space .py"): " space .py",
    os.fsdecode(b"-C.py"): "-C.py",
    os.fsdecode(b":(top)magic.py"): ":(top)magic.py",
}
HIDDEN = {"new\nline.py", "tab\tand \"quotes\" 'both'.py", "control\x01\x1b[31m.py", "bidi\u202eyp.py"}


def run(folder, *arguments, given=None):
    done = subprocess.run(
        [sys.executable, "-m", "review_bot", *arguments],
        cwd=folder,
        input=given,
        env={**ENVIRONMENT, "COLUMNS": "400", "PYTHONIOENCODING": "utf-8:strict"},
        capture_output=True,
        check=False,
        timeout=120,
    )
    assert b"Traceback" not in done.stderr
    return done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8")


@pytest.fixture(scope="module")
def repo(tmp_path_factory):
    """``work`` adds a file of each name, with one finding each; ``odd`` is a folder of what a review writes."""
    made = GitRepository(tmp_path_factory.mktemp("names") / "repo")
    made.commit({"README.md": "An engine.\n", "old\udce9.py": "def old():\n    return 1\n"})
    made.git("checkout", "-q", "-b", "work")
    made.commit(dict.fromkeys(NAMES, SWALLOWS) | {"old\udce9.py": "def old():\n    return 2\n"})
    return made


def judged(answer):
    """Return the paths with the finding that each file has, and check that nothing failed or was left out."""
    code, out, error = answer
    assert code == 1, error
    report = json.loads(out)
    assert (report["failures"], report["unreviewed"]) == ([], [])
    hidden = [each["path"] for each in report["findings"] if each["rule"] == "security/hidden-characters-in-name"]
    assert set(hidden) == HIDDEN
    found = [each for each in report["findings"] if each["rule"] == "errors/swallowed-exception"]
    assert len({each["fingerprint"] for each in report["findings"]}) == len(report["findings"])
    return sorted(each["path"] for each in found)


def test_every_name_is_reviewed_and_keeps_its_own(repo):
    assert judged(run(repo.folder, "review", "--format", "json", "main..work")) == sorted(NAMES.values())
    repo.git("checkout", "-q", "main")
    try:
        repo.write(dict.fromkeys(NAMES, SWALLOWS))
        assert judged(run(repo.folder, "review", "--format", "json")) == sorted(NAMES.values())
        repo.git("add", "--all")
        assert judged(run(repo.folder, "review", "--format", "json", "--jobs", "2")) == sorted(NAMES.values())
    finally:
        repo.git("checkout", "-q", "--force", "work")


@pytest.mark.parametrize("quoted", ["true", "false"])
@pytest.mark.parametrize("with_source", [True, False])
def test_every_name_is_read_from_a_diff(repo, quoted, with_source):
    diff = repo.git("-c", f"core.quotepath={quoted}", "diff", "--full-index", "main..work")
    source = ["--source", str(repo.folder)] if with_source else []
    assert judged(run("/", "review", "--format", "json", "--diff", "-", *source, given=diff)) == sorted(NAMES.values())


@pytest.mark.parametrize("form", ["terminal", "markdown", "html", "sarif", "github"])
def test_every_format_shows_such_a_name_as_text(repo, form):
    code, out, _ = run(repo.folder, "review", "--format", form, "main..work")
    assert code == 1
    assert not any(0xD800 <= ord(sign) < 0xE000 for sign in out)
    assert "\\ud" not in out.lower()
    if form == "sarif":
        uris = {
            each["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
            for each in json.loads(out)["runs"][0]["results"]
        }
        assert {"lat%E9in.py", "lat%E8in.py", "f%F6lder/caf%C3%A9%FF.py", "half%ED%A0%80pair.py"} <= uris
    elif form in {"terminal", "html"}:  # the others name a few of many
        assert re.search(r"\\x(e[89]|f6|ed)", out)


def test_every_command_that_writes_takes_such_names(repo, tmp_path):
    code, _, error = run(
        repo.folder, "review", "--export", str(tmp_path / "out"), "--output", str(tmp_path / "page.html"), "main..work"
    )
    assert code == 1, error
    assert "lat\\xe9in.py" in (tmp_path / "out" / "REVIEW.md").read_text()
    assert run(repo.folder, "brief", "main..work")[0] == 0
    repo.git("checkout", "-q", "-b", "fixed")
    repo.write({"sp\udce9.py": "x = 1  \n"})
    code, out, _ = run(repo.folder, "fix", "--base", "main")
    assert "sp\\xe9.py" in out
    assert repo.git("status", "--short", "-z").split(b"\0")[0] == b"?? sp\xe9.py"
    with open(os.path.join(os.fsencode(repo.folder), b"sp\xe9.py"), "rb") as stream:
        assert stream.read() == b"x = 1\n"
    os.unlink(os.path.join(os.fsencode(repo.folder), b"sp\xe9.py"))
    repo.git("checkout", "-q", "work")


def test_path_patterns_and_the_baseline_know_such_names(repo):
    (repo.folder / ".github").mkdir()
    (repo.folder / ".github/review-bot.yml").write_text('paths:\n  ignore: ["lat?in.py", "f*/**"]\n')
    try:
        report = json.loads(run(repo.folder, "review", "--format", "json", "main..work")[1])
        assert not {"lat\\xe9in.py", "f\\xf6lder/café\\xff.py"} & {each["path"] for each in report["findings"]}
        assert run(repo.folder, "review", "--write-baseline", "main..work")[2] == ""
        report = json.loads(run(repo.folder, "review", "--format", "json", "main..work")[1])
        assert "errors/swallowed-exception" not in {each["rule"] for each in report["findings"]}
    finally:
        subprocess.run(["rm", "-r", repo.folder / ".github"], check=True)


def test_two_names_that_look_alike_in_reports_are_never_taken_for_one(tmp_path):
    made = GitRepository(tmp_path / "repo")
    made.commit({"README.md": "An engine.\n"})
    made.write({"lat\udce9in.py": SWALLOWS, "lat\\xe9in.py": SWALLOWS})
    code, out, _ = run(made.folder, "review", "--format", "json")
    assert code == 3
    reasons = [each["reason"] for each in json.loads(out)["unreviewed"]]
    assert reasons == ["in reports its name looks like the name of another file; rename one of them"]
