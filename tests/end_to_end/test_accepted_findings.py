"""A suppression, a baseline entry and a move count only for the very finding that a person accepted."""

from __future__ import annotations

import json

import pytest

from fake_github.git_store import Link
from review_bot.fingerprints import fingerprint
from tests.action import Action

COMMENT = "# review-bot: ignore[api/missing-module-import] the build makes it, see #4"
IMPORT = "from halcyon.outputs import StepOutput"
STRICT = {".github/review-bot.yml": "suppressions: base\n"}

EVAL = """id: own-eval
language: python
severity: error
message: This runs any text as code.
rule: {pattern: eval($X)}
metadata: {confidence: high, show: line}
"""

HANDLER = """id: own-handler
language: python
severity: error
message: This handler silently discards every exception.
rule:
  kind: except_clause
  has: {kind: block, has: {kind: pass_statement, nthChild: 1}}
metadata: {confidence: high, show: line}
"""

RULES = {".github/review-bot/rules/eval.yml": EVAL, ".github/review-bot/rules/handler.yml": HANDLER}
OK = "# review-bot: ignore[own-eval] a constant, see #4"


def handled(name: str, body: str = "pass") -> str:
    """Return a function with a handler."""
    return f"def {name}(path: str) -> None:\n    try:\n        load(path)\n        check(path)\n    except Exception:\n        {body}\n"


def opened(action: Action, changes, *, fork=True):
    """Open a pull request, from a fork or from a branch of the repository."""
    if not fork:
        return action.open(changes)
    return action.open(changes, head_repository=action.repository.fork("mallory"), author="mallory")


STATEMENTS = {
    "a line below the comment": (f"X = 1\n{OK}\nY = eval('1')\n", f"X = 1\n{OK}\nZ = eval(X)\nY = eval('1')\n"),
    "the statement behind the comment": (f"Y = eval('1')  {OK}\n", f"Y = eval(X)  {OK}\n"),
    "an argument of a long call": (
        f"f(\n    1,\n    2,  {OK}\n    eval('1'),\n)\n",
        f"f(\n    1,\n    2,  {OK}\n    eval('1'),\n    eval(X),\n)\n",
    ),
    "an element of a list": (f"L = [  {OK}\n    1,\n    2,\n]\n", f"L = [  {OK}\n    1,\n    eval(X),\n    2,\n]\n"),
    "a copy of comment and statement": (
        f"{OK}\nY = eval('1')\nX = 1\n",
        f"{OK}\nY = eval('1')\nX = 1\n{OK}\nZ = eval(X)\n",
    ),
    "a statement between two comments": (
        f"{OK}\n{OK}\nY = eval('1')\n",
        f"{OK}\nZ = eval(X)\n{OK}\nY = eval('1')\n",
    ),
}


@pytest.mark.parametrize("mode", ["fork", "strict"])
@pytest.mark.parametrize("what", STATEMENTS)
def test_a_comment_of_the_base_silences_no_other_statement(action: Action, what, mode):
    before, after = STATEMENTS[what]
    action.repository.commit({**RULES, **(STRICT if mode == "strict" else {}), "halcyon/a.py": before})
    result = action.run(opened(action, {"halcyon/a.py": after}, fork=mode == "fork"))
    assert (result.code, result.outputs["errors"]) == (1, "1")


@pytest.mark.parametrize("base", [f"{COMMENT}\nimport os\n", f"{COMMENT}\nfrom halcyon.parts import (\n    Part,\n)\n"])
def test_a_comment_of_the_base_silences_no_other_import(action: Action, base):
    action.repository.commit({"halcyon/a.py": base})
    after = base.replace("\n", f"\n{IMPORT}\n", 1)
    result = action.run(opened(action, {"halcyon/a.py": after}))
    assert (result.code, result.outputs["errors"]) == (1, "1")


def test_a_comment_of_the_base_silences_no_handler_that_becomes_one(action: Action):
    ok = OK.replace("own-eval", "own-handler")
    before = handled("f", "raise").replace("except Exception:", f"except Exception:  {ok}")
    action.repository.commit({**RULES, "halcyon/a.py": before})
    result = action.run(opened(action, {"halcyon/a.py": before.replace("raise", "pass")}))
    assert (result.code, result.outputs["errors"]) == (1, "1")


