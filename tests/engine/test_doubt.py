"""What a rule would claim of the base too is not claimed of the change."""

from __future__ import annotations

import json
import os
from typing import Any

import pytest

from tests.command import run_command
from tests.git_repository import ENVIRONMENT, GitRepository

IMPORT = "api/missing-name-import"
PACKAGE = {"pkg/__init__.py": "", "pkg/core.py": "def run():\n    return 1\n"}
USERS = {
    "pkg/first.py": "from pkg.core import fast\n\nprint(fast)\n",
    "tools/second.py": "from pkg.core import slow\n\nprint(slow)\n",
}
NEW = {"pkg/third.py": "from pkg.core import wide\n\nprint(wide)\n"}


@pytest.fixture
def review(tmp_path):
    """Return a function that reviews a change: texts of the base, and of the files that the change writes."""

    def reviewed(base: dict[str, str], head: dict[str, str], rule: str) -> tuple[int, list[dict[str, Any]]]:
        repository = GitRepository(tmp_path / f"clone-{len(os.listdir(tmp_path))}")
        repository.commit({"README.md": "# It\n", **base})
        repository.git("checkout", "--quiet", "-b", "work")
        repository.commit(head)
        arguments = ["review", "-C", repository.folder, "--format", "json"]
        done = run_command(arguments, text=True, env={**ENVIRONMENT, "CI": "1"})
        found = json.loads(done.stdout)["findings"]
        return done.returncode, [each for each in found if each["rule"] == rule]

    return reviewed


def test_a_module_that_the_base_uses_in_the_same_way_is_doubted(review):
    code, (found,) = review({**PACKAGE, **USERS}, NEW, IMPORT)

    assert code == 0
    assert (found["severity"], found["placement"]) == ("hint", "summary")
    assert found["related"] == [{"path": "pkg/first.py", "line": 1, "note": "the base has the same", "holds": None}]


def test_what_three_files_of_the_base_do_is_not_claimed(review):
    users = {**USERS, "tools/fourth.py": "from pkg.core import deep\n\nprint(deep)\n"}

    assert review({**PACKAGE, **users}, NEW, IMPORT) == (0, [])


@pytest.mark.parametrize("left", USERS)
def test_one_such_place_at_the_base_may_well_be_broken(review, left):
    code, (found,) = review({**PACKAGE, left: USERS[left]}, NEW, IMPORT)

    assert (code, found["severity"], found["placement"]) == (1, "error", "inline")


def test_files_that_name_the_module_in_full_are_asked_before_those_with_its_last_word(review):
    nearer = {f"pkg/a{number}.py": "core = 1\n" for number in range(9)}
    users = {path.replace("pkg/", "tools/"): text for path, text in USERS.items()}
    code, (found,) = review({**PACKAGE, **nearer, **users}, NEW, IMPORT)

    assert (code, found["placement"], found["related"][0]["path"]) == (0, "summary", "tools/first.py")


def test_two_claims_about_one_line_of_the_base_are_one_place(review):
    calls = {"pkg/broken.py": "from pkg.core import run\n\nprint(run(1), run(2))\n"}
    new = {"pkg/third.py": "from pkg.core import run\n\nprint(run(3))\n"}
    code, (found,) = review({**PACKAGE, **calls}, new, "api/call-misfit")

    assert (code, found["severity"]) == (1, "error")


@pytest.mark.parametrize(("call", "severity"), [("run(3)", "hint"), ("run(3, 4)", "error")])
def test_calls_of_the_base_with_another_fault_raise_no_doubt(review, call, severity):
    calls = {f"pkg/{name}.py": "from pkg.core import run\n\nprint(run(1))\n" for name in ("first", "second")}
    new = {"pkg/third.py": f"from pkg.core import run\n\nprint({call})\n"}
    _, (found,) = review({**PACKAGE, **calls}, new, "api/call-misfit")

    assert found["severity"] == severity


def test_the_change_itself_raises_no_doubt(review):
    code, found = review(PACKAGE, {**USERS, **NEW}, IMPORT)

    assert (code, {each["severity"] for each in found}, len(found)) == (1, {"error"}, 3)


@pytest.mark.parametrize("mark", ["{0}  # review-bot: ignore[{1}] {2}", "# review-bot: ignore[{1}] {2}\n{0}"])
@pytest.mark.parametrize(("rule", "severity"), [(IMPORT, "error"), ("api/call-misfit", "hint")])
def test_what_a_comment_of_the_base_suppresses_raises_no_doubt(review, mark, rule, severity):
    users = {
        path: text.replace(text.splitlines()[0], mark.format(text.splitlines()[0], rule, "a build step writes it"))
        for path, text in USERS.items()
    }
    code, (found,) = review({**PACKAGE, **users}, NEW, IMPORT)

    assert (code, found["severity"]) == (int(severity == "error"), severity)


def test_a_suppression_without_a_reason_is_none_for_doubt_either(review):
    users = {path: text.replace("\n", f"  # review-bot: ignore[{IMPORT}]\n", 1) for path, text in USERS.items()}
    code, (found,) = review({**PACKAGE, **users}, NEW, IMPORT)

    assert (code, found["severity"]) == (0, "hint")


def test_another_module_is_not_doubted(review):
    other = {"pkg/other.py": "LIMIT = 1\n"}
    new = {"pkg/third.py": "from pkg.other import wide\n\nprint(wide)\n"}
    code, (found,) = review({**PACKAGE, **USERS, **other}, new, IMPORT)

    assert (code, found["severity"]) == (1, "error")


