"""Findings of one cause (a function, what they rest on, a message) are reported as one, in every way of silencing them too."""

from __future__ import annotations

import json
from typing import Any

import pytest

from review_bot.changes.pull_request import PullRequest
from review_bot.findings import Examination, Finding
from review_bot.review.acceptance import Acceptance, with_accepted
from review_bot.review.same_cause import SameCause
from review_bot.rules.examples import make_case
from tests.command import run_command
from tests.git_repository import ENVIRONMENT, GitRepository
from tests.rule_cases import built_in, findings_in

RULE = "errors/swallowed-exception"
TRY = "    try:\n        run()\n    except Exception:\n        pass\n"
TWICE = f"def first():\n{TRY}{TRY}\n\ndef second():\n{TRY}"
HANDLERS = [4, 8, 15]


@pytest.fixture
def repository(tmp_path):
    made = GitRepository(tmp_path / "clone")
    made.commit({"a.py": '"""A."""\n'})
    made.git("checkout", "--quiet", "-b", "work")
    return made


def run(repository: GitRepository, *arguments: str) -> str:
    command = ["review", "-C", repository.folder, *arguments]
    printed: str = run_command(command, text=True, env={**ENVIRONMENT, "CI": "1"}).stdout
    return printed


def found_in(rule: str, text: str) -> tuple[PullRequest, list[Finding]]:
    case = make_case(built_in(rule), text)
    return case.pull_request, findings_in(rule, case)


def places(repository: GitRepository) -> list[tuple[int, list[int]]]:
    data: dict[str, Any] = json.loads(run(repository, "--format", "json"))
    found = [each for each in data["findings"] if each["rule"] == RULE]
    return [(each["line"], [place["line"] for place in each["related"]]) for each in found]


def test_each_function_has_one_finding_with_the_other_places(repository):
    repository.commit({"m.py": TWICE})

    assert places(repository) == [(4, [8]), (15, [])]


def test_one_message_that_quotes_code_is_one_finding_for_each_file(repository):
    twice = "def first(x):\n    return math.sqroot(x)\n\n\ndef second(x):\n    return -math.sqroot(x)\n"
    repository.commit(
        {
            "m.py": f"import math\n\n\n{twice}",
            "n.py": "import math\n\n\ndef third(x):\n    return 2 * math.sqroot(x)\n",
        }
    )

    data: dict[str, Any] = json.loads(run(repository, "--format", "json", "--select", "api/standard-name-missing"))

    found = [(each["path"], each["line"], [place["line"] for place in each["related"]]) for each in data["findings"]]
    assert found == [("m.py", 5, [9]), ("n.py", 5, [])]


def test_code_outside_functions_and_a_local_function_count_by_themselves(repository):
    top = TRY.replace("\n    ", "\n").removeprefix("    ")
    local = (
        "def outer():\n"
        + TRY
        + "\n    def inner():\n"
        + TRY.replace("    try", "        try", 1).replace("\n    ", "\n        ")
    )
    repository.commit({"m.py": f"{top}{top}\n\n{local}"})

    assert places(repository) == [(3, [7]), (14, []), (20, [])]


def test_what_one_test_leaves_without_values_is_one_finding_and_what_another_leaves_is_another(repository):
    kept = "    if tokens is None:\n        ids = empty()\n        mask = ids > 0\n"
    other = "    if device:\n        place = device.index\n"
    repository.commit(
        {
            "m.py": f"def f(tokens):\n{kept}    for each in found():\n        each(ids)\n    return mask\n\n\n"
            f"def g(device):\n{other}    return place\n"
        }
    )

    data: dict[str, Any] = json.loads(run(repository, "--format", "json"))

    found = [each for each in data["findings"] if each["rule"] == "errors/unbound-local"]
    assert [(each["line"], [place["line"] for place in each["related"]]) for each in found] == [(6, [2, 7]), (13, [11])]


def test_a_suppression_silences_its_own_place_only(repository):
    noted = TWICE.replace("except Exception:", f"except Exception:  # review-bot: ignore[{RULE}] measured, see #4", 1)
    repository.commit({"m.py": noted})

    assert places(repository) == [(8, []), (15, [])]


