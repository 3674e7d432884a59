"""Calls that no longer fit are found however they are laid out, and under whatever name a module hands them on."""

from __future__ import annotations

import pytest

from tests.rule_cases import findings_of

RULE = "api/caller-left-behind"
METHOD = "class Cache:\n    def get(self, key):\n        return key\n"
FUNCTION = "def load(path):\n    return path\n"


@pytest.mark.parametrize(
    "call",
    [
        "Cache().get(1)",
        "Cache().get (1)",
        "Cache(). get(1)",
        "(Cache()\n .get\n (1))",
        "Cache().\\\nget(1)",
        "(Cache().  # the only one\n get(1))",
        "(Cache().get)(1)",
        "Cache.get (Cache(), 1)",
    ],
)
def test_blanks_hide_no_call_of_a_method(call: str) -> None:
    base = {"pkg/__init__.py": "", "pkg/core.py": METHOD, "pkg/user.py": f"from pkg.core import Cache\n\n{call}\n"}
    found = findings_of(RULE, {"pkg/core.py": METHOD.replace("key):", "key, kind):")}, base)

    assert [each.severity for each in found] == ["error"]


@pytest.mark.parametrize(
    "text",
    [
        "from pkg.core import load\nread = load\n",
        "from pkg.core import load\nx = 1; read = load\n",
        "from pkg.core import load\nread = load; x = 1\n",
        "from pkg.core import load\nread = \\\n    load\n",
        "from pkg.core import load\nread = (  # the only one\n    load\n)\n",
        "from pkg.core import load\nread: object = load\n",
        "import pkg.core\nread = pkg . core . load\n",
        "import functools\nfrom pkg.core import load\nread = functools.partial (load)\n",
        "from functools import partial\nfrom pkg.core import load\nread = partial(  # the only one\n    load,\n)\n",
        "from pkg.core import load as read\n",
        "from pkg.core import load as \\\n    read\n",
        "from pkg.core import (\n    load\n    as  # the only one\n    read\n)\n",
    ],
)
def test_a_module_hands_a_function_on_under_another_name(text: str) -> None:
    base = {
        "pkg/__init__.py": "",
        "pkg/core.py": FUNCTION,
        "pkg/again.py": text,
        "pkg/user.py": "from pkg.again import read\n\nread(1)\n",
    }
    found = findings_of(RULE, {"pkg/core.py": FUNCTION.replace("path):", "path, mode):")}, base)

    assert [each.severity for each in found] == ["error"]
