"""A name that a change removes while others still need it: reported once, on the removed line, if nothing provides it."""

from __future__ import annotations

import json
import sys

import pytest

from tests.rule_cases import findings_of

RULE = "api/removed-name"
BASE = {
    "pkg/__init__.py": "",
    "pkg/sub/__init__.py": "",
    "pkg/_mod.py": "import os\n\nWanted = 1\nother = os\n",
}
GONE = {"pkg/_mod.py": "import os\n\nRenamed = 1\nother = os\n"}


def found(user: str, path: str = "pkg/run.py", head: str | None = None, **more: str) -> list[tuple[str, str]]:
    """Return (severity, message) of what is reported if ``Wanted`` goes from ``pkg/_mod.py`` and one file needs it."""
    change = GONE if head is None else {"pkg/_mod.py": head}
    tree = BASE | {path: user} | {f"pkg/{name}.py": text for name, text in more.items()}
    return [(each.severity, each.message) for each in findings_of(RULE, change, tree)]


@pytest.mark.parametrize(
    ("user", "line", "verb"),
    [
        ("from pkg._mod import Wanted\n", 1, "imports"),
        ("from ._mod import Wanted as w\n", 1, "imports"),
        ("from._mod import(  # other (and more)\n    other,\n    Wanted,\n)\n", 3, "imports"),
        ("from ._mod \\\n    import other, \\\n    Wanted\n", 3, "imports"),
        ("import json; from ._mod import Wanted\n", 1, "imports"),
        ("from pkg._mod import (\n    other,\n    Wanted,\n)\n", 3, "imports"),
        ("def run():\n    from ._mod import Wanted\n\n    return Wanted\n", 2, "imports"),
        ("from pkg import _mod\n\nprint(_mod.Wanted)\n", 3, "uses"),
        ("import pkg._mod\n\nprint(pkg._mod.Wanted)\n", 3, "uses"),
        ("from pkg import _mod\n\nprint(_mod.Wanted, 'Wanted')\n", 3, "uses"),
        ("from pkg import _mod\n\nprint(_mod.Wanted, hasattr(print, 'Wanted'))\n", 3, "uses"),
        ("from pkg import _mod\n\n\nclass A:\n    def run(self):\n        self.Wanted = _mod.Wanted\n", 6, "uses"),
        ("import pkg._mod as m\n\n\ndef run():\n    return m.Wanted\n", 5, "uses"),
        ("from pkg._mod import *\n\n\ndef run():\n    return Wanted\n", 5, "uses"),
        ("if fast():\n    from ._mod import Wanted\n", 2, "imports"),
        ("try:\n    from ._mod import Wanted\nexcept ImportError:\n    raise\n", 2, "imports"),
        ("from . import _mod\n\nprint(\n    _mod  # of ours\n    .Wanted\n)\n", 4, "uses"),
        ("from . import _mod\n\nprint(\n    _mod.  # of ours\n\n    # a word\n    Wanted\n)\n", 4, "uses"),
        ("from . import _mod\n\nprint(\n    (_mod  # of ours\n    ).Wanted\n)\n", 4, "uses"),
        ("from . import _mod\n\nprint((_mod).Wanted, ((_mod) . Wanted))\n", 3, "uses"),
    ],
)
def test_every_form_of_use_is_seen(user: str, line: int, verb: str) -> None:
    assert found(user) == [("error", f"`pkg/run.py:{line}` still {verb} `Wanted`, which this change removes.")]


@pytest.mark.parametrize(
    "source",
    ["from pkg._mod import *\nWanted\n", "from pkg._mod import (\n\tWanted,\n)\n"],
    ids=["by a star", "by name"],
)
def test_a_use_at_the_start_of_a_line_is_seen_in_a_cell_that_is_one_string(source: str) -> None:
    cell = {"cell_type": "code", "source": source, "metadata": {}, "outputs": []}
    notebook = json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    assert [severity for severity, _ in found(notebook, "run.ipynb")] == ["error"]


