"""Which second uses of an iterator are found, and what leaves something to go through."""

from __future__ import annotations

import textwrap

import pytest

from tests.rule_cases import findings_of

RULE = "errors/iterator-used-twice"
HEAD = "import itertools\nimport os\nimport torch\n\ndef f(rows, model, flag):\n"


def found(body: str) -> list[int | None]:
    return [each.line for each in findings_of(RULE, HEAD + textwrap.indent(textwrap.dedent(body), "    "))]


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("each = map(len, rows)\ntotal = sum(each)\nreturn max(each)", 8),
        ("each = (len(row) for row in rows)\nreturn_ = list(each)\nfor one in each:\n    print(one)", 8),
        ("each = model.parameters()\nkept = torch.optim.SGD(each)\ntorch.nn.utils.clip_grad_norm_(each, 1)", 8),
        ("each = itertools.chain(rows, rows)\nfor one in each:\n    print(one)\nif flag:\n    return sorted(each)", 10),
        ("each = filter(None, rows)\nfor row in rows:\n    for one in each:\n        print(one, row)", 8),
        ("each = zip(rows, rows)\nwhile flag():\n    print([one for one in each])", 8),
        ("each = reversed(rows)\nfor n, one in enumerate(each):\n    print(n, one)\nreturn tuple(each)", 9),
    ],
)
def test_a_second_pass_is_found(body: str, line: int) -> None:
    assert found(body) == [line]


@pytest.mark.parametrize(
    "body",
    [
        "each = list(map(len, rows))\nreturn sum(each), max(each)",
        "each = map(len, rows)\nfirst = next(each)\nreturn first, sum(each), sum(each)",
        "each = map(len, rows)\neach = list(each)\nreturn sum(each) + max(each)",
        "each = map(len, rows)\nif flag:\n    return sum(each)\nreturn max(each)",
        "each = map(len, rows)\nfor one in each:\n    if one:\n        break\nreturn list(each)",
        "for row in rows:\n    each = map(len, row)\n    print(sum(each))",
        "each = map(len, rows)\nfor row in rows:\n    print(sum(each))\n    break",
        "each = map(len, rows)\ntotal = sum(each) if flag else max(each)\nreturn total",
        "each = os.listdir(rows)\nreturn sorted(each), len(each)",
        "each = rows.parameters\nreturn list(each), list(each)",
    ],
)
def test_what_is_left_or_made_anew_is_not(body: str) -> None:
    assert found(body) == []
