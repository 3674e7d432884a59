"""Python that cannot be parsed: wrong is an error on its line, newer or broken before is unreviewed, nothing is silent."""

from __future__ import annotations

import json

import pytest

from tests.action import Action
from tests.command import run_command
from tests.git_repository import ENVIRONMENT, GitRepository

RULE = "errors/syntax-error"


def errors(result) -> list[tuple[str, str, int | None]]:
    return [
        (each["rule"], each["path"], each["line"])
        for each in result.report()["findings"]
        if each["severity"] == "error"
    ]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("def f(:\n    pass\n", 1),
        ("x = 1\nif x = 2:\n    pass\n", 2),
        ("def f():\n    return {\n", 2),
        ("def f(a, a):\n    return a\n", 1),
        ("x = 1\nprint 'x'\n", 2),
        ("def f():\n", 1),
        ("\ufeffx = 1\nx = = 2\n", 2),
    ],
)
def test_a_syntax_error_is_an_error_on_its_line(action: Action, text, line):
    result = action.run(action.open({"halcyon/new.py": text}))
    assert (result.code, result.outputs["verdict"]) == (1, "changes-required"), result.summary
    assert errors(result) == [(RULE, "halcyon/new.py", line)]


MARKER = "style/conflict-marker"
CONFLICT = "x = 1\n<<<<<<< HEAD\nx = 2\n=======\nx = 3\n>>>>>>> 9d7f06c3\n"
SUPPRESSED = "# review-bot: ignore[style/conflict-marker] kept for the next merge\n"


def test_a_conflict_is_reported_by_its_markers_alone(action: Action):
    result = action.run(action.open({"halcyon/new.py": CONFLICT}))
    assert result.code == 1
    assert errors(result) == [(MARKER, "halcyon/new.py", 2), (MARKER, "halcyon/new.py", 6)]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (f"def f(:\n    pass\n\n\n{CONFLICT.replace('9d7f06c3', 'other')}", 1),
        (CONFLICT.replace("<<<", f"{SUPPRESSED}<<<", 1).replace("\n>>>", f"\n{SUPPRESSED}>>>", 1), 8),
        (f'TEXT = """\n{CONFLICT}"""\nx = = 1\n', 9),
    ],
)
def test_a_syntax_error_next_to_a_conflict_is_one_of_its_own(action: Action, text, line):
    found = errors(action.run(action.open({"halcyon/new.py": text})))
    assert (RULE, "halcyon/new.py", line) in found


def test_a_marker_that_the_base_had_in_a_text_hides_no_syntax_error(action: Action):
    action.repository.commit({"halcyon/f.py": f'TEXT = """\n{CONFLICT}"""\n'})
    result = action.run(action.open({"halcyon/f.py": f'TEXT = """\n"""\n\n\n{CONFLICT}'}))
    assert result.code == 1
    assert RULE in {rule for rule, _, _ in errors(result)}


@pytest.mark.parametrize("path", ["tests/test_steps.py", "conftest.py", "docs/conf.py", "setup.py"])
def test_cells_excuse_nothing_in_a_file_that_is_run_by_its_name(action: Action, path):
    text = "# %%\nfrom halcyon.cache import lookup\n\nawait lookup(1)\n"
    result = action.run(action.open({path: text}))
    assert (result.code, errors(result)) == (1, [(RULE, path, 4)])


@pytest.mark.parametrize("path", ["halcyon/data/load.py", "tests/fixtures/test_steps.py", "halcyon/templates/page.py"])
def test_what_only_the_compiler_refuses_is_unreviewed_where_material_lies(action: Action, path):
    assert action.run(action.open({path: "x = 1\nreturn x\n"})).code == 3


def test_a_change_that_breaks_a_file_is_red_also_where_the_line_is_an_old_one(action: Action):
    good = "def f(\n    a,\n):\n    return a\n\n\ndef g():\n    return 1\n"
    action.repository.commit({"halcyon/f.py": good})
    result = action.run(action.open({"halcyon/f.py": good.replace("):\n    return a", "    return a")}))
    assert result.code == 1
    assert [(rule, path) for rule, path, _ in errors(result)] == [(RULE, "halcyon/f.py")]


def test_newer_syntax_is_unreviewed_and_says_which_python_to_install(action: Action):
    result = action.run(action.open({"halcyon/new.py": "x = 1\nlazy import json\n"}))
    assert result.code == 3
    assert "line 2: uses syntax newer than Python 3." in result.summary
    assert "install Review Bot on Python 3.15 or newer" in result.summary


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("halcyon/old.py", "#!/usr/bin/env python2\nprint 'x'\n"),
        ("halcyon/prints.py", "def f(x):\n    print x\n    print 'done'\n"),
        ("halcyon/page.py", "{% if x %}\nx = 1\n{% endif %}\n"),
        ("tests/data/broken.py", "def f(:\n"),
        ("{{name}}/a.py", "def f(:\n"),
    ],
)
def test_what_may_be_broken_on_purpose_is_never_reviewed_in_silence(action: Action, path, text):
    result = action.run(action.open({path: text}))
    assert (result.code, errors(result)) == (3, [])
    assert "cannot parse it" in result.summary


def test_a_file_that_was_broken_before_is_unreviewed(action: Action):
    action.repository.commit({"halcyon/old.py": "print 'x'\n"})
    result = action.run(action.open({"halcyon/old.py": "print 'x'\nprint 'y'\n"}))
    assert (result.code, errors(result)) == (3, [])


@pytest.mark.parametrize("setting", ["off", "warning"])
def test_without_the_error_the_file_is_unreviewed(action: Action, setting):
    action.repository.commit({".github/review-bot.yml": f"rules:\n  {RULE}: {setting}\n"})
    result = action.run(action.open({"halcyon/new.py": "def f(:\n    pass\n"}))
    assert (result.code, result.outputs["verdict"]) == (3, "incomplete")


def test_no_comment_silences_it(action: Action):
    text = f"def f(:  # review-bot: ignore[{RULE}] it is data\n    pass\n"
    assert action.run(action.open({"halcyon/new.py": text})).code == 1


def test_the_base_may_leave_broken_data_unreviewed(action: Action):
    config = 'unreviewed-ok:\n  - {path: "tests/data/**", reason: broken on purpose}\n'
    action.repository.commit({".github/review-bot.yml": config})
    assert action.run(action.open({"tests/data/broken.py": "def f(:\n"})).code == 0


MENDED = """from typing import TYPE_CHECKING
import os

if TYPE_CHECKING:
    from pathlib import Path

HOME = Path(os.curdir)


def run(steps):
    return steps
"""


@pytest.mark.parametrize("use", ["Path(os.curdir)", "os.curdir"])
def test_a_file_that_is_mended_is_reviewed_as_new(tmp_path, use):
    """The old text can be compared with by no rule; that is no reason to leave the new one unreviewed."""
    text = MENDED.replace("Path(os.curdir)", use)
    repository = GitRepository(tmp_path / "clone")
    repository.commit({"steps.py": text.replace("(steps):", "(steps:")})
    repository.git("checkout", "--quiet", "-b", "work")
    repository.commit({"steps.py": text})
    done = run_command(["review", "-C", repository.folder, "--format", "json"], text=True, env={**ENVIRONMENT})
    report = json.loads(done.stdout)
    errors = [(each["rule"], each["line"]) for each in report["findings"] if each["severity"] == "error"]
    assert (report["unreviewed"], report["failures"]) == ([], [])
    assert errors == ([("errors/used-for-types-alone", 7)] if "Path" in use else [])
    assert done.returncode == len(errors)
