"""Imports whose ImportError is caught, of what the change removes: reported where the removal makes them always fail."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from tests.rule_cases import findings_of

NAME, MODULE = "api/guarded-import-left-behind", "api/guarded-module-left-behind"
BASE = {
    "pkg/__init__.py": "",
    "pkg/kernels/__init__.py": "from .norm import fused, half\n",
    "pkg/kernels/norm.py": "def fused():\n    return 1\n\n\ndef half():\n    return 2\n",
}
GONE = {"pkg/kernels/__init__.py": "", "pkg/kernels/norm.py": "def other():\n    return 1\n"}


def found(user: str, change: Mapping[str, str | None] = GONE, rule: str = NAME) -> list[str]:
    """Return the messages about a file that needs what a change removes."""
    return [each.message.partition(" in a `try`")[0] for each in findings_of(rule, change, BASE | {"pkg/run.py": user})]


@pytest.mark.parametrize(
    ("user", "line"),
    [
        ("try:\n    from pkg.kernels import fused\nexcept ImportError:\n    fused = None\n", 2),
        ("try:\n    from .kernels import fused\nexcept Exception:\n    fused = None\n", 2),
        (
            "def run():\n    try:\n        from .kernels import fused\n        fused()\n    except ImportError:\n        pass\n",
            3,
        ),
        ("import contextlib\n\nwith contextlib.suppress(ImportError):\n    from .kernels import fused\n", 4),
        ("try:\n    if FAST:\n        from .kernels import fused\nexcept ImportError:\n    fused = None\n", 3),
    ],
)
def test_each_form_of_guard_is_seen(user: str, line: int) -> None:
    assert found(user) == [f"`pkg/run.py:{line}` imports `fused`"]


def test_names_that_the_same_import_loses_are_one_finding() -> None:
    user = "try:\n    from .kernels import fused, half\nexcept ImportError:\n    fused = half = None\n"
    assert found(user) == ["`pkg/run.py:2` imports `fused` and `half`"]


@pytest.mark.parametrize(
    "user",
    [
        "from .kernels import fused\n",  # `api/removed-name` reports it
        "try:\n    from .kernels import fused\nexcept ImportError:\n    raise\n",
        "try:\n    from .kernels import fused\nexcept ModuleNotFoundError:\n    pass\n",  # a name that is missing passes it
        "try:\n    from .kernels import fused\nexcept ImportError:\n    from .plain import fused\n",
        "try:\n    from .kernels import other\nexcept ImportError:\n    other = None\n",
        "try:\n    from elsewhere import fused\nexcept ImportError:\n    fused = None\n",
    ],
)
def test_other_imports_are_not_reported(user: str) -> None:
    assert found(user) == []


def test_a_name_that_was_never_there_is_not_reported() -> None:
    change = {"pkg/kernels/norm.py": "def fused():\n    return 1\n\n\ndef half():\n    return 3\n"}
    user = "try:\n    from .kernels import compiled\nexcept ImportError:\n    compiled = None\n"
    assert found(user, change) == []


def test_a_module_that_may_forward_names_is_not_reported() -> None:
    change = GONE | {"pkg/kernels/__init__.py": "def __getattr__(name):\n    return load(name)\n"}
    user = "try:\n    from .kernels import fused\nexcept ImportError:\n    fused = None\n"
    assert found(user, change) == []


@pytest.mark.parametrize(
    ("user", "module"),
    [
        ("try:\n    from .kernels.norm import half\nexcept ImportError:\n    half = None\n", "pkg.kernels.norm"),
        (
            "try:\n    import pkg.kernels.norm as norm\nexcept ModuleNotFoundError:\n    norm = None\n",
            "pkg.kernels.norm",
        ),
        ("try:\n    from .kernels import norm\nexcept ImportError:\n    norm = None\n", "norm"),
    ],
)
def test_a_module_that_is_gone_is_named(user: str, module: str) -> None:
    change = {"pkg/kernels/__init__.py": "", "pkg/kernels/norm.py": None}
    assert found(user, change, MODULE) == [f"`pkg/run.py:2` imports `{module}`"]
    assert found(user, change, NAME) == []
