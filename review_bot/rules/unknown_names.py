"""Finds the names in a rule file that are probably misspelt: a field of ``metadata``, a metavariable of the message.

A repository's own file may carry metadata of other tools, so a foreign field is refused only where it is nearly one of
ours.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import Any

from review_bot.rules.rule_schema import RuleFile
from review_bot.text.near_names import did_you_mean

ALIKE = 0.8
"""Similarity (``difflib``) from which a field with the same first letter counts as misspelt: ``tite``, not ``team``."""

_VARIABLE = re.compile(r"\$([A-Z_][A-Z_0-9]*)")
PLACE = re.compile(r"\{\{ *(\w+) *\}\}")
"""What a finding fills in."""
_FILLED = {"title": "prefixes", "body": "sections", "commit": "commits"}
_PARTS = ("rule", "constraints", "utils", "transform", "rewriters")


def misspelt_field(given: Iterable[Any], known: Collection[str]) -> tuple[str, str] | None:
    """Return (field, hint) of the first field that is not known and nearly one that is."""
    for name in given:
        if isinstance(name, str) and name not in known:
            alike = [each for each in known if each[0] == name[:1]]
            if near := get_close_matches(name, alike, n=1, cutoff=ALIKE):
                return name, f"; did you mean {near[0]!r}?"
    return None


def undefined_variable(model: RuleFile) -> tuple[str, str] | None:
    """Return (name, hint) of the first metavariable of a structural rule's message that its matcher does not have."""
    if model.rule is not None:
        parts = [getattr(model, name) for name in _PARTS]
    elif model.removed is not None and model.removed.rule is not None:
        parts = [model.removed.rule, model.removed.constraints, model.removed.utils]
    else:
        return None
    defined = {name for part in parts for text in _texts(part) for name in _VARIABLE.findall(text)}
    defined |= {key for part in parts if isinstance(part, Mapping) for key in part if isinstance(key, str)}
    for name in _VARIABLE.findall(model.message):
        if name not in defined:
            shown = {f"${each}" for each in defined if each.isupper()}
            return name, did_you_mean(f"${name}", shown)
    return None


def undefined_place(model: RuleFile) -> tuple[str, str] | None:
    """Return (name, hint) of the first ``{{ name }}`` in a message that nothing fills in; None for other matchers.

    A rule about code may name such a place of a template as it is: nothing is filled in there.
    """
    if model.pull_request is not None:
        filled = {"added", "files"}
    elif model.text is not None and model.text.where in _FILLED:
        filled = {_FILLED[model.text.where]}
    else:
        return None
    for name in PLACE.findall(model.message):
        if name not in filled:
            return name, did_you_mean(name, filled)
    return None


def _texts(data: Any) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    elif isinstance(data, Mapping):
        for value in data.values():
            yield from _texts(value)
    elif isinstance(data, list):
        for value in data:
            yield from _texts(value)
