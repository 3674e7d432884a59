"""Control items: comments whose correct answer is known, which look like all other items of a sheet.

*False*: a real comment, shown in another file of the same kind in which its rule reports nothing, on a line that lacks
a name which the comment mentions. *True*: a finding that is already labelled useful, or a bad example of a rule
inserted into a real file.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from review_bot.changes.patching import split_lines
from review_bot.changes.pull_request import ChangedFile
from review_bot.configuration.rule_registry import RulePage
from review_bot.configuration.rule_trial import examine_case
from review_bot.rules.examples import make_case
from review_bot.rules.scope import in_scope, is_test
from rule_lab.annotation_items import Clone, excerpt_around, item_of, reference_to
from rule_lab.annotation_sheet import AnnotationItem
from rule_lab.sampling import Candidate, digest

MOST_TRIED = 60
"""Maximum number of pull requests that are searched for the location of one control item."""

_NAMES = re.compile(r"`([^`]+)`")
_WORD = re.compile(r"[A-Za-z_]\w*")
_ASSIGNMENT = re.compile(r"^\s*(?!\s)[\w.\[\], ]+(?::[^=]+)?\s=\s")
_CODE = re.compile(r"[=(:,\[\])}]\s*$|^\s*(?:import|from|return|raise|assert)\b")
"""The end or the beginning of a line of code, which is rare in prose."""

_ABOUT_FILES = re.compile(r"\b(?:file|module|change)\b")
_EVERYWHERE = frozenset({"except", "Exception", "None", "True", "False", "assert", "torch", "self", "cuda", "import"})
"""Names in messages that belong to the language or a library, not to the author's code."""

_TOP_LEVEL = re.compile(r"(?:async def|def|class)\b|@")


class ItemPool(NamedTuple):
    """The source of control items: the candidates of a replay, their changes as (base, head), and the rules by id."""

    clone: Clone
    seed: str
    candidates: Sequence[Candidate]
    changes: Sequence[tuple[str, str]]
    pages: dict[str, RulePage]

    def locations(self, purpose: str) -> Iterator[tuple[str, str, ChangedFile]]:
        """Yield (base, head, file) of text files with added lines, in the random order of seed and purpose."""
        ranked = sorted(self.changes, key=lambda change: digest("\0".join([self.seed, purpose, *change])))
        for base, head in ranked[:MOST_TRIED]:
            files = [file for file in self.clone.change(base, head).files if file.added and file.kind == "text"]
            for file in sorted(files, key=lambda file: digest(f"{self.seed}\0{purpose}\0{file.path}"))[:3]:
                yield base, head, file


