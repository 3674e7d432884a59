from __future__ import annotations

import pytest

from tests.rule_cases import findings_of

RULE = "precision/half-then-sensitive-op"
CODE = "import torch\n\n\ndef scale(x):\n    x = x.to(torch.{})\n    return x.{}\n"


@pytest.mark.parametrize(
    ("dtype", "call"),
    [("float16", "norm()"), ("float16", "cumsum(-1)"), ("bfloat16", "cumsum(-1)"), ("bfloat16", "exp()")],
)
def test_a_function_that_loses_range_or_digits_is_reported(dtype, call):
    (finding,) = findings_of(RULE, CODE.format(dtype, call))

    assert finding.line == 6
    function = call.partition("(")[0]
    assert finding.message == f"`x` is {dtype} here, and autocast would run `{function}` in float32."


def test_a_norm_of_bfloat16_is_not():
    assert findings_of(RULE, CODE.format("bfloat16", "norm(dim=-1)")) == []
