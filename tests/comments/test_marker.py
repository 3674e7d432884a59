"""The marker finds our own comments again, and nothing that only looks like one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review_bot.comments import marker
from review_bot.comments.model import Declined

FIRST, SECOND = "0123456789abcdef-01234567", "fedcba9876543210-89abcdef"
LINE = f"<!-- review-bot:1 review-bot inline {FIRST} -->"


@given(
    st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", fullmatch=True),
    st.sampled_from(marker.KINDS),
    st.lists(st.from_regex(r"[0-9a-f]{16}-[0-9a-f]{8}", fullmatch=True), max_size=5),
    st.text(),
)
def test_what_is_written_is_read_whatever_stands_above(name, kind, fingerprints, text):
    line = marker.write(name, kind, fingerprints)
    assert marker.read(f"{text}\n\n{line}", name) == (name, kind, tuple(fingerprints))
    assert marker.read(f"{text}\n\n{line}", name + "x") is None


def test_the_line_is_as_documented():
    assert marker.write("bot", "file", (FIRST, SECOND)) == f"<!-- review-bot:1 bot file {FIRST},{SECOND} -->"
    assert marker.write("bot", "summary") == "<!-- review-bot:1 bot summary -->"


@pytest.mark.parametrize(
    ("name", "kind", "fingerprint"),
    [
        ("a b", "file", FIRST),
        ("a", "other", FIRST),
        ("a", "file", "x -->"),
        ("", "file", FIRST),
        ("--><b>", "file", FIRST),
    ],
)
def test_what_could_not_be_read_is_not_written(name, kind, fingerprint):
    with pytest.raises(ValueError, match="no marker"):
        marker.write(name, kind, [fingerprint])


@pytest.mark.parametrize(
    "body",
    [
        f"text\n{LINE}",
        f"text\r\n\r\n{LINE}\r\n",
        f"{LINE}\nA person wrote below.",
        f"<!-- review-bot:1 review-bot file {SECOND} -->\n{LINE}\nA person wrote below.",
        f"```python\n{LINE}\n```\n{LINE}\nbelow\n```\n<!-- review-bot:1 review-bot file {SECOND} -->\n```",
        f"```` ``` ````\n{LINE}\nbelow",
    ],
)
def test_the_last_line_outside_code_counts(body):
    assert marker.read(body, "review-bot") == ("review-bot", "inline", (FIRST,))


@pytest.mark.parametrize(
    "body",
    [
        "",
        f"```\n{LINE}\n```\nbelow",
        f"~~~\n{LINE}\n```\nbelow",
        f"````\n```\n{LINE}\nbelow",
        f"    {LINE}\nbelow",
        f"> {LINE}",
        f"see {LINE}",
        LINE.replace(":1", ":2"),
        LINE.replace("inline", "aside"),
        LINE.replace(FIRST, FIRST.upper()),
        LINE + "\n<!-- review-bot:1 other inline -->",
    ],
)
def test_what_only_looks_like_one_does_not_count(body):
    assert marker.read(body, "review-bot") is None


LINES_OF_PEOPLE = st.text(st.characters(exclude_categories=()), max_size=80)


@given(st.lists(st.sampled_from([FIRST, SECOND]), min_size=1, max_size=4), *[LINES_OF_PEOPLE] * 3, st.booleans())
def test_what_was_declined_is_read_as_it_was_written(names, by, reason, path, has_path):
    told = Declined(tuple(names), by, reason, path or None if has_path else None)
    line = marker.write_declined("review-bot", told)
    assert line.isascii()
    assert "\n" not in line
    assert line.count("-->") == 1
    assert marker.read(f"Declined.\n\n{line}", "review-bot") is None
    found = marker.read_declined(f"Declined.\r\n\r\n{line}\r\n", "review-bot")
    assert found is not None
    assert (found.line, found.fingerprints) == (line, tuple(names))
    if all(char < "\ud800" or char > "\udfff" for char in by + reason + path):
        assert found == told._replace(body=found.body, line=line)
    assert marker.read_declined(line, "other") is None


@pytest.mark.parametrize("wrap", ["> {}", "see {}", "```\n{}\n```", "    {}", "{} and more"])
def test_a_quoted_line_declines_nothing(wrap):
    line = marker.write_declined("review-bot", Declined((FIRST,), "grace", "because", None))
    assert marker.read_declined(wrap.format(line), "review-bot") is None


def test_a_line_without_fingerprints_cannot_be_written():
    with pytest.raises(ValueError, match="no line"):
        marker.write_declined("review-bot", Declined((), "grace", "because", None))
