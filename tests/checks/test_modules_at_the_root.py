"""Modules at the root, folders there that are no packages, and what is next to a script."""

from __future__ import annotations

import pytest

from tests.rule_cases import findings_of

TWO = "def load(path):\n    return path\n\n\ndef save(path):\n    return path\n"
ONE = "def load(path):\n    return path\n"
MORE = TWO.replace("save(path)", "save(path, mode)")
USE = "from {} import save\n\nsave(1)\n"


@pytest.mark.parametrize(
    ("module", "path", "user"),
    [
        ("limits", "limits.py", "tests/test_limits.py"),
        ("limits", "limits.py", "pkg/run.py"),
        ("parts.limits", "parts/limits.py", "run.py"),
        ("parts.inner.limits", "parts/inner/limits.py", "tools/run.py"),
        ("limits", "tools/limits/__init__.py", "tools/run.py"),
    ],
)
@pytest.mark.parametrize(("after", "rule"), [(ONE, "api/removed-name"), (MORE, "api/caller-left-behind")])
def test_what_a_module_loses_is_missed(module: str, path: str, user: str, after: str, rule: str) -> None:
    base = {"pkg/__init__.py": "", path: TWO, user: USE.format(module)}
    (finding,) = findings_of(rule, {path: after}, base)

    assert (finding.path, finding.severity) == (path, "error")


@pytest.mark.parametrize(
    ("module", "path"),
    [("json", "json.py"), ("datasets", "datasets.py"), ("conftest", "conftest.py"), ("setup", "setup.py")],
)
def test_a_module_that_may_be_another_one_is_not_followed(module: str, path: str) -> None:
    base = {path: TWO, "tools/run.py": USE.format(module), "tests/conftest.py": ""}
    assert findings_of("api/removed-name", {path: ONE}, base) == []


def test_what_goes_as_a_whole_may_be_installed_from_now_on() -> None:
    base = {"parts/limits.py": TWO, "run.py": USE.format("parts.limits")}
    assert findings_of("api/removed-module", {"parts/limits.py": None}, base) == []
    assert findings_of("api/removed-module", {"parts/limits.py": None}, base | {"parts/more.py": ""}) != []


def test_a_package_comes_before_a_folder_of_its_name() -> None:
    base = {
        "src/parts/__init__.py": "",
        "src/parts/limits.py": TWO,
        "parts/limits.py": TWO,
        "run.py": USE.format("parts.limits"),
    }
    assert findings_of("api/removed-name", {"parts/limits.py": ONE}, base) == []


def test_a_script_looks_in_its_own_folder_first() -> None:
    base = {"models/__init__.py": ONE, "demo-2/models/__init__.py": TWO}
    assert findings_of("api/missing-name-import", {"demo-2/run.py": USE.format("models")}, base) == []
    decoy = {"demo-2/models/__init__.py": TWO}
    (finding,) = findings_of(
        "api/missing-name-import",
        {"demo-2/run.py": USE.format("models")},
        {"models/__init__.py": ONE, "demo-2/models/__init__.py": ONE},
    )
    assert finding.path == "demo-2/run.py"
    kept = {"models/__init__.py": TWO, "demo-2/run.py": USE.format("models")}
    assert findings_of("api/removed-name", {"models/__init__.py": ONE, **decoy}, kept) != []


def test_a_file_next_to_a_folder_hides_no_package_in_it() -> None:
    base = {
        "example.py": "",
        "example/train.py": "from layers import run\n",
        "example/layers/linear.py": "def run(): ...\n",
    }
    head = {"example/layers/__init__.py": "from .linear import run\n"}
    assert findings_of("api/missing-module-import", head, base) == []


@pytest.mark.parametrize(
    ("later", "reported"),
    [
        ("", 1),
        ("Point.__new__.__defaults__ = (None,) * 3\n", 0),
        ("Point.__init__ = start\n", 0),
        ("Other.__new__.__defaults__ = (None,)\n", 1),
    ],
)
def test_a_default_that_the_module_sets_later_is_believed(later: str, reported: int) -> None:
    core = "from typing import NamedTuple\n\n\nclass Point(NamedTuple):\n    x: int\n    y: int\n"
    base = {"pkg/__init__.py": "", "pkg/core.py": core, "pkg/run.py": "from pkg.core import Point\n\nPoint(1, 2)\n"}
    found = findings_of("api/caller-left-behind", {"pkg/core.py": f"{core}    z: int\n\n\n{later}"}, base)
    assert len(found) == reported


@pytest.mark.parametrize(
    ("fields", "reported"),
    [
        ("size: int = 8\n    heads: int", 1),
        ("heads: int\n    size: int = 8", 0),
        ("size: int = field(default=8)\n    heads: int", 1),
        ("size: list = field(default_factory=list)\n    heads: int", 1),
        ("size: int = field(init=False)\n    heads: int", 0),
        ("size: int = field(kw_only=True, default=8)\n    heads: int", 0),
        ("size: ClassVar[int] = 8\n    heads: int", 0),
        ("size: int = 8\n    _: KW_ONLY\n    heads: int", 0),
        ("size: int = other_field(tag=1)\n    heads: int", 0),
        ("heads: int\n    size: int = 8\n    heads: int", 0),
    ],
)
def test_a_field_without_a_default_behind_one_with_a_default(fields: str, reported: int) -> None:
    head = f"from dataclasses import KW_ONLY, dataclass, field\nfrom typing import ClassVar\n\n\n@dataclass\nclass Config:\n    {fields}\n"
    assert len(findings_of("errors/field-order", {"pkg/config.py": head})) == reported
