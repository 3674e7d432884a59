"""Reads LCOV tracefiles (``coverage lcov``, ``lcov``, ``llvm-cov export``), line by line.

::

    SF:review_bot/cache.py        a file begins
    DA:12,3                       line 12 ran three times (a checksum may follow)
    end_of_record

All other lines (functions, branches, sums) are passed over. Source: geninfo(1), "FILES",
https://github.com/linux-test-project/lcov/blob/master/man/geninfo.1
"""

from __future__ import annotations

from typing import BinaryIO

from review_bot.coverage.reported import LARGEST, LONGEST, Collector, Reported, Unusable, Wanted


def read(stream: BinaryIO, wanted: Wanted) -> Reported:
    """Return what a report says of the wanted lines. Raises Unusable."""
    collector = Collector(wanted)
    is_open = False
    size = 0
    while line := stream.readline(LONGEST + 1):
        size += len(line)
        if len(line) > LONGEST:
            raise Unusable(f"holds a line longer than {LONGEST:,} bytes")
        if size > LARGEST:
            raise Unusable(f"is larger than {LARGEST:,} bytes")
        if line.startswith(b"DA:"):
            if not is_open:
                raise Unusable("is invalid: it counts a line outside any file")
            if collector.listening:
                number, _, rest = line[3:].decode("ascii", "replace").strip().partition(",")
                collector.line(number, rest.partition(",")[0])
        elif line.startswith(b"SF:"):
            collector.file(line[3:].decode("utf-8", "surrogateescape").strip())
            is_open = True
        elif line.rstrip() == b"end_of_record":
            collector.end_file()
            is_open = False
    if is_open:
        raise Unusable("is truncated: its last record has no end")
    return collector.reported()
