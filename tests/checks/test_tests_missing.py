"""Code without tests, names that no test mentions, and classes of one name."""

from __future__ import annotations

from typing import Any

import pytest

from review_bot.checks.pr.duplicate_class import are_variants
from review_bot.findings import Finding
from tests import rule_cases

MUCH = "testing/code-without-tests"
FEW = "testing/few-code-without-tests"


def findings_of(rule: str, head: Any, base: Any = None) -> list[Finding]:
    """Run a rule over a change of a repository that has a test."""
    return rule_cases.findings_of(rule, head, {"tests/unit/test_other_part.py": "def test_it(): ...\n"} | (base or {}))


def test_a_repository_without_tests_is_left_alone() -> None:
    assert rule_cases.findings_of(MUCH, {"pkg/run.py": lines(300)}) == []


def lines(count: int) -> str:
    return "def run():\n" + "".join(f"    f({number})\n" for number in range(count - 1))


@pytest.mark.parametrize(("count", "much", "few"), [(39, 0, 0), (40, 0, 1), (249, 0, 1), (250, 1, 0)])
def test_the_two_rules_meet_at_250_lines(count: int, much: int, few: int) -> None:
    head = {"pkg/run.py": "# a comment\n\n" + lines(count)}

    assert len(findings_of(MUCH, head)) == much
    assert len(findings_of(FEW, head)) == few


@pytest.mark.parametrize(
    "path", ["tests/test_run.py", "pkg/run_test.py", "tests/deep/conftest.py", "test/run.py", "tests/run.sh"]
)
def test_any_line_of_a_test_is_enough(path: str) -> None:
    assert findings_of(MUCH, {"pkg/run.py": lines(300), path: "assert True\n"}) == []


@pytest.mark.parametrize(
    ("text", "is_a_test"),
    [
        ("class TestRunner:\n    def check(self): ...\n", True),
        ("class Test_runner(Case): ...\n", True),
        ("async def test_run(client): ...\n", True),
        ("class Testimony: ...\n", False),
        ("def testing(): ...\n", False),
        ("# def test_run(): ...\n", False),
    ],
)
def test_a_file_that_defines_tests_is_one_wherever_it_lies(text: str, is_a_test: bool) -> None:
    sample = {"SAMPLE_TESTS.py": text + lines(300)}

    assert (findings_of(MUCH, sample) == []) is is_a_test
    assert (findings_of(MUCH, {**sample, "pkg/run.py": lines(300)}) == []) is is_a_test


def test_the_message_names_what_is_public_and_no_test_names() -> None:
    text = "".join(f"def f{number}(): go()\n" for number in range(10)) + "def _g(): go()\ndef h(): ...\n" + lines(300)

    (finding,) = findings_of(MUCH, {"pkg/run.py": text})

    assert finding.path is None
    assert finding.placement == "summary"
    assert finding.message == (
        "This change adds about 310 lines of code to `pkg/run.py` (comments, docstrings, bare annotations, blank and moved lines aside), but no test. "
        "No existing test names `f0`, `f1`, `f2`, `f3`, `f4`, `f5`, `f6`, `f7` and 3 more."
    )


def test_a_module_with_tests_of_its_name_does_not_count() -> None:
    tested = {"tests/unit/test_run.py": "from pkg import fast\n\n\ndef test_it():\n    assert fast.start() is None\n"}

    assert findings_of(MUCH, {"pkg/fast/run.py": lines(300)}, tested) == []
    (finding,) = findings_of(MUCH, {"pkg/fast/run.py": lines(300), "pkg/stop.py": lines(310)}, tested)
    assert finding.message.startswith("This change adds about 310 lines of code to `pkg/stop.py` (")


METHOD = "    def {0}(self):\n" + "".join(f"        f({number})\n" for number in range(110))
ENGINE = "class Engine:\n" + "".join(METHOD.format(name) for name in ("run", "stop", "_wait"))


@pytest.mark.parametrize(
    ("used", "text", "untested"),
    [
        ("run", lines(300), None),
        ("start", lines(300), "`run`."),
        ("Engine, run, stop", ENGINE, None),
        ("Engine, run", ENGINE, "`Engine.stop`."),
        ("run, stop", ENGINE, "`Engine`."),  # of another class
        ("Engine", ENGINE.replace("stop", "_stop"), "`Engine.run`."),
        ("Engine", ENGINE.replace("stop", "_stop").replace("run", "_run"), None),  # only its own methods call these
    ],
)
def test_what_a_test_names_is_not_without_tests(used: str, text: str, untested: str | None) -> None:
    test = {"tests/test_all.py": f"from pkg.core import {used}\n\n\ndef test_it(): ...\n"}
    found = findings_of(MUCH, {"pkg/parts.py": text}, test)

    assert [finding.message.partition("No existing test names ")[2] for finding in found] == (
        [untested] if untested else []
    )