@pytest.mark.parametrize(
    "user",
    [
        "from pkg._mod import other\n",
        "from elsewhere import Wanted\n",
        "import Wanted\n",
        "# from pkg._mod import Wanted\n",
        "try:\n    from ._mod import Wanted\nexcept ImportError:\n    Wanted = 2\n",
        "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from ._mod import Wanted\n",
        "if False:\n    from ._mod import Wanted\n",
        "import sys\n\nsys.modules['pkg._mod'] = fake\nfrom pkg._mod import Wanted\n",
        "import pytest\n\nwith pytest.raises(ImportError):\n    from pkg._mod import Wanted\n",
        "from pkg import _mod\n\ntry:\n    _mod.Wanted\nexcept AttributeError:\n    pass\n",
        "from pkg import _mod\n\nif hasattr(_mod, 'Wanted'):\n    _mod.Wanted\n",
        "from pkg import _mod\n\n_mod.Wanted = 2\nprint(_mod.Wanted)\n",
        "from pkg import _mod\n\nprint(_mod.Wanted, hasattr(_mod, 'Wanted'))\n",
        "from pkg import _mod\n\nwith patch('pkg._mod.Wanted', create=True):\n    print(_mod.Wanted)\n",
        "from pkg import _mod\n\n\ndef run(_mod):\n    return _mod.Wanted\n",
        "from pkg._mod import *\n\n\ndef run(Wanted):\n    return Wanted\n",
        "from pkg._mod import *\nfrom elsewhere import *\n\nprint(Wanted)\n",
        "from pkg._mod import *\n\nWanted = 2\nprint(Wanted)\n",
        "from pkg._mod import *\n",
        "import sys\n\nif sys.version_info < (3, 12):\n    from ._mod import Wanted\n",
    ],
)
def test_what_works_or_may_work_is_left_alone(user: str) -> None:
    assert found(user) == []


@pytest.mark.parametrize(
    "head",
    [
        "from .core import Wanted\n",
        "import core as Wanted\n",
        "if fast():\n    Wanted = 1\n",
        "try:\n    import fast\nexcept ImportError:\n    Wanted = 1\n",
        "for Wanted in range(2):\n    pass\n",
        "def start():\n    global Wanted\n    Wanted = 1\n",
        "NAMES = {'Wanted': 1}\n\n\ndef __getattr__(name):\n    return NAMES[name]\n",
        "globals()['Wanted'] = 1\n",
    ],
)
def test_a_module_that_may_still_have_the_name_is_left_alone(head: str) -> None:
    assert found("from pkg._mod import Wanted\n", head=head) == []


@pytest.mark.parametrize(
    "head",
    [
        "def __getattr__(name):\n    return make(name)\n",
        "for name in names():\n    globals()[name] = 1\n",
        "from elsewhere import *\n",
    ],
)
def test_what_the_change_itself_leaves_open_is_a_warning(head: str) -> None:
    assert [severity for severity, _ in found("from pkg._mod import Wanted\n", head=head)] == ["warning"]


def test_a_module_that_was_open_before_is_left_alone() -> None:
    opened = "def __getattr__(name):\n    return make(name)\n"
    base = BASE | {"pkg/_mod.py": f"Wanted = 1\n{opened}", "pkg/run.py": "from pkg._mod import Wanted\n"}

    assert findings_of(RULE, {"pkg/_mod.py": opened}, base) == []


def test_a_star_import_that_was_there_before_may_bring_the_name() -> None:
    star = "from elsewhere import *\n"
    base = BASE | {"pkg/_mod.py": f"Wanted = 1\n{star}", "pkg/run.py": "from pkg._mod import Wanted\n"}

    assert findings_of(RULE, {"pkg/_mod.py": star}, base) == []


def test_a_name_that_others_set_on_the_module_is_left_alone() -> None:
    assert found("from pkg._mod import Wanted\n", patch="from pkg import _mod\n\n_mod.Wanted = 3\n") == []


def test_a_name_that_is_a_module_now_is_left_alone() -> None:
    base = {"pkg/__init__.py": "Wanted = 1\n", "pkg/run.py": "from pkg import Wanted\n"}

    assert findings_of(RULE, {"pkg/__init__.py": "", "pkg/Wanted.py": "X = 1\n"}, base) == []


def test_a_name_that_a_star_import_brought_is_missed_at_its_far_end() -> None:
    base = {
        "pkg/__init__.py": "from .near import *\n",
        "pkg/near.py": "from .far import *\n",
        "pkg/far.py": "Wanted = 1\n",
        "tests/test_run.py": "from pkg import Wanted\n",
    }

    (finding,) = findings_of(RULE, {"pkg/far.py": "Renamed = 1\n"}, base)
    assert (finding.path, finding.line, finding.side) == ("pkg/far.py", 1, "LEFT")
    assert finding.message == "`tests/test_run.py:1` still imports `Wanted`, which this change removes."

    (finding,) = findings_of(RULE, {"pkg/near.py": "X = 1\n"}, base)
    assert (finding.path, finding.line) == ("pkg/near.py", 1)


