"""A bad example stays one in another spelling."""

from __future__ import annotations

from typing import Any

import pytest

from review_bot import library
from review_bot.library import RulePage
from tests.rule_cases import findings_of
from tests.rules.spellings import variants

PAGES = [page for page in library.builtin_pages() if page.rule.kind == "structural" and "python" in page.rule.languages]
CERTAIN = ("byte-order mark", "CRLF", "tabs", "except*")
"""Spellings that no structural rule may miss."""


def texts(page: RulePage) -> list[Any]:
    return [each for each in page.documentation["bad"] if isinstance(each, str) and not each.startswith(("diff", "---"))]


@pytest.mark.parametrize("page", PAGES, ids=[page.rule.id for page in PAGES])
def test_a_structural_rule_sees_other_line_ends_tabs_and_except_groups(page):
    for text in texts(page):
        for name, written in variants(text):
            assert name not in CERTAIN or findings_of(page.rule.id, written), (name, written)
