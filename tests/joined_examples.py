"""Bad examples of built-in rules side by side in one change: most of the time of a small review is not for its files."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from review_bot.configuration.rule_registry import RulePage
from review_bot.rules.examples import make_case

Trees = dict[str, dict[str, Any]]


def joined(pages: Iterable[RulePage], most: int = 1) -> Trees:
    """Return the base and the head of a change that holds the first ``most`` bad examples of each rule.

    An example whose paths are taken stands in a folder of its own. Of one that is a diff or a description there is
    nothing.
    """
    base: dict[str, Any] = {}
    head: dict[str, Any] = {}
    for page in pages:
        for example in page.documentation["bad"][:most]:
            tree = make_case(page.rule, example).repository
            before = {path: tree.base_text(path) for path in tree.base_paths}
            after = {**dict.fromkeys(before), **{path: tree.head_text(path) for path in tree.head_paths}}
            taken = not (base.keys() | head.keys()).isdisjoint(after)
            folder = f"part_{len(head)}/" if taken else ""
            base |= {folder + path: text for path, text in before.items() if text is not None}
            head |= {folder + path: text for path, text in after.items()}
    return {"base": base, "head": head}
