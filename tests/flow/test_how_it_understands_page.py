"""The finding and the example of docs/how-it-understands.md are what the page says they are."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from review_bot.changes.source_file import SourceFile
from review_bot.flow.absent_values import absent_values
from review_bot.rules.check import FileCheck
from review_bot.rules.examples import make_case
from tests.rule_cases import built_in

PAGE = Path("docs/how-it-understands.md").read_text(encoding="utf-8")
FINDING, EXAMPLE = re.findall(r"^```python\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)


def source_of(code: str) -> SourceFile:
    """Return a text as a new file."""
    case = make_case(built_in("errors/none-dereference"), {"path": "pkg/a.py", "code": code})
    return SourceFile(case.pull_request.files[0], case.new[0], case.old[0])


def test_the_finding_is_reported_with_its_step() -> None:
    (found,) = absent_values(source_of(FINDING))
    assert (found.place, found.node.lineno, found.how) == ("final_res", 9, "its attribute `outputs` is taken")
    assert found.because == "`final_res` is set to None (line 2)"


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        ("def f(x):\n  y = g(x)\n  x = None\n  return y.to(x.dtype)", [4]),
        ("def f(x):\n  y = g(x)\n  x = None\n  return y.to(x.value)", []),
        ("def f(x):\n  d = x.dtype\n  x = None\n  return g(d)", []),
    ],
)
def test_the_example_reports_a_tensor_that_was_freed(code: str, lines: list[int]) -> None:
    names: dict[str, Any] = {"__name__": "example"}
    exec(compile(EXAMPLE, "docs/how-it-understands.md", "exec"), names)
    check = names["CHECK"]
    assert isinstance(check, FileCheck)
    assert [hit.line for hit in check.examine(source_of(code), {})] == lines
