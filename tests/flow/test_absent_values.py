"""Which uses of None and of unbound names are found in a function, and with which steps."""

from __future__ import annotations

import ast
from textwrap import dedent

import pytest

from review_bot.changes.source_file import SourceFile
from review_bot.findings import Held
from review_bot.flow.absent_values import absent_values
from review_bot.flow.certainty import reasons
from review_bot.flow.interpreter import MOST_STEPS, follow
from review_bot.flow.module_facts import ModuleFacts
from review_bot.rules.examples import make_case
from tests.rule_cases import built_in, findings_of

Found = tuple[str, int, str]


def found(code: str, *, ending: tuple[str, ...] = ()) -> list[Found]:
    """Return (place, line of the use, lines of the steps) of what is certain in the first function of a text."""
    function = ast.parse(dedent(code)).body[0]
    assert isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
    followed = follow(function, ModuleFacts(ending=frozenset(ending)))
    assert not followed.cut
    certain = [(use, reasons(use, followed.uses)) for use in followed.uses]
    lines = {
        (use.place, use.node.lineno, " ".join(str(step.line) for step in steps))
        for use, steps in certain
        if steps is not None and (use.value.presence == "none" or steps)
    }
    return sorted(lines)


CERTAIN = [
    ("def f(m=None):\n  if m is not None:\n    x = 1\n  return m.x", [("m", 4, "2")]),
    ("def f(m):\n  if m is None:\n    log.debug('none')\n  return len(m)", [("m", 4, "2")]),
    ("def f(m: Tensor = None):\n  if m is not None:\n    x = 1\n  return m.x", [("m", 4, "2")]),
    ("def f(m: 'Tensor | None'):\n  if m is not None:\n    x = 1\n  return m.x", [("m", 4, "2")]),
    ("def f(m=None):\n  os.makedirs(m, exist_ok=True)", [("m", 2, "1")]),
    ("def f(m=None, n='a'):\n  return os.path.join(n, m)", [("m", 2, "1")]),
    ("def f(c):\n  x = None\n  if c:\n    x = g()\n  return x[0]", [("x", 5, "2 3")]),
    ("def f(c):\n  x = None\n  if c:\n    x = g()\n  else:\n    return x.y", [("x", 6, "2 3")]),
    ("def f(c):\n  x = g() if c else None\n  return x + 1", [("x", 3, "2")]),
    ("def f(x, c):\n  y = x.n\n  x = None\n  if c:\n    g(y)\n  else:\n    return x.n", [("x", 7, "3")]),
    ("def f(a, b):\n  x = None\n  for i in a:\n    g(i)\n  if b:\n    return len(x.y)", [("x", 6, "2")]),
    (
        "def f(a, b, c):\n  if a:\n    x = 1\n  if b:\n    y = 1\n    if a and c:\n      y = 2\n  return x",
        [("x", 8, "2")],
    ),
    ("def f(c):\n  x = None\n  for i in x:\n    g(i)", [("x", 3, "2")]),
    (
        "def f(m, n):\n  if (m is None) == (n is None):\n    return 1\n  if n is not None:\n    return m.x",
        [("m", 5, "2")],
    ),
    ("def f():\n  x = None\n  with x:\n    pass", [("x", 3, "2")]),
    ("def f():\n  x = None\n  a, b = x", [("x", 3, "2")]),
    ("def f():\n  x = None\n  x.y = 1", [("x", 3, "2")]),
    ("def f():\n  x = None\n  return [i for i in x]", [("x", 3, "2")]),
    ("def f():\n  x = None\n  return g(**x)", [("x", 3, "2")]),
    ("def f():\n  x = None\n  return 1 in x", [("x", 3, "2")]),
    ("def f():\n  x = None\n  return x < 1", [("x", 3, "2")]),
    ("async def f():\n  x = None\n  await x", [("x", 3, "2")]),
    ("def f():\n  x = y = None\n  x = 1\n  return y.z", [("y", 4, "2")]),
    ("def f(self):\n  self.x = None\n  return self.x.y", [("self.x", 3, "2")]),
    ("def f():\n  x = None\n  try:\n    x = g()\n  finally:\n    x.close()", [("x", 6, "2 3")]),
    ("def f():\n  x = None\n  try:\n    x = g()\n  except E:\n    log.info('')\n  x.go()", [("x", 7, "2 5")]),
    ("def f(a, b):\n  if a is None and b is None:\n    return 0\n  return a.x", [("a", 4, "2")]),
    ("def f():\n  try:\n    x = g()\n  except E:\n    pass\n  return x", [("x", 6, "4")]),
    ("def f(m):\n  match m:\n    case 1:\n      x = 1\n    case _:\n      g(m)\n  return x", [("x", 7, "5")]),
    ("def f(m):\n  match m:\n    case 1:\n      x = 1\n    case 2:\n      g(m)\n  return x", [("x", 7, "5")]),
    ("def f(m):\n  match m:\n    case 1 | 2:\n      g(m)\n    case _:\n      x = 1\n  return x", [("x", 7, "3")]),
    ("def f(c):\n  if not c:\n    x = 1\n  return x", [("x", 4, "2")]),
    ("def f(c, d):\n  if c and d:\n    x = 1\n  return x", [("x", 4, "2")]),
    ("def f(c, d):\n  if c:\n    if d:\n      x = 1\n  return x", [("x", 5, "2"), ("x", 5, "3")]),
    ("def f(x):\n  del x\n  return x", [("x", 3, "2")]),
    ("def f(m):\n  n = m\n  if m is None:\n    g()\n  return n.x", [("n", 5, "3")]),
    ("def f(m, h):\n  n = m\n  n = h\n  if n is None:\n    pass\n  m.go()\n  return n.x", [("n", 7, "4")]),
    ("def f(m):\n  has = m is not None\n  if has:\n    g()\n  return m.x", [("m", 5, "2")]),
    ("def f(m):\n  has = m is not None\n  if not has:\n    return m.x", [("m", 4, "2")]),
    ("def f(c, d):\n  if d:\n    return\n  if c:\n    x = 1\n  return x", [("x", 6, "4")]),
    ("def f(c, d):\n  if c:\n    y = 1 if d else h()\n  else:\n    x = 1\n  return x", [("x", 6, "2")]),
    (
        "def f(c, d, e):\n  if c:\n    if d and e:\n      y = 1\n    else:\n      y = h()\n  else:\n    x = 1\n  return x, y",
        [("x", 9, "2"), ("y", 9, "2")],
    ),
    ("def f(c, d):\n  if c:\n    assert d\n  else:\n    x = 1\n  return x", [("x", 6, "2")]),
]

