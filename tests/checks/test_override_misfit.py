"""Overrides that a change gives other parameters, and methods of base classes that call them."""

from __future__ import annotations

import pytest

from tests.rule_cases import findings_of

RULE = "api/override-misfit"
BASE = "class Base:\n    def run(self):\n        {}\n\n    def step(self, x):\n        return x\n\n\n"
FAST = "class Fast(Base):\n    {}\n\n\n"
STEP = "def step(self, {}):\n        return 1"


def found(new: str, *, run: str = "return self.step(1)", use: str = "Fast().run()", base: str = BASE) -> list[str]:
    old = f"{base.format(run)}{FAST.format(STEP.format('x'))}{use}\n"
    head = f"{base.format(run)}{FAST.format(STEP.format(new) if 'def' not in new else new)}{use}\n"
    return [str(each.severity) for each in findings_of(RULE, {"pkg/a.py": head}, {"pkg/a.py": old})]


@pytest.mark.parametrize(
    ("new", "run", "use", "severity"),
    [
        ("x, y", "return self.step(1)", "Fast().run()", "error"),
        ("*, x", "return self.step(1)", "Fast().run()", "error"),
        ("y", "return self.step(x=1)", "fast = Fast()\nfast.run()", "error"),
        (
            "x, y",
            "size = self.step(1)\n        return size",
            "def make():\n    return Fast()\n\n\nmake().run()",
            "error",
        ),
        ("x, y", "with open('a'):\n            self.step(1)", "Fast().run()", "error"),
        ("x, y", "return self.step(1)", "fasts = [Fast()]", "warning"),
        ("x, y", "yield self.step(1)", "Fast().run()", "warning"),
    ],
)
def test_a_call_of_the_base_class_that_no_longer_fits(new: str, run: str, use: str, severity: str) -> None:
    assert found(new, run=run, use=use) == [severity]


@pytest.mark.parametrize(
    ("new", "run", "use"),
    [
        ("x, y=1", "return self.step(1)", "Fast().run()"),
        ("*x", "return self.step(1)", "Fast().run()"),
        ("x, y", "return self.step(*args)", "Fast().run()"),
        ("x, y", "return self.step(1) if self.short else self.step(1, 2)", "Fast().run()"),
        ("x, y", "if self.short:\n            return self.step(1)\n        return 1", "Fast().run()"),
        (
            "x, y",
            "try:\n            return self.step(1)\n        except TypeError:\n            return 1",
            "Fast().run()",
        ),
        ("x, y", "return other.step(1)", "Fast().run()"),
        ("x, y", "return Base.step(self, 1)", "Fast().run()"),
        ("x, y", "return self.step(1)", "Base().run()"),
        ("x, y", "return self.step(1)", "Fast.step = print\nFast().run()"),
        (f"{STEP.format('x, y')}\n\n    def run(self):\n        return 1", "return self.step(1)", "Fast().run()"),
        ("def step(self, x, y):\n        raise NotImplementedError", "return self.step(1)", "Fast().run()"),
        ("@lib.fill\n    def step(self, x, y):\n        return 1", "return self.step(1)", "Fast().run()"),
    ],
)
def test_a_call_that_fits_or_may_not_run_is_left_alone(new: str, run: str, use: str) -> None:
    assert found(new, run=run, use=use) == []


@pytest.mark.parametrize("header", ["class Base(Library):", "@lib.register\nclass Base(lib.Library):"])
def test_a_base_from_elsewhere_may_call_otherwise(header: str) -> None:
    assert found("x, y", base=BASE.replace("class Base:", header)) == []


def of_call(new: str, *, override: str = "x", use: str = "Fast().run()", old: str = "return self.step(1)") -> list[str]:
    rest = f"{FAST.format(STEP.format(override))}{use}\n"
    head, base = (f"{BASE.format(run)}{rest}" for run in (new, old))
    return [str(each.severity) for each in findings_of(RULE, {"pkg/a.py": head}, {"pkg/a.py": base})]


@pytest.mark.parametrize(
    ("new", "override"),
    [
        ("return self.step(1, 2)", "x"),
        ("return self.step(x=1, scale=2)", "x"),
        ("return self.step(value=1)", "x"),
        ("return self.step(\n            1,\n            2,\n        )", "x"),
        ("return self.step()", "x"),
    ],
)
def test_an_edited_call_of_the_base_class_that_an_override_refuses(new: str, override: str) -> None:
    assert of_call(new, override=override) == ["error"]


@pytest.mark.parametrize(
    ("new", "override", "use"),
    [
        ("return self.step(1, 2)", "x, y=1", "Fast().run()"),
        ("return self.step(1, 2)", "*x", "Fast().run()"),
        ("return self.step(1, 2)", "x", "fasts = [Fast()]"),
        ("return self.step(1, 2)", "x", "Base().run()"),
        ("return self.step(1, 2)", "x", "Fast.step = print\nFast().run()"),
        ("return self.step(1, 2) if self.wide else self.step(1)", "x", "Fast().run()"),
        ("return self.step(2)", "x, y", "Fast().run()"),
    ],
)
def test_an_edited_call_that_fits_or_may_not_run_is_left_alone(new: str, override: str, use: str) -> None:
    assert of_call(new, override=override, use=use) == []


def of_new(method: str, use: str = "Fast().run()") -> list[str]:
    base = BASE.format("return self.step(1)")
    head = {"pkg/a.py": base, "pkg/b.py": f"from pkg.a import Base\n\n\nclass Fast(Base):\n    {method}\n\n\n{use}\n"}
    return [str(each.severity) for each in findings_of(RULE, head, {"pkg/a.py": base})]


def test_a_new_override_that_its_base_class_cannot_call() -> None:
    assert of_new(STEP.format("x, y")) == ["error"]


@pytest.mark.parametrize(
    ("method", "use"),
    [
        (STEP.format("x, y=1"), "Fast().run()"),
        (STEP.format("x, y"), "fasts = [Fast()]"),
        (STEP.format("x, y"), "try:\n    Fast().run()\nexcept TypeError:\n    pass"),
        (f"@lib.fill\n    {STEP.format('x, y')}", "Fast().run()"),
        (f"{STEP.format('x, y')}\n\n    def run(self):\n        return self.step(1, 2)", "Fast().run()"),
        ("def step(self, x, y):\n        raise NotImplementedError", "Fast().run()"),
    ],
)
def test_a_new_override_that_fits_or_may_not_run_is_left_alone(method: str, use: str) -> None:
    assert of_new(method, use) == []
