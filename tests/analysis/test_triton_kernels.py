"""What is provable in a Triton kernel: masks, compile-time lengths, accumulators."""

from __future__ import annotations

import pytest

from tests.rule_cases import findings_of

HEAD = "import triton\nimport triton.language as tl\n\n@triton.jit\ndef kernel(x, y, n, B: tl.constexpr, EVEN: tl.constexpr):\n"
OFFSETS = "    offs = tl.program_id(0) * B + tl.arange(0, B)\n"


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        ("    a = tl.load(x + offs, mask=offs < n)\n    tl.store(y + offs, a)\n", [8]),
        (
            "    a = tl.load(x + offs, offs < n)\n    b = tl.load(y + offs)\n    tl.store(y + offs, a + b, offs < n)\n",
            [8],
        ),
        ("    p = x + offs\n    a = tl.load(p)\n    tl.store(y + offs, a, mask=offs < n)\n", [8]),
        # a mask that says which values matter, not where the memory ends
        ("    a = tl.load(x + offs, mask=offs < 3)\n    tl.store(y + offs, a)\n", []),
        ("    a = tl.load(x + offs, mask=offs < n)\n    tl.store(y, tl.sum(a))\n", []),
        ("    if EVEN:\n        tl.store(y + offs, 0)\n    else:\n        tl.store(y + offs, 0, mask=offs < n)\n", []),
        ("    offs = offs % n\n    a = tl.load(x + offs, mask=offs < n)\n    tl.store(y + offs, a)\n", []),
    ],
)
def test_an_access_needs_the_mask_that_its_offsets_have_elsewhere(body: str, lines: list[int]) -> None:
    found = findings_of("kernels/triton-unmasked-access", HEAD + OFFSETS + body)
    assert [each.line for each in found] == lines


def test_the_masked_line_is_named() -> None:
    body = "    a = tl.load(x + offs, mask=offs < n)\n    tl.store(y + offs, a)\n"
    (finding,) = findings_of("kernels/triton-unmasked-access", HEAD + OFFSETS + body)
    assert finding.message == "`tl.store` uses `offs` without a mask, but line 7 masks the same offsets."


def test_a_length_must_be_constant_only_in_a_kernel_that_is_launched_here() -> None:
    kernel = "import triton\nimport triton.language as tl\n\n@triton.jit\ndef fill(x, N):\n    tl.store(x + tl.arange(0, N), 0)\n"
    launch = "\ndef run(x):\n    fill[(1,)](x, 64)\n"
    assert not findings_of("kernels/triton-block-not-constexpr", kernel)
    (finding,) = findings_of("kernels/triton-block-not-constexpr", kernel + launch)
    assert finding.line == 6
    assert not findings_of("kernels/triton-block-not-constexpr", kernel.replace("N):", "N: 'tl.constexpr'):") + launch)


@pytest.mark.parametrize(
    ("body", "count"),
    [
        ("    acc = tl.zeros((16, 16), dtype=tl.float16)\n    acc += tl.dot(x, y)\n", 1),
        ("    acc = tl.zeros((16, 16), tl.bfloat16)\n    acc = tl.dot(x, y, acc)\n", 1),
        ("    acc = tl.zeros((16, 16), dtype=tl.float32)\n    acc += tl.dot(x, y)\n", 0),
        ("    acc = tl.dot(x, y).to(tl.float16)\n", 0),
        ("    acc = tl.dot(x, y, out_dtype=tl.float32)\n", 0),
    ],
)
def test_products_are_summed_in_float32(body: str, count: int) -> None:
    assert len(findings_of("kernels/triton-half-accumulator", HEAD + body)) == count


@pytest.mark.parametrize(("call", "count"), [("0, 64", 0), ("0, 48", 1), ("16, 32", 0), ("0, B", 0), ("4, 4", 1)])
def test_a_range_spans_a_power_of_two(call: str, count: int) -> None:
    assert len(findings_of("kernels/triton-arange-length", HEAD + f"    a = tl.arange({call})\n")) == count


def test_kernels_that_are_added_without_a_test_are_named_once() -> None:
    code = {"pkg/ops.cu": "__global__ void add(float* x) {\n}\n__global__ void mul(float* x) {\n}\n"}
    (finding,) = findings_of("kernels/custom-kernel-added", code)
    assert "`add`, `mul`" in finding.message
    assert not findings_of(
        "kernels/custom-kernel-added", code | {"tests/test_ops.py": "def test_add():\n    assert add\n"}
    )
