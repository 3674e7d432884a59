"""Attempts to get a bad change past the gate: each was green once, or might have been."""

from __future__ import annotations

import json
from typing import Any

import pytest

from review_bot.comments.marker import read, write
from tests.action import CLEAN, Action

BAD = '''"""Steps."""

from halcyon.outputs import StepOutput


def run(step: StepOutput) -> int:
    """Return one."""
    return 1
'''
"""The import is of a module that does not exist: an error."""

OWN_RULE = """id: no-eval
language: python
severity: error
message: This runs any text as code.
files: ["halcyon/**"]
rule:
  pattern: eval($X)
metadata: {confidence: high, show: line}
"""

EVAL = '''"""Reads what people write."""


def read(text: str) -> object:
    """Return what a text means."""
    return eval(text)
'''


@pytest.mark.parametrize("source", [BAD, "a line of a note\n" * 30 + BAD])
def test_code_that_comes_from_a_file_that_no_rule_reads_is_new(action: Action, source):
    action.repository.commit({"notes.txt": source})
    rest = source.removesuffix(BAD) or None
    result = action.run(action.open({"notes.txt": rest, "halcyon/steps.py": BAD}))
    assert (result.code, result.outputs["errors"]) == (1, "1")


@pytest.mark.parametrize("old", ["halcyon/steps.txt", "vendored/steps.py"])
def test_a_file_that_is_renamed_to_where_rules_look_is_new(action: Action, old):
    action.repository.commit({".github/review-bot.yml": 'paths:\n  ignore: ["vendored/**"]\n', old: BAD})
    result = action.run(action.open({old: None, "halcyon/steps.py": BAD}))
    assert (result.code, result.outputs["errors"]) == (1, "1")
    assert "halcyon/steps.py" in result.summary


def test_a_file_that_is_renamed_into_the_files_of_an_own_rule_is_new(action: Action):
    action.repository.commit({".github/review-bot/rules/eval.yml": OWN_RULE, "lab/read.py": EVAL})
    result = action.run(action.open({"lab/read.py": None, "halcyon/read.py": EVAL}))
    assert (result.code, result.outputs["errors"]) == (1, "1")


def test_code_that_moves_from_where_the_same_rule_looked_is_not_new(action: Action):
    action.repository.commit({".github/review-bot/rules/eval.yml": OWN_RULE, "halcyon/read.py": EVAL})
    result = action.run(action.open({"halcyon/read.py": None, "halcyon/reader.py": EVAL}))
    assert (result.code, result.outputs["errors"]) == (0, "0")


def test_an_error_whose_first_lines_moved_and_whose_last_one_is_new_counts(action: Action):
    rule = OWN_RULE.replace("eval($X)", "execute($$$A, shell=True)")
    call = "\n\ndef run(command: str) -> None:\n    execute(\n        command,\n        "
    action.repository.commit(
        {".github/review-bot/rules/run.yml": rule, "halcyon/a.py": f'"""A."""{call}shell=False)\n'}
    )
    changes = {"halcyon/a.py": '"""A."""\n', "halcyon/b.py": f'"""B."""\n\nLIMIT = 1\n{call}shell=True)\n'}
    result = action.run(action.open(changes))
    assert (result.code, result.outputs["errors"]) == (1, "1")


GUARD = "    if not user.is_admin:\n        log_refusal(user)\n        raise PermissionError(user.name)\n"
GUARDED = f'"""A."""\n\n\ndef drop(user: object) -> None:\n    """Drop all."""\n{GUARD}    drop_everything()\n'
GUARD_RULE = """id: guard-removed
severity: error
message: A check of rights is gone.
removed:
  text: {regex: 'raise PermissionError'}
metadata: {confidence: high, scope: library}
"""


@pytest.mark.parametrize(("where", "code"), [("notes.txt", 1), ("tests/guards.py", 1), ("halcyon/guards.py", 0)])
def test_a_guard_that_moves_to_where_it_guards_nothing_is_gone(action: Action, where, code):
    action.repository.commit({".github/review-bot/rules/guard.yml": GUARD_RULE, "halcyon/a.py": GUARDED})
    changes = {
        "halcyon/a.py": GUARDED.replace(GUARD, ""),
        where: f'"""B."""\n\n\ndef f(user: object) -> None:\n{GUARD}',
    }
    assert action.run(action.open(changes)).code == code


@pytest.mark.parametrize(
    "text",
    [
        '"""A."""\n# a note\rfrom halcyon.outputs import StepOutput\n',
        '# coding: utf-7\n"""A."""\n# a note +AAo-from halcyon.outputs import StepOutput\n',
        "#!/usr/bin/python\n# -*- coding: unicode_escape -*-\n# a note \\nfrom halcyon.outputs import StepOutput\n",
    ],
)
def test_python_that_the_interpreter_reads_otherwise_is_not_reviewed(action: Action, text):
    result = action.run(action.open({"halcyon/steps.py": text}))
    assert (result.code, result.outputs["verdict"]) == (3, "incomplete")


