"""Reads Cobertura XML (``coverage xml``, ``pytest --cov-report xml``, ``gcovr --cobertura``), piece by piece.

::

    <coverage>
      <sources><source>/work/halcyon</source></sources>
      <packages><package><classes>
        <class filename="cache.py"><lines><line number="12" hits="3"/></lines></class>

A document type may be named, as Cobertura does, and is never fetched; one that declares anything itself is refused, and
so no entity can grow. Source: https://cobertura.sourceforge.net/xml/coverage-04.dtd
"""

from __future__ import annotations

from typing import BinaryIO
from xml.parsers import expat

from review_bot.coverage.reported import (
    LARGEST,
    LONGEST,
    LONGEST_NAME,
    MOST_SOURCES,
    PIECE,
    Collector,
    Reported,
    Unusable,
    Wanted,
)

DEEPEST = 64
"""Elements in one another; Cobertura needs eight."""


def read(stream: BinaryIO, wanted: Wanted) -> Reported:
    """Return what a report says of the wanted lines. Raises Unusable."""
    return _Reader(wanted).read(stream)


class _Reader:
    def __init__(self, wanted: Wanted) -> None:
        self._collector = Collector(wanted)
        self._sources: list[str] = []
        self._source: list[str] | None = None
        self._depth = 0
        self._silent = 0  # bytes since the last tag
        # The encoding is set, so that the report cannot choose one.
        self._parser = parser = expat.ParserCreate("utf-8")
        parser.StartDoctypeDeclHandler = self._doctype
        parser.EntityDeclHandler = self._entity
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end

    def read(self, stream: BinaryIO) -> Reported:
        size = 0
        try:
            while piece := stream.read(PIECE):
                size += len(piece)
                self._silent += len(piece)
                self._parser.Parse(piece, False)
                if size > LARGEST:
                    raise Unusable(f"is larger than {LARGEST:,} bytes")
                if self._silent > LONGEST + PIECE:
                    raise Unusable(f"holds {LONGEST:,} bytes without a complete tag")
            self._parser.Parse(b"", True)
        except expat.ExpatError as error:
            words = expat.ErrorString(error.code)
            raise Unusable(f"is broken or cut off at line {error.lineno:,} ({words})") from None
        return self._collector.reported(tuple(self._sources))

    def _doctype(self, _name: str, _system: str | None, _public: str | None, declares: int) -> None:
        if declares:
            raise Unusable("declares its own document type, which is not supported")

    def _entity(self, *_declared: object) -> None:
        raise Unusable("declares an entity, which is not supported")

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self._silent = 0
        self._depth += 1
        if self._depth == 1 and tag != "coverage":
            raise Unusable("is XML, but not Cobertura: its root is not <coverage>")
        if self._depth > DEEPEST:
            raise Unusable(f"has more than {DEEPEST} nested elements")
        if tag == "line":
            if not self._collector.listening:
                return
            self._collector.line(attributes.get("number", ""), attributes.get("hits", ""))
        elif tag == "class":
            self._collector.file(attributes.get("filename", ""))
        elif tag == "source":
            self._source = []
            self._parser.CharacterDataHandler = self._text

    def _end(self, tag: str) -> None:
        self._silent = 0
        self._depth -= 1
        if tag == "class":
            self._collector.end_file()
        elif tag == "source" and self._source is not None:
            source = "".join(self._source).strip()
            if source and len(source) <= LONGEST_NAME and len(self._sources) < MOST_SOURCES:
                self._sources.append(source)
            self._source = None
            self._parser.CharacterDataHandler = None

    def _text(self, text: str) -> None:
        if self._source is not None and len(self._source) < LONGEST_NAME:
            self._source.append(text)
