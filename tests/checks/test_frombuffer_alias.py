"""Through which names and methods the memory of a buffer is followed."""

from __future__ import annotations

import pytest

from tests.rule_cases import findings_of

RULE = "tensor/frombuffer-alias"
HEAD = "import numpy as np\nimport torch\n\ndef decode(raw):\n"


def test_the_suggestion_copies_the_array() -> None:
    [finding] = findings_of(RULE, HEAD + "    a = np.frombuffer(raw, dtype='f4')\n    return torch.from_numpy(a)\n")

    assert finding.line == 6
    assert finding.suggestion is not None
    assert finding.suggestion.replacement == "    return torch.from_numpy(a.copy())"


@pytest.mark.parametrize(
    "body",
    [
        "a = np.frombuffer(raw).reshape(2, -1)\nb = a\nt = torch.from_numpy(b)",
        "t = torch.from_numpy(np.frombuffer(raw).astype('f4', copy=False))",
    ],
)
def test_views_share_the_memory(body: str) -> None:
    assert len(findings_of(RULE, HEAD + "".join(f"    {line}\n" for line in body.split("\n")))) == 1


@pytest.mark.parametrize(
    "body",
    [
        "t = torch.from_numpy(np.frombuffer(raw)).clone()",
        "t = torch.from_numpy(np.frombuffer(raw)).to(device)",
        "a = np.frombuffer(raw)\na = a * 2\nt = torch.from_numpy(a)",
        "t = torch.from_numpy(np.frombuffer(bytearray(raw)))",
        "t = torch.from_numpy(np.array(raw))",
    ],
)
def test_copies_do_not(body: str) -> None:
    assert findings_of(RULE, HEAD + "".join(f"    {line}\n" for line in body.split("\n"))) == []
