"""A finding in a statement that was only reformatted is not of this change; one in a new statement is."""

from __future__ import annotations

import pytest

from review_bot.changes.source_file import SourceFile
from review_bot.configuration import rule_registry
from review_bot.engine.reformatted import Reformatted
from review_bot.rules.examples import make_case
from tests.engine.cases import review

PATH = "package/module.py"

SWITCH = "def reward(agent, world):\n    total = 0\n    shape = False\n"
ONE_LINE = "    if shape:\n        total += abs(agent.place - world.place)\n    return total\n"
SPREAD = "    if (\n        shape\n    ):\n        total += abs(\n            agent.place - world.place\n        )\n    return total\n"


def moved(base: str, head: str) -> list[tuple[str, int | None, bool]]:
    found = review({PATH: head}, {PATH: base}, rulebook=rule_registry.builtin_rulebook())
    wanted = ("errors/constant-condition", "errors/mutable-default", "security/yaml-load")
    return [(each.rule, each.line, each.moved) for each in found.findings if each.rule in wanted]


@pytest.mark.parametrize(
    ("base", "head", "expected"),
    [
        pytest.param(SWITCH + ONE_LINE, SWITCH + SPREAD, [("errors/constant-condition", 4, True)], id="spread over lines"),
        pytest.param(SWITCH + SPREAD, SWITCH + ONE_LINE, [("errors/constant-condition", 4, True)], id="joined"),
        pytest.param(
            SWITCH + ONE_LINE, SWITCH + SPREAD.replace("abs", "max"), [("errors/constant-condition", 4, False)], id="edited, too"
        ),
        pytest.param("import yaml\nyaml.load(f)", "import yaml\nyaml.load(\n    f\n)", [("security/yaml-load", 2, True)], id="a call"),
        pytest.param(
            "import yaml\nyaml.load(f)",
            "import yaml\nyaml.load(\n    f\n)\nyaml.load(\n    f\n)",
            [("security/yaml-load", 2, True), ("security/yaml-load", 5, False)],
            id="one more than before",
        ),
        pytest.param(
            "import yaml\n\n\ndef a(f):\n    yaml.load(f)\n\n\ndef b(f):\n    return f\n",
            "import yaml\n\n\ndef a(f):\n    return f\n\n\ndef b(f):\n    yaml.load(\n        f\n    )\n",
            [("security/yaml-load", 9, False)],
            id="in another function",
        ),
        pytest.param("import yaml\nload(f)", "import yaml\nyaml.load(\n    f\n)", [("security/yaml-load", 2, False)], id="new"),
        pytest.param(
            "from y import load\nload(f)", "from yaml import load\nload(\n    f\n)", [("security/yaml-load", 2, False)], id="wrong by its import"
        ),
    ],
)  # fmt: skip
def test_what_was_only_reformatted(base: str, head: str, expected: list[tuple[str, int, bool]]) -> None:
    assert moved(base, head) == expected


def test_a_statement_that_is_nested_too_deeply_is_new() -> None:
    long = " + ".join(["1"] * 2_000)
    case = make_case(
        rule_registry.builtin_rulebook().rules[0],
        {"base": {PATH: f"x = {long}\ny = 1\n"}, "head": {PATH: f"x = (\n    {long}\n)\ny = (\n    1\n)\n"}},
    )
    (file,) = case.pull_request.files
    statements = Reformatted(SourceFile(file, case.new[0], case.old[0]))
    assert [*statements.lines_at_base(1)] == []
    assert [*statements.lines_at_base(4)] == [2]
