"""Code that a change adds without a test."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.command import run_command
from tests.git_repository import ENVIRONMENT, GitRepository
from tests.growth import SUPERLINEAR, growth
from tests.rule_cases import findings_of

RULE = "testing/code-without-tests"
TESTED = {
    "pkg/__init__.py": "",
    "pyproject.toml": "[tool.pytest.ini_options]\n",
    "tests/test_other.py": "def test_other():\n    assert other()\n",
}


def test_many_methods_of_one_name_take_linear_time() -> None:
    def look(classes: int) -> None:
        before = "".join(f"class C{n}(C{n - 1}):\n    def run(self):\n        return self.x\n" for n in range(classes))
        findings_of(RULE, {"pkg/run.py": before.replace("self.x", "self.y")}, TESTED | {"pkg/run.py": before})

    assert growth(look, 60) < SUPERLINEAR


def test_the_nearest_of_a_long_chain_of_callers_are_known() -> None:
    """A test that names a caller of what grows tests it, however long the chain of callers goes on."""
    chain = "".join(f"def step_{n}():\n    return step_{n + 1}()\n" for n in range(3_000))
    grown = "def step_3000():\n" + "    work()\n" * 300
    tests = TESTED | {"tests/test_chain.py": "def test_chain():\n    assert step_2950()\n"}
    before = tests | {"pkg/run.py": f"{chain}def step_3000():\n    work()\n"}

    assert findings_of(RULE, {"pkg/run.py": chain + grown}, before) == []
    assert len(findings_of(RULE, {"pkg/run.py": chain + grown}, before | {"tests/test_chain.py": ""})) == 1


def test_configurations_that_write_tables_out_are_no_code_to_test() -> None:
    layers = "".join(f"    dict(type='Layer', size={n}, norm=dict(type='LN')),\n" for n in range(300))
    config = f'"""A model."""\n\nfrom read import read_base\n\nwith read_base():\n    from .base import *\n\nlayers = [\n{layers}]\n'

    assert findings_of(RULE, {"pkg/configs/model.py": config}, TESTED) == []
    assert (
        len(findings_of(RULE, {"pkg/configs/model.py": config.replace("dict(type='Layer'", "Layer('x'")}, TESTED)) == 1
    )


def test_texts_without_a_use_and_bare_annotations_are_not_counted_but_what_is_above_them_is() -> None:
    imports = "".join(f"import part{n}\n" for n in range(20))
    fields = "\n\nclass State(NamedTuple):\n    step: int\n    size: dict[str, int]\n"
    old = '\n\n"""\nimport old\n"""\n'
    script = '\n\nSCRIPT = """\n# wait\nwhile true; do sleep 1; done\n"""\n'
    run = f"{script}\n\ndef run(\n    first: int,\n    second: int\n):\n" + "    work()\n" * 383

    head = {"pkg/run.py": imports + fields + old + run}
    (found,) = findings_of(RULE, head, TESTED)
    (of_broken,) = findings_of(RULE, head, TESTED | {"pkg/run.py": "def run(:\n"})

    assert "adds about 410 lines of code" in found.message  # 20 + 1 + 4 + 387
    assert "adds about 410 lines of code" in of_broken.message


@pytest.mark.parametrize(
    ("lines", "imported", "expected"),
    [
        (300, 0, 1),
        (60, 0, 0),  # the tests run the whole from outside
        (90, 0, 1),  # but these are 30 statements
        (60, 1, 0),
        (60, 3, 1),
    ],
)
def test_a_repository_whose_tests_import_few_of_its_modules(lines: int, imported: int, expected: int) -> None:
    modules = {f"pkg/part_{n}.py": f"def work_{n}():\n    return {n}\n" for n in range(12)}
    imports = "".join(f"from pkg.part_{n} import work_{n}\n" for n in range(imported))
    tests = TESTED | {"tests/test_parts.py": f"{imports}\n\ndef test_parts():\n    assert run('pkg')\n"}
    grown = "def fresh():\n" + "    work(\n        1,\n    )\n" * (lines // 3)
    rule = RULE if lines > 250 else "testing/few-code-without-tests"

    assert len(findings_of(rule, {"pkg/run.py": grown}, modules | tests)) == expected


@pytest.mark.parametrize(("more", "reported"), [("", False), ("    write(path)\n" * 300, True)])
def test_lines_of_a_long_docstring_are_no_code(more: str, reported: bool, tmp_path: Path) -> None:
    """The diff does not show where the docstring starts."""
    shown = "    first = save('/tmp/first')\n" * 300
    text = (
        'def save(path):\n    """Save it.\n'
        + "\n    It waits.\n" * 20
        + "{}"
        + "\n    It ends.\n" * 20
        + '    """\n    write(path)\n'
    )
    repository = GitRepository(tmp_path)
    base = repository.commit({**TESTED, "pkg/a.py": text.format("")})
    repository.commit({"pkg/a.py": text.format(shown) + more})
    done = run_command(["review", f"{base}..HEAD", "--select", RULE], cwd=tmp_path, env=ENVIRONMENT, text=True)
    assert (RULE in done.stdout) is reported, done.stdout + done.stderr


@pytest.mark.parametrize("alias", ["OldStore = Store\n", 'class OldStore(Store):\n    """The name of before."""\n', ""])
def test_a_test_that_names_the_alias_of_a_class_tests_it(alias: str) -> None:
    old = "class OldStore:\n    def load(self):\n        return read()\n"
    new = "class Store:\n    def load(self):\n" + "".join(f"        read({n})\n" for n in range(300)) + f"\n\n{alias}"
    tests = TESTED | {
        "tests/test_store.py": "from pkg.keep import OldStore\n\n\ndef test_load():\n    OldStore().load()\n"
    }

    found = findings_of(RULE, {"pkg/keep.py": new}, tests | {"pkg/keep.py": old})

    assert ["No existing test names `Store`" in each.message for each in found] == ([] if alias else [True])


@pytest.mark.parametrize(
    ("manifest", "test", "command"),
    [
        ('[project.scripts]\npkg-tool = "pkg.cli:main"\n', 'subprocess.run(["pkg-tool", "convert"])', True),
        ('[project.scripts]\npkg-tool = "pkg.cli:main"\n', 'run_command("pkg-tool convert")', True),
        ('[project.scripts]\npkg-tool = "other.cli:main"\n', 'subprocess.run(["pkg-tool", "convert"])', False),
        ('[project.scripts]\npkg-tool = "pkg.cli:main"\n', 'assert name() == "pkg-tool"', False),
        ('[project]\nname = "pkg-tool"\n', 'subprocess.run(["pkg-tool", "convert"])', False),
    ],
)
def test_tests_that_run_a_command_of_the_project_may_reach_what_none_names(manifest, test, command) -> None:
    base = TESTED | {"pyproject.toml": f"{TESTED['pyproject.toml']}\n{manifest}"}
    base |= {"tests/test_cli.py": f"import subprocess\n\n\ndef test_cli():\n    {test}\n"}
    (found,) = findings_of(RULE, {"pkg/run.py": "def translate():\n" + "    work()\n" * 300}, base)

    reached = ", but tests run the command `pkg-tool`, which may reach them"
    assert found.message.endswith(f"No existing test names `translate`{reached if command else ''}.")
