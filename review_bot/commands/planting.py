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
from review_bot.evidence.sampling import Sighting, digest
from review_bot.evidence.sheet import Exhibit
from review_bot.library import RulePage
from review_bot.rules.examples import make_case
from review_bot.rules.scope import in_scope, is_test

MOST_TRIED = 60
"""Pull requests that are searched for a place, for each planted entry."""

_NAMES = re.compile(r"`([^`]+)`")
_WORD = re.compile(r"[A-Za-z_]\w*")
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
    for number in range(count):
        purpose = f"plant {number}"
        sources = sorted(on_lines, key=lambda each: digest(f"{ground.seed}\0{purpose}\0{each.finding.fingerprint}"))
        if number % 2 == 0:
            found = next(filter(None, (_false(ground, source, purpose) for source in sources[:10])), None)
        elif number // 2 < len(settled):
            known = settled[number // 2]
            found = known, exhibit(ground.clone, known, "true")
        else:
            rules = list(dict.fromkeys(each.finding.rule for each in sources))
            found = next(filter(None, (_true(ground, rule, purpose) for rule in rules[:20])), None)
        if found is not None:
            planted.append(found)
    return planted


def _false(ground: Ground, source: Sighting, purpose: str) -> tuple[Sighting, Exhibit] | None:
    """Show a real comment where it is not true."""
    finding = source.finding
    path = str(finding.path)
    noisy = {(each.head, each.finding.path) for each in ground.sightings if each.finding.rule == finding.rule}
    rule = ground.pages[finding.rule].rule
    for base, head, file in ground.places(f"{purpose} {finding.fingerprint}"):
        if (head, file.path) in noisy or not in_scope(rule, file.path) or is_test(file.path) != is_test(path):
            continue
        if file.path.rpartition(".")[2] != path.rpartition(".")[2]:
            continue
        line = _unlike(ground, source, file)
        text = ground.clone.text(head, file.path)
        if line is None or text is None:
            continue
        moved = finding._replace(path=file.path, line=line, end_line=line, related=(), suggestion=None)
        sighting = source._replace(base=base, head=head, finding=moved)
        added = frozenset(number for number, _ in file.added_lines())
        return sighting, Exhibit(place_of(sighting), moved, (around(text, moved, added),), planted="false")
    return None


def _unlike(ground: Ground, source: Sighting, file: ChangedFile) -> int | None:
    """Return an added line of code on which a comment cannot be true, as like the real one as that allows.

    A comment that tells names is false where they do not occur. One that tells none may be true of any statement of the
    same kind, so it is set on one that begins with another word.
    """
    finding = source.finding
    real = ground.clone.text(source.head, str(finding.path)) or ""
    lines = split_lines(real)
    first = _word(lines[finding.line - 1]) if finding.line and finding.line <= len(lines) else ""
    names = {word for name in _NAMES.findall(finding.message) for word in _WORD.findall(name) if len(word) > 2}
    own_names = {name for name in names if name in real and not _common(name)}
    best: tuple[bool, str, int] | None = None
    for number, text in file.added_lines():
        word = _word(text)
        if not word or text.lstrip().startswith(("#", '"', "'", "//", "*")):
            continue
        if own_names:
            if any(name in text for name in own_names):
                continue
        elif word == first:
            continue
        rank = (bool(own_names) and word != first, digest(f"{ground.seed}\0{file.path}\0{number}"), number)
        best = rank if best is None else min(best, rank)
    if best is None or (own_names and any(name in text for name in own_names for _, text in file.added_lines())):
        return None
    return best[2]


def _common(name: str) -> bool:
    """Tell whether a word of a message is the language's or a library's, not the author's."""
    return name in {"except", "Exception", "None", "True", "False", "assert", "torch", "self", "cuda", "import", "def"}


def _word(text: str) -> str:
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
    return (whole, inside[0]) if inside and trouble is None else None
