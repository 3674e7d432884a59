"""What is known of strides, read-only memory, gradients and generators, and which operations certainly fail."""

from __future__ import annotations

import ast
import textwrap

import pytest

from review_bot.analysis.python.syntax import imported_names
from review_bot.analysis.tensors.evaluation import value_of
from review_bot.analysis.tensors.flow import flow
from review_bot.analysis.tensors.requirements import mismatches
from review_bot.analysis.tensors.values import UNKNOWN, Value

_HEAD = """import base64
import numpy as np
import torch
import torch.nn.functional as F
from PIL import Image

def f(x: torch.Tensor, y, n, device):
"""


def function_of(body: str) -> tuple[ast.FunctionDef, dict[str, str]]:
    """Return a function with a body, and what its file imports."""
    tree = ast.parse(_HEAD + textwrap.indent(textwrap.dedent(body), "    "))
    function = tree.body[-1]
    assert isinstance(function, ast.FunctionDef)
    return function, imported_names(tree)


def at_return(body: str) -> Value:
    """Return what the value of a function's last ``return`` holds."""
    function, imported = function_of(body)
    held = UNKNOWN
    for statement, names in flow(function, imported):
        if isinstance(statement, ast.Return) and statement.value is not None:
            held = value_of(statement.value, names, imported)
    return held


@pytest.mark.parametrize(
    ("body", "backward"),
    [
        ("return y[::-1]", True),
        ("return y[..., ::-1]", True),
        ("return y[:, ::-2, 0]", True),
        ("return y[::-1].copy()", False),
        ("return y[::2]", False),
        ("return np.flip(np.zeros(3))", True),
        ("return np.flip(np.zeros(3)).transpose(1, 0)", True),
        ("return np.ascontiguousarray(np.zeros(3)[::-1])", False),
        ("a = np.zeros((2, 3))\na = a[:, ::-1]\nreturn a", True),
        ("a = np.zeros((2, 3))\nif n:\n    a = a[:, ::-1]\nreturn a", None),
        ("return np.flip(np.asarray(np.zeros(3)[::-1]))", None),
        ("a = np.zeros(3)[::-1]\ntry:\n    f()\nexcept OSError:\n    a = f()\nreturn a[::-1]", None),
        ("a = y\nfor _ in z:\n    a = a[::-1]\nreturn a", None),
        ("a = np.zeros((2, 3))[:, ::-1]\nreturn a + 1", False),
    ],
)
def test_a_negative_step_gives_a_negative_stride_until_the_array_is_copied(body: str, backward: bool | None) -> None:
    assert at_return(body).backward is backward


@pytest.mark.parametrize(
    ("body", "read_only"),
    [
        ("return np.frombuffer(bytes(8))", "the memory of `bytes`"),
        ("return np.frombuffer(base64.b64decode(y))", "the memory of `bytes`"),
        ("return np.frombuffer(y.tobytes(), dtype=np.uint8).reshape(2, -1)", "the memory of `bytes`"),
        ("return np.frombuffer(bytearray(8))", ""),
        ("return np.frombuffer(y)", ""),
        ("return np.frombuffer(bytes(8)).copy()", ""),
        ("return np.frombuffer(bytes(8)).astype(np.float32, copy=False)", ""),
        ("return np.asarray(Image.open(y))", "the memory of an image"),
        ("return np.asarray(Image.open(y).convert('RGB').resize((2, 2)))", "the memory of an image"),
        ("return np.asarray(Image.open(y), dtype=np.uint8)", ""),
        ("return np.array(Image.open(y))", ""),
        ("return np.asarray(y)", ""),
        ("return np.broadcast_to(np.zeros(3), (2, 3))", "read-only memory"),
    ],
)
def test_memory_of_bytes_and_of_images_is_read_only(body: str, read_only: str) -> None:
    assert at_return(body).read_only == read_only


@pytest.mark.parametrize(
    ("body", "buffer"),
    [
        ("return np.frombuffer(y.data)", "y.data"),
        ("return np.frombuffer(y.data).reshape(2, -1)[1:]", "y.data"),
        ("return np.frombuffer(y.data).astype('f4')", ""),
        ("a = bytearray(8)\nreturn np.frombuffer(a)", ""),
    ],
)
def test_an_array_shares_the_memory_of_its_buffer(body: str, buffer: str) -> None:
    assert at_return(body).buffer == buffer