@pytest.mark.parametrize(
    "text",
    [
        *(f"# coding: {name}\nX = 1\n" for name in ("latin-42", "cp1259", "utf8-unix", "koi8-r-mac", "iso-8859-12")),
        "# coding: ascii\nX = '\u00e9'\n",
        "# coding: cp1252\nX = '\u0181'\n",
        "\ufeff# coding: latin-1\nX = 1\n",
        "# coding: latin-1\nd\u00e9f = 1\n",
        "# coding: latin-1\nX = f'\u00e9 {d\u00e9f}'\n",
    ],
)
def test_python_that_the_interpreter_cannot_decode_is_not_reviewed(action: Action, text):
    with pytest.raises(SyntaxError):
        compile(text.encode(), "steps.py", "exec")
    assert action.run(action.open({"halcyon/steps.py": text})).outputs["verdict"] == "incomplete"


def test_a_text_that_a_declaration_misread_before_is_reviewed_as_before(action: Action):
    text = "# coding: ascii\nX = '\u00e9'\nY = 1\n"
    action.repository.commit({"halcyon/steps.py": text})
    assert action.run(action.open({"halcyon/steps.py": text.replace("Y = 1", "Y = 2")})).code == 0


@pytest.mark.parametrize("text", ["import os as \u3164\n", "\u00e9\ufe00 = 1\n", "X = f'{\u1160}'\n"])
def test_a_name_that_shows_nothing_is_not_reviewed(action: Action, text):
    assert action.run(action.open({"halcyon/steps.py": text})).code in {1, 3}


def test_a_declaration_that_moves_up_to_where_it_counts_is_seen(action: Action):
    body = "# coding: utf-7\nX = 1\n"
    action.repository.commit({"halcyon/steps.py": f"# one\n# two\n{body}"})
    assert action.run(action.open({"halcyon/steps.py": f"# two\n{body}"})).outputs["verdict"] == "incomplete"


def test_plain_encodings_and_windows_line_ends_are_reviewed(action: Action):
    for text in ("X = '\u00e9'  # \u00e9\n", "X = f'\u00e9 {1}'\n"):
        assert action.run(action.open({"halcyon/steps.py": f"# coding: latin-1\n{text}"})).code == 0, text
    for declared in ("utf-8", "UTF8", "latin-1", "iso-8859-15", "utf-8-unix", "cp1252", "us-ascii"):
        text = f'# -*- coding: {declared} -*-\r\n"""A."""\r\n\r\nX = 1\r\n'
        assert action.run(action.open({"halcyon/steps.py": text})).code == 0, declared


@pytest.mark.parametrize(
    "statement",
    [
        "\x0cfrom halcyon.outputs import StepOutput",
        "from halcyon . outputs import StepOutput",
        "from.outputs import StepOutput",
        "from \\\n    halcyon.outputs \\\n    import StepOutput",
        "from halcyon.outputs" + " " * 300 + "import StepOutput",
        "from halcyon." + "outputs" * 40 + " import StepOutput",
        "from halcyon.outputs" + " \\\n" * 300 + " import StepOutput",
        "from halcyon.outputs import (" + "\n" * 30_000 + "    StepOutput)",
        "0; from halcyon.outputs import StepOutput",
        "if True: from halcyon.outputs import StepOutput",
    ],
)
def test_an_import_is_seen_however_it_is_written(action: Action, statement):
    result = action.run(action.open({"halcyon/steps.py": f'"""A."""\n{statement}\n\nX = StepOutput\n'}))
    assert (result.code, result.outputs["errors"]) == (1, "1")


def test_a_line_of_backslashes_costs_no_time(action: Action):
    action_of = {"halcyon/steps.py": '"""A."""\nX = """\nfrom ' + "\\" * 400 + '\n"""\n'}
    assert action.run(action.open(action_of)).code == 0


def test_stars_in_an_ignore_file_cost_no_time(action: Action):
    action.repository.commit({".gitignore": "/halcyon/" + "*a" * 30 + "b\n"})
    stars = BAD.replace("halcyon.outputs", "halcyon." + "a" * 60)
    result = action.run(action.open({"halcyon/steps.py": stars}))
    assert (result.code, result.outputs["errors"]) == (1, "1")


def test_attributes_of_the_change_switch_no_rule_off(action: Action):
    """GitHub's archive obeys them, and rules that need texts of the whole repository read it."""
    modules = {f"halcyon/part_{number}.py": f'"""Part {number}."""\n' for number in range(210)}
    action.repository.commit(modules)
    result = action.run(action.open({".gitattributes": "* export-ignore\n", "halcyon/steps.py": BAD}))
    assert (result.code, result.outputs["errors"]) == (1, "1")


