"""Both readers of coverage reports: what they keep, what they refuse, and that no bytes break them."""

from __future__ import annotations

import io
import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from review_bot.coverage import cobertura as cobertura_reader
from review_bot.coverage import lcov as lcov_reader
from review_bot.coverage.reported import DIGITS, LARGEST, LONGEST, MOST_NAMESAKES, Reported, ReportedFile, Unusable
from tests.coverage.reports import EVERY_LINE, cobertura, lcov, read

WANTED = {"cache.py": frozenset({1, 2, 3}), "b.py": EVERY_LINE}

names = st.lists(
    st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"], exclude_characters="\\"), min_size=1),
    min_size=1,
).map("/".join)
models = st.dictionaries(
    names, st.dictionaries(st.integers(1, 900), st.integers(0, 10**20), max_size=8), max_size=5
)  # fmt: skip


@pytest.mark.parametrize("write", [lcov, cobertura])
def test_lines_that_are_wanted_are_kept_and_no_others(write):
    found = read(write({"src/cache.py": {1: 3, 2: 0, 9: 1}, "src/other.py": {1: 1}}), WANTED)
    assert found.files == (ReportedFile("src/cache.py", frozenset({1}), frozenset({2})),)
    assert found.named == 2


@pytest.mark.parametrize("write", [lcov, cobertura])
@given(model=models)
@settings(max_examples=60, deadline=None)
def test_a_model_reads_back(write, model):
    wanted = {name.rpartition("/")[2]: EVERY_LINE for name in model}
    found = read(write(model) if model else write({"none.py": {}}), wanted)
    assert {file.name: (set(file.covered), set(file.missed)) for file in found.files} == {
        name: ({line for line, count in hits.items() if count}, {line for line, count in hits.items() if not count})
        for name, hits in model.items()
    }
    assert found.odd == 0


@given(data=st.binary(max_size=400))
@settings(max_examples=300, deadline=None)
def test_no_bytes_break_a_reader(data):
    for beginning in (b"", b"TN:\n", b"SF:b.py\n", b"<coverage>", b'<?xml version="1.0" ?>', b"\xef\xbb\xbf<"):
        try:
            found = read(beginning + data, WANTED)
        except Unusable:
            continue
        assert isinstance(found, Reported)


@given(cut=st.integers(0, 400), write=st.sampled_from([lcov, cobertura]))
def test_a_report_that_is_cut_off_is_not_believed(cut, write):
    whole = write({"b.py": dict.fromkeys(range(1, 40), 1)})
    cut = min(cut, len(whole.rstrip()) - 1)
    if write is lcov and cut < 3:
        return
    with pytest.raises(Unusable):
        read(whole[:cut], WANTED)


def test_lines_of_one_file_may_come_in_parts_and_a_line_that_ran_once_has_run():
    assert read(lcov({"b.py": {1: 0, 2: 0}}) + lcov({"b.py": {1: 7}}), WANTED).files == (
        ReportedFile("b.py", frozenset({1}), frozenset({2})),
    )


def test_what_cobertura_says_of_methods_and_sources_is_read():
    text = (
        b'<?xml version="1.0"?>\n<!DOCTYPE coverage SYSTEM "http://cobertura.sourceforge.net/xml/coverage-04.dtd">\n'
        b"<coverage><sources><source>/w/a&amp;b</source><source> /w/c\n</source><source/></sources><packages><package>"
        b'<classes><class filename="b.py"><methods><method><lines><line number="4" hits="0"/></lines></method></methods>'
        b'<lines><line number="4" hits="2" branch="true" condition-coverage="50% (1/2)"/></lines></class></classes>'
        b'</package></packages><line number="5" hits="1"/></coverage>'
    )
    found = read(text, WANTED)
    assert found.files == (ReportedFile("b.py", frozenset({4}), frozenset()),)
    assert found.sources == ("/w/a&b", "/w/c")


@pytest.mark.parametrize(
    "hits", ["-1", "1e30", "NaN", "", "0x1", "１", "1.5", "9" * (DIGITS + 1), "1 2"], ids=lambda hits: hits[:8]
)
def test_a_count_that_makes_no_sense_is_passed_over_and_counted(hits):
    assert read(f"SF:b.py\nDA:1,{hits}\nDA:2,1\nend_of_record\n".encode(), WANTED)._replace(named=0) == Reported(
        (ReportedFile("b.py", frozenset({2}), frozenset()),), odd=1
    )
    text = f'<coverage><class filename="b.py"><line number="1" hits="{hits}"/><line number="2" hits="1"/></class></coverage>'
    found = read(text.encode(), WANTED)
    assert found.files == (ReportedFile("b.py", frozenset({2}), frozenset()),)
    assert found.odd == 1


