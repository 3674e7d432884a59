"""New data files that no pattern of ``package-data`` takes."""

from __future__ import annotations

import pytest

from tests.rule_cases import findings_of

RULE = "deps/data-not-packed"
TREE = {"halcyon/__init__.py": "", "halcyon/stages/__init__.py": "", "halcyon/stages/qwen.yaml": "a: 1\n"}
BUILD = '[build-system]\nrequires = ["{}"]\n\n[project]\nname = "halcyon"\n\n'
NEW = "halcyon/stages/npu/qwen.yaml"


def reported(patterns: str, new: str = NEW, build: str = "setuptools>=61", more: dict[str, str] | None = None) -> bool:
    settings = f"{BUILD.format(build)}[tool.setuptools.package-data]\n{patterns}\n"
    return bool(findings_of(RULE, {new: "a: 2\n"}, TREE | {"pyproject.toml": settings} | (more or {})))


@pytest.mark.parametrize(
    ("patterns", "expected"),
    [
        ('"halcyon.stages" = ["*.yaml"]', True),
        ('halcyon = ["stages/*.yaml"]', True),
        ('halcyon = ["stages/*.yaml", "stages/*/*.yaml"]', False),
        ('halcyon = ["**/*.yaml"]', False),
        ('"halcyon.stages" = ["*.yaml"]\n"halcyon.stages.npu" = ["*.yaml"]', False),
        ('"*" = ["*.yaml"]', False),  # of every package
        ('halcyon = ["stages/qwen.yaml"]', False),  # files one by one
    ],
)
def test_patterns_are_matched_in_their_folder(patterns: str, expected: bool) -> None:
    assert reported(patterns) is expected


@pytest.mark.parametrize("build", ["setuptools-scm", "setuptools_scm[toml]>=8", "hatchling"])
def test_build_tools_that_pack_what_version_control_holds(build: str) -> None:
    assert not reported('"halcyon.stages" = ["*.yaml"]', build=build)


@pytest.mark.parametrize(
    ("new", "more"),
    [
        (NEW, {"MANIFEST.in": "graft halcyon\n"}),
        (NEW, {"setup.py": "from setuptools import setup\n\nsetup(include_package_data=True)\n"}),
        ("halcyon/stages/npu/notes.txt", {}),
        ("halcyon/stages/npu/qwen.json", {}),
        ("tests/stages/npu/qwen.yaml", {}),
        ("docs/qwen.yaml", {}),
    ],
)
def test_files_that_are_packed_otherwise_or_need_not_be(new: str, more: dict[str, str]) -> None:
    assert not reported('"halcyon.stages" = ["*.yaml"]', new=new, more=more)
