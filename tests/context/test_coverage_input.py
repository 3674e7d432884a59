"""Coverage reports as they are handed over: by a flag, by an input, and read in a process of their own."""

from __future__ import annotations

import json
import os
import sys
import time
from functools import partial

import pytest

from review_bot.changes.pull_request import PullRequest
from review_bot.cli import main
from review_bot.context import coverage_input
from review_bot.coverage.reported import Reported, ReportedFile, Unusable
from review_bot.errors import UsageError
from review_bot.github_action import runner_environment
from review_bot.sandbox import coverage_worker
from tests.coverage.reports import EVERY_LINE, cobertura, lcov
from tests.git_repository import GitRepository
from tests.reviews import changed

WANTED = {"b.py": EVERY_LINE}
MODEL = {"src/b.py": {1: 1, 2: 0}}
CODE = '"""Counts."""\n' + "".join(
    f'\n\ndef count{n}(x: int) -> int:\n    """Return {n} more."""\n    return x + {n}\n' for n in range(20)
)


read_apart = partial(coverage_input.read_apart, command=coverage_worker.COMMAND)


def opened(path) -> int:
    return os.open(path, os.O_RDONLY)


@pytest.mark.parametrize("read", [coverage_input.read_here, read_apart])
@pytest.mark.parametrize("write", [lcov, cobertura])
def test_both_processes_read_the_same(tmp_path, read, write):
    (tmp_path / "r").write_bytes(write(MODEL))
    assert read(opened(tmp_path / "r"), WANTED) == Reported(
        (ReportedFile("src/b.py", frozenset({1}), frozenset({2})),), named=1
    )
    (tmp_path / "r").write_bytes(b"<coverage>" + b"<a>" * 100)
    with pytest.raises(Unusable, match="has more than 64 nested elements"):
        read(opened(tmp_path / "r"), WANTED)


def worker(tmp_path, program: str) -> list[str]:
    (tmp_path / "worker.py").write_text(program)
    (tmp_path / "r").write_bytes(lcov(MODEL))
    return [sys.executable, "-I", str(tmp_path / "worker.py")]


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("import os; os._exit(3)", "was not read: its process ended early"),
        ("import time; time.sleep(60)", "was not read: that took longer than 1 s"),
        ("print('hello')", "was not read: its process returned an invalid response"),
        ("print('[]')", "was not read: its process returned an invalid response"),
        ("print('[' * 100_000)", "was not read: its process returned an invalid response"),
        ("print('[null, [[[1, [], []]], [], 1, 0]]')", "returned an invalid response"),
        ("print('[null, [[[\"a\", [true], []]], [], 1, 0]]')", "returned an invalid response"),
        ("while True: print('x' * 65536)", "was not read: the sandboxed process returned more than"),
        ("import json; print(json.dumps(['a' + chr(27) + '[1m' + chr(10) + 'b', [[], [], 0, 0]]))", r"a \[1m b"),
    ],
)
def test_a_process_that_misbehaves_measures_nothing(tmp_path, program, said):
    command = worker(tmp_path, program)
    before = time.monotonic()
    with pytest.raises(Unusable, match=said):
        coverage_input.read_apart(opened(tmp_path / "r"), WANTED, command=command, seconds=1.0)
    assert time.monotonic() - before < 10


def test_the_process_has_no_environment_and_no_other_file(tmp_path, monkeypatch):
    monkeypatch.setenv("SECRET", "s3cr3t")
    tell = "import json, os, sys; print(json.dumps([' '.join([*sorted(os.environ), *sorted(os.listdir('/proc/self/fd'))]), [[], [], 0, 0]]))"
    file = opened(worker(tmp_path, tell)[2])
    with pytest.raises(Unusable) as said:
        coverage_input.read_apart(file, WANTED, command=worker(tmp_path, tell))
    words = str(said.value).split()
    assert "SECRET" not in words
    listing = {int(word) for word in words if word.isdigit()} - {0, 1, 2, file}
    assert len(listing) <= 1, "beside its pipes and the report, only the list that it reads itself"


