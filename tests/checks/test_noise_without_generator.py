"""Which draws pass by the generator."""

from __future__ import annotations

import pytest

from tests.rule_cases import findings_of

RULE = "diffusion/noise-without-generator"
HEAD = "import torch\nfrom diffusers.utils.torch_utils import randn_tensor\n\n\n"


@pytest.mark.parametrize("draw", ["torch.randn(shape)", "torch.normal(0.0, 1.0, shape)", "randn_tensor(shape)"])
def test_a_draw_past_the_parameter(draw: str) -> None:
    [finding] = findings_of(RULE, f"{HEAD}def latents(shape, generator=None):\n    return {draw}\n")

    assert "without `generator`, which this function takes as a parameter" in finding.message


@pytest.mark.parametrize(
    "body",
    [
        "return torch.randn(shape, generator=generator)",
        "return randn_tensor(shape, generator)",
        "return torch.randn(*shape, **options)",
        "return torch.randn(shape) if generator is None else torch.randn(shape, generator=generator)",
        "if generator is not None:\n        return generator.draw(shape)\n    else:\n        return torch.randn(shape)",
        "return torch.rand(shape)",
    ],
)
def test_what_passes_nothing_by(body: str) -> None:
    assert findings_of(RULE, f"{HEAD}def latents(shape, generator=None, **options):\n    {body}\n") == []


def test_randn_tensor_is_there_to_take_one() -> None:
    [finding] = findings_of(RULE, f"{HEAD}def latents(shape):\n    return randn_tensor(shape), torch.randn(shape)\n")

    assert finding.message == "`randn_tensor` draws noise without a generator."
    assert findings_of(RULE, f"{HEAD}def profile_run(shape):\n    return randn_tensor(shape)\n") == []