WITHOUT_VALUE = [
    ("def f(c):\n  if c:\n    x = 1\n  elif c.d:\n    x = 2\n  else:\n    raise E(x)", True),
    ("def f(c, d):\n  if c:\n    if d:\n      x = 1\n    elif c.d:\n      x = 2\n    else:\n      g(x)", True),
    ("def f(c, d):\n  if c and d:\n    x = 1\n    memory_usage()\n  if c:\n    g(x)", False),
    ("def f(c):\n  for i in c:\n    if i:\n      x = i\n    else:\n      g(x)", False),
]
"""Functions, and whether no path to the use of ``x`` has bound it."""


@pytest.mark.parametrize(("code", "is_certain"), WITHOUT_VALUE)
def test_a_read_that_no_path_has_bound_has_no_steps(code: str, *, is_certain: bool):
    function = ast.parse(code).body[0]
    assert isinstance(function, ast.FunctionDef)
    uses = follow(function).uses
    assert any(reasons(use, uses) == () for use in uses if use.place == "x") is is_certain


def test_long_conditions_that_begin_alike_are_not_taken_for_one():
    several = ", ".join(f"Kind.OF_THE_LONG_NAME_{number}" for number in range(9))
    code = f"def f(k):\n  if k in [{several}, Kind.LAST]:\n    x = 1\n  if k in [{several}]:\n    pass\n  elif k:\n    g(x)"
    function = ast.parse(code).body[0]
    assert isinstance(function, ast.FunctionDef)
    uses = follow(function).uses
    assert not any(reasons(use, uses) == () for use in uses)


MANY_PATHS = "".join(f"  if c{number}:\n    x{number} = None\n  else:\n    x{number} = g()\n" for number in range(5))
"""More of them than are kept apart."""

