"""Names that a change takes away, forms that it changes, and what it says about them."""

from __future__ import annotations

import pytest

from tests.rule_cases import findings_of

REMOVED = "api/removed-public-name"
BROKEN = "api/signature-break"
NOTE = "docs/migration-missing"
FACE = '"""Offers A, B, c, f and start."""\n'


def changed(rule: str, before: str, after: str, path: str = "pkg/mod.py", **more: str) -> list[str]:
    """Return what a rule says of one module that changes."""
    return [
        finding.message for finding in findings_of(rule, {path: after}, {"pkg/__init__.py": FACE, path: before} | more)
    ]


def test_names_that_nobody_imports_are_one_quiet_finding() -> None:
    before = "__all__ = [\n    'A',\n    'B',\n]\nfrom x import A, B\ndef c(): ...\n"

    found = findings_of(REMOVED, {"pkg/mod.py": "__all__ = []\n"}, {"pkg/__init__.py": FACE, "pkg/mod.py": before})

    assert [(f.line, f.severity, f.message) for f in found] == [
        (2, "hint", "`A`, `B` are no longer in `pkg.mod`."),
        (6, "hint", "`c` is no longer in `pkg.mod`."),
    ]


def test_a_name_that_moved_says_where() -> None:
    base = {"pkg/__init__.py": FACE, "pkg/mod.py": "def start():\n    return 1\n"}
    head = {"pkg/mod.py": "", "pkg/core.py": "def start():\n    return 2\n"}

    (finding,) = findings_of(REMOVED, head, base)

    assert finding.message == "`start` is no longer in `pkg.mod`; see `pkg.core`."


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("def start(): ...\n", "start = begin\n"),
        ("def start(): ...\n", "from pkg.core import *\n"),
        ("def start(): ...\n", "def __getattr__(name): ...\n"),
        ("def _start(): ...\n", ""),
        ("class A:\n    def start(self): ...\n", "class A:\n    pass\n"),
        ("def start(): ...\n", "if fast():\n    def start(): ...\n"),
        ("def start(:\n", "x = 1\n"),
    ],
)
def test_what_is_still_there_or_was_never_public(before: str, after: str) -> None:
    assert changed(REMOVED, before, after) == []


@pytest.mark.parametrize("path", ["pkg/_mod.py", "pkg/_inner/mod.py", "tests/mod.py", "examples/mod.py"])
def test_private_modules_and_code_that_nobody_imports_may_change(path: str) -> None:
    assert changed(REMOVED, "def start(a): ...\n", "x = 1\n", path) == []
    assert changed(BROKEN, "def start(a): ...\n", "def start(b): ...\n", path) == []


@pytest.mark.parametrize(
    ("before", "after", "what"),
    [
        ("def f(a): ...", "def f(a, b): ...", "`b` is now required"),
        ("def f(a, b): ...", "def f(a): ...", "parameter `b` was removed"),
        ("def f(a, b=1): ...", "def f(a, b): ...", "`b` is now required"),
        ("def f(a, b): ...", "def f(b, a): ...", "the parameters were reordered"),
        ("def f(a, b): ...", "def f(a, *, b): ...", "`b` is now keyword-only"),
        ("def f(a, *, b): ...", "def f(a): ...", "parameter `b` was removed"),
        ("def f(a, /): ...", "def f(b, /): ...", "parameter `a` was removed; `b` is now required"),
        ("async def f(a): ...", "async def f(): ...", "parameter `a` was removed"),
        ("class A(B): ...", "class C: ...\nclass A(C): ...", "`B` is no longer a base class"),
        ("class A(B): ...", "class C(nn.Module): ...\nclass A(C): ...", "`B` is no longer a base class"),
        ("class A(B): ...", "class A(Exception): ...", "`B` is no longer a base class"),
        ("class A(B[int], D): ...", "class A: ...", "`B[int]` and `D` are no longer base classes"),
    ],
)
def test_forms_that_break(before: str, after: str, what: str) -> None:
    (message,) = changed(BROKEN, before + "\n", after + "\n")

    assert message.endswith(f" changed: {what}.")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("def f(a): ...", "def f(a, b=1): ..."),
        ("def f(a): ...", "def f(a, *args, b=1, **kwargs): ..."),
        ("def f(a, b): ...", "def f(a, **kwargs): ..."),
        ("def f(a, /): ...", "def f(*args): ..."),
        ("def f(a): ...", "def f(a: int) -> int: ..."),
        ("def f(a): ...", "@wraps(g)\ndef f(): ..."),
        ("def f(a): ...", "f = partial(g, 1)"),
        ("def f(a): ...", "class f:\n    pass"),
        ("class A: ...", "class A(B): ..."),
        ("class A(object): ...", "class A: ..."),
        ("class A(B): ...", "class A(C): ..."),
        ("class A(B): ...", "class C(D): ...\nclass A(C): ..."),
        ("class A(B): ...", "class C(x.B): ...\nclass A(C): ..."),
        ("class A(B): ...", "class C: ...\nB = C\nclass A(C): ..."),
        ("class A(B): ...", "from enum import Enum as B\nfrom enum import IntEnum\nclass A(IntEnum): ..."),
        ("from x import C as B\nclass A(B): ...", "from x import C\nclass D(C): ...\nclass A(D): ..."),
        ("class A(str, Enum): ...", "class A(Enum, str): ..."),
        ("class A:\n    def __init__(self, x): ...", "class A(B):\n    pass"),
        ("class A:\n    def _f(self, a): ...", "class A:\n    def _f(self): ..."),
        ("class A:\n    def __init__(self): ...", "class A:\n    pass"),
        ("class A:\n    @staticmethod\n    def f(a): ...", "class A:\n    def f(self, a): ..."),
    ],
)
def test_forms_that_do_not_break(before: str, after: str) -> None:
    assert changed(BROKEN, before + "\n", after + "\n") == []