def test_a_baseline_accepts_all_places(repository):
    repository.commit({"m.py": TWICE})

    run(repository, "--write-baseline")

    assert places(repository) == []


def test_who_accepts_the_finding_accepts_all_its_places():
    change, findings = found_in(RULE, TWICE)
    assert [finding.line for finding in findings] == HANDLERS
    (reported, other) = SameCause(change).one_of_each(findings)
    accepted = {reported.fingerprint: Acceptance("mona", "measured")}

    left = with_accepted(change, Examination(findings=tuple(findings)), accepted, frozenset())

    assert left.findings == (other,)
    assert [(each.finding.line, each.by, each.reason) for each in left.suppressed] == [
        (4, "accepted", "mona: measured"),
        (8, "accepted", "mona: measured"),
    ]
    locked = with_accepted(change, Examination(findings=tuple(findings)), accepted, {RULE})
    assert locked.findings == tuple(findings)


def test_what_one_missing_module_breaks_is_one_finding_with_the_other_files(repository):
    importing = "from pkg.gone import start\n"
    repository.commit(
        {"pkg/__init__.py": "", "pkg/a.py": importing, "pkg/b.py": importing, "pkg/c.py": "import pkg.lost\n"}
    )

    data = json.loads(run(repository, "--format", "json"))

    found = [each for each in data["findings"] if each["rule"] == "api/missing-module-import"]
    assert [(each["path"], [place["path"] for place in each["related"]]) for each in found] == [
        ("pkg/a.py", ["pkg/b.py"]),
        ("pkg/c.py", []),
    ]


COPIED = "def {name}(parser):\n    debug = parser.add_argument('--debug', type=bool)\n    return debug\n"
BOOLEAN = "errors/argparse-bool"


def test_a_copied_block_has_one_finding_with_the_other_places(repository):
    other = COPIED.format(name="third").replace("return debug", "print(debug)")
    repository.commit({"a.py": COPIED.format(name="run"), "b.py": "\n" + COPIED.format(name="run"), "c.py": other})

    data = json.loads(run(repository, "--format", "json"))

    found = [each for each in data["findings"] if each["rule"] == BOOLEAN]
    assert [(each["path"], [place["path"] for place in each["related"]]) for each in found] == [
        ("a.py", ["b.py"]),
        ("c.py", []),
    ]


def test_a_line_that_the_change_did_not_surround_is_no_copy(repository):
    before = COPIED.format(name="run").replace("parser.add_argument('--debug', type=bool)", "False")
    repository.git("checkout", "--quiet", "main")
    repository.commit({"a.py": before, "b.py": before})
    repository.git("checkout", "--quiet", "-B", "work")
    repository.commit({"a.py": COPIED.format(name="run"), "b.py": COPIED.format(name="run")})

    data = json.loads(run(repository, "--format", "json"))

    assert [each["path"] for each in data["findings"] if each["rule"] == BOOLEAN] == ["a.py", "b.py"]


def test_another_rule_keeps_a_finding_for_each_place():
    apart = TWICE.replace(" Exception", "").replace("pass", "stop()").replace("stop()", "halt()", 1)
    change, findings = found_in("errors/bare-except", apart.replace("second", "third").replace("run()", "go()", 1))

    assert len(findings) == len(HANDLERS)
    assert SameCause(change).one_of_each(findings) == findings


def test_a_declined_finding_takes_its_copies_with_it_and_no_other_statement():
    text = TWICE.replace(
        "run()\n    except Exception:\n        pass\n    try",
        "run()\n    except Exception as e:\n        pass\n    try",
        1,
    )
    change, findings = found_in(RULE, text)
    first, second, third = findings
    assert [len(each.places) for each in SameCause(change).one_of_each(findings)] == [2, 1]
    assert SameCause(change, [first.fingerprint]).one_of_each(findings) == findings
    assert SameCause(change, [third.fingerprint]).one_of_each(findings)[0].also_at[0].line == second.line, (
        "that an equal statement is declined elsewhere parts no other group"
    )
    change, findings = found_in(RULE, TWICE)
    assert [len(each.places) for each in SameCause(change, [findings[0].fingerprint]).one_of_each(findings)] == [2, 1]