NOTHING = [
    "def f(m=None, n=None):\n  if (m is None) != (n is None):\n    raise E\n  if m is not None:\n    return n.x",
    "def f(m=None, n=None):\n  if (m is None) ^ (n is None):\n    raise E\n  if m is not None:\n    return n.x",
    "def f(m=None, n=None):\n  if (m is None) == (n is None):\n    raise E\n  if m is None:\n    return n.x",
    "def f(m=None, n='a'):\n  os.makedirs(n, m)",
    "def f(c, d):\n  if c:\n    if d:\n      y = 1\n    else:\n      raise E\n  elif d:\n    x = 1\n  else:\n    raise E\n  return x",
    "def f(c, d):\n  if c:\n    x = 1\n  assert d\n  return x",
    "def f(p: str, e=None):\n  if p is not None and e is not None:\n    raise ValueError\n  if a(p):\n    return e.n",
    "def f(c, d):\n  x = None\n  if c:\n    x = g()\n  if d:\n    return x.n",
    # where it is None, the loop may have nothing to run over
    "def f(b, n):\n  parts = split(b, n)\n  x = read() if n else None\n  for p in parts:\n    go(x[p])",
    # a name remembers how a test of None went
    "def f(m):\n  has = m is not None\n  if has:\n    return m.x",
    "def f(m):\n  has = m is not None and len(m) > 1\n  if has:\n    return m.x",
    "def f(m, n):\n  both = m is not None and n is not None\n  return m.x + n.x if both else 0",
    "def f(m, n):\n  none = m is None or n.y\n  if none:\n    return 0\n  return m.x",
    "def f(m):\n  gone = not (m is not None)\n  if gone:\n    return 0\n  return m.x",
    "def f(m):\n  if m is None:\n    pass\n  text = isinstance(m, str)\n  if text:\n    return m.x",
    "def f(m):\n  if m is None:\n    pass\n  one = m == 1\n  while one:\n    m.go()",
    # a test, an early exit or a default excludes it
    "def f(m):\n  if m is None:\n    return 0\n  return m.x",
    "def f(m):\n  if m is None:\n    m = 1\n  return m.x",
    "def f(m):\n  m = m or g()\n  return m.x",
    "def f(m):\n  if m is None:\n    pass\n  return m and m.x",
    "def f(m):\n  if m is None:\n    pass\n  return m.x if m else 0",
    "def f(m):\n  if m is None:\n    pass\n  return [i for i in g() if m is not None and m.x]",
    "def f(m):\n  if m is None:\n    pass\n  assert m is not None\n  return m.x",
    "def f(m):\n  if m is None:\n    pass\n  if not isinstance(m, str):\n    return 0\n  return m.x",
    "def f(m):\n  x = None\n  if m == 'a':\n    x = 1\n  if m == 'a':\n    return x.y",
    "def f(m):\n  x = None\n  if m != 'a':\n    x = 1\n  if m == 'a':\n    return 0\n  return x.y",
    "def f(m):\n  while m is None:\n    m = g()\n  return m.x",
    "def f(m):\n  m.go()\n  if m is None:\n    pass\n  return m.x",
    "def f(self):\n  if self.x is None:\n    self.go()\n  if self.x is not None:\n    return self.x.y",
    "def f(self):\n  if self.x is not None:\n    y = 1\n  self.go()\n  if self.x is not None:\n    return y",
    "def f(m: Tensor):\n  if m is not None:\n    pass\n  return m.x",
    "def f(*, m: list[int] = ()):\n  if m is not None:\n    pass\n  return m.x",
    # what a test says of a name holds for its copy
    "def f(m):\n  n = m\n  assert m is not None\n  if n is None:\n    pass\n  return n.x",
    "def f(m):\n  n = m\n  if n is None:\n    pass\n  assert m is not None\n  return n.x",
    "def f(m):\n  n = m\n  o = n\n  m = g()\n  if n is None:\n    pass\n  if o is not None:\n    return n.x",
    "def f(m):\n  n = m\n  m = n\n  if n is None:\n    return 0\n  return m.x",
    # the default is there for None
    "def f(d):\n  x = d.get(1) if d.get(1) is not None else 2\n  u = x is not None and x > 3\n  return x + u",
    "def f(d):\n  x = 2 if d.get(1) is None else d.get(1)\n  u = x is not None and x > 3\n  return x + u",
    "def f(d):\n  x = d[1] if d[1] else 2\n  u = x is not None and x > 3\n  return x + u",
    # the function may not go on
    "def f(m):\n  if m is None:\n    raise_missing()\n  return m.x",
    "def f(m):\n  if m is None:\n    parser.error('x')\n  return m.x",
    "def f(m):\n  if m is None:\n    validate(m)\n  return m.x",
    "def f(m):\n  if m is None:\n    sys.exit()\n  return m.x",
    # somebody else may have set it
    "def f(self):\n  self.x = None\n  self.load()\n  return self.x.y",
    "def f():\n  global x\n  x = None\n  return x.y",
    "def f():\n  x = None\n  def g():\n    nonlocal x\n    x = 1\n  g()\n  return x.y",
    # two conditions may hold together, always or never
    "def f(c, d):\n  x = None\n  if c:\n    x = 1\n  if d:\n    return x.y",
    "def f(c, d):\n  if c:\n    x = 1\n  if not d:\n    return\n  return x",
    "def f(k):\n  if k > 1:\n    return\n  if k == 1:\n    x = 1\n  return x",
    "def f(c):\n  if c == 1:\n    x = 1\n  elif c == 2:\n    x = 2\n  return x",
    "def f(a, b):\n  ok = False\n  if a is not None and b is not None:\n    ok = True\n  if ok:\n    return a.x",
    # loops may have run, names may be bound by what is not followed
    "def f(items):\n  x = None\n  for i in items:\n    x = i\n  return x.y",
    "def f():\n  while True:\n    x = g()\n    if x.ok:\n      break\n  return x",
    "def f(m):\n  match m:\n    case 1:\n      x = 1\n  return x",
    "def f(m):\n  match m:\n    case 1:\n      x = 1\n    case _:\n      assert_never(m)\n  return x",
    "def f():\n  import os.path\n  return os.path",
    # only the path on which it is an object raises
    "def f():\n  x = None\n  try:\n    x and x.go()\n  except E:\n    x.n",
    "def f():\n  x = None\n  try:\n    y = x.go() if x else 1\n  except E:\n    x.n",
    "def f(x=None):\n  try:\n    x and x.go()\n  except E:\n    y = x is None or y\n    x.n",
    "def f(x):\n  if not x:\n    try:\n      x and x.go()\n    except E:\n      del x\n    return x",
    "def f(a):\n  try:\n    assert a is not None\n    b = 1\n  except E:\n    if a is not None:\n      return b",
    "def f(b):\n  a = 1\n  try:\n    del a\n    if isinstance(b, T):\n      pass\n    a = 1\n  finally:\n    h(a)",
    # what ends in a loop goes on where the loop has nothing to run over
    "def f(a=None):\n  try:\n    for i in g():\n      h(b)\n    a = a or c\n  finally:\n    g(a.n)\n  b = 1",
    # a copy is true where what it was assigned from is
    "def f(c):\n  k = c\n  if not c:\n    if k:\n      pass\n    else:\n      x = 1\n    return x",
    # a name that was an object may still be one, whatever the loop asks
    "def f(s, r, b):\n  a = [1]\n  for i in s:\n    if a is not None or r:\n      c = a\n      c.go()\n    else:\n      a = b",
    # what a flag says of another name goes when the flag may be another one
    "def f(x, a):\n  k = x is None\n  for i in a:\n    if not k:\n      k = g()\n      x.go()",
    "def f(x, a):\n  k = x is None\n  with suppress(E):\n    k = g()\n  if not k:\n    k = 1\n    return x.n",
    "def f(x):\n  k = x is None or g()\n  for i in h():\n    for j in h():\n      if not k:\n        k = x is not None\n        x.n\n      x = 1",
    # the other outcome may be impossible until the flag is bound again, and what it decides on with it
    "def f(x):\n  k = x is None\n  for i in g():\n    y = 1\n    if not k:\n      if x is None:\n        del y\n    h(y)\n    k = x is None",
    "def f(c):\n  k = c\n  for i in g():\n    y = 1\n    if not k:\n      if c:\n        del y\n    h(y)\n    k = c",
    "def f(x):\n  k = x is None\n  with suppress(E):\n    k = x is None\n  y = 1\n  if not k:\n    if x is None:\n      y = None\n  return y.n",
    f"def f(x):\n  k = x is None\n{MANY_PATHS}  y = 1\n  if not k:\n    if x is None:\n      del y\n  return y",
    f"def f(c):\n  k = c\n{MANY_PATHS}  y = 1\n  if not k:\n    if c:\n      del y\n  return y",
    # a flag of a test that None fails says as much as the test
    "def f(x):\n  k = x == 0\n  if k:\n    if x is None:\n      return y\n  else:\n    y = 1",
    "def f(x):\n  k = isinstance(x, T)\n  if k:\n    if x is None:\n      return y\n  else:\n    y = 1",
    "def f(x):\n  k = x != 0\n  if k:\n    y = 1\n  elif x is None:\n    return y",
    "def f(x):\n  k = not x\n  if k:\n    y = 1\n  elif x is None:\n    return y",
    "def f(x):\n  k = x == 0\n  m = k\n  if m:\n    if x is None:\n      return y\n  else:\n    y = 1",
    "def f(x):\n  k = x == 0\n  if x is None:\n    if k:\n      return y\n    else:\n      y = 1",
    "def f(x):\n  k = x == 0\n  for i in g():\n    x = 1\n  if k:\n    if x is None:\n      return y\n  else:\n    y = 1",
    # the exception is caught
    "def f():\n  x = None\n  try:\n    return x.y\n  except AttributeError:\n    return 0",
    "def f():\n  x = None\n  with suppress(AttributeError):\n    x.y()",
    # None is an object too
    "def f():\n  x = None\n  return x.__class__, x == 1, x is g(), str(x), not x, f'{x}', 'a%s' % x, int | x",
    "def f():\n  x = None\n  return lambda: x.y",
]


