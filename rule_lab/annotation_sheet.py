"""The annotation sheet, its key, which the annotators do not see, and the annotators' answers.

The sheet shows each comment as the author of the pull request would read it, without rule id, severity or link. About
one item in ten is a control item whose correct answer is known; the key names them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import Annotated, Literal, NamedTuple

from pydantic import Field

from review_bot.findings import Finding
from review_bot.reports import wording
from review_bot.text.console import disarm
from review_bot.text.lazy_regex import LazyRegex
from rule_lab.errors import LabelError
from rule_lab.labels import LONGEST_NOTE, FindingReference, Judgement, RepositoryName, StrictModel, validated
from rule_lab.sampling import digest

SCHEMA = "review-bot/sheet-key/v1"
KEY_SUFFIX = ".key.json"

LONGEST_LINE = 200
"""Maximum length of a shown line of code in characters."""

_TITLE = "# Findings to annotate"
_HEAD = """\
{title}

{count} comments on code of {repository}. For each, read the code, then the comment below it, and fill in two fields:

- `true:` **yes** if the comment states a fact about this code, else **no**. Judge the sentence as it is written.
- `useful:` **yes** if the author or a maintainer would act on it or want to know it, else **no**. The criterion: would
  you have left this comment yourself in a review? A comment that is not true is not useful.
- `note:` a few words if you are unsure, without code. They help when a disagreement is adjudicated.

Leave both fields empty if you cannot decide. The arrow marks the line of the comment; `+` and `-` mark added and
removed lines. Judge by the code shown here; look at the commit only for facts beyond it. Some entries are control
items, which measure the quality of the answers. Do not open the key, and do not discuss entries with the other
annotator before both of you are done.

Instead of filling in this file you can write a table with one line per entry and tabs between the fields:
`number<TAB>true (y/n)<TAB>useful (y/n)<TAB>note`.
"""

_ENTRY = LazyRegex(r"^## (\d+)$")
_FIELD = LazyRegex(r"^(true|useful|note):(.*)$")
_YES_NO = {"y": True, "yes": True, "n": False, "no": False}

ControlKind = Literal["true", "false"]


class CodeLine(NamedTuple):
    """A line in a sheet. ``sign``: space, ``+`` or ``-``. ``meant``: the comment is on this line."""

    number: int | None
    text: str
    sign: str = " "
    meant: bool = False


class Excerpt(NamedTuple):
    """Consecutive lines with a caption, which may be empty."""

    caption: str
    lines: tuple[CodeLine, ...]


class AnnotationItem(NamedTuple):
    """A finding with the code that an annotator sees. ``facts``: lines about the whole change."""

    reference: FindingReference
    finding: Finding
    excerpts: tuple[Excerpt, ...] = ()
    facts: tuple[str, ...] = ()
    control: ControlKind | None = None


class KeyEntry(FindingReference):
    """An entry of a key. ``control``: the correct answer of a control item, None for a real finding."""

    number: int
    control: ControlKind | None


class Key(StrictModel):
    """The part of a sheet that annotators do not see."""

    schema_: Annotated[Literal["review-bot/sheet-key/v1"], Field(alias="schema")]
    repository: RepositoryName
    seed: str
    rules_digest: str
    entries: tuple[KeyEntry, ...]

    @property
    def name(self) -> str:
        """The identity of the sheet: its repository and a digest of its findings."""
        shown = "\n".join("\0".join(entry.key) for entry in self.entries)
        return f"{self.repository}@{digest(shown)}"


class Answer(NamedTuple):
    """An annotator's answer for one entry."""

    number: int
    judgement: Judgement
    note: str


def make_key(items: Sequence[AnnotationItem], *, repository: str, seed: str, rules_digest: str) -> Key:
    """Return the key of a sheet with these items, numbered from 1."""
    entries = tuple(
        KeyEntry(**item.reference.model_dump(), number=number, control=item.control)
        for number, item in enumerate(items, 1)
    )
    facts = {"schema": SCHEMA, "repository": repository, "seed": seed, "rules_digest": rules_digest}
    return Key.model_validate({**facts, "entries": entries})


def render_key(key: Key) -> str:
    """Return the text of a key file."""
    return json.dumps(key.model_dump(mode="json", by_alias=True), indent=1, ensure_ascii=False) + "\n"


def read_key(text: str, path: str) -> Key:
    """Read a key file. Raises LabelError with file and field."""
    key = validated(Key, text, path)
    if [entry.number for entry in key.entries] != list(range(1, len(key.entries) + 1)):
        raise LabelError("entries must be numbered from 1 without a gap", path=path, field="entries")
    return key


def render(items: Sequence[AnnotationItem], repository: str) -> str:
    """Return the sheet."""
    head = _HEAD.format(title=_TITLE, count=len(items), repository=repository)
    return "\n".join([head, *(_entry(number, item) for number, item in enumerate(items, 1))])


