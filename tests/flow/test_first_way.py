"""Which expressions every call of a function evaluates."""

from __future__ import annotations

import ast

import pytest

from review_bot.flow.first_way import evaluated_by_every_call

CASES = [
    ("y.a", True),
    ("return y.a", True),
    ("x = 1\ny.a", True),
    ("y.a and z", True),
    ("z and y.a", False),
    ("y.a if z else 0", False),
    ("0 if y.a else z", True),
    ("if y.a:\n  pass", True),
    ("if z:\n  y.a", False),
    ("if z:\n  pass\ny.a", True),
    ("if z:\n  return 0\ny.a", False),
    ("if z:\n  raise E\ny.a", True),
    ("if x is None:\n  raise E\ny.a", False),
    ("if z:\n  while q:\n    return 0\ny.a", False),
    ("if z:\n  def g():\n    return 0\ny.a", True),
    ("assert z\ny.a", True),
    ("assert (x is None) != (y is None)\ny.a", False),
    ("for i in z:\n  y.a", True),
    ("for i in z:\n  continue\n  y.a", False),
    ("for i in z:\n  break\ny.a", True),
    ("for i in z:\n  if i:\n    return 0\ny.a", False),
    ("while z:\n  y.a", False),
    ("while y.a:\n  pass", True),
    ("with z:\n  y.a", True),
    ("with y.a:\n  pass", True),
    ("try:\n  y.a\nexcept E:\n  pass", True),
    ("try:\n  z\nexcept E:\n  y.a", False),
    ("try:\n  z\nexcept E:\n  return 0\ny.a", False),
    ("try:\n  z\nfinally:\n  y.a", True),
    ("try:\n  return 0\nfinally:\n  y.a", False),
    ("match y.a:\n  case 1:\n    pass", True),
    ("match z:\n  case 1:\n    y.a", False),
    ("match z:\n  case 1:\n    return 0\ny.a", False),
    ("[y.a for i in z]", True),
    ("[i for i in y.a]", True),
    ("[y.a for i in z if i]", False),
    ("{i: y.a for i in z}", True),
    ("g(k=y.a)", True),
    ("lambda: y.a", False),
    ("def g():\n  y.a", False),
    ("return 0\ny.a", False),
]


@pytest.mark.parametrize(("body", "wanted"), CASES, ids=range(len(CASES)))
def test_what_no_condition_decides_on(body: str, wanted: bool) -> None:
    indented = "".join(f"  {line}\n" for line in body.split("\n"))
    function = ast.parse(f"def f(x=None, y=None):\n{indented}").body[0]
    assert isinstance(function, ast.FunctionDef)
    (use,) = (node for node in ast.walk(function) if isinstance(node, ast.Attribute))
    assert (id(use) in evaluated_by_every_call(function, {"x", "y"})) is wanted