def make_control_items(
    pool: ItemPool, chosen: Sequence[Candidate], count: int, adjudicated: Sequence[Candidate]
) -> list[tuple[Candidate, AnnotationItem]]:
    """Return up to ``count`` control items, alternately false and true, for rules that the sheet contains anyway."""
    items: list[tuple[Candidate, AnnotationItem]] = []
    on_lines = [each for each in chosen if each.finding.line is not None and each.finding.side == "RIGHT"]
    used: set[str] = set()
    for number in range(count):
        purpose = f"control {number}"
        sources = sorted(on_lines, key=lambda each: digest(f"{pool.seed}\0{purpose}\0{each.finding.fingerprint}"))
        sources.sort(
            key=lambda each: each.finding.rule in used
        )  # a second item of a rule only if no other rule has one
        if number % 2 == 0:
            found = next(filter(None, (_false(pool, source, purpose) for source in sources[:10])), None)
        elif number // 2 < len(adjudicated):
            known = adjudicated[number // 2]
            found = known, item_of(pool.clone, known, "true")
        else:
            rules = list(dict.fromkeys(each.finding.rule for each in sources))
            found = next(filter(None, (_true(pool, rule, purpose) for rule in rules[:20])), None)
        if found is not None:
            used.add(found[1].finding.rule)
            items.append(found)
    return items


class _Location(NamedTuple):
    """A line where a comment is not true. ``distance``: 0 for a statement of the same kind as the real one, else 1."""

    distance: int
    base: str
    head: str
    file: ChangedFile
    line: int


def _false(pool: ItemPool, source: Candidate, purpose: str) -> tuple[Candidate, AnnotationItem] | None:
    """Return a real comment at a line where it is not true, as similar to the real line as possible."""
    finding = source.finding
    path = str(finding.path)
    noisy = {(each.head, each.finding.path) for each in pool.candidates if each.finding.rule == finding.rule}
    rule = pool.pages[finding.rule].rule
    names, kind = _own_words(pool, source)
    if not names and _ABOUT_FILES.search(finding.message):
        return None
    best: _Location | None = None
    for base, head, file in pool.locations(f"{purpose} {finding.fingerprint}"):
        if (head, file.path) in noisy or not in_scope(rule, file.path) or is_test(file.path) != is_test(path):
            continue
        if file.path.rpartition(".")[2] != path.rpartition(".")[2]:
            continue
        found = _unlike(pool.seed, file, names, kind)
        if found is not None and (best is None or found[0] < best.distance):
            best = _Location(found[0], base, head, file, found[1])
            if best.distance == 0:
                break
    text = None if best is None else pool.clone.text(best.head, best.file.path)
    if best is None or text is None:
        return None
    moved = finding._replace(path=best.file.path, line=best.line, end_line=best.line, related=(), suggestion=None)
    candidate = source._replace(base=best.base, head=best.head, finding=moved)
    added = frozenset(number for number, _ in best.file.added_lines())
    return candidate, AnnotationItem(
        reference_to(candidate), moved, (excerpt_around(text, moved, added),), control="false"
    )


def _own_words(pool: ItemPool, source: Candidate) -> tuple[frozenset[str], str]:
    """Return the names from the author's code that a comment mentions, and the kind of its line."""
    finding = source.finding
    real = pool.clone.text(source.head, str(finding.path)) or ""
    lines = split_lines(real)
    kind = _kind(lines[finding.line - 1]) if finding.line and finding.line <= len(lines) else ""
    mentioned = {word for name in _NAMES.findall(finding.message) for word in _WORD.findall(name) if len(word) > 2}
    return frozenset(name for name in mentioned if name in real and name not in _EVERYWHERE), kind


def _unlike(seed: str, file: ChangedFile, names: frozenset[str], kind: str) -> tuple[int, int] | None:
    """Return (distance, line) of an added line of code on which a comment cannot be true; None if the file has none.

    A comment that mentions names is false where they do not occur. One without names may be true of any statement of
    the same kind, so it is placed on a statement of another kind.
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
    distance, _, line = min(ranked)
    return distance, line


def _kind(text: str) -> str:
    """Return the kind of a statement: ``=`` for an assignment, else the first word of the line, else nothing."""
    if _ASSIGNMENT.match(text):
        return "="
    found = _WORD.match(text.strip())
    return found[0] if found else ""


def _true(pool: ItemPool, rule_id: str, purpose: str) -> tuple[Candidate, AnnotationItem] | None:
    """Return a finding on a bad example of a rule that is inserted into a real Python file."""
    page = pool.pages[rule_id]
    examples = [
        code
        for each in page.documentation["bad"]
        if (code := _code_of(each)) and page.rule.languages[:1] == ("python",)
    ]
    for example in sorted(examples, key=lambda code: digest(f"{pool.seed}\0{purpose}\0{code}")):
        for base, head, file in pool.locations(f"{purpose} {rule_id}"):
            if not in_scope(page.rule, file.path) or not file.path.endswith(".py"):
                continue
            text = pool.clone.text(head, file.path)
            found = _inserted(page, example, file.path, text) if text else None
            if found is not None:
                composed, finding = found
                candidate = Candidate("", base, head, finding, digest(example))
                every = frozenset(range(1, composed.count("\n") + 2))
                return candidate, AnnotationItem(
                    reference_to(candidate), finding, (excerpt_around(composed, finding, every),), control="true"
                )
    return None


def _code_of(example: Any) -> str | None:
    """Return the code of an example that is one Python text."""
    if isinstance(example, dict):
        return str(example["code"]) if "code" in example else None
    return None if example.startswith(("diff --git ", "--- ")) else str(example)


def _inserted(page: RulePage, example: str, path: str, text: str) -> tuple[str, Any] | None:
    """Return a file with the example inserted, and the rule's finding on it; None if there is none."""
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
    # Related locations cannot be shown: the file is in no commit.
    return (whole, inside[0]) if inside and trouble is None and not inside[0].related else None