@pytest.mark.parametrize(("code", "wanted"), CERTAIN, ids=range(len(CERTAIN)))
def test_what_one_decision_leads_to_is_found_with_its_steps(code: str, wanted: list[Found]) -> None:
    assert found(code) == wanted


@pytest.mark.parametrize("code", NOTHING, ids=range(len(NOTHING)))
def test_what_may_be_impossible_is_left_alone(code: str) -> None:
    assert found(code) == []


def test_a_function_of_the_file_that_never_returns_ends_a_path() -> None:
    code = "def f(m):\n  if m is None:\n    stop()\n  return m.x"

    assert found(code) == [("m", 4, "2")]
    assert found(code, ending=("stop",)) == []


def test_what_needs_too_many_steps_is_cut() -> None:
    many = "def f(c):\n" + "  g()\n" * (MOST_STEPS + 1)
    deep = "def f(c):\n  return " + "-" * 3_000 + "c"
    function = ast.parse(many).body[0]
    assert isinstance(function, ast.FunctionDef)

    assert follow(function).cut
    try:
        hostile = ast.parse(deep).body[0]
    except (MemoryError, RecursionError):
        return  # this Python refuses the text itself
    assert isinstance(hostile, ast.FunctionDef)
    assert follow(hostile).cut


def test_only_functions_that_the_change_touches_are_followed() -> None:
    old = "def f(c):\n    x = None\n    if c:\n        x = g()\n    return x.y\n"
    new = old + "\n\ndef h():\n    return 1\n"

    assert findings_of("errors/none-dereference", {"pkg/a.py": new}, {"pkg/a.py": old}) == []


