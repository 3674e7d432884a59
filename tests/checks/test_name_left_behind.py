"""Documents that name a function or class which the change removes."""

from __future__ import annotations

import pytest

from tests.rule_cases import findings_of

RULE = "docs/name-left-behind"
MODULE = "pkg/load.py"
OLD = "def load_stage_configs(path):\n    return path\n"


def messages(document: str, text: str, head: dict[str, str], base: dict[str, str] | None = None) -> list[str]:
    """Return what is reported where the head replaces or adds files."""
    return [each.message for each in findings_of(RULE, head, {MODULE: OLD, document: text} | (base or {}))]


def test_every_place_is_counted() -> None:
    text = "Call `load_stage_configs`.\n\nThen:\n\n```python\nload_stage_configs('a.yaml')\n```\n"
    (message,) = messages("docs/guide.md", text, {MODULE: "LIMIT = 4\n"})
    assert message.startswith("`docs/guide.md:1` and at least 1 more still name `load_stage_configs`, which no code")


@pytest.mark.parametrize(
    ("document", "text"),
    [
        ("CHANGELOG.md", "Add `load_stage_configs`.\n"),
        ("docs/release_notes/0.3.md", "Add `load_stage_configs`.\n"),
        ("docs/migration.md", "Replace `load_stage_configs`.\n"),
        ("third_party/tool/README.md", "`load_stage_configs`\n"),
        ("docs/guide.md", "`load_stage_configs` is deprecated.\n"),
        ("docs/guide.md", "`load_stage_configs_all` is another name.\n"),
        ("notes.txt", "`load_stage_configs`\n"),
    ],
)
def test_history_and_other_names_are_left_alone(document: str, text: str) -> None:
    assert messages(document, text, {MODULE: "LIMIT = 4\n"}) == []


@pytest.mark.parametrize(
    "base",
    [
        {"pkg/run.py": "from other.load import load_stage_configs\n"},
        {"csrc/load.cpp": "void load_stage_configs();\n"},
        {"conf/run.yaml": "loader: pkg.load.load_stage_configs\n"},
    ],
)
def test_a_name_that_other_code_holds_is_not_gone(base: dict[str, str]) -> None:
    assert messages("docs/guide.md", "Call `load_stage_configs`.\n", {MODULE: "LIMIT = 4\n"}, base) == []


def test_a_line_that_the_change_writes_is_its_own_matter() -> None:
    head = {MODULE: "LIMIT = 4\n", "docs/guide.md": "Do not call `load_stage_configs`.\n"}
    assert messages("docs/guide.md", "Call `load_stage_configs`.\n", head) == []


def test_constants_are_looked_for() -> None:
    base = {MODULE: "MAX_NUM_STAGES = 4\n", "docs/guide.md": "Raise `MAX_NUM_STAGES`.\n"}
    assert len(findings_of(RULE, {MODULE: "LIMIT = 4\n"}, base)) == 1


@pytest.mark.parametrize(
    ("path", "text", "reported"),
    [
        ("docs/guide.md", "Set `PKG_CACHE_ROOT`.\n", 1),
        ("run.sh", "export PKG_CACHE_ROOT=/tmp\n", 1),
        ("docker/Dockerfile", "ENV PKG_CACHE_ROOT=/tmp\n", 1),
        (".github/workflows/test.yml", "env:\n  PKG_CACHE_ROOT: /tmp\n", 1),
        ("run.sh", 'export PKG_CACHE_ROOT=/tmp\nls "${PKG_CACHE_ROOT}"\n', 0),
        ("csrc/cache.cpp", 'getenv("PKG_CACHE_ROOT");\n', 0),
        ("tests/test_cache.py", 'import os\nos.environ["PKG_CACHE_ROOT"] = "a"\n', 0),
    ],
)
def test_what_sets_a_variable_that_nothing_reads_is_reported(path: str, text: str, reported: int) -> None:
    base = {"pkg/envs.py": 'import os\nROOT = os.getenv("PKG_CACHE_ROOT")\n', path: text}
    assert len(findings_of(RULE, {"pkg/envs.py": "ROOT = None\n"}, base)) == reported