def test_a_comment_of_the_base_counts_for_its_statement(action: Action):
    """The rule looks at whole functions; what the change touches is another one, and the comment's is untouched."""
    rule = EVAL.replace("metadata: {", "metadata: {lines: file, ")
    before = f"{OK}\nY = eval('1')\nX = 1\n"
    action.repository.commit({".github/review-bot/rules/eval.yml": rule, "halcyon/a.py": before})
    result = action.run(opened(action, {"halcyon/a.py": before.replace("X = 1", "X = 2")}))
    assert (result.code, len(result.report()["suppressed"])) == (0, 1)


def test_a_file_that_is_renamed_to_where_rules_look_brings_no_suppression_along(action: Action):
    text = f"{IMPORT}  {COMMENT}\n\nX = StepOutput\n"
    action.repository.commit({"notes.txt": text})
    result = action.run(opened(action, {"notes.txt": None, "halcyon/a.py": text}))
    assert (result.code, result.outputs["errors"]) == (1, "1")


def test_a_branch_of_the_repository_may_silence_what_it_adds(action: Action):
    action.repository.commit(RULES)
    result = action.run(opened(action, {"halcyon/a.py": f"{OK}\nY = eval('1')\n"}, fork=False))
    assert result.code == 0


# ---------------------------------------------------------------------------------------------------- merge groups


def group(action: Action, *pulls):
    """Run in the last group of a queue."""
    payload = action.repository.merge_group_event(action.repository.merge_group(*pulls))
    return action.run(None, event="merge_group", payload=payload)


def test_in_a_merge_group_a_fork_silences_nothing_until_it_is_approved(action: Action):
    action.repository.collaborator("grace")
    action.repository.commit(RULES)
    pr = opened(action, {"halcyon/a.py": f"{OK}\nY = eval('1')\n"})
    assert (action.run(pr).code, group(action, pr).code) == (1, 1)
    pr.approve_as("grace")
    assert (action.run(pr).code, group(action, pr).code) == (0, 0)


def test_in_a_merge_group_a_branch_of_the_repository_silences_what_it_added(action: Action):
    action.repository.commit(RULES)
    pr = opened(action, {"halcyon/a.py": f"{OK}\nY = eval('1')\n"}, fork=False)
    assert group(action, pr).code == 0


def test_in_a_merge_group_strict_suppressions_stay_strict(action: Action):
    action.repository.commit({**RULES, **STRICT})
    pr = opened(action, {"halcyon/a.py": f"{OK}\nY = eval('1')\n"}, fork=False)
    assert group(action, pr).code == 1


def test_in_a_merge_group_nobody_vouches_for_another_text_of_a_file(action: Action):
    fine = f"{OK}\nY = eval('1')\n" + "\n".join(f"X{n} = {n}" for n in range(20)) + "\n"
    action.repository.commit({**RULES, "halcyon/a.py": fine})
    own = opened(action, {"halcyon/a.py": fine + f"{OK}\nZ = eval('2')\n"}, fork=False)
    head = action.repository.merge_group(own)
    payload = action.repository.merge_group_event(head)
    payload["merge_group"]["head_ref"] = payload["merge_group"]["head_ref"].replace(f"pr-{own.number}", "pr-9999")
    assert action.run(None, event="merge_group", payload=payload).code == 1


# -------------------------------------------------------------------------------------------------------- baseline


def baseline(*names: str) -> dict[str, str]:
    """Return the baseline file that accepts these fingerprints."""
    found = [{"fingerprint": name, "reason": "old"} for name in names]
    text = json.dumps({"schema": "review-bot/baseline/v1", "findings": found})
    return {".github/review-bot-baseline.json": text}


FIRST, SECOND = (fingerprint("own-handler", "except Exception:", "halcyon/a.py", ordinal) for ordinal in (0, 1))


@pytest.mark.parametrize("above", [True, False])
@pytest.mark.parametrize("accepted", [(FIRST,), (FIRST, SECOND)])
def test_a_baseline_accepts_no_more_than_the_base_has(action: Action, accepted, above):
    old, new = handled("old"), handled("new")
    action.repository.commit({**RULES, **baseline(*accepted), "halcyon/a.py": old})
    result = action.run(action.open({"halcyon/a.py": f"{new}\n\n{old}" if above else f"{old}\n\n{new}"}))
    assert (result.code, result.outputs["errors"]) == (1, "1")