def test_a_line_of_data_beside_tests_is_no_test_and_a_new_file_may_be_the_data_of_one() -> None:
    data = "tests/configurations/engine.yaml"
    changed = {"pkg/run.py": lines(300), data: "size: 2\n"}

    assert len(findings_of(MUCH, changed, {data: "size: 1\n"})) == 1
    assert findings_of(MUCH, changed) == []


def test_code_that_only_moved_does_not_count() -> None:
    assert findings_of(MUCH, {"pkg/new.py": lines(300), "pkg/old.py": None}, {"pkg/old.py": lines(300)}) == []


@pytest.mark.parametrize(
    ("path", "siblings", "tests", "expected"),
    [
        ("pkg/models/transformer_d.py", "transformer_a transformer_b transformer_c", "", 0),
        ("pkg/models/d_runner.py", "a_runner b_runner runner", "", 0),
        ("src/pkg/models/d_runner.py", "a_runner b_runner c_runner", "from pkg.engine import x\n", 0),
        # Too few for a series, or no series.
        ("pkg/models/transformer_d.py", "transformer_a transformer_b loader", "", 1),
        ("pkg/models/loader.py", "transformer_a transformer_b transformer_c", "", 1),
        ("pkg/models/image_utils.py", "audio_utils text_utils video_utils", "", 1),
        # Tests use one of five, and of three.
        ("pkg/models/d_runner.py", "a_runner b_runner c_runner e_runner f_runner", "from .a_runner import A\n", 0),
        ("pkg/models/d_runner.py", "a_runner b_runner c_runner", "from .a_runner import A\n", 1),
        # A test uses another module of the series, or what their package exports.
        (
            "pkg/models/transformer_d.py",
            "transformer_a transformer_b transformer_c",
            "from .transformer_b import B\n",
            1,
        ),
        ("pkg/models/transformer_d.py", "transformer_a transformer_b transformer_c", "from pkg.models import B\n", 1),
    ],
)
def test_one_more_module_among_others_without_tests(path: str, siblings: str, tests: str, expected: int) -> None:
    folder = path.rpartition("/")[0]
    base = {f"{folder}/{stem}.py": "class A: ...\n" for stem in siblings.split()}
    base["tests/test_all.py"] = f"{tests}def test_all(): ...\n"

    assert len(findings_of(MUCH, {path: lines(300)}, base)) == expected


@pytest.mark.parametrize(
    ("others", "tests", "expected"),
    [(57, "", 0), (56, "", 1), (57, "from pkg.screens.charts import Chart\n", 1), (57, "import pkg.screens\n", 1)],
)
def test_in_a_repository_of_many_modules_a_folder_may_have_no_tests(others: int, tests: str, expected: int) -> None:
    """Together with the three of the folder that is 60 modules; the test is none."""
    base = {f"pkg/models/model{number}.py": "class A: ...\n" for number in range(others)}
    base |= {f"pkg/screens/{stem}.py": "class A: ...\n" for stem in ("charts", "filters", "means")}
    base["tests/test_all.py"] = f"{tests}def test_all(): ...\n"
    base["pyproject.toml"] = "[tool.pytest.ini_options]\n"

    assert len(findings_of(MUCH, {"pkg/screens/tables.py": lines(300)}, base)) == expected


def test_the_message_says_that_modules_of_a_series_are_not_counted() -> None:
    base = {f"pkg/models/transformer_{name}.py": "class A: ...\n" for name in "abc"}
    head = {"pkg/models/transformer_d.py": "class D: ...\n" + lines(300), "pkg/engine.py": lines(350)}

    (finding,) = findings_of(MUCH, head, base)

    assert finding.message == (
        "This change adds about 350 lines of code to `pkg/engine.py` (comments, docstrings, bare annotations, blank and moved lines aside), but no test. "
        "No existing test names `run`."
    )


@pytest.mark.parametrize(
    ("path", "other", "expected"),
    [
        ("hub/eyes/modeling_eyes.py", "hub/eyes_large/modeling_eyes.py", True),
        ("hub/eyes/modeling_eyes.py", "hub/eyes_large/modeling_ears.py", False),
        ("pkg/worker/gpu_worker.py", "pkg/worker/npu/npu_worker.py", True),
        ("pkg/worker/worker.py", "pkg/worker/worker_hpu.py", True),
        ("pkg/models/a/block.py", "pkg/models/b/block.py", True),
        ("pkg/models/a/block.py", "pkg/models/a/layer.py", False),
        ("pkg/worker/gpu_worker.py", "pkg/worker/worker.py", False),
        ("pkg/worker/inputs.py", "pkg/worker/worker.py", False),
    ],
)
def test_twins_of_platforms_and_models(path: str, other: str, expected: bool) -> None:
    assert are_variants(path, other) is expected
    assert are_variants(other, path) is expected
