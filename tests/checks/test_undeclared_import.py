from __future__ import annotations

import pytest

from tests.rule_cases import findings_of

RULE = "deps/undeclared-import"


def fires(line: str, manifest: dict[str, str], path: str = "pkg/run.py") -> bool:
    return bool(findings_of(RULE, {path: line}, {"pkg/__init__.py": ""} | manifest))


@pytest.mark.parametrize(
    "manifest",
    [
        {"pyproject.toml": "[project]\ndependencies = ['brotli>=1; python_version > \"3\"']\n"},
        {"pyproject.toml": "[project.optional-dependencies]\nfast = ['Brotli[all]']\n"},
        {"pyproject.toml": "[dependency-groups]\ndev = ['brotli', {include-group = 'test'}]\n"},
        {"pyproject.toml": "[tool.poetry.dependencies]\nbrotli = '^1'\n"},
        {"pyproject.toml": "[tool.poetry.group.dev.dependencies]\nbrotli = {version = '^1'}\n"},
        {"requirements/fast.txt": "-r base.txt\nbrotli\n"},
        {"docker/requirements-gpu.txt": "brotli @ git+https://example.org/x\n"},
        {"setup.py": "setup(install_requires=['brotli'])\n"},
        {"setup.cfg": "[options]\ninstall_requires =\n    brotli\n"},
        {"environment.yml": "dependencies:\n  - brotli=1\n"},
        {"requirements.txt": "brotli-asgi\n"},  # so alike that it may bring it
        {"requirements.txt": "python_brotli\n"},
        {"pyproject.toml": "[project\n"},  # cannot be read: nothing is said
        {},
    ],
)
def test_where_a_dependency_may_be_declared(manifest: dict[str, str]) -> None:
    assert not fires("import brotli\n", manifest)


@pytest.mark.parametrize(
    "manifest",
    [
        {"pyproject.toml": "[project]\nname = 'pkg'\n[[tool.mypy.overrides]]\nmodule = ['brotli.*']\n"},
        {"requirements.txt": "torch  # brotli is optional\n"},
    ],
)
def test_where_a_mention_is_no_declaration(manifest: dict[str, str]) -> None:
    assert fires("import brotli\n", manifest)


@pytest.mark.parametrize(
    ("line", "path"),
    [
        ("import json, asyncore, distutils.core\n", "pkg/run.py"),
        ("from . import brotli\n", "pkg/run.py"),
        ("import helpers\n", "pkg/run.py"),
        ("import brotli\n", "examples/run.py"),
        ("import brotli\n", "pkg/npu/run.py"),
        ("if fast():\n    import brotli\n", "pkg/run.py"),
        ("def run():\n    import brotli\n", "pkg/run.py"),
        ("import typing_extensions\n", "pkg/run.py"),
    ],
)
def test_what_needs_no_declaration(line: str, path: str) -> None:
    assert not fires(line, {"requirements.txt": "torch\n", "tools/helpers.py": ""}, path)


def test_the_first_import_of_a_package_is_reported_once_and_names_the_others() -> None:
    head = {"pkg/a.py": "import brotli\nimport brotli.deep\n", "pkg/b.py": "from brotli import X\n"}

    (finding,) = findings_of(RULE, head, {"requirements.txt": "torch\n"})

    assert (finding.path, finding.line, finding.severity) == ("pkg/a.py", 1, "info")
    assert [(place.path, place.line) for place in finding.related] == [("pkg/b.py", 1)]


@pytest.mark.parametrize(
    "parent", [{"requirements.txt": "vllm\n"}, {"requirements.txt": "x\n", "pkg/v.py": "import vllm\n"}]
)
def test_what_comes_along_with_a_parent_is_only_worth_a_thought(parent: dict[str, str]) -> None:
    (finding,) = findings_of(RULE, {"pkg/run.py": "import msgspec\n"}, parent)

    assert (finding.severity, finding.placement) == ("hint", "summary")
    assert "currently comes with `vllm`" in finding.message


def test_an_import_that_the_base_has_already_is_not_the_first() -> None:
    base = {"requirements.txt": "torch\n", "pkg/old.py": "import os, brotli\n"}

    assert findings_of(RULE, {"pkg/run.py": "import brotli\n"}, base) == []
    assert findings_of(RULE, {"pkg/run.py": "import brotli\n", "pkg/old.py": None}, base) == []
