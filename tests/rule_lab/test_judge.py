"""From a replay over a sheet and annotators' answers to labels, as processes, over a small repository with a past."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.git_repository import ENVIRONMENT, GitRepository

RULES = "errors/swallowed-exception"
LIBRARY = "".join(
    f"\n\ndef step_{n}(value):\n    total = value * {n}\n    if total > 10:\n        return total\n    return {n}\n"
    for n in range(15)
)


def module(name: str, *, swallows: bool) -> str:
    """Return a library module of plausible size, whose handler swallows or not."""
    ending = "pass" if swallows else "logger.exception('no rows')"
    return (
        f'"""The {name}."""\n\nimport logging\n\nlogger = logging.getLogger(__name__)\n{LIBRARY}\n\n'
        f"def read_{name}(path):\n    rows_{name} = []\n    try:\n        rows_{name} = parse(path)\n"
        f"    except Exception:\n        {ending}\n    return rows_{name}\n"
    )


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    """Return a clone that has twenty pull requests, of which ten hold a finding."""
    made = GitRepository(tmp_path_factory.mktemp("judge") / "halcyon+engine")
    made.commit({"README.md": "An engine.\n"})
    for number in range(1, 21):
        name = f"part{number}"
        made.commit({f"pkg/{name}.py": module(name, swallows=number % 2 == 1)}, f"Add {name} (#{number})")
    return made.folder


@pytest.fixture
def place(clone, tmp_path):
    """Return a folder with a copy of the clone."""
    shutil.copytree(clone, tmp_path / clone.name)
    return tmp_path


@pytest.fixture(scope="module")
def sheet(clone):
    """Return the folder of a sheet that was made once, for the tests that only answer it."""
    make_sheet(clone.parent)
    return clone.parent


@pytest.fixture
def asked(sheet, place):
    """Return a folder with a copy of the clone and of the sheet."""
    for path in sheet.glob("sheet.md*"):
        shutil.copy(path, place)
    return place


def run(place: Path, *arguments: str, code: int = 0) -> subprocess.CompletedProcess[str]:
    environment = {**ENVIRONMENT, "PYTHONPATH": os.getcwd()}
    done = subprocess.run(
        [sys.executable, "-m", "rule_lab", *arguments],
        capture_output=True, text=True, check=False, cwd=place, env=environment,
    )  # fmt: skip
    assert done.returncode == code, done.stderr
    return done


def make_sheet(place: Path, name: str = "sheet.md", *more: str, code: int = 0) -> str:
    options = ("--sample", "9", "--sheet", name, "--select", RULES, "--evidence", "labels", *more)
    return run(place, "sheet", "-C", "halcyon+engine", *options, code=code).stderr


def entries(place: Path, name: str = "sheet.md") -> list[dict[str, Any]]:
    key = json.loads((place / f"{name}.key.json").read_text(encoding="utf-8"))
    assert key["repository"] == "halcyon/engine"
    found: list[dict[str, Any]] = key["entries"]
    return found


def answer(place: Path, name: str, wrong: tuple[int, ...] = (), sheet: str = "sheet.md") -> str:
    """Write right answers, but for some entries; return the option that names them."""
    rows = []
    for entry in entries(place, sheet):
        said = "n" if (entry["control"] == "false") != (entry["number"] in wrong) else "y"
        rows.append(f"{entry['number']}\t{said}\t{said}\ta note")
    (place / f"{name}.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    return f"{name}={name}.tsv"


def labels(place: Path) -> list[dict[str, Any]]:
    text = (place / "labels/halcyon+engine.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def test_a_sheet_shows_findings_and_adds_one_in_ten(place):
    said = make_sheet(place)
    assert "9 findings of 1 rule and 1 control item;" in said
    text = (place / "sheet.md").read_text(encoding="utf-8")
    assert text.count("\n## ") == 10
    assert "swallow" not in text.replace("Exception swallowed", "")
    [control] = [entry for entry in entries(place) if entry["control"]]
    assert control["control"] == "false"
    silent = {f"pkg/part{number}.py" for number in range(2, 21, 2)}
    assert control["path"] in silent
    shown = text.split(f"\n## {control['number']}\n")[1].split("\n## ")[0]
    assert f"`{control['path']}`, line {control['line']}" in shown
    assert "-->" in shown


def test_single_commits_are_reviewed_against_their_parents(place):
    log = ["git", "-C", str(place / "halcyon+engine"), "log", "--format=%H", "-n", "2"]
    last, before = subprocess.run(log, capture_output=True, text=True, check=True).stdout.split()
    make_sheet(place, "sheet.md", "--commit", last, "--commit", before)
    found = [entry for entry in entries(place) if not entry["control"]]
    assert [(entry["head"], entry["base"]) for entry in found] == [(before, entry["base"]) for entry in found] != []
    assert found[0]["path"] == "pkg/part19.py"


def test_the_same_seed_gives_the_same_sheet_and_another_one_another(place):
    make_sheet(place)
    make_sheet(place, "again.md")
    make_sheet(place, "other.md", "--seed", "other")
    first, again, other = ((place / f"{name}.md").read_bytes() for name in ("sheet", "again", "other"))
    assert first == again != other


def test_a_second_control_entry_is_true(place):
    rules = [f"--select={name}" for name in ("style/missing-type-hints", "docs/public-docstring")]
    make_sheet(place, "sheet.md", "--sample", "18", *rules)
    control = [entry for entry in entries(place) if entry["control"]]
    assert sorted(entry["control"] for entry in control) == ["false", "true"]
    true = next(entry for entry in control if entry["control"] == "true")
    shown = (place / "sheet.md").read_text(encoding="utf-8").split(f"\n## {true['number']}\n")[1].split("\n## ")[0]
    assert "step_" in shown


def test_two_annotators_make_labels_and_a_disagreement_is_adjudicated(asked):
    real = [entry["number"] for entry in entries(asked) if not entry["control"]]
    control = next(entry["number"] for entry in entries(asked) if entry["control"])
    one, two = answer(asked, "one"), answer(asked, "two", wrong=(real[0], control))
    done = run(asked, "judge", "sheet.md", "--answers", one, "--answers", two, "--evidence", "labels")
    assert "one: 10 of 10 answered; control items: 1 of 1 right (true 0/0, false 1/1)" in done.stdout
    assert "two: 10 of 10 answered; control items: 0 of 1 right (true 0/0, false 0/1)" in done.stdout
    assert "8 findings of the summary judged: 8 true, 8 useful (useful alone: one 9/9, two 8/9)" in done.stdout
    assert f"1 disagreement; read the code again, then --settle FILE:\n{real[0]}\t{RULES}\t" in done.stdout
    assert "two: true n, useful n (a note)" in done.stdout
    assert len(labels(asked)) == 9
    for code in ("parse(path)", "except Exception", "rows_part"):
        assert code not in (asked / "labels/halcyon+engine.jsonl").read_text(encoding="utf-8")

    (asked / "adjudicated.tsv").write_text(f"{real[0]}\ty\tn\tIt swallows, on purpose.\n", encoding="utf-8")
    done = run(asked, "judge", "sheet.md", "--settle", "adjudicated.tsv", "--evidence", "labels")
    assert "9 findings of the summary judged: 9 true, 8 useful" in done.stdout
    assert "disagreement" not in done.stdout
    adjudicated = [label["adjudicated"] for label in labels(asked) if label["adjudicated"]]
    assert adjudicated == [{"true": True, "useful": False, "note": "It swallows, on purpose."}]


def test_to_judge_again_changes_nothing(asked):
    one, two = answer(asked, "one"), answer(asked, "two")
    command = ("judge", "sheet.md", "--answers", one, "--answers", two, "--evidence", "labels")
    run(asked, *command)
    before = {path.name: path.read_bytes() for path in (asked / "labels").iterdir()}
    run(asked, *command)
    assert {path.name: path.read_bytes() for path in (asked / "labels").iterdir()} == before
    assert sorted(before) == ["annotators.json", "halcyon+engine.jsonl"]


def test_what_is_judged_is_not_asked_again(asked):
    one, two = answer(asked, "one"), answer(asked, "two")
    run(asked, "judge", "sheet.md", "--answers", one, "--answers", two, "--evidence", "labels")
    assert "1 finding of 1 rule" in make_sheet(asked, "more.md")
    one, two = answer(asked, "one", sheet="more.md"), answer(asked, "two", sheet="more.md")
    run(asked, "judge", "more.md", "--answers", one, "--answers", two, "--evidence", "labels")
    assert "nothing that is not judged yet" in make_sheet(asked, "most.md", code=2)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--answers", "one"), "--answers takes NAME=FILE"),
        (("--answers", "One Annotator=one.tsv"), "--answers takes NAME=FILE"),
        (("--answers", "one=missing.tsv"), "missing.tsv: cannot be read"),
        (("--answers", "one=one.tsv", "--answers", "one=one.tsv"), "one is named twice"),
        ((), "give answers of annotators"),
        (("--settle", "one.tsv"), "has no annotation yet"),
    ],
)
def test_what_cannot_be_judged_is_said_and_nothing_is_written(asked, arguments, words):
    answer(asked, "one")
    done = run(asked, "judge", "sheet.md", *arguments, "--evidence", "labels", code=2)
    assert words in done.stderr
    assert not (asked / "labels").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--sample", "3"), "the following arguments are required: --sheet"),
        (("--sample", "0", "--sheet", "s.md"), "must be at least 1, not '0'"),
        (("--sample", "3", "--sheet", "s.md", "--repository", "engine"), "--repository takes owner/name"),
        (("--sample", "3", "--sheet", "s.md", "--select", "errors/none"), "there is no rule 'errors/none'"),
        (("--sample", "3", "--sheet", "s.md", "--commit", "abcdef0"), "the clone lacks the commit 'abcdef0'"),
    ],
)
def test_a_wrong_request_is_refused(place, arguments, words):
    assert words in run(place, "sheet", "-C", "halcyon+engine", *arguments, code=2).stderr
