"""What a change breaks in notebooks, in stubs, through aliases and in lazy imports. Each table is one pull request.

``@`` in a path or a text is the number of the case, so that no case has to do with another.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import NamedTuple

from tests.action import Action


class Case(NamedTuple):
    """Files at the base, and what the change makes of some of them."""

    base: Mapping[str, str]
    change: Mapping[str, str | None]


def notebook(*cells: str, indent: int | None = 1, language: str = "python") -> str:
    """Return a notebook as Jupyter saves it."""
    written = [
        {"cell_type": "code", "metadata": {}, "outputs": [], "source": cell.splitlines(keepends=True)} for cell in cells
    ]
    metadata = {"language_info": {"name": language}}
    return json.dumps({"cells": written, "metadata": metadata, "nbformat": 4}, indent=indent) + "\n"


INIT = {"pkg@/__init__.py": '"""A package."""\n'}
CORE = '"""Core."""\n\nLIMIT@ = 8\n'
PAIR = {**INIT, "pkg@/core.py": CORE}
RENAMED = {"pkg@/core.py": CORE.replace("LIMIT", "CAP")}
GONE = {"pkg@/core.py": None, "pkg@/other.py": CORE}
IMPORT = "from pkg@.core import LIMIT@\n"


def left(path: str, text: str, change: Mapping[str, str | None] = RENAMED) -> Case:
    """Return a change that leaves a file of the base behind."""
    return Case({**PAIR, path: text}, change)


def added(path: str, text: str, base: str = "") -> Case:
    """Return a change that adds a file, or edits it."""
    return Case({**PAIR, path: base} if base else PAIR, {path: text})


NOTEBOOKS: Mapping[str, Case] = {
    "a name, in a notebook": left("docs@/a.ipynb", notebook("x = 1\n", IMPORT)),
    "a name, beside magics": left("docs@/a.ipynb", notebook(f"%matplotlib inline\n!ls\nx = !ls\n{IMPORT}x?\n")),
    "a name, in a timed cell": left("docs@/a.ipynb", notebook(f"%%time\n{IMPORT}")),
    "a name, in a notebook on one line": left("docs@/a.ipynb", notebook("x = 1\n", IMPORT, indent=None)),
    "a name, after a cell that no Python reads": left("docs@/a.ipynb", notebook("1 +\n", IMPORT)),
    "a name, by its module": left("docs@/a.ipynb", notebook("import pkg@.core as c\n", "c.LIMIT@\n")),
    "a name, with an installed stranger": left("docs@/a.ipynb", notebook("!pip install torch\n", IMPORT)),
    "a module, in a notebook": left("docs@/a.ipynb", notebook(IMPORT), GONE),
    "an added notebook": added("docs@/a.ipynb", notebook("from pkg@.core import NONE\n")),
    "an added notebook on one line": added("docs@/a.ipynb", notebook("from pkg@.none import A\n", indent=None)),
    "an added cell": added("docs@/a.ipynb", notebook("x = 1\n", "import pkg@.none\n"), notebook("x = 1\n")),
    "a stub that imports a name": left("pkg@/fast.pyi", IMPORT),
    "a stub that imports a module": left("pkg@/fast.pyi", IMPORT, GONE),
    "an added stub": added("pkg@/fast.pyi", "from .core import NONE\n"),
}

SOUND_NOTEBOOKS: Mapping[str, Case] = {
    "a notebook that changes too": Case(
        {**PAIR, "docs@/a.ipynb": notebook(IMPORT)},
        {**RENAMED, "docs@/a.ipynb": notebook(IMPORT.replace("LIMIT", "CAP"))},
    ),
    "a caught import": left("docs@/a.ipynb", notebook(f"try:\n    {IMPORT}except ImportError:\n    pass\n")),
    "a notebook that installs a release": left("docs@/a.ipynb", notebook("!pip install -q pkg@==1.0\n", IMPORT)),
    "a notebook that clones": left("docs@/a.ipynb", notebook("!git clone https://x.org/a/pkg@.git\n", IMPORT)),
    "a cell of a shell": left("docs@/a.ipynb", notebook(f"%%bash\n{IMPORT}")),
    "another language": left("docs@/a.ipynb", notebook(IMPORT, language="julia")),
    "words in a notebook": left("docs@/a.ipynb", notebook('"from pkg@.core import LIMIT@"\n')),
    "no notebook": left("docs@/a.ipynb", f"{IMPORT}\n"),
    "a notebook that is written anew": added(
        "docs@/a.ipynb", notebook("from pkg@.none import A\n", indent=2), notebook("from pkg@.none import A\n")
    ),
    "a stub beside the module": Case({**PAIR, "pkg@/core.pyi": "LIMIT@: int\n", "pkg@/fast.pyi": IMPORT}, RENAMED),
    "a name for type checkers": Case(
        {**PAIR, "pkg@/fast.pyi": IMPORT},
        {"pkg@/core.py": '"""Core."""\n\nfrom typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    LIMIT@ = 8\n'},
    ),
}


def numbered(files: Mapping[str, str | None], number: int) -> dict[str, str | None]:
    """Return the files of one case."""
    return {
        path.replace("@", f"_{number}"): None if text is None else text.replace("@", f"_{number}")
        for path, text in files.items()
    }


def red(action: Action, table: Mapping[str, Case]) -> set[str]:
    """Return the cases with an error in one pull request that makes the changes of all."""
    base: dict[str, str | None] = {}
    change: dict[str, str | None] = {}
    owner: dict[str, str] = {}
    for number, (name, case) in enumerate(table.items()):
        base |= numbered(case.base, number)
        here = numbered(case.change, number)
        change |= here
        owner |= dict.fromkeys([*here, *numbered(case.base, number)], name)
    action.repository.commit({path: text for path, text in base.items() if text is not None})
    result = action.run(action.open(change))
    report = result.report()
    assert result.code == (1 if int(result.outputs["errors"]) else 0), result.log
    assert not report["unreviewed"], report["unreviewed"]
    return {owner[each["path"]] for each in report["findings"] if each["severity"] == "error"}


def test_notebooks_and_stubs_that_a_change_breaks_are_errors(action: Action):
    assert set(NOTEBOOKS) - red(action, NOTEBOOKS) == set()


def test_notebooks_and_stubs_that_go_on_working_are_no_errors(action: Action):
    assert red(action, SOUND_NOTEBOOKS) == set()


def test_a_finding_about_a_notebook_names_the_line_that_holds_the_code(action: Action):
    text = notebook("x = 1\n", "y = 2\nfrom halcyon.cache import lookup\n")
    action.repository.commit({"docs/a.ipynb": text})
    result = action.run(action.open({"halcyon/cache.py": '"""Nothing."""\n'}))
    lines = [place["line"] for each in result.report()["findings"] for place in each["related"]]
    expected = next(n for n, line in enumerate(text.split("\n"), 1) if "lookup" in line)
    assert expected in lines
