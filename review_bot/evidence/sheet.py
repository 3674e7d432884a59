"""A sheet: findings with their code for a person to judge; its key, which the person does not see; and the answers.

The sheet tells the comment as its author would read it and nothing of the rule: no id, no severity, no link. About one
entry in ten is planted, true or false, and looks like the others; the key holds what is right.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from typing import Annotated, Literal, NamedTuple

from pydantic import Field

from review_bot.errors import EvidenceError
from review_bot.evidence.marks import LONGEST_NOTE, Place, RepositoryName, StrictModel, Verdict, validated
from review_bot.evidence.sampling import digest
from review_bot.findings import Finding
from review_bot.text.console import disarm
from review_bot.text.lazy_regex import LatePattern

SCHEMA = "review-bot/sheet-key/v1"
KEY_SUFFIX = ".key.json"

LONGEST_LINE = 200
"""Characters of a line of code that are shown."""

_TITLE = "# Findings to judge"
_HEAD = """\
{title}

{count} comments on code of {repository}. For each, read the code, then the comment below it, and fill in two fields:

- `true:` **yes** if what the comment states is a fact of this code, else **no**. Judge the sentence as it stands.
- `useful:` **yes** if the author or the maintainer would act on it or be glad to know it, else **no**. The test of the
  house: would you have written it yourself, in a review of a colleague's work? What is not true is not useful.
- `note:` a few words where you doubt, without code. They help whoever settles a disagreement.

Leave both fields empty where you cannot tell even so. The arrow marks the line that the comment stands on; `+` and `-`
mark what the change adds and removes. Judge by what is shown; look into the commit only for what lies beyond it. Some
entries are planted to see how well they are read. Do not open the key, and talk to no other reader before both have
ended.

