"""What the rule says of each call, and the call that it suggests."""

from __future__ import annotations

import pytest

from tests.rule_cases import findings_of

RULE = "security/torch-load"


@pytest.mark.parametrize(
    ("call", "fixed"),
    [
        ("torch.load(path)", "torch.load(path, weights_only=True)"),
        ("use(torch.load(path, map_location='cpu'))", "use(torch.load(path, map_location='cpu', weights_only=True))"),
        ("torch.load(path)['ü']", "torch.load(path, weights_only=True)['ü']"),
        ("torch.load(path,)", None),
        ("torch.load(\n    path\n)", None),
    ],
)
def test_the_suggestion_adds_the_argument_where_that_is_certain(call: str, fixed: str | None) -> None:
    [finding] = findings_of(RULE, f"import torch\n\nstate = {call}\n")

    assert finding.line == 3
    assert (finding.suggestion.replacement if finding.suggestion else None) == (fixed and f"state = {fixed}")


def test_an_explicit_false_gets_no_suggestion() -> None:
    [finding] = findings_of(RULE, "import torch\n\nstate = torch.load(path, weights_only=False)\n")

    assert "with `weights_only=False`" in finding.message
    assert finding.suggestion is None


@pytest.mark.parametrize("call", ["load(path)", "pickle.load(path)", "torch.load(path, pickle_module=restricted)"])
def test_other_loads_are_not_meant(call: str) -> None:
    assert findings_of(RULE, f"import torch\n\nstate = {call}\n") == []
