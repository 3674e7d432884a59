"""A Dockerfile as its instructions, with the stage that each is in. Source: Docker, "Dockerfile reference"."""

from __future__ import annotations

from collections.abc import Iterator

from review_bot.records import NamedTuple
from review_bot.text.lazy_regex import LazyRegex

_WORD = LazyRegex(r"\s*([A-Za-z]+)\s+(.*)")
_STAGE = LazyRegex(r"(?i)(?:--platform=\S+\s+)?(\S+)(?:\s+AS\s+(\S+))?")
_HERE = LazyRegex(r"<<-?\s*[\"']?([A-Za-z_]\w*)[\"']?")
_ESCAPE = LazyRegex(r"(?im)^#\s*escape\s*=")


class Instruction(NamedTuple):
    """One instruction: its lines, 1-based, its name in capitals, and the rest as one line.

    ``stage`` is the number of the ``FROM`` it belongs to, from 1; 0: it comes before the first.
    """

    line: int
    end: int
    name: str
    text: str
    stage: int


def instructions(text: str) -> tuple[Instruction, ...]:
    """Return the instructions of a Dockerfile; none if it chooses another sign for continued lines."""
    return () if _ESCAPE.search(text[:500]) else tuple(_read(text.split("\n")))


def stage_names(found: tuple[Instruction, ...]) -> dict[int, tuple[str, str]]:
    """Return the base and the own name of each stage, in lower case; the name may be empty."""
    named: dict[int, tuple[str, str]] = {}
    for each in found:
        match = _STAGE.match(each.text) if each.name == "FROM" else None
        if match is not None:
            named[each.stage] = (match[1].lower(), (match[2] or "").lower())
    return named


def _read(lines: list[str]) -> Iterator[Instruction]:
    number, stage = 0, 0
    while number < len(lines):
        start, parts = number, list[str]()
        more = True
        while more and number < len(lines):
            line = lines[number].rstrip()
            number += 1
            if line.lstrip().startswith("#") or (parts and not line.strip()):
                continue
            more = line.endswith("\\")
            parts.append(line.removesuffix("\\"))
            if len(parts) == 1:
                start = number - 1
        match = _WORD.match(" ".join(parts))
        if match is None:
            continue
        name = match[1].upper()
        stage += name == "FROM"
        ends = [each[1] for each in _HERE.finditer(match[2])] if name in {"RUN", "COPY", "ADD"} else []
        for end in ends:
            while number < len(lines) and lines[number].strip() != end:
                number += 1
            number += 1
        yield Instruction(start + 1, min(number, len(lines)), name, match[2], stage)
