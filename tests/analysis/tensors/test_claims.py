"""What is known of a tensor's sizes, device and memory."""

from __future__ import annotations

import ast
import textwrap

import pytest

from review_bot.analysis.python.syntax import imported_names
from review_bot.analysis.tensors.evaluation import value_of
from review_bot.analysis.tensors.flow import flow
from review_bot.analysis.tensors.requirements import mismatches
from review_bot.analysis.tensors.values import UNKNOWN, Value, devices_differ, joined, promoted

_HEAD = "import torch\nimport numpy as np\nimport torch.nn.functional as F\ndef f(x: torch.Tensor, y, n, flag):\n"


def at_return(body: str) -> Value:
    """Return what the value of a function's last ``return`` holds."""
    tree = ast.parse(_HEAD + textwrap.indent(textwrap.dedent(body), "    "))
    function = tree.body[-1]
    assert isinstance(function, ast.FunctionDef)
    held = UNKNOWN
    for statement, names in flow(function, imported_names(tree)):
        if isinstance(statement, ast.Return) and statement.value is not None:
            held = value_of(statement.value, names, imported_names(tree))
    return held


@pytest.mark.parametrize(
    ("body", "sizes"),
    [
        ("return torch.zeros(2, 3)", ("2", "3")),
        ("return torch.zeros((2, n))", ("2", "?")),
        ("return torch.zeros(n)", None),
        ("return torch.zeros(2, 3).unsqueeze(0).transpose(0, 2)", ("3", "2", "1")),
        ("return torch.zeros(2, 3).sum(0)", ("3",)),
        ("return torch.zeros(2, 3).sum(dim=0, keepdim=True)", ("1", "3")),
        ("return torch.zeros(2, 1).squeeze()", ("2",)),
        ("return torch.zeros(2, n).squeeze()", None),
        ("return torch.zeros(2, 3)[0]", ("3",)),
        ("return torch.zeros(2, 1) + torch.ones(3)", ("2", "3")),
        ("b, d = x.shape\nreturn torch.ones(d, b)", ("x.1:5", "x.0:5")),
        ("b, d = x.shape\nreturn x.t()", ("x.1:5", "x.0:5")),
        ("x = torch.zeros(2, 3)\nx.unsqueeze_(0)\nreturn x", None),
        ("x = torch.zeros(2, 3)\nif flag:\n    x = torch.ones(2, 4)\nreturn x", ("2", "?")),
        ("return torch.tensor(3)", ()),
        ("return torch.tensor(3).permute(1, 0)", ()),
        ("return torch.tensor([1, 2])", ("2",)),
        ("return x.sum().cumsum(0)", ()),
        ("return y.sum().cumsum(0)", None),  # NumPy: one axis
        ("return y.sum().argsort()", None),
        ("return y.sum().prod()", ()),
        ("return y.reshape(n, -1).cumsum()", None),
        ("return y.reshape(n, -1).cumsum(0)", ("?", "?")),
        ("return np.linspace(0, -1.0, n)", ("?",)),
        ("return np.linspace(y, 1, 4)", None),
        ("return torch.zeros(2).clamp(min=-1)", ("2",)),
        ("return torch.zeros(2).clamp(min=y)", None),
    ],
)
def test_sizes_follow_from_the_calls(body: str, sizes: tuple[str, ...] | None) -> None:
    assert at_return(body).sizes == sizes


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        ("return np.flip(y, 0)", "array"),
        ("return np.flip(np.zeros((2, 3)))", "array"),
        ("return np.flip(y)", ""),
        ("return np.flip(x.shape[0])", ""),
        ("return -np.zeros((2, 3))", "array"),
        ("return -np.asarray(y)", ""),
        ("return x.argmax() > 0", "tensor"),
        ("return y.argmax() > 0", ""),
        ("return np.linspace(y, 1, 4)", ""),
        ("return x.max(axis=0)", "pair"),
        ("return x.median(axis=0)", "pair"),
    ],
)
def test_what_may_be_a_number_of_numpy_is_not_called_an_array(body: str, kind: str) -> None:
    assert at_return(body).kind == kind


@pytest.mark.parametrize(
    ("body", "device"),
    [
        ("return x * 2", "@x"),
        ("return torch.zeros(2)", "default"),
        ("return torch.zeros(2, device=x.device)", "@x"),
        ("return torch.zeros(2, device='cuda:1').half()", "cuda:1"),
        ("return x.cpu()", "cpu"),
        ("return torch.zeros(2).to(x)", "@x"),
        ("return x.cuda()", "cuda"),
        ("d = torch.device('cpu')\nreturn torch.zeros(2, device=d)", "cpu"),
        ("return torch.zeros(2, **n)", ""),
        ("return torch.zeros(2) if flag else x", ""),
    ],
)
def test_devices_follow_from_arguments_and_operands(body: str, device: str) -> None:
    assert at_return(body).device == device


def test_a_transposed_matrix_is_not_contiguous_until_it_is_copied() -> None:
    assert at_return("return torch.zeros(2, 3).t()").dense is False
    assert at_return("return torch.zeros(2, 3).t().contiguous()").dense is True
    assert at_return("return torch.zeros(4, 8)[:, :2]").dense is False
    assert at_return("return torch.zeros(4, 8)[:, :n]").dense is None
    assert at_return("return x.t()").dense is None


def test_values_have_in_common_what_they_agree_on() -> None:
    one = Value("tensor", dtype="float16", device="cpu", sizes=("2", "3"))
    assert joined([one, one._replace(dtype="float32", sizes=("2", "4"))]) == Value(
        "tensor", device="cpu", sizes=("2", "?")
    )
    assert joined([one, Value("size")]) == UNKNOWN


def test_dtypes_are_promoted_as_torch_does() -> None:
    assert promoted("int64", "float16") == "float16"
    assert promoted("float16", "float32") == "float32"
    assert promoted("int32", "int64") == "int64"
    assert promoted("uint8", "int8") == ""
    assert promoted("bfloat16", "float16") == ""
    assert promoted("", "int64") == ""


def test_devices_differ_only_if_both_are_known() -> None:
    assert devices_differ("cpu", "cuda:0")
    assert devices_differ("cuda:1", "cuda:0")
    assert not devices_differ("cuda", "cuda:0")
    assert not devices_differ("cpu", "@x")
    assert not devices_differ("cpu", "default")


@pytest.mark.parametrize(
    ("call", "found"),
    [
        ("F.embedding(torch.zeros(3), x)", ["has the dtype of floating-point numbers"]),
        ("F.embedding(y, x)", []),
        ("x.half().scatter_(1, y.long(), y.float())", ["has the dtype `float32`, and the first operand `float16`"]),
        ("torch.where(y.long(), x, x)", ["has the dtype `int64`"]),
        ("torch.where(y.long())", []),
        ("torch.matmul(x.cuda(), torch.zeros(2, 2, device='cpu'))", ["is on `cpu`, and the first operand on `cuda`"]),
        ("torch.gather(*y)", []),
    ],
)
def test_operands_are_compared_with_what_the_contract_requires(call: str, found: list[str]) -> None:
    tree = ast.parse(f"{_HEAD}    return {call}\n")
    function = tree.body[-1]
    assert isinstance(function, ast.FunctionDef)
    assert [each.found for each in mismatches(function, imported_names(tree))] == found


def test_deep_nesting_of_calls_takes_no_exponential_time() -> None:
    nested = "torch.cat([" * 60 + "x" + ", x])" * 60
    assert at_return(f"return {nested}").kind == "tensor"
    assert at_return("return x" + ".matmul(x)" * 60).kind == "tensor"