@pytest.mark.parametrize("order", [1, -1])
def test_doubt_of_one_import_does_not_reach_another_on_its_line(review, order):
    other = {"pkg/other.py": "LIMIT = 1\n"}
    line = "; ".join(["from pkg.core import wide", "from pkg.other import high"][::order])
    code, (found,) = review({**PACKAGE, **USERS, **other}, {"pkg/third.py": f"{line}\n\nprint(wide, high)\n"}, IMPORT)

    assert (code, found["severity"]) == (1, "error")


def test_what_the_base_has_as_a_warning_opens_no_gate_for_an_error(review):
    bound = "globals().update(load())\n"
    base = {**PACKAGE, **USERS, "pkg/core.py": bound}
    _, found = review({**base}, {**NEW, "pkg/core.py": PACKAGE["pkg/core.py"]}, IMPORT)

    assert "error" in {each["severity"] for each in found}


NAMES = "errors/undefined-name"


def test_names_that_a_folder_of_templates_leaves_undefined(review):
    template = "{{}}\nname = {0}\n"
    base = {f"templates/{name}.py": template.format(name) for name in ("model_name", "class_name")}
    code, found = review(base, {"templates/third.py": template.format("config_name")}, NAMES)
    assert code == 0
    assert [each["severity"] for each in found] in ([], ["hint"])

    code, found = review({}, {"templates/third.py": template.format("config_name")}, NAMES)
    assert [each["path"] for each in found] == ["templates/third.py"]
    assert found[0]["severity"] != "hint"


def test_names_that_other_functions_of_a_folder_leave_undefined(review):
    def using(name: str) -> str:
        return f"def run():\n    return {name}\n"

    base = {f"pkg/{name}.py": using(name) for name in ("alpha", "beta")}
    _, found = review(base, {"pkg/third.py": using("gamma")}, NAMES)
    assert [(each["path"], each["severity"]) for each in found] == [("pkg/third.py", "error")]

    base = {f"pkg/{name}.py": using("context") for name in ("alpha", "beta")}
    code, found = review(base, {"pkg/third.py": using("context")}, NAMES)
    assert code == 0
    assert [each["severity"] for each in found] in ([], ["hint"])


ATTRIBUTE = "errors/unknown-attribute"
CONFIG = "class Config:\n    def __init__(self):\n        self.size = 1\n"


def test_attributes_that_a_class_gets_in_a_way_that_no_rule_knows(review):
    def use(name: str) -> str:
        return f"from pkg.config import Config\n\n\ndef run(config: Config):\n    return config.{name}\n"

    base = {"pkg/__init__.py": "", "pkg/config.py": CONFIG}
    users = {f"pkg/{name}.py": use(name) for name in ("alpha", "beta")}
    new = {"pkg/third.py": use("gamma")}

    _, found = review(base, new, ATTRIBUTE)
    assert [each["path"] for each in found] == ["pkg/third.py"]
    _, found = review({**base, **users}, {"pkg/fourth.py": use("delta")}, ATTRIBUTE)
    assert found == []


HABIT = "errors/argparse-bool"
READS = "import argparse\n\nparser = argparse.ArgumentParser()\nparser.add_argument('--{0}', type=bool)\nparser.parse_args()\n"


def test_a_habit_of_the_folder_is_a_row_of_the_summary(review):
    base = {f"conf/{name.lower()}.py": READS.format(name) for name in ("DEBUG", "TRACE")}
    new = {"conf/fast.py": READS.format("FAST")}

    code, (found,) = review(base, new, HABIT)
    assert (code, found["severity"], found["placement"]) == (0, "hint", "summary")
    assert found["related"] == [{"path": "conf/debug.py", "line": 4, "note": "the base has the same", "holds": None}]

    _, (found,) = review(dict(list(base.items())[:1]), new, HABIT)
    assert (found["severity"], found["placement"]) == ("warning", "inline")
    _, (found,) = review(base, {"other/fast.py": READS.format("FAST")}, HABIT)
    assert (found["severity"], found["placement"]) == ("warning", "inline")
    _, found = review({}, {**base, **new}, HABIT)
    assert {each["placement"] for each in found} == {"inline"}


def test_the_place_of_a_habit_is_one_that_the_change_leaves_where_it_is(review):
    base = {f"conf/{name.lower()}.py": READS.format(name) for name in ("DEBUG", "TRACE")}
    moved = {path: f"# moved\n{text}" for path, text in base.items()}
    new = {"conf/fast.py": READS.format("FAST")}

    _, (found,) = review(base, {"conf/debug.py": moved["conf/debug.py"], **new}, HABIT)
    assert [(each["path"], each["line"]) for each in found["related"]] == [("conf/trace.py", 4)]
    _, (found,) = review(base, {**moved, **new}, HABIT)
    assert [(each["path"], each["line"]) for each in found["related"]] == [("conf/debug.py", None)]


def test_a_repository_that_chose_the_severity_is_told(review):
    base = {f"conf/{name.lower()}.py": READS.format(name) for name in ("DEBUG", "TRACE")}
    base[".github/review-bot.yml"] = f"rules:\n  {HABIT}: error\n"

    code, (found,) = review(base, {"conf/fast.py": READS.format("FAST")}, HABIT)

    assert (code, found["severity"], found["placement"]) == (1, "error", "inline")


def test_what_a_comment_suppresses_is_no_habit(review):
    base = {f"conf/{name.lower()}.py": READS.format(name) for name in ("DEBUG", "TRACE")}
    base = {
        path: text.replace("type=bool)", f"type=bool)  # review-bot: ignore[{HABIT}] only 0 and 1 are passed")
        for path, text in base.items()
    }

    _, (found,) = review(base, {"conf/fast.py": READS.format("FAST")}, HABIT)

    assert (found["severity"], found["placement"]) == ("warning", "inline")
