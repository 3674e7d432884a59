"""Overrides that a change of their parent's parameters leaves behind."""

from __future__ import annotations

import pytest

from tests.rule_cases import findings_of

RULE = "api/override-left-behind"
PARENT = "class Base:\n    def step(self, {}):\n        return x\n"
CHILD = "from .core import Base\n\n\nclass Fast(Base):\n    def step(self, {}):\n        return x\n"


def said(before: str, after: str, child: str) -> list[str]:
    """Return what is said when the parent's parameters change; ``child``: those of the override."""
    base = {"pkg/__init__.py": "", "pkg/core.py": PARENT.format(before), "pkg/fast.py": CHILD.format(child)}
    return [finding.message for finding in findings_of(RULE, {"pkg/core.py": PARENT.format(after)}, base)]


@pytest.mark.parametrize(
    ("before", "after", "child", "why"),
    [
        ("x", "x, mask", "x", "does not accept `mask`"),
        ("x", "x, mask=None", "x", "does not accept `mask`"),
        ("x", "x, *, mask", "x", "does not accept `mask`"),
        ("x, y", "x", "x, y", "requires `y`"),
    ],
)
def test_an_override_that_no_longer_fits_is_named(before: str, after: str, child: str, why: str) -> None:
    assert said(before, after, child) == [
        f"The parameters of `Base.step` changed, but its override at `pkg/fast.py:5` {why}."
    ]


@pytest.mark.parametrize(
    ("before", "after", "child"),
    [
        ("x", "x, mask", "x, *args"),
        ("x", "x, *, mask", "x, **kwargs"),
        ("x", "x, mask", "x, mask"),
        ("x", "x, mask", "y, z, mask=1"),
        ("x, y", "x, y, mask", "x"),  # it did not fit before
        ("x", "x=None", "x"),
    ],
)
def test_an_override_that_fits_or_never_did_is_left_alone(before: str, after: str, child: str) -> None:
    assert said(before, after, child) == []


def test_an_override_below_an_override_is_found() -> None:
    base = {
        "pkg/__init__.py": "",
        "pkg/core.py": PARENT.format("x"),
        "pkg/mid.py": "from .core import Base\n\n\nclass Mid(Base):\n    pass\n",
        "pkg/fast.py": "from .mid import Mid\nfrom .core import Base\n\n\nclass Fast(Mid, Base):\n"
        "    def step(self, x):\n        return x\n",
    }
    assert len(findings_of(RULE, {"pkg/core.py": PARENT.format("x, mask")}, base)) == 1
