"""Planted entries of a sheet: comments of which the right answer is known, made to look like all others.

*False*: a real comment, shown in another file of the same kind in which its rule is silent, on a line that lacks a name
which the comment tells. *True*: a finding that is settled as true, or a bad example of a rule set into a real file.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from review_bot.changes.patching import split_lines
from review_bot.changes.pull_request import ChangedFile
from review_bot.commands.exhibits import Clone, around, exhibit, place_of
from review_bot.commands.rule_trial import examine_case
from review_bot.configuration.rule_registry import RulePage
from review_bot.evidence.sampling import Sighting, digest
from review_bot.evidence.sheet import Exhibit
from review_bot.rules.examples import make_case
from review_bot.rules.scope import in_scope, is_test

MOST_TRIED = 60
"""Pull requests that are searched for a place, for each planted entry."""

_NAMES = re.compile(r"`([^`]+)`")
_WORD = re.compile(r"[A-Za-z_]\w*")
_ASSIGNMENT = re.compile(r"^\s*(?!\s)[\w.\[\], ]+(?::[^=]+)?\s=\s")
_CODE = re.compile(r"[=(:,\[\])}]\s*$|^\s*(?:import|from|return|raise|assert)\b")
"""What ends, or begins, a line of code and seldom one of prose."""

_ABOUT_FILES = re.compile(r"\b(?:file|module|change)\b")
_EVERYWHERE = frozenset({"except", "Exception", "None", "True", "False", "assert", "torch", "self", "cuda", "import"})
"""Words of messages that are the language's or a library's, not the author's."""

_TOP_LEVEL = re.compile(r"(?:async def|def|class)\b|@")


class Ground(NamedTuple):
    """Where to plant: all that the replay saw, in which changes, and the rules by id."""

    clone: Clone
    seed: str
    sightings: Sequence[Sighting]
    changes: Sequence[tuple[str, str]]
    pages: dict[str, RulePage]

    def places(self, purpose: str) -> Iterator[tuple[str, str, ChangedFile]]:
        """Yield (base, head, file) of text files with added lines, in an order that seed and purpose decide."""
        ranked = sorted(self.changes, key=lambda change: digest("\0".join([self.seed, purpose, *change])))
        for base, head in ranked[:MOST_TRIED]:
            files = [file for file in self.clone.change(base, head).files if file.added and file.kind == "text"]
            for file in sorted(files, key=lambda file: digest(f"{self.seed}\0{purpose}\0{file.path}"))[:3]:
                yield base, head, file


