"""What the rules on CUDA code see: barriers that part of a block misses, and calls that nobody checks."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review_bot.analysis.cpp.code_text import CodeText
from tests.rule_cases import findings_of

BRANCH = "kernels/divergent-barrier"
LOOP = "kernels/uneven-barrier-loop"
CALL = "kernels/cuda-call-unchecked"


def kernel(body: str) -> dict[str, str]:
    return {"csrc/kernel.cu": f"__global__ void run(float* x, int n) {{\n{body}\n}}\n"}


@pytest.mark.parametrize(
    "condition",
    ["threadIdx.x < 32", "threadIdx.x == 0 && n > 1", "(threadIdx.y & 1) == 0", "tid != 0"],
)
def test_a_barrier_under_the_index_of_the_thread_is_divergent(condition: str) -> None:
    [finding] = findings_of(
        BRANCH, kernel(f"int tid = threadIdx.x;\nif ({condition}) {{\n  x[0] = 1;\n  __syncthreads();\n}}")
    )

    assert finding.line == 5
    assert "on line 3" in finding.message
    assert [place.line for place in finding.related] == [3]


@pytest.mark.parametrize(
    "body",
    [
        "if (n > 32) {\n  __syncthreads();\n}",
        "if (threadIdx.x < blockDim.x) {\n  __syncthreads();\n}",
        "if (blockIdx.x == 0) { __syncthreads(); }",
        "if (threadIdx.x < 32) { x[0] = 1; }\n__syncthreads();",
        "// if (threadIdx.x < 32) {\n__syncthreads();\n// }",
        'const char* text = "if (threadIdx.x < 2) {";\n__syncthreads();',
        "if (threadIdx.x < 32) { __syncwarp(); }",
        "auto each = [&](int i) { if (i > 0) { __syncthreads(); } };",
    ],
)
def test_a_barrier_that_the_whole_block_meets_is_fine(body: str) -> None:
    assert findings_of(BRANCH, kernel(body)) == []


@pytest.mark.parametrize(
    ("head", "seen"),
    [
        ("int i = threadIdx.x; i < n; i += blockDim.x", True),
        ("int i = threadIdx.x; i < n / 4; i += 128", True),
        ("int i = threadIdx.x; i < padded_n; i += blockDim.x", False),
        ("int i = threadIdx.x; i < round_up(n, 128); i += 128", False),
        ("int i = threadIdx.x; i < limit; i += 128", False),
        ("int i = 0; i < n; i += blockDim.x", False),
        ("int i = threadIdx.x; i < n; ++i", False),
    ],
)
def test_a_loop_from_the_index_of_the_thread_needs_a_bound_of_whole_blocks(head: str, seen: bool) -> None:
    body = f"const int limit = (n + 127) / 128 * 128;\nfor ({head}) {{\n  __syncthreads();\n}}"

    assert [finding.line for finding in findings_of(LOOP, kernel(body))] == ([4] if seen else [])


def test_an_unchecked_call_is_told_with_the_macro_that_the_file_uses() -> None:
    text = "void go() {\n  CUDA_CHECK(cudaMalloc(&a, 4));\n  cudaMemcpyAsync(a, b, size(c, d),\n    kind, stream);\n}\n"

    [finding] = findings_of(CALL, {"csrc/go.cc": text})

    assert (finding.line, finding.end_line) == (3, 4)
    assert finding.message == (
        "The return value of `cudaMemcpyAsync` is not checked; line 2 checks such a call with `CUDA_CHECK`."
    )


@pytest.mark.parametrize(
    "statement",
    [
        "auto e = cudaMemcpy(a, b, n, kind);",
        "if (cudaMemcpy(a, b, n, kind) != cudaSuccess) { stop(); }",
        "return cudaMemcpy(a, b, n, kind);",
        "CUDA_CHECK(cudaMemcpy(a, b, n, kind));",
        "cudaMemcpyKind kind = cudaMemcpyDefault;",
        "cudaFree(a);",
        "cudaGetLastError();",
        "// cudaMemcpy(a, b, n, kind);",
    ],
)
def test_a_call_that_is_looked_at_or_that_cleans_up_is_fine(statement: str) -> None:
    text = f"int go() {{\n  CUDA_CHECK(cudaMalloc(&a, 4));\n  {statement}\n}}\n"

    assert findings_of(CALL, {"csrc/go.cc": text}) == []


@given(st.text(alphabet="ab(){};\"'/*\\\nR", max_size=200))
def test_no_text_breaks_the_reader_and_the_code_keeps_its_lines(text: str) -> None:
    code = CodeText(text)

    assert len(code.code) == len(text)
    assert code.code.count("\n") == text.count("\n")
    for block in code.blocks:
        assert code.code[block.start] == "{"
        assert code.code[block.end] == "}"
        assert 1 <= code.line(block.start) <= code.line(block.end) <= text.count("\n") + 1
