"""A suppression comment says nothing about the code: one that does not count leaves the finding as it is."""

from __future__ import annotations

import pytest

from tests.rule_cases import findings_of


@pytest.mark.parametrize(
    ("rule", "code"),
    [
        (
            "errors/broad-except-silent",
            "def size(path):\n    try:\n        found = load(path).size\n    except Exception:{}\n        found = 0\n    return found\n",
        ),
        (
            "errors/identical-branches",
            "def pick(fast, x):\n    if fast:{}\n        y = x.view(-1)\n    else:\n        y = x.view(-1)\n    return y\n",
        ),
        (
            "errors/parameter-overwritten",
            "def resize(image, width):\n    width = 64{}\n    return image.resize(width)\n",
        ),
    ],
)
def test_a_comment_that_does_not_count_hides_nothing(rule: str, code: str) -> None:
    plain = findings_of(rule, code.format(""))
    assert len(plain) == 1
    for comment in (f"  # review-bot: ignore[{rule}]", "  # review-bot: ignore[no/rule] decided in #12"):
        assert [each.line for each in findings_of(rule, code.format(comment))] == [plain[0].line]
