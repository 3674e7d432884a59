"""No test of ours can pass by having looked at nothing: the assertions of a test are not all in loops that may be empty."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.some import some

ROOT = Path(__file__).parents[1]
MODULES = sorted([*ROOT.glob("tests/**/test_*.py"), *ROOT.glob("contract/test_*.py")])

Names = dict[str, ast.expr]
"""What names of a module and of a test are bound to, where that is one expression."""

PASSING_ON = {"enumerate", "items", "keys", "list", "permutations", "reversed", "sorted", "tuple", "values", "zip"}
"""Calls whose result is as long as what they are given."""


def has_items(node: ast.expr, names: Names) -> bool:
    """Return whether an iterable holds something, as far as the text of the test shows."""
    if isinstance(node, ast.Constant | ast.Dict):
        return bool(node.value if isinstance(node, ast.Constant) else node.keys)
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        return any(not isinstance(each, ast.Starred) or has_items(each.value, names) for each in node.elts)
    if isinstance(node, ast.Name):
        bound = names.get(node.id)
        return bound is not None and has_items(bound, {**names, node.id: ast.Constant(None)})
    if isinstance(node, ast.Call):
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        given = [node.func.value] if isinstance(node.func, ast.Attribute) and not node.args else node.args
        return called in {"some", "range"} or (called in PASSING_ON and all(has_items(each, names) for each in given))
    return isinstance(node, ast.BoolOp) and has_items(node.values[-1], names)


def bindings(body: list[ast.stmt]) -> Names:
    """Return what each name is bound to by the simple assignments of a block."""
    found: Names = {}
    for each in body:
        if isinstance(each, ast.Assign) and isinstance(each.targets[0], ast.Name):
            found[each.targets[0].id] = each.value
        elif isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name) and each.value is not None:
            found[each.target.id] = each.value
    return found


def looks_at_nothing(test: ast.expr, names: Names) -> bool:
    """Return whether an assertion is ``all(...)`` or ``not any(...)`` over what may be empty."""
    negated = isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)
    call = test.operand if isinstance(test, ast.UnaryOp) else test
    if not (isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.args):
        return False
    over = call.args[0]
    return (
        call.func.id == ("any" if negated else "all")
        and isinstance(over, ast.GeneratorExp | ast.ListComp)
        and not all(has_items(each.iter, names) for each in over.generators)
    )


def assertions(node: ast.AST, names: Names, *, certain: bool = True) -> Iterator[bool]:
    """Yield for each assertion below a node whether it is certain to look at something."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.ClassDef | ast.Lambda):
            continue
        if isinstance(child, ast.Assert):
            yield certain and not looks_at_nothing(child.test, names)
        elif isinstance(child, ast.withitem) and ast.unparse(child.context_expr).startswith("pytest."):
            yield certain
        within = certain and not (isinstance(child, ast.For) and not has_items(child.iter, names))
        yield from assertions(child, names, certain=within)


def may_look_at_nothing(source: str) -> list[str]:
    """Return the tests that have assertions, none of which is certain; tests of hypothesis draw what they look at."""
    module = ast.parse(source)
    found = []
    for node in ast.walk(module):
        if not isinstance(node, ast.FunctionDef) or not node.name.startswith("test_"):
            continue
        if any("given(" in ast.unparse(each) for each in node.decorator_list):
            continue
        seen = list(assertions(node, {**bindings(module.body), **bindings(node.body)}))
        if seen and not any(seen):
            found.append(node.name)
    return found


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_each_test_looks_at_something(path: Path) -> None:
    assert may_look_at_nothing(path.read_text(encoding="utf-8")) == [], "use tests.some, or assert a count"


def test_the_tests_are_found() -> None:
    assert len(MODULES) > 200


VACUOUS = [
    "for each in found: assert each",
    "for each in []: assert each",
    "for each in (): assert each",
    "for each in [*found]: assert each",
    "for each in sorted(found): assert each",
    "for each in found.items(): assert each",
    "for each in zip(CASES, found): assert each",
    "for each in CASES:\n        for part in each: assert part",
    "assert all(found for each in found)",
    "assert not any([each for each in found])",
    "for each in found:\n        with pytest.raises(ValueError): each()",
]
SOUND = [
    "assert found == []",
    "for each in some(found): assert each",
    "for each in CASES: assert each",
    "for each in sorted(CASES): assert each",
    "for each in {'a': 1}.items(): assert each",
    "for each in [*CASES, *found]: assert each",
    "for each in found or CASES: assert each",
    "for each in range(3): assert each",
    "local = {'a': 1}\n    for each in local.values(): assert each",
    "for each in found: assert each\n    assert len(found) == 2",
    "assert all(each for each in some(found))",
    "assert any(each for each in found)",
    "assert not all(each for each in found)",
    "with pytest.raises(ValueError): found()",
    "check(found)",
]


@pytest.mark.parametrize("body", some(VACUOUS))
def test_a_test_that_may_look_at_nothing_is_named(body: str) -> None:
    assert may_look_at_nothing(f"CASES = [1, 2]\n\ndef test_x(found):\n    {body}\n") == ["test_x"]


@pytest.mark.parametrize("body", some(SOUND))
def test_a_test_that_looks_at_something_is_not(body: str) -> None:
    assert may_look_at_nothing(f"CASES = [1, 2]\n\ndef test_x(found):\n    {body}\n") == []
