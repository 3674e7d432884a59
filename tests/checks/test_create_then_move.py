"""Which moves are meant, and the call that makes the tensor where it belongs."""

from __future__ import annotations

import pytest

from tests.rule_cases import findings_of

RULE = "memory/create-then-move"


@pytest.mark.parametrize(
    ("call", "fixed"),
    [
        ("torch.zeros(2).cuda()", 'torch.zeros(2, device="cuda")'),
        ("torch.ones(2, 3).to(x.device)", "torch.ones(2, 3, device=x.device)"),
        ("torch.full((2,), 1).to(device=device)", "torch.full((2,), 1, device=device)"),
        ("torch.arange(n).to('npu:0').long()", "torch.arange(n, device='npu:0').long()"),
        ("torch.eye(3,).cuda()", None),
        ("torch.eye(3).to(\n    device\n)", None),
    ],
)
def test_the_suggestion(call: str, fixed: str | None) -> None:
    [finding] = findings_of(RULE, f"import torch\n\nx = {call}\n")

    assert (finding.suggestion.replacement if finding.suggestion else None) == (fixed and f"x = {fixed}")


@pytest.mark.parametrize(
    "call",
    [
        "torch.zeros(2).cuda(1)",
        "torch.zeros(2).to(torch.float16)",
        "torch.zeros(2).to(device, torch.float16)",
        "torch.zeros(2).to('cpu')",
        "torch.zeros(*shape).to(device)",
        "torch.tensor(values).to(device)",
        "torch.rand(2).to(device)",
        "numpy.zeros(2).to(device)",
    ],
)
def test_moves_that_are_not_meant(call: str) -> None:
    assert findings_of(RULE, f"import numpy\nimport torch\n\nx = {call}\n") == []
