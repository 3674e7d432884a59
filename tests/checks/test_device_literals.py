"""Which words fix a device, and where they may."""

from __future__ import annotations

import pytest

from tests.rule_cases import findings_of

PLAIN = "distributed/cuda-literal"
NUMBERED = "distributed/device-index-literal"


@pytest.mark.parametrize(
    ("expression", "written"),
    [
        ("x.cuda()", ".cuda()"),
        ('x.to("cuda", non_blocking=True)', '.to("cuda")'),
        ("torch.zeros(2, device='cuda')", 'device="cuda"'),
        ('torch.load(path, map_location="cuda")', 'map_location="cuda"'),
        ('x.to(torch.device("cuda"))', 'torch.device("cuda")'),
    ],
)
def test_a_plain_device(expression: str, written: str) -> None:
    text = f"import torch\n\n\ndef f(x, device):\n    return {expression}\n"

    [finding] = findings_of(PLAIN, text)

    assert finding.message == f"`{written}` hard-codes CUDA, but `device` is available here."
    assert findings_of(NUMBERED, text) == []


@pytest.mark.parametrize(
    ("expression", "written"),
    [
        ("x.cuda(1)", ".cuda(1)"),
        ('x.to("cuda:0")', '.to("cuda:0")'),
        ("torch.zeros(2, device='cuda:3')", 'device="cuda:3"'),
        ('torch.device("cuda", 0)', 'torch.device("cuda", 0)'),
        ("torch.cuda.set_device(0)", "torch.cuda.set_device(0)"),
        ('torch.cuda.set_device("cuda:0")', "torch.cuda.set_device('cuda:0')"),
    ],
)
def test_a_numbered_device(expression: str, written: str) -> None:
    text = f"import torch\n\n\ndef f(x, device):\n    return {expression}\n"

    [finding] = findings_of(NUMBERED, text)

    assert finding.message == f"`{written}` hard-codes a device index."
    assert findings_of(PLAIN, text) == []


@pytest.mark.parametrize(
    "expression",
    [
        "x.cuda(rank)",
        'x.to("cpu")',
        "x.to(device)",
        'torch.device("cuda" if fast else "cpu")',
        'torch.device("cuda", rank)',
        'device == "cuda"',
        "torch.cuda.set_device(rank)",
        'x.to(device="cuda:0" if fast else device)',
    ],
)
def test_what_fixes_nothing(expression: str) -> None:
    text = f"import torch\n\n\ndef f(x, device, rank, fast):\n    return {expression}\n"

    assert findings_of(PLAIN, text) == findings_of(NUMBERED, text) == []


@pytest.mark.parametrize(
    "guard",
    ["if torch.cuda.is_available():", "if current_platform.is_cuda():", 'if x.device.type == "cuda":', "if is_npu():"],
)
def test_a_function_that_asks_where_it_runs(guard: str) -> None:
    text = f"import torch\n\n\ndef f(x, device):\n    {guard}\n        return x.to('cuda:0').cuda()\n"

    assert findings_of(PLAIN, text) == findings_of(NUMBERED, text) == []


def test_one_comment_for_a_file() -> None:
    text = "def f(x, device):\n    return x.cuda()\n\n\ndef g(y, device):\n    return y.cuda(), y.to('cuda')\n"

    [finding] = findings_of(PLAIN, text)

    assert finding.message == "`.cuda()` hard-codes CUDA (and 2 more in this file), but `device` is available here."
    assert [place.line for place in finding.related] == [6, 6]


@pytest.mark.parametrize(
    ("others", "count"),
    [
        ([f"plugins/npu/{name}.py" for name in "abc"], 0),
        ([f"serving/tests/npu/test_{name}.py" for name in "abc"], 0),
        (["serving/npu/a.py", "serving/npu/b.py"], 0),
        (["serving/npu/a.py", "serving/npu/b.py", "serving/worker/xpu_runner.py"], 1),
    ],
)
def test_only_several_modules_of_the_package_show_another_platform(others: list[str], count: int) -> None:
    head = {"serving/model.py": "def f(x):\n    return x.cuda()\n"}

    assert len(findings_of(PLAIN, head, dict.fromkeys(others, ""))) == count