Instead of filling in this file you may write a table, one line an entry, with tabs between:
`number<TAB>true (y/n)<TAB>useful (y/n)<TAB>note`.
"""

_ENTRY = LatePattern(r"^## (\d+)$")
_FIELD = LatePattern(r"^(true|useful|note):(.*)$")
_YES_NO = {"y": True, "yes": True, "n": False, "no": False}

Planted = Literal["true", "false"]


class CodeLine(NamedTuple):
    """A line as a sheet shows it. ``sign``: blank, ``+`` or ``-``; ``meant``: the comment stands on it."""

    number: int | None
    text: str
    sign: str = " "
    meant: bool = False


class Excerpt(NamedTuple):
    """Lines in a row, below what is said of them (which may be nothing)."""

    caption: str
    lines: tuple[CodeLine, ...]


class Exhibit(NamedTuple):
    """A finding with all that a reader is shown beside its words. ``facts``: lines about the change as a whole."""

    place: Place
    finding: Finding
    excerpts: tuple[Excerpt, ...] = ()
    facts: tuple[str, ...] = ()
    planted: Planted | None = None


class KeyEntry(Place):
    """One entry of a key; ``planted`` says whether it is, and what is right then."""

    number: int
    planted: Planted | None


class Key(StrictModel):
    """What a sheet does not tell."""

    schema_: Annotated[Literal["review-bot/sheet-key/v1"], Field(alias="schema")]
    repository: RepositoryName
    seed: str
    rules_digest: str
    entries: tuple[KeyEntry, ...]

    @property
    def name(self) -> str:
        """What tells this sheet from any other: its repository and a digest of what it shows."""
        shown = "\n".join("\0".join(entry.key) for entry in self.entries)
        return f"{self.repository}@{digest(shown)}"


class Answer(NamedTuple):
    """What a reader says of one entry."""

    number: int
    verdict: Verdict
    note: str


def make_key(exhibits: Sequence[Exhibit], *, repository: str, seed: str, rules_digest: str) -> Key:
    """Return the key of a sheet whose entries are numbered from 1 in this order."""
    entries = tuple(
        KeyEntry(**exhibit.place.model_dump(), number=number, planted=exhibit.planted)
        for number, exhibit in enumerate(exhibits, 1)
    )
    facts = {"schema": SCHEMA, "repository": repository, "seed": seed, "rules_digest": rules_digest}
    return Key.model_validate({**facts, "entries": entries})


def render_key(key: Key) -> str:
    """Return the text of a key file."""
    return json.dumps(key.model_dump(mode="json", by_alias=True), indent=1, ensure_ascii=False) + "\n"


def read_key(text: str, path: str) -> Key:
    """Read a key file. Raises EvidenceError with file and field."""
    key = validated(Key, text, path)
    if [entry.number for entry in key.entries] != list(range(1, len(key.entries) + 1)):
        raise EvidenceError("entries are numbered from 1 without a gap", path=path, field="entries")
    return key


def render(exhibits: Sequence[Exhibit], repository: str) -> str:
    """Return the sheet."""
    head = _HEAD.format(title=_TITLE, count=len(exhibits), repository=repository)
    return "\n".join([head, *(_entry(number, exhibit) for number, exhibit in enumerate(exhibits, 1))])


def _entry(number: int, exhibit: Exhibit) -> str:
    finding, place = exhibit.finding, exhibit.place
    where = "The whole change" if finding.path is None else f"`{disarm(finding.path)}`"
    if finding.path is not None:
        where += ", the file as a whole" if finding.line is None else f", line {finding.line}"
        where += " before the change" if finding.side == "LEFT" else ""
    parts = [f"## {number}\n", f"{where}, at {place.head[:12]}\n"]
    if exhibit.facts:
        parts.append("\n".join(f"- {disarm(fact)[:LONGEST_LINE]}" for fact in exhibit.facts) + "\n")
    for excerpt in exhibit.excerpts:
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
    """Return the comment as lines: what ``reports.comments`` says in the pull request, but for rule and severity."""
    lines = [f"**{finding.title.rstrip('.')}.** {finding.message}"]
    if finding.why and finding.why not in finding.message:
        lines += ["", finding.why]
    if finding.instead:
        lines += ["", f"Instead: {finding.instead}"]
    for related in finding.related:
        at = related.path if related.line is None else f"{related.path}:{related.line}"
        lines += ["", f"See also `{at}`" + (f": {related.note}" if related.note else "")]
    if finding.suggestion is not None:
        suggestion = finding.suggestion
        lines += ["", f"Suggested for lines {suggestion.start_line} to {suggestion.end_line}:", ""]
        lines += [f"    {line}" for line in suggestion.replacement.split("\n")]
    return [part for line in lines for part in line.split("\n")]


def _quoted(line: str) -> str:
    return f"> {disarm(line)}".rstrip()


def read_answers(text: str, path: str, numbers: int) -> list[Answer]:
    """Read a reader's answers: a sheet that was filled in, or a table. Raises EvidenceError with file, line and field.

    ``numbers``: how many entries the sheet has.
    """
    rows = _from_sheet(text) if text.startswith(_TITLE) else _from_table(text, path)
    answers: dict[int, Answer] = {}
    for line, number, true, useful, note in rows:
        if not 1 <= number <= numbers:
            raise EvidenceError(f"the sheet has no entry {number}", path=path, line=line, field="number")
        if number in answers:
            raise EvidenceError(f"entry {number} is answered twice", path=path, line=line, field="number")
        if not true and not useful:
            continue
        verdict = Verdict(_yes_no(true, path, line, "true"), _yes_no(useful, path, line, "useful"))
        if verdict.useful and not verdict.true:
            raise EvidenceError("what is not true is not useful; mend one of the two", path=path, line=line)
        answers[number] = Answer(number, verdict, re.sub(r"[`\s]+", " ", note).strip()[:LONGEST_NOTE])
    return [answers[number] for number in sorted(answers)]


_Row = tuple[int, int, str, str, str]
"""Line in the file, entry, and the three fields as they were written."""


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
            raise EvidenceError(
                "a line is `number<TAB>true (y/n)<TAB>useful (y/n)<TAB>note`, with tabs between", path=path, line=line
            )
        rows.append((line, int(cells[0]), cells[1], cells[2], cells[3] if len(cells) > 3 else ""))
    return rows


def _yes_no(text: str, path: str, line: int, field: str) -> bool:
    answer = _YES_NO.get(text.casefold())
    if answer is None:
        raise EvidenceError(f"this must be y or n, and it is {text!r}", path=path, line=line, field=field)
    return answer
