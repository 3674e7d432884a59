"""Where ``self.training`` can be suggested, and where it cannot."""

from __future__ import annotations

from tests.rule_cases import findings_of

RULE = "kernels/functional-dropout-on"
HEAD = "import torch.nn.functional as F\nfrom torch import nn\n\n"


def test_suggested_in_a_method_of_a_module() -> None:
    code = "class Block(nn.Module):\n    def forward(self, x):\n        return F.dropout(x, p=0.1)\n"

    [finding] = findings_of(RULE, HEAD + code)

    assert finding.suggestion is not None
    assert finding.suggestion.replacement == "        return F.dropout(x, p=0.1, training=self.training)"


def test_not_suggested_where_there_is_no_self() -> None:
    method = "class Block(nn.Module):\n    @staticmethod\n    def drop(x):\n        return F.dropout(x, p=0.1)\n"
    function = "def drop(x):\n    return F.dropout(x, p=0.1)\n"

    assert [finding.suggestion for finding in findings_of(RULE, HEAD + method)] == [None]
    assert [finding.suggestion for finding in findings_of(RULE, HEAD + function)] == [None]


def test_an_else_branch_of_training_is_left_alone_too() -> None:
    code = "def drop(x):\n    return F.dropout(x, p=0.1) if x.requires_grad else x\n"

    assert findings_of(RULE, HEAD + code + "def none(x):\n    return F.dropout(x, p=0)\n") == []