def test_a_lost_constructor_and_base_are_one_finding() -> None:
    before = "class A(B, C):\n    def __init__(self, x): ...\n"

    (message,) = changed(BROKEN, before, "class A(C):\n    pass\n")

    assert message == "The interface of `A` changed: `B` is no longer a base class; its `__init__` was removed."


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("CHANGELOG.md", "Breaking: f takes b.\n"),
        ("docs/guide.txt", "f was renamed.\n"),
        ("README.rst", "deprecated\n"),
    ],
)
def test_any_added_text_that_tells_of_it_is_enough(path: str, text: str) -> None:
    base = {"pkg/__init__.py": "from .mod import f\n", "pkg/mod.py": "def f(a): ...\n"}
    head = {"pkg/mod.py": "def f(a, b): ...\n"}

    assert len(findings_of(NOTE, head, base)) == 1
    assert findings_of(NOTE, head | {path: text}, base) == []
    assert len(findings_of(NOTE, head | {path: "Hello.\n"}, base)) == 1


@pytest.mark.parametrize(
    ("base", "told"),
    [
        ({}, False),
        ({"pkg/__init__.py": "from .part.mod import StageRunner\n"}, True),
        ({"pkg/part/__init__.py": "__all__ = ['StageRunner']\n"}, True),
        ({"pkg/part/__init__.py": "# StageRunner lives here\n"}, False),
        ({"README.md": "Make a `StageRunner`.\n"}, True),
        ({"docs/guide.md": "Make a `StageRunner`.\n"}, True),
        ({"examples/run.py": "StageRunner(3)\n"}, True),
        ({"tests/test_run.py": "StageRunner(3)\n"}, False),
    ],
)
def test_only_names_that_users_are_told_of_are_reported(base: dict[str, str], told: bool) -> None:
    path = "pkg/part/mod.py"
    base = {path: "class StageRunner(Base):\n    def __init__(self, n): ...\n"} | base

    for rule in (BROKEN, NOTE):
        assert (
            len(findings_of(rule, {path: "class StageRunner(Base):\n    def __init__(self, m): ...\n"}, base))
        ) == told
    if "pkg/__init__.py" not in base:
        assert len(findings_of(REMOVED, {path: "x = 1\n"}, base)) == told


def test_a_package_deep_inside_is_no_face() -> None:
    base = {"pkg/a/b/__init__.py": "from .mod import f\n", "pkg/a/b/mod.py": "def f(x): ...\n"}

    assert findings_of(BROKEN, {"pkg/a/b/mod.py": "def f(y): ...\n"}, base) == []


def test_a_method_with_a_name_of_its_own_must_be_shown_called() -> None:
    base = {"pkg/__init__.py": FACE, "pkg/mod.py": "class A:\n    def check_inputs(self, x): ...\n"}
    head = {"pkg/mod.py": "class A:\n    def check_inputs(self, y): ...\n"}

    assert findings_of(BROKEN, head, base) == []
    assert len(findings_of(BROKEN, head, base | {"docs/a.md": "Call `a.check_inputs(x)`.\n"})) == 1
    assert findings_of(BROKEN, head, base | {"docs/a.md": "Pipelines have `check_inputs`.\n"}) == []


def test_model_code_is_public_where_it_is_exported() -> None:
    path, text = "pkg/models/attention.py", "class StageRunner: ...\n"
    base = {"pkg/__init__.py": "", path: text, "docs/a.md": "`StageRunner`\n"}

    assert findings_of(REMOVED, {path: "x = 1\n"}, base) == []
    assert len(findings_of(REMOVED, {path: "x = 1\n"}, base | {"pkg/__init__.py": "'StageRunner'\n"})) == 1
