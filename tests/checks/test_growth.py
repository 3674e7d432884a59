"""Checks need linear time, however often a file repeats what they look for."""

from __future__ import annotations

from typing import Any

import pytest

from review_bot.analysis.facts.call_targets import call_targets
from review_bot.analysis.facts.runs import Symbol
from review_bot.changes.codebase import Snapshot
from review_bot.configuration import rule_registry
from review_bot.rules.examples import make_case
from tests.growth import SUPERLINEAR, growth
from tests.rule_cases import built_in, findings_in, findings_of

SHORT = 60
"""Repetitions of an example in the small case."""


def repeated(example: Any, times: int) -> Any:
    """Return an example each of whose files is written many times, one after another."""
    if isinstance(example, str):
        return (example if example.endswith("\n") else f"{example}\n") * times
    if isinstance(example, dict):
        return {key: repeated(value, times) for key, value in example.items()}
    return example


@pytest.mark.parametrize(
    ("rule", "number"),
    [
        ("api/removed-module", 2),
        ("distributed/uneven-split", 0),
        ("errors/getattr-default-on-none", 0),
        ("errors/unset-attribute", 1),
        ("precision/norm-in-half", 0),
    ],
)
def test_time_grows_with_the_repetitions_of_an_example(rule, number):
    page = next(page for page in rule_registry.builtin_pages() if page.rule.id == rule)
    example = page.documentation["bad"][number]
    assert findings_in(rule, make_case(built_in(rule), example))
    cases = {times: make_case(built_in(rule), repeated(example, times)) for times in (SHORT, 8 * SHORT)}
    assert growth(lambda times: findings_in(rule, cases[times]), SHORT) < SUPERLINEAR


def test_a_long_chain_of_coroutines_needs_linear_time():
    def examine(coroutines: int) -> None:
        texts = (
            f"async def step_{number}():\n    await step_{number - 1}()\n    time.sleep(1)\n"
            for number in range(coroutines)
        )
        assert not findings_of("errors/blocking-in-async", "import time\n" + "".join(texts))

    assert growth(examine, 30) < SUPERLINEAR


def test_many_functions_that_fetch_what_their_callers_begin_need_linear_time():
    def examine(functions: int) -> None:
        each = "def _load(image_url):\n    return requests.get(image_url)\n\n\n_load(f'http://host/{size}')\n"
        assert not findings_of(
            "security/fetch-user-url", {"pkg/serving/media.py": "import requests\n" + each * functions}
        )

    assert growth(examine, 40) < SUPERLINEAR


def test_many_mentions_of_a_removed_flag_in_commands_need_linear_time():
    def examine(mentions: int) -> None:
        head = "import argparse\n\nparser = argparse.ArgumentParser()\nparser.add_argument('--kept')\n"
        base = {"pkg/cli/run.py": f"{head}parser.add_argument('--gone')\n", "other.py": "pass\n"}
        base["README.md"] = "```bash\n" + "python other.py --gone 1 \\\n" * mentions + "```\n"
        assert len(findings_of("api/config-key-removed", {"pkg/cli/run.py": head}, base)) == 1

    assert growth(examine, 200) < SUPERLINEAR


def test_many_unbound_names_in_one_function_need_linear_time():
    def examine(names: int) -> None:
        lines = "".join(f"    x[a{number}] = x[{number}, :, None]\n" for number in range(names))
        assert len(findings_of("errors/undefined-name", f"def f(x):\n{lines}")) == names

    assert growth(examine, SHORT) < SUPERLINEAR


@pytest.mark.parametrize("rule", ["errors/identical-branches", "errors/undefined-name"])
def test_a_long_chain_of_conditions_needs_linear_time(rule):
    def examine(branches: int) -> None:
        chain = "".join(f"elif mode == {number}:\n    size = {number}\n" for number in range(branches))
        assert not findings_of(rule, f"from os import name as mode\n\nif not mode:\n    size = None\n{chain}")

    assert growth(examine, 30) < SUPERLINEAR


