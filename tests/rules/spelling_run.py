"""Tries every bad example of every rule in other spellings: ``python -m tests.rules.spelling_run`` (``make spellings``)."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from review_bot.configuration import rule_registry
from review_bot.configuration.rule_trial import examine_case
from review_bot.rules.examples import make_case, sample_path, texts_of
from review_bot.rules.rule import Rule
from tests.rules.spellings import in_diff, variants

LIMITS = Path(__file__).parent / "spelling_limits.toml"
PAGE = "docs/spellings.md"

Limits = dict[tuple[str, str], str]
"""(rule, spelling) → why the rule does not find its example there."""


class Result(NamedTuple):
    """What a run found. ``tried``: spelling → variants; ``lost``: (rule, spelling, number of the example, trouble)."""

    tried: Mapping[str, int]
    lost: tuple[tuple[str, str, int, str | None], ...]

    @property
    def variants(self) -> int:
        """How many variants were tried."""
        return sum(self.tried.values())

    def counted(self, limits: Limits) -> str:
        """Return the counts in one line."""
        known = sum(each[:2] in limits for each in self.lost)
        found, lost = self.variants - len(self.lost), len(self.lost) - known
        return f"variants {self.variants:,}, found {found:,}, documented limits {known}, lost {lost}"


def run() -> Result:
    """Try every variant of every bad example."""
    tried: Counter[str] = Counter()
    lost: list[tuple[str, str, int, str | None]] = []
    for page in rule_registry.builtin_pages():
        for number, example in enumerate(page.documentation["bad"], 1):
            for spelling, variant in _variants(page.rule, example):
                tried[spelling] += 1
                findings, trouble = examine_case(page.rule, make_case(page.rule, variant))
                if not findings:
                    lost.append((page.rule.id, spelling, number, trouble))
    return Result(tried, tuple(lost))


def _variants(rule: Rule, example: Any) -> Iterator[tuple[str, Any]]:
    """Yield (spelling, example) of an example; a tree is written in one spelling as a whole."""
    if isinstance(example, str) and example.startswith(("diff --git ", "--- ")):
        yield from in_diff(example)
        return
    tree = _tree(rule, example)
    code = [path for side in ("base", "head") for path, text in tree[side].items() if text and path.endswith(".py")]
    written: dict[str, dict[tuple[str, str], str]] = {}
    for side in ("base", "head"):
        for path, text in tree[side].items():
            if text and (side == "head" or rule.kind == "removed" or path in tree["head"]):
                for spelling, variant in variants(path, text, alone=len(code) == 1):
                    written.setdefault(spelling, {})[side, path] = variant
    for spelling, texts in written.items():
        sides = {
            side: {path: texts.get((side, path), text) for path, text in tree[side].items()}
            for side in ("base", "head")
        }
        yield spelling, {**tree, **sides}


def _tree(rule: Rule, example: Any) -> dict[str, Any]:
    """Return an example as two trees."""
    if isinstance(example, str):
        return {"base": {}, "head": {sample_path(rule): example}}
    if "code" in example:
        return {"base": {}, "head": {str(example.get("path") or sample_path(rule)): str(example["code"])}}
    return {**example, "base": texts_of(example.get("base") or {}), "head": texts_of(example.get("head") or {})}


def documented_limits() -> Limits:
    """Return the limits of ``spelling_limits.toml``."""
    groups = tomllib.loads(LIMITS.read_text(encoding="utf-8"))["limit"]
    return {
        (rule, spelling): group["reason"]
        for group in groups
        for rule in group["rules"]
        for spelling in group["spellings"]
    }


def page_of(limits: Limits) -> str:
    """Return the page that lists the limits."""
    reasons: dict[str, dict[str, list[str]]] = {}
    for (rule, spelling), reason in limits.items():
        reasons.setdefault(reason, {}).setdefault(rule, []).append(spelling)
    rows = []
    for reason, rules in reasons.items():
        places = "<br>".join(f"`{rule}`: {', '.join(spellings)}" for rule, spellings in sorted(rules.items()))
        rows.append(f"| {reason} | {places} |")
    return _INTRODUCTION + "\n".join(rows) + "\n"


_INTRODUCTION = """\
# Spellings

Code can be written in many ways that mean the same. `make spellings` writes every bad example of every rule in other
spellings and checks that the rule still finds it: with a byte order mark, CRLF line ends, form feeds, tabs, spaces
between tokens, line continuations, line breaks and comments in brackets, comments between lines and behind them,
semicolons, parenthesised imports, brackets around names and literals (`(yaml).load((text))`), `except*`,
`import torch as _torch`, `from torch import load`, inside `if True:` and inside a function. Files of other kinds are
written with CRLF line ends, a byte order mark and trailing spaces.

This table lists every case in which a rule does not find its example. A case that is not listed, or that is listed and
does not occur, fails the tests. No rule of severity `error` or `warning` misses one of these spellings that has the same
syntax tree.

Not among them are brackets around longer operands and prefixes of strings, as in `(torch.load(path)).eval()` or
`mode=r"w"`: rules of severity `warning` and below may miss those, and such code passes `fail-on: warning`.

| Why | Rules and spellings |
| --- | --- |
"""


if __name__ == "__main__":
    outcome = run()
    known = documented_limits()
    for each in outcome.lost:
        if each[:2] not in known:
            print("lost:", *each)
    (Path(__file__).parents[2] / PAGE).write_text(page_of(known), encoding="utf-8")
    print(outcome.counted(known))
