"""What names hold in a function: dtypes, axes, masks, memory."""

from __future__ import annotations

import ast
import textwrap

import pytest

from review_bot.analysis.python.syntax import imported_names
from review_bot.analysis.tensors.evaluation import value_of
from review_bot.analysis.tensors.flow import flow
from review_bot.analysis.tensors.values import UNKNOWN, Value
from tests.rule_cases import findings_of


def at_return(body: str) -> Value:
    """Return what the value of a function's last ``return`` holds."""
    tree = ast.parse("import torch\ndef f(x, y, flag, rows):\n" + textwrap.indent(textwrap.dedent(body), "    "))
    function = tree.body[1]
    assert isinstance(function, ast.FunctionDef)
    held = UNKNOWN
    for statement, names in flow(function, imported_names(tree)):
        if isinstance(statement, ast.Return) and statement.value is not None:
            held = value_of(statement.value, names, imported_names(tree))
    return held


@pytest.mark.parametrize(
    ("body", "dtype"),
    [
        ("return x.half()", "float16"),
        ("x = x.to(torch.float16)\nreturn x.view(2, -1) * 2", "float16"),
        ("x = x.to(device='cuda', dtype=torch.bfloat16)\nreturn x", "bfloat16"),
        ("x = torch.zeros(3, dtype=torch.half)\nreturn x + 1", "float16"),
        ("x = x.half()\ny = y.float()\nreturn y.type_as(x)", "float16"),
        ("x = x.half()\nreturn x.to(y.device)", "float16"),
        ("x = x.half()\nreturn x.to(y)", ""),
        ("x = x.half()\nreturn x + y", ""),
        ("x = x.half()\nx = x.float()\nreturn x", "float32"),
        ("x = x.half()\nif flag:\n    x = x.float()\nreturn x", ""),
        ("x = x.half()\nif flag:\n    x = x.float()\n    raise ValueError\nreturn x", "float16"),
        ("x = x.half()\nfor row in rows:\n    x = x + row\nreturn x", ""),
        ("x = x.half()\nfor row in rows:\n    y = row\nreturn x", "float16"),
        ("x = x.half()\nx, y = y, x\nreturn x", ""),
        ("x = x.half()\nwith open(y) as x:\n    pass\nreturn x", ""),
        ("x = x.half()\ntry:\n    x = y\nexcept OSError:\n    pass\nreturn x", ""),
        ("x = x.half()\nmatch flag:\n    case 1:\n        x = y\nreturn x", ""),
        ("x = x.half()\nmatch flag:\n    case [x, *_]:\n        pass\nreturn x", ""),
        ("x = x.half()\nmatch flag:\n    case {**x}:\n        return x", ""),
        ("x = x.half()\nx += 1\nreturn x", "float16"),
        ("x = (x.to(torch.uint8)).any(0)\nreturn x", "uint8"),
        ("x = torch.isnan(torch.zeros(2, 2)).any(0)\nreturn x", "bool"),
        ("import numpy as np\nx = x.half()\nx *= np.ones(2)\nreturn x", ""),
        ("x = x.half()\nif (x := y):\n    pass\nreturn x", ""),
    ],
)
def test_dtypes_are_followed_only_as_far_as_every_path_agrees(body: str, dtype: str) -> None:
    assert at_return(body).dtype == dtype


@pytest.mark.parametrize(
    ("body", "axes"),
    [
        ("return x.permute(0, 2, 1)", (0, 2, 1)),
        ("return x.permute((2, 0, 1)).permute(1, 2, 0)", (0, 1, 2)),
        ("return x.permute(0, -1, 1)", (0, 2, 1)),
        ("b, n, d = x.shape\nreturn x.transpose(1, 2)", (0, 2, 1)),
        ("b, n = x.size()\nreturn x.transpose(-1, -2)", (1, 0)),
        ("x = x.view(2, 3, 4).transpose(0, 2)\nreturn x.contiguous()", (0, 1, 2)),
        ("return x.transpose(1, 2)", ()),
        ("return x.permute(0, 0, 1)", ()),
        ("return x.permute(*rows)", ()),
        ("return x.view(flag)", ()),
    ],
)
def test_axes_are_followed_where_their_number_is_known(body: str, axes: tuple[int, ...]) -> None:
    assert at_return(body).axes == axes


def test_a_mask_stays_one_through_its_combinations() -> None:
    assert at_return("m = torch.isnan(x) | (x.abs() > 3)\nreturn ~m").selects
    assert at_return("m = torch.arange(4) >= y\nreturn m").selects
    assert not at_return("m = flag > 3\nreturn m").selects
    assert not at_return("m = torch.isnan(x)\nreturn m + 1").selects


def test_a_long_sum_is_followed_without_deep_recursion() -> None:
    assert at_return("x = x.half()\nreturn x" + " + x" * 700).dtype == "float16"


def test_a_write_to_a_masked_copy_names_both() -> None:
    code = "import torch\n\ndef f(x):\n    bad = torch.isnan(x)\n    x[bad].zero_()\n    x[bad][0] += 1\n    return x\n"
    found = findings_of("tensor/masked-chained-assign", code)
    assert [each.line for each in found] == [5, 6]
    assert "`x[bad]`" in found[0].message


def test_the_view_is_offered_as_a_reshape() -> None:
    code = "import torch\n\ndef f(x):\n    return x.permute(0, 2, 1).view(-1)\n"
    (finding,) = findings_of("tensor/view-after-permute", code)
    assert finding.suggestion is not None
    assert finding.suggestion.replacement == "    return x.permute(0, 2, 1).reshape(-1)"


def test_a_host_copy_is_finished_by_what_waits_for_it() -> None:
    read = "import torch\n\ndef f(x, event):\n    y = x.to('cpu', non_blocking=True)\n    {}\n    return y.tolist()\n"
    assert findings_of("memory/nonblocking-to-cpu", read.format("pass"))
    assert not findings_of("memory/nonblocking-to-cpu", read.format("event.synchronize()"))
    assert not findings_of("memory/nonblocking-to-cpu", read.format("torch.cuda.current_stream().synchronize()"))