@pytest.mark.parametrize(
    ("body", "grad"),
    [
        ("return torch.nn.Parameter(x.float())", True),
        ("return torch.nn.Parameter(x.float(), requires_grad=False)", None),
        ("return torch.nn.Parameter(x.float(), n)", None),
        ("return x.requires_grad_()", True),
        ("return x.requires_grad_(False)", None),
        ("return torch.nn.Parameter(x.float()).detach()", None),
        ("return torch.nn.Parameter(x.float()) * 2", None),
    ],
)
def test_a_parameter_requires_a_gradient(body: str, grad: bool | None) -> None:
    assert at_return(body).grad is grad


@pytest.mark.parametrize(
    ("body", "device"),
    [
        ("return torch.Generator()", "cpu"),
        ("return torch.Generator('cuda').manual_seed(0)", "cuda"),
        ("return torch.Generator(device='cuda:1')", "cuda:1"),
        ("return torch.Generator(device=device)", "@device"),
        ("return torch.Generator(device=n)", ""),
    ],
)
def test_a_generator_has_a_device(body: str, device: str) -> None:
    assert at_return(body).device == device


BOOLEANS = ["has the dtype `bool`"]
FLOATS = ["has the dtype of floating-point numbers"]


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("return 1 - (x > 0)", BOOLEANS),
        ("m = x > 0\nreturn x.float() - m", BOOLEANS),
        ("m = x > 0\nreturn y - m", []),  # an array of NumPy converts the tensor
        ("m = x > 0\nm -= x", BOOLEANS),
        ("return -(x > 0)", BOOLEANS),
        ("return ~(x > 0)", []),
        ("return 1 - (x > 0).long()", []),
        ("return 1 - (y > 0)", []),  # an array, or a number
        ("return ~torch.zeros(3)", FLOATS),
        ("return (x > 0) & torch.zeros(3)", FLOATS),
        ("return x[x.float()].mean()", ["has the dtype `float32`"]),
        ("x[x.float()] = x.mean()", ["has the dtype `float32`"]),
        ("return x[x.long()]", []),
        ("return x[np.zeros(3)].mean()", []),  # PyTorch converts an array
        ("return (x > 0).mean()", BOOLEANS),
        ("return (x > 0).mean(dtype=torch.float32)", []),
        ("return x.mean()", []),
        ("return x.long().softmax(-1)", ["has the dtype `int64`"]),
        ("return x.long().softmax(-1, torch.float32)", []),
        ("return torch.linalg.svd(x.half())", ["has the dtype `float16`"]),
        ("i = x.long()\ni /= x.mean()", ["has the dtype `int64`"]),
        ("b, c, h, w = y.shape\nreturn F.interpolate(y, scale_factor=2, mode='linear')", ["has 4 axes"]),
        ("b, c, h, w = y.shape\nreturn F.interpolate(y, scale_factor=2, mode='bilinear')", []),
        ("b, c, t, h, w = y.shape\nreturn F.interpolate(y, scale_factor=2, mode='bicubic')", ["has 5 axes"]),
        ("b, c, t, h, w = y.shape\nreturn F.interpolate(y, scale_factor=2, mode=n)", []),
        ("h, w = y.shape\nreturn F.interpolate(y, scale_factor=2)", ["has 2 axes"]),
        ("return torch.from_numpy(y[:, ::-1])", ["has a negative stride"]),
        ("return torch.as_tensor(y[::-1])", []),  # a list
        ("a = np.frombuffer(bytes(8))\na[0] = 1", ["is read-only (the memory of `bytes`)"]),
        ("a = np.asarray(Image.open(y))\na *= 2", ["is read-only (the memory of an image)"]),
        ("a = np.asarray(Image.open(y))\na = a * 2\na[0] = 1", []),
        ("a = np.asarray(Image.open(y))\nreturn a[0]", []),
        ("return torch.nn.Parameter(x.float()).numpy()", ["requires a gradient"]),
        ("return torch.nn.Parameter(x.float()).detach().numpy()", []),
        ("return torch.nn.Parameter(x.long())", ["has the dtype `int64`"]),
        ("return torch.nn.Parameter(x.long(), False)", []),
        (
            "g = torch.Generator()\nreturn torch.randn(2, generator=g, device='cuda')",
            ["is on `cpu`, and the device is `cuda`"],
        ),
        ("g = torch.Generator()\nreturn torch.randn(2, generator=g, device=device)", []),
        ("g = torch.Generator()\nreturn torch.randn(2, generator=g)", []),
        ("g = torch.Generator(device)\nreturn torch.randn(2, generator=g, device='cuda')", []),
        (
            "return torch.multinomial(x.cuda(), 1, generator=torch.Generator())",
            ["is on `cpu`, and the device is `cuda`"],
        ),
    ],
)
def test_operations_that_certainly_fail_are_found(body: str, found: list[str]) -> None:
    function, imported = function_of(body)
    assert [each.found for each in mismatches(function, imported)] == found
