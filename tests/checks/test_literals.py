"""What a check names as its literals must not depend on how tokens are spaced."""

from __future__ import annotations

import re

import pytest

from review_bot.changes.vocabulary import BEYOND_LATIN
from review_bot.checks import catalog

_OTHER_GRAMMARS = {
    "notebooks/outputs-left": {"\\u"},
    "docs/broken-link": {"]("},
    "docs/missing-script": {".py", ".sh"},
    "shell/missing-script": {".py", ".sh"},
    "distributed/uneven-split": {"//"},
    "workflows/untrusted-input-in-script": {"${{"},
    "errors/return-type-contradiction": {"->"},
}
"""Tokens of several signs."""


@pytest.mark.parametrize("name", catalog.names())
def test_each_literal_is_part_of_a_word_or_one_sign(name):
    known = {BEYOND_LATIN, *_OTHER_GRAMMARS.get(name, ())}
    parts = [part for literal in catalog.load(name).traits.literals or () for part in literal.split(" ")]
    assert [part for part in parts if part not in known and not re.fullmatch(r"\w+|[^\w\s]", part)] == []