def test_a_handler_that_binds_the_name_is_not_the_reason() -> None:
    """It may raise before it does so, but what no handler catches is what leaves the name without a value."""
    code = """
def run(process):
    try:
        out = process.communicate()
    except TimeoutExpired as expired:
        process.kill()
        out = process.communicate()
        raise expired
    finally:
        log(out.decode())
"""

    (finding,) = findings_of("errors/unbound-local", {"pkg/a.py": code}, {})

    assert [(place.line, place.note) for place in finding.related] == [(3, "the statements of this `try` raise")]


def test_what_a_placeholder_returns_never_returns() -> None:
    code = """
def absent(name):
    def placeholder(*args):
        raise NotImplementedError(name)

    return placeholder


def convert(graph):
    try:
        from engine.parts import freeze
    except ImportError:
        absent("freeze")()
    return freeze(graph)
"""

    assert findings_of("errors/unbound-local", {"pkg/a.py": code}, {}) == []
    assert len(findings_of("errors/unbound-local", {"pkg/a.py": code.replace('("freeze")()', '("freeze")')}, {})) == 1


def test_a_change_that_removes_the_guard_is_told_of_the_use_that_it_left() -> None:
    old = "def f(m):\n    if m is not None:\n        g(m)\n    if m is None:\n        return 0\n    return m.x\n"
    new = old.replace("    if m is None:\n        return 0\n", "")

    (finding,) = findings_of("errors/none-dereference", {"pkg/a.py": new}, {"pkg/a.py": old})

    assert (finding.line, [place.line for place in finding.steps]) == (4, [2])
    assert (
        finding.message == "Line 2 tests `m` for None. Where it is None, its attribute `x` is taken here all the same."
    )