def test_a_name_that_a_new_list_leaves_out_is_not_called_removed() -> None:
    base = {
        "pkg/__init__.py": "try:\n    from pkg.core import *\nexcept ImportError as error:\n    print(error)\n",
        "pkg/core.py": "from pkg.proto import Config\n\nKEY = 1\n",
        "pkg/proto.py": "class Config: ...\n",
        "run.py": "import pkg\n\nprint(pkg.Config)\n",
    }
    head = {
        "pkg/__init__.py": f"{base['pkg/__init__.py']}\n__all__ = ['Config']\n",
        "pkg/core.py": f"{base['pkg/core.py']}\n__all__ = ['KEY']\n",
    }

    (finding,) = findings_of(RULE, head, base)

    assert (finding.path, finding.message) == (
        "pkg/core.py",
        "`run.py:3` still uses `Config`, which came by a star import: the `__all__` of `pkg/core.py` now leaves it out.",
    )


def test_several_places_and_names_are_one_finding_on_the_line() -> None:
    base = {
        "pkg/__init__.py": "",
        "pkg/mod.py": "from core import A, B\n",
        "pkg/a.py": "from .mod import A\n",
        "pkg/b.py": "\nfrom .mod import A, B\n",
        "tests/test_mod.py": "from pkg.mod import A, nothing\n",
    }

    (finding,) = findings_of(RULE, {"pkg/mod.py": "X = 1\n"}, base)

    assert finding.message == "`pkg/a.py:1` and at least 2 more still import `A` and `B`, which this change removes."
    assert [(place.path, place.line) for place in finding.related] == [
        ("pkg/a.py", 1),
        ("pkg/b.py", 2),
        ("tests/test_mod.py", 1),
    ]


def test_an_import_on_an_added_line_is_reported_there() -> None:
    assert findings_of(RULE, GONE | {"pkg/run.py": "from pkg._mod import Wanted\n"}, BASE) == []


def test_a_use_on_an_added_line_is_no_left_over() -> None:
    user = {"pkg/run.py": "from pkg import _mod\n\nprint(_mod.Wanted)\n"}

    assert findings_of(RULE, GONE | user, BASE) == []
    (finding,) = findings_of("api/missing-module-attribute", GONE | user, BASE)
    assert finding.message == "`pkg._mod` does not define `Wanted` at the head of this change."


def test_what_a_change_adds_does_not_still_use_the_name() -> None:
    base = BASE | {"pkg/_mod.py": "def Wanted():\n    return 1\n"}
    user = {"pkg/run.py": "import pkg._mod\n\nprint(pkg._mod.Wanted)\n"}
    head = {"pkg/_mod.py": None, "pkg/_mod/core.py": "def Wanted():\n    return 1\n"}

    assert [each.message for each in findings_of(RULE, head | user, base)] == [
        "`pkg/run.py:3` uses `Wanted`, which this change removes."
    ]
    star = {"pkg/run.py": "from pkg._mod import *\n\nprint(Wanted)\n"}
    assert [each.message for each in findings_of(RULE, GONE | star, BASE)] == [
        "`pkg/run.py:3` uses `Wanted`, which this change removes."
    ]


def test_files_that_import_the_name_from_elsewhere_are_not_parsed() -> None:
    def parsed(line: str) -> tuple[int, int]:
        files = {f"pkg/part_{n}.py": f"{line}  # {n}\n" for n in range(20)}
        base = {"pkg/__init__.py": "", "pkg/mod.py": "import Wanted\n"} | files
        seen: list[object] = []
        sys.setprofile(lambda _frame, event, called: seen.append(event) if called is compile else None)
        try:
            findings = findings_of(RULE, {"pkg/mod.py": "X = 1\n"}, base)
        finally:
            sys.setprofile(None)
        return len(findings), seen.count("c_call")

    parsed("import Unwanted")  # what the first run alone compiles
    (none, few), (one, many) = parsed("import Wanted"), parsed("from pkg.mod import Wanted")

    assert (none, one) == (0, 1)
    assert few < many - 15


