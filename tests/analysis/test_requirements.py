"""How manifests are read, and when two of them contradict each other."""

from __future__ import annotations

import pytest

from review_bot.analysis.project.requirements import is_manifest, is_of_users, requirements_of, version_of
from review_bot.changes.python_parsing import CannotRead
from tests.rule_cases import findings_of

DISAGREE = "deps/bounds-disagree"


@pytest.mark.parametrize(
    ("line", "name", "bounds", "url", "marker"),
    [
        ("torch", "torch", (), "", ""),
        ("My_Tool[fast, slow] >= 1.0, <2", "my-tool", ((">=", "1.0"), ("<", "2")), "", ""),
        ("numpy (>=1.26)", "numpy", ((">=", "1.26"),), "", ""),
        (
            "torch==2.8.0+cu128 ; python_version >= '3.11'  # why",
            "torch",
            (("==", "2.8.0+cu128"),),
            "",
            "python_version >= '3.11'",
        ),
        ("tool @ git+https://example.org/tool.git@abc", "tool", (), "git+https://example.org/tool.git@abc", ""),
        ("attrs==25.1 --hash=sha256:00 \\", "attrs", (("==", "25.1"),), "", ""),
    ],
)
def test_a_line_of_a_requirements_file(
    line: str, name: str, bounds: tuple[tuple[str, str], ...], url: str, marker: str
) -> None:
    (found,) = requirements_of("requirements.txt", f"# a comment\n\n{line}\n")

    assert (found.name, found.bounds, found.url, found.marker, found.line) == (name, bounds, url, marker, 3)


@pytest.mark.parametrize(
    "line", ["-r other.txt", "--index-url https://example.org", "./wheel.whl", "# torch", "https://a/b.whl"]
)
def test_other_lines_are_left_out(line: str) -> None:
    assert requirements_of("requirements.txt", line) == []


def test_a_project_file_gives_each_group_and_line() -> None:
    text = """[project]
dependencies = [
    "torch>=2.4",
    "av",
]
[project.optional-dependencies]
dev = ["ruff", "av"]
[dependency-groups]
lint = ["mypy>=1", {include-group = "dev"}]
"""

    found = [(each.name, each.group, each.line) for each in requirements_of("pyproject.toml", text)]

    assert found == [("torch", "", 3), ("av", "", 4), ("ruff", "dev", 7), ("av", "dev", 7), ("mypy", "lint dev", 9)]


def test_a_project_file_that_cannot_be_read_says_so() -> None:
    with pytest.raises(CannotRead, match="not TOML"):
        requirements_of("pyproject.toml", "[project\n")
    with pytest.raises(CannotRead, match="`numpy` is written with escapes"):
        requirements_of("pyproject.toml", '[project]\ndependencies = ["num\\u0070y"]\n')


def test_a_requirement_with_an_escaped_quote_has_its_line() -> None:
    text = '[project]\ndependencies = [\n  "av; sys_platform == \\"linux\\"",\n]\n'
    assert [(each.name, each.line) for each in requirements_of("pyproject.toml", text)] == [("av", 3)]


def test_which_files_and_groups_users_install_from() -> None:
    assert [path for path in ("requirements/common.txt", "a/pyproject.toml", "notes.txt") if is_manifest(path)] == [
        "requirements/common.txt",
        "a/pyproject.toml",
    ]
    assert is_of_users("requirements/cuda.txt")
    assert is_of_users("pyproject.toml", "audio")
    assert not is_of_users("requirements/test.txt")
    assert not is_of_users("requirements-dev.txt")
    assert not is_of_users("examples/requirements.txt")
    assert not is_of_users("pyproject.toml", "docs")


@pytest.mark.parametrize(
    ("text", "version"), [("1.0", (1,)), ("2.10.0", (2, 10)), ("0", (0,)), ("1.0rc1", None), ("2.*", None)]
)
def test_plain_versions(text: str, version: tuple[int, ...] | None) -> None:
    assert version_of(text) == version


@pytest.mark.parametrize(
    ("here", "there", "count"),
    [
        ("vllm>=0.10.2", "vllm>=0.2.0", 1),
        ("vllm>=0.10", "vllm>=0.10.0", 0),
        ("vllm==0.11.0", "vllm>=0.10.2", 0),
        ("vllm==0.10.1", "vllm>=0.10.2", 1),
        ("vllm==0.11.0", "vllm==0.11.1", 1),
        ("vllm<1", "vllm>=0.10", 0),
        ("vllm==0.11.0rc1", "vllm>=0.11", 0),
        ("vllm", "vllm>=0.11", 0),
    ],
)
def test_when_two_bounds_disagree(here: str, there: str, count: int) -> None:
    for mine, theirs in ((here, there), (there, here)):
        found = findings_of(DISAGREE, {"requirements.txt": mine + "\n"}, {"requirements/common.txt": theirs + "\n"})
        assert len(found) == count


def test_a_disagreement_within_one_change_is_told_once() -> None:
    found = findings_of(DISAGREE, {"requirements.txt": "a>=1\n", "requirements/common.txt": "a>=2\n"})

    assert [(each.path, each.line) for each in found] == [("requirements.txt", 1)]
    assert found[0].related[0].path == "requirements/common.txt"