def test_a_request_larger_than_a_pipe_goes_through(tmp_path):
    (tmp_path / "r").write_bytes(lcov(MODEL))
    wanted = {f"file_{n}.py": EVERY_LINE for n in range(300)} | WANTED
    assert read_apart(opened(tmp_path / "r"), wanted).named == 1


def test_the_report_is_opened_through_no_link_and_below_the_workspace_alone(tmp_path):
    (tmp_path / "outside.xml").write_bytes(cobertura(MODEL))
    work = tmp_path / "work"
    (work / "out").mkdir(parents=True)
    (work / "out/c.xml").write_bytes(cobertura(MODEL))
    (work / "link.xml").symlink_to("../outside.xml")
    (work / "away").symlink_to("..")
    os.mkfifo(work / "pipe.xml")
    names = ["out/c.xml", "./out//c.xml", "link.xml", "away/outside.xml", "pipe.xml", "out", "none.xml", "a\0b"]
    files = [each.file for each in coverage_input.open_below(str(work), names)]
    for file in files[:2]:
        assert isinstance(file, int)
        os.close(file)
    assert all(str(file).startswith("cannot be opened below the workspace") for file in files[2:4])
    assert files[4:] == [
        "is not a regular file",
        "is not a regular file",
        "does not exist; check that an earlier step writes it",
        "cannot be opened: its name is not valid",
    ]


def test_the_input_takes_lines_and_commas_and_nothing_outside():
    def read(text):
        return runner_environment.read_inputs({"INPUT_COVERAGE": text}).coverage

    assert read("") == ()
    assert read(" a.xml\n\nb/c.info, d.xml\n") == ("a.xml", "b/c.info", "d.xml")
    for wrong in ("/etc/passwd", "a/../../b"):
        with pytest.raises(UsageError, match=r"input coverage: .* is not a file below the workspace"):
            read(wrong)


@pytest.fixture
def change(tmp_path) -> GitRepository:
    repository = GitRepository(tmp_path / "repository")
    repository.commit({"src/halcyon/__init__.py": '"""An engine."""\n'})
    repository.git("checkout", "-q", "-b", "feature")
    repository.commit({"src/halcyon/counts.py": CODE, "tests/test_counts.py": "def test():\n    assert True\n"})
    return repository


def review(repository, capsys, *arguments) -> tuple[int, dict, str]:  # type: ignore[type-arg]
    code = main(["review", "-C", str(repository.folder), "main..feature", "--format", "json", *arguments])
    out, err = capsys.readouterr()
    return code, json.loads(out) if out else {}, err


def test_a_report_measures_the_added_lines_and_limits_the_score_of_testing(change, capsys, tmp_path):
    lines = [number for number, text in enumerate(CODE.splitlines(), 1) if text.startswith(("def", "    return"))]
    hits = {number: int(at < 20) for at, number in enumerate(lines)}
    (tmp_path / "c.xml").write_bytes(
        cobertura({"counts.py": hits, "test_counts.py": {1: 1, 2: 1}}, ["/ci/src/halcyon"])
    )
    code, plain, _ = review(change, capsys)
    assert plain["metrics"]["coverage"] is None
    measured_code, measured, err = review(change, capsys, "--coverage", str(tmp_path / "c.xml"))
    assert measured["metrics"]["coverage"] == {"part": 20, "whole": 40, "percent": 50, "target": 80}
    assert (measured_code, measured["verdict"]["decision"]) == (code, plain["verdict"]["decision"])
    assert measured["findings"] == plain["findings"]
    testing = next(each for each in measured["scorecard"]["aspects"] if each["aspect"] == "Testing")
    assert testing["hundredths"] == 625
    assert testing["limit"] == "coverage of the added lines"
    assert err == ""
    main(["review", "-C", str(change.folder), "main..feature", "--coverage", str(tmp_path / "c.xml")])
    said = " ".join(capsys.readouterr().out.split())
    assert (
        "Coverage: 50 % of measurable added lines (20 of 40); not covered: src/halcyon/counts.py:54,56,59,61,…" in said
    )