def test_a_name_that_goes_altogether_is_not_blamed_on_what_a_star_import_brings() -> None:
    base = {
        "pkg/__init__.py": "",
        "pkg/load.py": "def load_checkpoint(): ...\n\n\ndef rename(): ...\n",
        "pkg/run.py": "from pkg.load import load_checkpoint\n\nload_checkpoint()\n",
    }
    head = {"pkg/load.py": "__all__ = ['rename']\n\n\ndef rename(): ...\n"}

    assert [finding.message for finding in findings_of(RULE, base | head, base)] == [
        "`pkg/run.py:1` still imports `load_checkpoint`, which this change removes."
    ]


GETATTR = "def __getattr__(name):\n    if name {0}:\n        return 1\n    raise AttributeError(name)\n"


@pytest.mark.parametrize(
    ("table", "test", "after"),
    [
        ("", "== 'Wanted'", "other = 1\n"),
        ("", "in {'Other', 'Wanted'}", "other = 1\n"),
        ("_LAZY = {'Wanted': 'core'}\n", "in _LAZY", "other = 1\n"),
        ("_LAZY: tuple = ('Wanted',)\n", "in _LAZY", "other = 1\n"),
        ("", "== 'Wanted'", "def __getattr__(name):\n    raise AttributeError(name)\n"),
    ],
)
@pytest.mark.parametrize("user", ["from pkg._mod import Wanted\n", "from pkg import _mod\n\nX = _mod.Wanted\n"])
def test_a_name_goes_with_the_getattr_of_its_module(table: str, test: str, after: str, user: str) -> None:
    base = BASE | {"pkg/_mod.py": f"{table}other = 1\n\n\n{GETATTR.format(test)}", "pkg/run.py": user}
    assert [each.severity for each in findings_of(RULE, {"pkg/_mod.py": after}, base)] == ["error"]


@pytest.mark.parametrize("after", [GETATTR.format("== 'Wanted'"), GETATTR.format("in NAMES"), "Wanted = 1\n"])
def test_a_name_that_another_getattr_may_give_is_not_gone(after: str) -> None:
    base = BASE | {"pkg/_mod.py": GETATTR.format("in ('Wanted',)"), "pkg/run.py": "from pkg._mod import Wanted\n"}
    assert findings_of(RULE, {"pkg/_mod.py": after}, base) == []


def test_what_no_getattr_gave_by_its_name_was_never_there() -> None:
    text = "def __getattr__(name):\n    return TABLE[name]\n"
    base = BASE | {"pkg/_mod.py": text, "pkg/run.py": "from pkg._mod import Wanted\n"}
    assert findings_of(RULE, {"pkg/_mod.py": "other = 1\n"}, base) == []


@pytest.mark.parametrize(
    "entry",
    [
        '_import_structure["_mod"].append("Wanted")\n',
        '_import_structure["_mod"].extend(["Wanted"])\n',
        '_import_structure["_mod"] += ["Wanted"]\n',
        '_import_structure.update({"_mod": ["Wanted"]})\n',
        '_import_structure: dict = {"_mod": ["Wanted"]}\n',
    ],
)
def test_an_entry_is_added_to_a_lazy_table_in_each_way(entry: str) -> None:
    text = f'_import_structure = {{"_mod": ["other"]}}\n{entry}_LazyModule(__name__, __file__, _import_structure)\n'
    found = findings_of(RULE, GONE, BASE | {"pkg/__init__.py": text})
    assert [(each.severity, [place.line for place in each.related]) for each in found] == [("error", [2])]


@pytest.mark.parametrize(
    ("more", "change", "severities"),
    [
        ({}, {}, ["error"]),
        ({"tests/conftest.py": None, "conftest.py": "Wanted = 1\n"}, {"conftest.py": "other = 1\n"}, ["error"]),
        ({}, {"docs/conftest.py": "Wanted = 1\n"}, ["error"]),
        ({"docs/conftest.py": "Wanted = 1\n"}, {}, []),
    ],
)
def test_a_name_of_the_only_conftest_is_known(
    more: dict[str, str | None], change: dict[str, str], severities: list[str]
) -> None:
    tree = {"tests/conftest.py": "Wanted = 1\n", "tests/test_run.py": "from conftest import Wanted\n", **more}
    base = {path: text for path, text in tree.items() if text is not None}
    head = {"tests/conftest.py": "other = 1\n"} if "tests/conftest.py" in base else {}
    assert [each.severity for each in findings_of(RULE, head | change, base)] == severities