def test_a_baseline_accepts_what_is_only_indented(action: Action):
    names = "from settings import READY, load\n"
    old = "try:\n    load()\nexcept Exception:\n    pass\n"
    action.repository.commit({**RULES, **baseline(FIRST), "halcyon/a.py": names + old})
    after = f"{names}if READY:\n" + "".join(f"    {line}\n" for line in old.splitlines())
    result = action.run(action.open({"halcyon/a.py": after}))
    assert result.code == 0
    assert [entry["suppressed_by"] for entry in result.report()["suppressed"]] == ["baseline"]


def test_a_baseline_accepts_no_other_body(action: Action):
    action.repository.commit({**RULES, **baseline(FIRST), "halcyon/a.py": handled("old")})
    result = action.run(action.open({"halcyon/a.py": handled("new", "pass  # of all kinds")}))
    assert result.code == 0, "the handler's first line is not the change's"
    after = handled("new", "pass  # of all kinds").replace("except Exception:", "except  Exception:")
    assert action.run(action.open({"halcyon/a.py": after})).code == 1


def test_a_baseline_accepts_no_second_import_of_a_module(action: Action):
    name = fingerprint("api/missing-module-import", "import halcyon.outputs", "halcyon/a.py", 0)
    action.repository.commit({**baseline(name), "halcyon/a.py": f"{IMPORT}\n"})
    for after in (f"{IMPORT}\nimport halcyon.outputs\n", "from halcyon.outputs import Other\n"):
        result = action.run(action.open({"halcyon/a.py": after}))
        assert (result.code, result.outputs["errors"]) == (1, "1")


def test_a_baseline_accepts_nothing_that_cannot_be_silenced(action: Action):
    token = "hf_QwErTyUiOpAsDfGhJkLzXcVbNm" + "QwErTyUi"
    line = f'TOKEN = "{token}"'
    name = fingerprint("security/hardcoded-secret", line, "halcyon/a.py", 0)
    action.repository.commit({**baseline(name), "halcyon/a.py": f"{line}\n"})
    result = action.run(action.open({"halcyon/a.py": f"if 1 > 0:\n    {line}\n"}))
    assert (result.code, result.outputs["errors"]) == (1, "1")


# ----------------------------------------------------------------------------------------------------------- moves


@pytest.mark.parametrize("fail_on", ["error", "warning"])
@pytest.mark.parametrize("where", ["halcyon/b.py", "halcyon/a.py"])
def test_a_handler_that_moves_and_gets_another_body_is_new(action: Action, where, fail_on):
    rule = HANDLER.replace("severity: error", f"severity: {fail_on}")
    config = {".github/review-bot.yml": f"fail-on: {fail_on}\n", ".github/review-bot/rules/handler.yml": rule}
    rest = "".join(f"NAME_{n} = {n}\n" for n in range(30))
    action.repository.commit({**config, "halcyon/a.py": handled("f", "raise") + rest})
    changes = {"halcyon/a.py": rest + (handled("f") if where == "halcyon/a.py" else "")}
    if where != "halcyon/a.py":
        changes[where] = handled("f")
    result = action.run(action.open(changes))
    assert result.code == 1
    assert not any(finding["moved"] for finding in result.report()["findings"])


def test_a_handler_that_moves_as_it_was_is_moved(action: Action):
    action.repository.commit({**RULES, "halcyon/a.py": handled("f") + "X = 1\n"})
    result = action.run(action.open({"halcyon/a.py": "X = 1\n", "halcyon/b.py": handled("f")}))
    assert result.code == 0
    assert [finding["moved"] for finding in result.report()["findings"] if finding["rule"] == "own-handler"] == [True]


def test_of_two_copies_of_a_removed_handler_one_is_new(action: Action):
    action.repository.commit({**RULES, "halcyon/a.py": handled("f") + "X = 1\n"})
    changes = {"halcyon/a.py": "X = 1\n", "halcyon/b.py": handled("f"), "halcyon/c.py": handled("f")}
    result = action.run(action.open(changes))
    assert (result.code, result.outputs["errors"]) == (1, "1")


