"""Coverage reports in both formats, written from a model: file name → line → hits."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from xml.sax.saxutils import quoteattr

from review_bot.coverage import reading
from review_bot.coverage.reported import Reported, Wanted

Model = Mapping[str, Mapping[int, int]]

EVERY_LINE = frozenset(range(1, 1000))


def lcov(model: Model) -> bytes:
    """Write a model as ``coverage lcov`` does."""
    lines = []
    for name, hits in model.items():
        lines += [f"SF:{name}", *(f"DA:{line},{count}" for line, count in hits.items()), f"LF:{len(hits)}"]
        lines.append("end_of_record")
    return ("\n".join(lines) + "\n").encode("utf-8", "surrogateescape")


def cobertura(model: Model, sources: Sequence[str] = ()) -> bytes:
    """Write a model as ``coverage xml`` does."""
    roots = "".join(f"<source>{source}</source>" for source in sources)
    classes = "".join(
        f'<class name="x" filename={quoteattr(name)} line-rate="1"><methods/><lines>'
        + "".join(f'\n\t<line number="{line}" hits="{count}"/>' for line, count in hits.items())
        + "</lines></class>"
        for name, hits in model.items()
    )
    return (
        f'<?xml version="1.0" ?>\n<coverage version="7"><sources>{roots}</sources>'
        f'<packages><package name="p"><classes>{classes}</classes></package></packages></coverage>\n'
    ).encode()


def read(data: bytes, wanted: Wanted) -> Reported:
    """Read a report from bytes."""
    return reading.read(io.BufferedReader(io.BytesIO(data)), wanted)
