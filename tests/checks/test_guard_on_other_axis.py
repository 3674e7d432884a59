"""Which conditions ask for the size of another axis than the one that is cut."""

from __future__ import annotations

import pytest

from tests.rule_cases import findings_of

RULE = "tensor/guard-on-other-axis"


@pytest.mark.parametrize(
    ("line", "count"),
    [
        ("y = x[1:, :] if x.shape[1] > 1 else None", 1),
        ("y = x[1:] if x.size(1) >= 2 else None", 1),
        ("y = self.x[:, 2:] if self.x.shape[0] > 2 and flag else None", 1),
        ("y = x[1:, :] if x.shape[0] > 1 else None", 0),
        ("y = x[1:, 1:] if x.shape[1] > 1 else None", 0),
        ("y = x[1:, 0] if x.shape[1] > 1 else None", 0),
        ("y = x[1:, :] if x.shape[1] > 3 else None", 0),
        ("y = x[:1, :] if x.shape[1] > 1 else None", 0),
        ("y = x[1:, :] if x.shape[-1] > 1 else None", 0),
        ("y = x[1:, :] if x.shape[1] == 1 else None", 0),
        ("y = z[1:, :] if x.shape[1] > 1 else None", 0),
        ("y = x[1:, :] if x.shape[1] > 1 and x.shape[0] > 1 else None", 0),
        ("y = x[1:].view(x.shape[1]) if x.shape[1] > 1 else None", 0),
    ],
)
def test_a_condition_on_an_axis(line: str, count: int) -> None:
    assert len(findings_of(RULE, f"def f(self, x, z, flag):\n    {line}\n    return y\n")) == count