def plant(
    ground: Ground, chosen: Sequence[Sighting], count: int, settled: Sequence[Sighting]
) -> list[tuple[Sighting, Exhibit]]:
    """Return up to ``count`` planted entries, false and true in turn, of rules that the sheet asks about anyway."""
    planted: list[tuple[Sighting, Exhibit]] = []
    on_lines = [each for each in chosen if each.finding.line is not None and each.finding.side == "RIGHT"]
    used: set[str] = set()
    for number in range(count):
        purpose = f"plant {number}"
        sources = sorted(on_lines, key=lambda each: digest(f"{ground.seed}\0{purpose}\0{each.finding.fingerprint}"))
        sources.sort(key=lambda each: each.finding.rule in used)  # one more of a rule only if no other will do
        if number % 2 == 0:
            found = next(filter(None, (_false(ground, source, purpose) for source in sources[:10])), None)
        elif number // 2 < len(settled):
            known = settled[number // 2]
            found = known, exhibit(ground.clone, known, "true")
        else:
            rules = list(dict.fromkeys(each.finding.rule for each in sources))
            found = next(filter(None, (_true(ground, rule, purpose) for rule in rules[:20])), None)
        if found is not None:
            used.add(found[1].finding.rule)
            planted.append(found)
    return planted


class _Spot(NamedTuple):
    """A line where a comment is not true; ``likeness``: 0 if it is of the same kind as the real line, else 1."""

    likeness: int
    base: str
    head: str
    file: ChangedFile
    line: int


def _false(ground: Ground, source: Sighting, purpose: str) -> tuple[Sighting, Exhibit] | None:
    """Show a real comment where it is not true, on a line as like the real one as can be had."""
    finding = source.finding
    path = str(finding.path)
    noisy = {(each.head, each.finding.path) for each in ground.sightings if each.finding.rule == finding.rule}
    rule = ground.pages[finding.rule].rule
    names, kind = _own_words(ground, source)
    if not names and _ABOUT_FILES.search(finding.message):
        return None
    best: _Spot | None = None
    for base, head, file in ground.places(f"{purpose} {finding.fingerprint}"):
        if (head, file.path) in noisy or not in_scope(rule, file.path) or is_test(file.path) != is_test(path):
            continue
        if file.path.rpartition(".")[2] != path.rpartition(".")[2]:
            continue
        found = _unlike(ground.seed, file, names, kind)
        if found is not None and (best is None or found[0] < best.likeness):
            best = _Spot(found[0], base, head, file, found[1])
            if best.likeness == 0:
                break
    text = None if best is None else ground.clone.text(best.head, best.file.path)
    if best is None or text is None:
        return None
    moved = finding._replace(path=best.file.path, line=best.line, end_line=best.line, related=(), suggestion=None)
    sighting = source._replace(base=best.base, head=best.head, finding=moved)
    added = frozenset(number for number, _ in best.file.added_lines())
    return sighting, Exhibit(place_of(sighting), moved, (around(text, moved, added),), planted="false")


def _own_words(ground: Ground, source: Sighting) -> tuple[frozenset[str], str]:
    """Return the names of the author's that a comment tells, and the kind of line that it stands on."""
    finding = source.finding
    real = ground.clone.text(source.head, str(finding.path)) or ""
    lines = split_lines(real)
    kind = _kind(lines[finding.line - 1]) if finding.line and finding.line <= len(lines) else ""
    told = {word for name in _NAMES.findall(finding.message) for word in _WORD.findall(name) if len(word) > 2}
    return frozenset(name for name in told if name in real and name not in _EVERYWHERE), kind


def _unlike(seed: str, file: ChangedFile, names: frozenset[str], kind: str) -> tuple[int, int] | None:
    """Return (likeness, line) of an added line of code on which a comment cannot be true; None if the file has none.

    A comment that tells names is false where they do not occur. One that tells none may be true of any statement of the
    same kind, so it is set on one of another kind.
    """
    added = list(file.added_lines())
    if any(name in text for name in names for _, text in added):
        return None
    ranked: list[tuple[int, str, int]] = []
    for number, text in added:
        here = _kind(text)
        if here and _CODE.search(text) and (names or here != kind):
            ranked.append((int(here != kind), digest(f"{seed}\0{file.path}\0{number}"), number))
    if not ranked:
        return None
    likeness, _, line = min(ranked)
    return likeness, line


def _kind(text: str) -> str:
    """Return what a line begins: ``=`` for an assignment, else its first word, else nothing."""
    if _ASSIGNMENT.match(text):
        return "="
    found = _WORD.match(text.strip())
    return found[0] if found else ""


def _true(ground: Ground, rule_id: str, purpose: str) -> tuple[Sighting, Exhibit] | None:
    """Set a bad example of a rule into a real Python file, where the rule sees it."""
    page = ground.pages[rule_id]
    examples = [
        code
        for each in page.documentation["bad"]
        if (code := _code_of(each)) and page.rule.languages[:1] == ("python",)
    ]
    for example in sorted(examples, key=lambda code: digest(f"{ground.seed}\0{purpose}\0{code}")):
        for base, head, file in ground.places(f"{purpose} {rule_id}"):
            if not in_scope(page.rule, file.path) or not file.path.endswith(".py"):
                continue
            text = ground.clone.text(head, file.path)
            found = _set_in(page, example, file.path, text) if text else None
            if found is not None:
                composed, finding = found
                sighting = Sighting("", base, head, finding, digest(example))
                every = frozenset(range(1, composed.count("\n") + 2))
                return sighting, Exhibit(
                    place_of(sighting), finding, (around(composed, finding, every),), planted="true"
                )
    return None


def _code_of(example: Any) -> str | None:
    """Return the code of an example that is one Python text."""
    if isinstance(example, dict):
        return str(example["code"]) if "code" in example else None
    return None if example.startswith(("diff --git ", "--- ")) else str(example)


def _set_in(page: RulePage, example: str, path: str, text: str) -> tuple[str, Any] | None:
    """Return a file with the example among its definitions, and what the rule says of it; None if it stays silent."""
    lines = split_lines(text)
    taken = example.rstrip("\n").split("\n")
    imports = [line for line in taken if line.startswith(("import ", "from "))]
    body = "\n".join(line for line in taken if line not in imports).strip("\n").split("\n")
    middle = len(lines) // 2
    openings = [n for n, line in enumerate(lines) if n > 20 and _TOP_LEVEL.match(line) and not lines[n - 1].strip()]
    if not openings or not body[0] or len(lines) < 60:
        return None
    at = min(openings, key=lambda number: abs(number - middle))
    first_import = next(
        (n for n, line in enumerate(lines) if line.startswith(("import ", "from ")) and "__future__" not in line), None
    )
    if first_import is None or first_import > at:
        return None
    new_imports = [f"{line}\n" for line in imports if f"{line}\n" not in lines]
    composed = [
        *lines[:first_import],
        *new_imports,
        *lines[first_import:at],
        *(f"{line}\n" for line in body),
        "\n",
        "\n",
        *lines[at:],
    ]
    whole = "".join(composed)
    start = at + len(new_imports) + 1
    try:
        ast.parse(whole)
        findings, trouble = examine_case(page.rule, make_case(page.rule, {"path": path, "code": whole}))
    except (SyntaxError, ValueError):
        return None
    inside = [each for each in findings if each.line is not None and start <= each.line < start + len(body)]
    # What stands elsewhere too cannot be shown: the file is in no commit.
    return (whole, inside[0]) if inside and trouble is None and not inside[0].related else None
