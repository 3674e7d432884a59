"""Calls that are handed to a function of the standard library, which the file imports under another name."""

from __future__ import annotations

import pytest

from tests.rule_cases import findings_of

LOAD = "def load(a):\n    return a\n"
MORE = "def load(a, b):\n    return a\n"
USES = [
    "from functools import partial as p\n\nrun = p(load, 1)\nrun()\n",
    "from functools import partial as p\n\n\ndef main():\n    run = p(load, 1)\n    return run()\n",
    "from threading import Thread as T\n\nT(target=load, args=(1,)).start()\n",
    "from asyncio import to_thread as later\n\n\nasync def main():\n    return await later(load, 1)\n",
]


@pytest.mark.parametrize("use", USES)
def test_a_call_that_a_change_leaves_behind_is_an_error(use: str) -> None:
    base = {"pkg/__init__.py": "", "pkg/core.py": LOAD, "pkg/use.py": f"from pkg.core import load\n{use}"}
    found = findings_of("api/caller-left-behind", {"pkg/core.py": MORE}, base)
    assert [each.severity for each in found] == ["error"]


@pytest.mark.parametrize("use", USES)
def test_an_added_call_that_does_not_fit_is_an_error(use: str) -> None:
    base = {"pkg/__init__.py": "", "pkg/core.py": MORE}
    found = findings_of("api/call-misfit", {"pkg/use.py": f"from pkg.core import load\n{use}"}, base)
    assert [each.severity for each in found] == ["error"]