HOLDS = [
    ("def f(c):\n  x = None\n  if c:\n    x = g()\n  return x[0]", ["x: None", "c: false; x: None"]),
    ("def f(m):\n  n = m\n  if m is None:\n    g()\n  return n.x", ["n: None; m: None"]),
    ("def f(m=None):\n  if m is not None:\n    x = 1\n  return m.x", ["m: None"]),
]


@pytest.mark.parametrize(("code", "wanted"), HOLDS, ids=range(len(HOLDS)))
def test_steps_say_what_places_hold(code: str, wanted: list[str]) -> None:
    (found,) = findings_of("errors/none-dereference", {"pkg/a.py": code}, {})
    assert ["; ".join(": ".join(each) for each in step.holds or ()) for step in found.steps] == wanted


def test_a_name_without_a_value_holds_nothing() -> None:
    code = "def f(c, d):\n  if c and d:\n    x = 1\n  return x"
    (found,) = findings_of("errors/unbound-local", {"pkg/a.py": code}, {})
    assert [step.holds for step in found.steps] == [(Held("c and d", "false"), Held("x", "nothing"))]


LEFT_OUT = [
    ("def f(m=None):\n  return m.x", ["m"]),
    ("def f(m: 'Tensor' = None, *, n=None):\n  return m.x + n.x", ["m", "n"]),
    ("def f(m=None):\n  n = m\n  return n.x", ["n"]),
    ("def f(self, m=None):\n  self.m = m\n  return self.m.x", ["self.m"]),
    ("def f(self, m=None):\n  self.m = m\n  self.load()\n  return self.m.x", []),
    ("def f(m=None):\n  if m is None:\n    m = 1\n  return m.x", []),
    ("def f(m=None):\n  m = m or 1\n  return m.x", []),
    ("def f(m=None):\n  m = 1 if m is None else m\n  return m.x", []),
    ("def f(m=None):\n  if not m:\n    m = 1\n  return m.x", []),
    ("def f(m=None, n=None):\n  if n is None:\n    m.x\n  return n", []),
    ("def f(m=None):\n  check(m)\n  return m.x", []),
    ("def f(m=None):\n  for i in m.x:\n    m = i.y\n  return m", ["m"]),
    ("def f(m=None):\n  def g():\n    nonlocal m\n    m = 1\n  g()\n  return m.x", []),
    ("def f(m=None):\n  with suppress(AttributeError):\n    m.x", []),
    ("def f(m=None):\n  try:\n    m.x\n  except TypeError:\n    pass", []),
    ("def f(m=None):\n  del m\n  return 1", []),
    ("def f(m=None):\n  return [m for m in g()]", []),
    ("def f(m=None):\n  return {m.x for m in g()}", []),
]


@pytest.mark.parametrize(("code", "places"), LEFT_OUT, ids=range(len(LEFT_OUT)))
def test_a_parameter_that_is_left_out_is_none_where_every_call_uses_it(code: str, places: list[str]) -> None:
    case = make_case(built_in("errors/none-default-used"), {"path": "pkg/a.py", "code": code})
    source = SourceFile(case.pull_request.files[0], case.new[0], case.old[0])
    assert [each.place for each in absent_values(source) if each.presence == "optional"] == places


def test_a_step_names_the_parameter_and_what_it_holds() -> None:
    (found,) = findings_of(
        "errors/none-default-used", {"pkg/a.py": "def f(a,\n      m=None):\n  n = m\n  return n.x"}, {}
    )
    (step,) = found.steps
    assert (found.line, step.line, step.note) == (4, 2, "`m` is None when it is not passed")
    assert step.holds == (Held("n", "None"), Held("m", "None"))