def test_a_symbolic_link_that_becomes_a_file_has_moved_nothing(action: Action):
    text = handled("f")
    files: dict[str, str | Link] = {**RULES, "halcyon/a.py": Link(text)}
    action.repository.commit(files)
    result = action.run(action.open({"halcyon/a.py": text}))
    assert (result.code, result.outputs["errors"]) == (1, "1")


# ------------------------------------------------------------------------------------- what another line brings about


@pytest.mark.parametrize("fail_on", ["error", "warning"])
def test_a_handler_whose_body_becomes_silent_is_the_change_s(action: Action, fail_on):
    rule = HANDLER.replace("severity: error", f"severity: {fail_on}")
    config = {".github/review-bot.yml": f"fail-on: {fail_on}\n", ".github/review-bot/rules/handler.yml": rule}
    action.repository.commit({**config, "halcyon/a.py": handled("f", "raise")})
    result = action.run(action.open({"halcyon/a.py": handled("f")}))
    assert result.code == 1


def test_code_that_leaves_a_docstring_is_the_change_s(action: Action):
    example = "".join(f"Y{n} = eval(X)\n" for n in range(9))
    before = f'"""A module.\n\nAn example::\n\n{example}"""\nX = "1"\n'
    after = f'"""A module.\n\nAn example::\n"""\nX = "1"\n{example}'
    action.repository.commit({**RULES, "halcyon/a.py": before})
    assert action.run(action.open({"halcyon/a.py": after})).code == 1


def test_a_finding_that_was_there_before_stays_the_base_s(action: Action):
    before = handled("f") + "X = 1\n"
    action.repository.commit({**RULES, "halcyon/a.py": before})
    after = before.replace("load(path)", "load(path, 1)").replace("X = 1", "X = 2").replace("check", "check_all")
    result = action.run(action.open({"halcyon/a.py": after}))
    assert (result.code, result.outputs["errors"]) == (0, "0")


# --------------------------------------------------------------------------------------------------------- secrets


@pytest.mark.parametrize("line", ['["{}", "{}"]', "{} {}", "{},{}"])
@pytest.mark.parametrize("first", ["fake", "real"])
def test_a_placeholder_hides_no_token_beside_it(action: Action, line, first):
    real, fake = "ghp_" + "aB3dE5gH7j" * 3 + "K9mN1p", "hf_example" + "QwErTyUiOpAsDfGhJkLzXcVbNmQ"
    pair = (fake, real) if first == "fake" else (real, fake)
    result = action.run(action.open({"halcyon/a.txt": line.format(*pair) + "\n"}))
    assert (result.code, result.outputs["errors"]) == (1, "1")


GUARDED = f'"""Runs."""\n\nfrom typing import TYPE_CHECKING\n\ntry:\n    {IMPORT}  {COMMENT}\nexcept ImportError:\n    StepOutput = None\n'
MADE_LIVE = {
    "a guard that goes": (GUARDED, GUARDED.replace("try:", "if True:").replace("except ImportError:", "else:")),
    "a block that runs now": (
        GUARDED.replace("try:", "if TYPE_CHECKING:").replace("except ImportError:", "else:"),
        GUARDED.replace("try:", "if True:").replace("except ImportError:", "else:"),
    ),
    "a docstring that ends earlier": (
        f'"""Runs.\n\n{IMPORT}  {COMMENT}\n"""\n',
        f'"""Runs.\n"""\n{IMPORT}  {COMMENT}\n"""\n"""\n',
    ),
}


@pytest.mark.parametrize("case", MADE_LIVE)
def test_a_comment_of_the_base_does_not_accept_an_import_that_the_change_makes_run(action: Action, case: str) -> None:
    """Nothing was wrong with it in the base, so nobody accepted anything."""
    before, after = MADE_LIVE[case]
    action.repository.commit({"halcyon/run.py": before})
    pr = opened(action, {"halcyon/run.py": after})
    assert action.run(pr, event="pull_request_target").code == 1
    action.repository.collaborator("grace")
    pr.approve_as("grace")
    assert action.run(pr, event="pull_request_target").code == 0