def test_what_cannot_be_used_is_said_and_measures_nothing(change, capsys, tmp_path):
    (tmp_path / "c.xml").write_bytes(b"<coverage>")
    (tmp_path / "other.info").write_bytes(lcov({"lib/none.py": {1: 0}}))
    code, plain, _ = review(change, capsys)
    reports = ["--coverage", str(tmp_path / "c.xml"), "--coverage", str(tmp_path / "other.info")]
    same, report, err = review(change, capsys, *reports)
    assert (same, report) == (code, plain)
    assert f"The coverage report `{tmp_path}/c.xml` is broken or cut off at line 1 (no element found).\n" in err
    assert (
        f"`{tmp_path}/other.info` names none of the changed files; check that its paths are relative to the repository's root."
        in err
    )


def test_a_report_that_is_not_there_is_a_wrong_use(change, capsys, tmp_path):
    assert review(change, capsys, "--coverage", str(tmp_path / "none.xml")) == (
        2,
        {},
        f"review-bot: --coverage {tmp_path}/none.xml: No such file or directory; name a Cobertura XML or LCOV file\n",
    )
    code, _, err = review(change, capsys, "--coverage", str(tmp_path))
    assert (code, err.partition(": ")[2]) == (
        2,
        f"--coverage {tmp_path}: it is not a regular file; name a Cobertura XML or LCOV file\n",
    )


def test_a_change_without_code_has_nothing_to_be_covered(capsys, tmp_path):
    repository = GitRepository(tmp_path / "repository")
    repository.commit({"a.md": "a\n"})
    repository.git("checkout", "-q", "-b", "feature")
    repository.commit({"a.md": "a\nb\n", "tests/test_a.py": "def test():\n    assert True\n"})
    (tmp_path / "r").write_bytes(lcov({"b.py": {1: 1}, "tests/test_a.py": {1: 1}}))
    code, report, err = review(repository, capsys, "--coverage", str(tmp_path / "r"))
    assert (code, report["metrics"]["coverage"], err) == (0, None, "")


def test_the_action_reads_reports_of_the_workspace(action):
    pr = action.open({"halcyon/counts.py": CODE, "tests/test_counts.py": "def test():\n    assert True\n"})
    plain = action.run(pr)
    text = lcov({"halcyon/counts.py": {4: 1, 6: 1, 9: 1, 11: 0}}).decode()
    measured = action.run(pr, inputs={"coverage": "out/lcov.info\nnone.xml"}, workspace={"out/lcov.info": text})
    assert measured.report()["metrics"]["coverage"] == {"part": 3, "whole": 4, "percent": 75, "target": 80}
    assert (measured.code, measured.outputs["verdict"]) == (plain.code, plain.outputs["verdict"])
    assert measured.outputs["score"] == str(measured.report()["verdict"]["score"])
    said = "The coverage report `none.xml` does not exist; check that an earlier step writes it"
    assert said in measured.log
    assert said in pr.comments[0].body.replace("\u200b", "")


@pytest.mark.parametrize("text", ["", "<coverage>", "SF:a", "\0" * 100, "<!DOCTYPE a [<!ENTITY b 'c'>]><coverage/>"])
def test_a_broken_report_changes_nothing_of_the_action_but_a_notice(action, text):
    pr = action.open({"halcyon/counts.py": CODE})
    plain = action.run(pr)
    broken = action.run(pr, inputs={"coverage": "c.xml"}, workspace={"c.xml": text})
    assert (broken.code, broken.report()) == (plain.code, plain.report())
    assert "::notice title=Review Bot::The coverage report `c.xml`" in broken.log


def test_reports_that_take_too_long_together_are_not_all_read(tmp_path):
    """As many as may be given, each of which takes its time, would be ten minutes."""
    (tmp_path / "r").write_bytes(lcov(MODEL))
    names = [str(tmp_path / "r")] * 3
    change = PullRequest((changed("src/b.py", "@@ -0,0 +1,2 @@\n+x = 1\n+y = 2\n", status="added"),))

    def read(file, wanted):
        time.sleep(0.3)
        return coverage_input.read_here(file, wanted)

    given = coverage_input.CoverageInput(lambda: coverage_input.open_here(names), read, lambda: None, seconds=0.2)
    found = given(change)
    assert found is not None
    assert (found.covered, len(found.problems)) == (1, 2)
    assert "was not read: the reports before it took 0.2 s" in found.problems[0]