@pytest.mark.parametrize("attributes", ["* export-ignore", "* text eol=crlf", "* ident export-subst"])
def test_attributes_of_the_base_switch_no_rule_off(action: Action, attributes: str):
    """One harmless line, merged before, must not leave each later change without the rules about the whole tree."""
    modules = {f"halcyon/part_{number}.py": f'"""Part {number}, $Id$."""\n' for number in range(210)}
    action.repository.commit({**modules, ".gitattributes": f"{attributes}\n"})
    cache = CLEAN["halcyon/cache.py"].replace("def lookup", "def find")
    result = action.run(action.open({"halcyon/cache.py": cache}))
    assert (result.code, result.outputs["errors"]) == (1, "1")
    assert not result.report()["not_run"]


def test_hundreds_of_changed_files_switch_no_rule_off(action: Action):
    old = {f"halcyon/part_{number}.py": f'"""Part {number}."""\n' for number in range(210)}
    action.repository.commit(old)
    new = {path: text.replace("Part", "The part") for path, text in old.items()}
    result = action.run(action.open({**new, "halcyon/steps.py": BAD}))
    assert (result.code, result.outputs["errors"]) == (1, "1")


def test_names_that_make_the_tree_too_large_to_list_switch_no_rule_off(action: Action):
    deep = "/".join(["d" * 250] * 15)
    names = {f"data/{deep}/{number}.txt": "x\n" for number in range(1_900)}
    result = action.run(action.open({**names, "halcyon/steps.py": BAD}))
    assert (result.code, result.outputs["verdict"]) == (3, "incomplete")
    assert "larger than GitHub lists" in result.log


def test_comments_that_somebody_edited_and_resolved_hide_no_error(action: Action):
    pr = action.open({"halcyon/a.py": BAD, "halcyon/b.py": BAD.replace("halcyon.outputs", "halcyon.results")})
    action.run(pr)
    marks = [read(comment.body, "review-bot") for comment in pr.review_comments]
    names = ",".join(mark.fingerprints[0] for mark in marks if mark is not None)
    assert names.count(",") == 1
    settled = "Fine.\n<!-- review-bot:settled fixed -->"
    for comment in pr.review_comments:
        pr.edit_comment(comment.id, f"{settled}\n<!-- review-bot:1 review-bot inline {names} -->")
    for thread in pr.threads:
        pr.resolve_thread(thread.id)
    nothing_open: dict[str, Any] = {
        "head": "0" * 40,
        "before": None,
        "now": [],
        "gone": [],
        "pushes": [],
        "rules": [],
        "paths": [],
    }
    ledger = f"<!-- review-bot:ledger {json.dumps(nothing_open)} -->"
    pr.edit_comment(pr.comments[0].id, f"Approved.\n{ledger}\n{write('review-bot', 'summary')}")
    result = action.run(pr)
    assert (result.code, result.outputs["errors"]) == (1, "2")
    assert all(path in pr.comments[0].body for path in ("halcyon/a.py", "halcyon/b.py"))
    assert "Approved" not in pr.comments[0].body
    assert all("Fine" not in comment.body for comment in pr.review_comments)


@pytest.mark.parametrize("who", ["nobody", "a stranger", "an older commit", "a writer who then asked for changes"])
def test_a_suppression_from_a_fork_counts_for_no_less_than_an_approval(action: Action, who):
    action.repository.collaborator("grace")
    line = "from halcyon.outputs import StepOutput"
    text = BAD.replace(line, f"{line}  # review-bot: ignore[api/missing-module-import] trust me")
    fork = action.repository.fork("mallory")
    pr = action.open({"halcyon/steps.py": text}, head_repository=fork, author="mallory")
    if who != "nobody":
        pr.approve_as("eve" if who == "a stranger" else "grace")
    if who == "an older commit":
        pr.push({"halcyon/more.py": CLEAN["halcyon/cache.py"]})
    if who == "a writer who then asked for changes":
        pr.review_as("grace", body="No.", event="REQUEST_CHANGES")
        for number in range(105):
            pr.approve_as(f"eve-{number}")
    assert action.run(pr).code == 1
    if who == "a writer who then asked for changes":
        pr.approve_as("grace")
        assert action.run(pr).code == 0


def test_the_sample_is_clean(action: Action):
    assert action.run(action.open({"halcyon/more.py": CLEAN["halcyon/cache.py"]})).code == 0


def test_a_change_cannot_give_its_own_summary_another_form(action):
    action.repository.commit(
        {".github/review-bot.yml": "layout:\n  intro: Ours, {{ 7 * 7 }}.\n  sections: [criteria]\n"}
    )
    pr = action.open({".github/review-bot.yml": "layout:\n  intro: All is well.\n", "halcyon/run.py": BAD})
    assert action.run(pr).code == 1
    (summary,) = pr.comments
    assert "\n\nOurs, \\{\\{ 7 \\* 7 \\}\\}.\n\n" in summary.body
    assert "### Errors (must fix)" in summary.body
    assert "<summary>Merge criteria: " in summary.body
    assert "All is well" not in summary.body
    assert "About this review" not in summary.body