@pytest.mark.parametrize("rule", ["errors/none-result-used", "errors/optional-import-needed", "errors/setting-ignored"])
def test_many_attempts_in_one_module_need_linear_time(rule):
    def examine(attempts: int) -> None:
        lines = "".join(
            f"try:\n    import part{number}\n    X{number} = int(os.getenv('A{number}'))\nexcept ValueError:\n    pass\n"
            for number in range(attempts)
        )
        findings_of(rule, f"import os\n\n{lines}")

    assert growth(examine, SHORT) < SUPERLINEAR


def test_many_options_that_no_parser_defines_need_linear_time():
    def examine(options: int) -> None:
        added = "".join(f"parser.add_argument('--part{number}')\n" for number in range(options))
        reads = "".join(f"print(args.other{number})\n" for number in range(options))
        start, parsed = "import argparse\n\nparser = argparse.ArgumentParser()\n", "args = parser.parse_args()\n"
        assert findings_of("errors/option-undefined", {"run.py": f"{start}{added}{parsed}{reads}"}, {"a.py": "x = 1\n"})

    assert growth(examine, SHORT) < SUPERLINEAR


def test_many_exceptions_on_one_line_need_linear_time():
    def examine(tokens: int) -> None:
        assert not findings_of("security/hardcoded-secret", f"x = '{','.join(['hf_' + 'x' * 34] * tokens)}'\n")

    assert growth(examine, 8 * SHORT) < SUPERLINEAR


def test_variables_that_lose_their_readers_need_linear_time():
    def examine(names: int) -> None:
        sides = [
            {"pkg/m.py": "def f(a):\n" + "".join(f"    v{n} = a + {n}\n    use({used})\n" for n in range(names))}
            for used in ("v0", "a")
        ]
        findings_of("errors/variable-left-unread", sides[1], sides[0])

    assert growth(examine, SHORT) < SUPERLINEAR


@pytest.mark.parametrize("first", ["Top", "Circle"])
def test_a_long_line_of_classes_needs_linear_time_and_a_circle_does_no_harm(first):
    def examine(classes: int) -> None:
        bases = [f"Step{classes}" if first == "Circle" else first, *(f"Step{number}" for number in range(1, classes))]
        lines = (
            f"class Step{number + 1}({base}):\n    def go(self):\n        return self.gone{number}\n\n\n"
            for number, base in enumerate(bases)
        )
        findings_of("errors/unknown-attribute", "class Top:\n    pass\n\n\n" + "".join(lines))

    assert growth(examine, 60) < SUPERLINEAR
    examine(1_500)


def test_many_runs_of_scripts_need_linear_time():
    options = "".join(f"parser.add_argument('--option-{number}')\n" for number in range(400))
    base = {"run.py": f"import argparse\n\nparser = argparse.ArgumentParser()\n{options}args = parser.parse_args()\n"}

    def examine(runs: int) -> None:
        lines = "".join(f"python run.py --option-{number % 400}\n" for number in range(runs))
        assert not findings_of("docs/unknown-option", {"run.sh": lines}, base)
        lines = "".join(f"bash scripts/step{number}.sh\n" for number in range(runs))
        assert findings_of("shell/missing-script", {"run.sh": lines}, {"scripts/other.sh": ""})

    assert growth(examine, SHORT) < SUPERLINEAR


def test_the_signature_of_a_dataclass_is_made_once_for_all_its_calls():
    text = "from dataclasses import dataclass\n\n\n@dataclass\nclass Limits:\n    size: int = 0\n"
    targets = call_targets(Snapshot(frozenset({"m.py"}), {"m.py": text}.get))
    made = targets.signature(Symbol("m.py", "Limits.__init__"))
    assert made is not None
    assert [each.name for each in made.parameters] == ["size"]
    assert targets.signature(Symbol("m.py", "Limits.__init__")) is made