@pytest.mark.parametrize("number", ["-1", "1e3", "", "99999999999999999999", "x"])
def test_a_line_number_that_makes_no_sense_is_passed_over_and_counted(number):
    assert read(f"SF:b.py\nDA:{number},1\nend_of_record\n".encode(), WANTED).odd == 1


def test_a_checksum_and_a_foreign_line_change_nothing():
    text = b"TN:x\r\nSF:b.py\r\nFN:1,f\r\nBRDA:1,0,0,-\r\nDA:1,2,aGVsbG8,\r\nsome words\r\nend_of_record\r\n"
    assert read(text, WANTED).files == (ReportedFile("b.py", frozenset({1}), frozenset()),)


def test_a_byte_order_mark_is_passed_over():
    for text in (lcov({"b.py": {1: 1}}), cobertura({"b.py": {1: 1}})):
        assert read(b"\xef\xbb\xbf" + text, WANTED).files[0].covered == {1}


REFUSED = {
    "nothing": (b"", "is empty"),
    "blanks": (b" \n\n", "is empty"),
    "another text": (b"Name  Stmts  Miss\n", "is neither Cobertura XML nor LCOV"),
    "coverage.py's data": (
        b"SQLite format 3\0...",
        "is the data file of coverage.py; write a report with `coverage xml`",
    ),
    "another XML": (b"<report/>", "is XML, but not Cobertura: its root is not <coverage>"),
    "half an XML": (b"<coverage><packages>", "is broken or cut off at line 1 (no element found)"),
    "no XML": (b"<coverage><<", "is broken or cut off at line 1"),
    "another encoding": ("<?xml version='1.0' encoding='utf-16'?><coverage/>".encode("utf-16"), "is neither"),
    "an internal subset": (b"<!DOCTYPE coverage [ ]><coverage/>", "declares its own document type"),
    "an entity": (b'<!DOCTYPE c [<!ENTITY a "b">]><coverage>&a;</coverage>', "declares its own document type"),
    "a file": (
        b'<!DOCTYPE c [<!ENTITY a SYSTEM "file:///etc/passwd">]><coverage>&a;</coverage>',
        "declares its own document",
    ),
    "an unknown entity": (b"<coverage>&a;</coverage>", "is broken or cut off at line 1 (undefined entity)"),
    "deep elements": (b"<coverage>" + b"<a>" * 100_000, "has more than 64 nested elements"),
    "a line outside of files": (b"TN:\nDA:1,1\n", "is invalid: it counts a line outside any file"),
    "no end": (b"TN:\nSF:b.py\nDA:1,1\n", "is truncated: its last record has no end"),
    "a long line": (b"SF:" + b"a" * LONGEST, f"holds a line longer than {LONGEST:,} bytes"),
    "a long tag": (b"<coverage a='" + b"a" * 3 * LONGEST, f"holds {LONGEST:,} bytes without a complete tag"),
    "a long comment": (b"<coverage><!--" + b"a" * 3 * LONGEST, f"holds {LONGEST:,} bytes without a complete tag"),
    "many namesakes": (
        b"".join(b"SF:%d/b.py\nend_of_record\n" % n for n in range(MOST_NAMESAKES + 1)),
        f"names more than {MOST_NAMESAKES:,} files with the name of a changed file",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_used_is_refused_and_said(name):
    data, said = REFUSED[name]
    with pytest.raises(Unusable, match=re.escape(said)):
        read(data, WANTED)


class Endless(io.RawIOBase):
    """A report without end: the same bytes again and again."""

    def __init__(self, start: bytes, again: bytes) -> None:
        self._data, self._again = start, again

    def readable(self) -> bool:
        return True

    def readinto(self, buffer) -> int:
        while len(self._data) < len(buffer):
            self._data += self._again
        buffer[:] = self._data[: len(buffer)]
        self._data = self._data[len(buffer) :]
        return len(buffer)


@pytest.mark.parametrize(
    ("reader", "start", "again"),
    [
        (lcov_reader, b"TN:\n", b"SF:x\n" + b"#" * 900_000 + b"\nend_of_record\n"),
        (cobertura_reader, b"<coverage>", b"<a b='" + b"c" * 900_000 + b"'/>"),
    ],
)
def test_a_report_without_end_is_given_up(reader, start, again):
    before = time.monotonic()
    with pytest.raises(Unusable, match=f"is larger than {LARGEST:,} bytes"):
        reader.read(io.BufferedReader(Endless(start, again)), WANTED)
    assert time.monotonic() - before < 20
