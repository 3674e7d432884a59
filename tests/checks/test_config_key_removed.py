from __future__ import annotations

import pytest

from tests.rule_cases import findings_of

RULE = "api/config-key-removed"
CLASS = "class TraceConfig:\n    step_start: int = 1\n    step_end: int = 2\n    name: str = ''\n"


def users(path: str, text: str) -> list[tuple[str, int | None]]:
    """Return the places that are reported to use ``step_start``, which a change removes."""
    head = {"pkg/config.py": CLASS.replace("    step_start: int = 1\n", "")}
    found = findings_of(RULE, head, {"pkg/config.py": CLASS, path: text})
    return [(place.path, place.line) for finding in found for place in finding.related]


@pytest.mark.parametrize(
    ("path", "text", "line"),
    [
        ("conf/run.yaml", "trace:\n  step_start: 1\n\n  # the last one\n  step_end: 2\n  extra: 1\n", 2),
        ("conf/run.yaml", "trace:\n  step_start: 1\n", 2),
        ("conf/run.yaml", "traces:\n  - step_start: 1\n    step_end: 2\n", 2),
        (
            "conf/run.toml",
            "[actor]\nseed = 1\nrank = 2\n[trace]\nstep_start = 1\nname = 'a'\n[other]\na = 1\nb = 2\n",
            5,
        ),
        (
            "conf/run.json",
            '{\n  "seed": 1,\n  "rank": 2,\n  "trace": {\n    "step_start": 1,\n    "name": "a"\n  }\n}\n',
            5,
        ),
        ("docs/trace.md", "Set `step_start` to skip steps.\n", 1),
        ("run.sh", "python -m pkg trace.step_start=3\n", 1),
        ("conf/run.yaml", "traces:\n  - step_end: 2\n    step_start: 1\n    extra: 1\n", 3),
    ],
)
def test_what_still_sets_a_removed_field(path: str, text: str, line: int) -> None:
    assert users(path, text) == [(path, line)]


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("conf/run.yaml", "profile:\n  enabled: true\n  ranks: null\n  step_start: 1\n  step_end: 2\n  path: x\n"),
        ("conf/run.json", '{\n  "profile": {\n    "enabled": true,\n    "step_start": 1,\n    "path": "x"\n  }\n}\n'),
        ("conf/run.toml", "[trace]\nname = 'a'\n[profile]\nstep_start = 1\nenabled = true\npath = 'x'\n"),
        ("docs/run.rst", ".. code:: yaml\n\n   profile:\n     enabled: true\n     step_start: 1\n     path: x\n"),
    ],
)
def test_a_key_of_a_section_for_something_else_is_no_use(path: str, text: str) -> None:
    assert users(path, text) == []


def test_a_second_mention_counts_where_the_first_is_for_something_else() -> None:
    text = "profile:\n  enabled: true\n  path: x\n  step_start: 1\ntrace:\n  step_start: 1\n  name: a\n"

    assert users("conf/run.yaml", text) == [("conf/run.yaml", 6)]