def _entry(number: int, item: AnnotationItem) -> str:
    finding = item.finding
    where = "The whole change" if finding.path is None else f"`{disarm(finding.path)}`"
    if finding.path is not None:
        where += ", the file as a whole" if finding.line is None else f", line {finding.line}"
        where += " before the change" if finding.side == "LEFT" else ""
    parts = [f"## {number}\n", f"{where}, at {item.reference.head[:12]}\n"]
    if item.facts:
        parts.append("\n".join(f"- {disarm(fact)[:LONGEST_LINE]}" for fact in item.facts) + "\n")
    for excerpt in item.excerpts:
        parts += [f"{disarm(excerpt.caption)}\n"] if excerpt.caption else []
        parts.append(_fenced(excerpt.lines))
    parts.append("\n".join(_quoted(line) for line in _comment(finding)) + "\n")
    parts.append("true: \nuseful: \nnote: \n")
    return "\n".join(parts)


def _fenced(lines: Iterable[CodeLine]) -> str:
    shown = [_line(line) for line in lines]
    fence = "```"
    while any(fence in line for line in shown):
        fence += "`"
    return "\n".join([f"{fence}text", *shown, fence]) + "\n"


def _line(line: CodeLine) -> str:
    arrow = "-->" if line.meant else "   "
    number = "" if line.number is None else str(line.number)
    text = "\t".join(map(disarm, line.text[:LONGEST_LINE].split("\t")))
    return f"{arrow} {number:>5} {line.sign} {text}".rstrip()


def _comment(finding: Finding) -> list[str]:
    """Return the lines of the comment as in the pull request, without rule and severity."""
    lines = [f"**{finding.title.rstrip('.')}.** {finding.message}"]
    if finding.why and finding.why not in finding.message:
        lines += ["", finding.why]
    if finding.instead:
        lines += ["", f"Instead: {finding.instead}"]
    for related in finding.related:
        at = wording.path_line(related.path, related.line)
        lines += ["", f"See also `{at}`" + (f": {related.note}" if related.note else "")]
    if finding.suggestion is not None:
        suggestion = finding.suggestion
        lines += ["", f"Suggested for lines {suggestion.start_line} to {suggestion.end_line}:", ""]
        lines += [f"    {line}" for line in suggestion.replacement.split("\n")]
    return [part for line in lines for part in line.split("\n")]


def _quoted(line: str) -> str:
    return f"> {disarm(line)}".rstrip()


def read_answers(text: str, path: str, numbers: int) -> list[Answer]:
    """Return the answers of an annotator from a filled-in sheet or a table, sorted by number.

    ``numbers``: number of entries in the sheet. Raises LabelError with file, line and field.
    """
    rows = _from_sheet(text) if text.startswith(_TITLE) else _from_table(text, path)
    answers: dict[int, Answer] = {}
    for line, number, true, useful, note in rows:
        if not 1 <= number <= numbers:
            raise LabelError(f"the sheet has no entry {number}", path=path, line=line, field="number")
        if number in answers:
            raise LabelError(f"entry {number} is answered twice", path=path, line=line, field="number")
        if not true and not useful:
            continue
        judgement = Judgement(_yes_no(true, path, line, "true"), _yes_no(useful, path, line, "useful"))
        if judgement.useful and not judgement.true:
            raise LabelError(
                "a finding that is not true cannot be useful; correct one of the two", path=path, line=line
            )
        answers[number] = Answer(number, judgement, re.sub(r"[`\s]+", " ", note).strip()[:LONGEST_NOTE])
    return [answers[number] for number in sorted(answers)]


_Row = tuple[int, int, str, str, str]
"""Line in the file, number of the entry, and the three fields as written."""


def _from_sheet(text: str) -> list[_Row]:
    rows: list[_Row] = []
    number, at = 0, 0
    fields: dict[str, str] = {}
    for line, content in enumerate([*text.split("\n"), "## 0"], 1):
        if entry := _ENTRY.match(content):
            if number:
                rows.append((at, number, fields.get("true", ""), fields.get("useful", ""), fields.get("note", "")))
            number, at, fields = int(entry[1]), line, {}
        elif number and (field := _FIELD.match(content)):
            fields[field[1]] = field[2].strip()
            at = line if field[1] == "true" else at
    return rows


def _from_table(text: str, path: str) -> list[_Row]:
    rows: list[_Row] = []
    for line, content in enumerate(text.split("\n"), 1):
        if not content.strip() or content.startswith("#"):
            continue
        cells = [cell.strip() for cell in content.split("\t", 3)]
        if len(cells) < 3 or not (cells[0].isascii() and cells[0].isdigit()):
            raise LabelError(
                "expected `number<TAB>true (y/n)<TAB>useful (y/n)<TAB>note` with tabs between the fields",
                path=path,
                line=line,
            )
        rows.append((line, int(cells[0]), cells[1], cells[2], cells[3] if len(cells) > 3 else ""))
    return rows


def _yes_no(text: str, path: str, line: int, field: str) -> bool:
    answer = _YES_NO.get(text.casefold())
    if answer is None:
        raise LabelError(f"expected y or n, not {text!r}", path=path, line=line, field=field)
    return answer
