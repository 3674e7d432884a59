"""YAML under review: every notation that a loader accepts is read, and the rest is refused with its line."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from review_bot.analysis.project.yaml_documents import MOST_VALUES, YamlDocument, read_documents
from review_bot.changes.pull_request import ChangedFile, Hunk
from review_bot.changes.python_parsing import CannotRead
from review_bot.changes.source_file import SourceFile

LAUGHS = "a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]\n" for n in range(1, 9))


def read(text: str, added: tuple[int, ...] = ()) -> YamlDocument:
    hunks = tuple(Hunk(line, 0, line, 1, ("+x",)) for line in added)
    [document] = read_documents(SourceFile(ChangedFile("a.yaml", None, "modified", "text", hunks), text, None))
    return document


@pytest.mark.parametrize(
    ("text", "data"),
    [
        ("a: &x {b: 1}\nc: *x\n", {"a": {"b": 1}, "c": {"b": 1}}),
        ("a: &x {b: 1, c: 2}\nd: {<<: *x, c: 3}\n", {"a": {"b": 1, "c": 2}, "d": {"b": 1, "c": 3}}),
        ("a: &x {b: 1}\nc: &y {b: 2}\nd: {<<: [*x, *y]}\n", {"a": {"b": 1}, "c": {"b": 2}, "d": {"b": 1}}),
        ("&k a: 1\nb: *k\n", {"a": 1, "b": "a"}),
        ("a: 1\na: 2\n", {"a": 2}),
        ("a: !!int '7'\nb: !!str 7\nc: !mine [1]\n", {"a": 7, "b": "7", "c": [1]}),
        ("a: 1_0\nb: 0x10\nc: 1_a\n", {"a": 10, "b": 16, "c": "1_a"}),
        ("- &x good\n- &y [*x]\n- &x bad\n- *y\n", ["good", ["good"], "bad", ["good"]]),
        ("\ufeffa: 1\n", {"a": 1}),
        (f"# {'x' * 400_000}\na: 1\n", {"a": 1}),
    ],
)
def test_what_loaders_accept_is_read(text, data):
    assert read(text).data == data


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a: [\n", "line 1: not YAML"),
        ("a: 1\nb: *x\n", "line 2: the alias"),
        ("a: &x [*x]\n", "line 1: the alias"),
        ("a: 1\n{{ b }}: 2\n", "line 2: a key that is"),
        ("a: 1\nb: \x01\n", "line 2: not YAML: a character"),
        ("a: \udc80\n", "not YAML"),
        ("[" * 70 + "]" * 70, "nested deeper than 64"),
        ("[" * 20_000, "not YAML"),
        (LAUGHS, f"make more than {MOST_VALUES:,}"),
        ("- 1\n" * (MOST_VALUES + 1), f"more than {MOST_VALUES:,}"),
    ],
)
def test_what_cannot_be_read_says_why(text, reason):
    with pytest.raises(CannotRead) as refused:
        read(text)
    assert reason in str(refused.value)


@pytest.mark.parametrize("end", ["\r", "\x85", "\u2028", "\u2029"])
def test_only_a_line_feed_counts_as_a_line(end):
    assert read(f"# one{end}# two\na: 1\nb: 2\n").line_of(("b",)) == 3


def test_an_alias_is_reported_where_it_was_added_and_a_value_where_it_is_written():
    text = "x: &x\n  run: echo\nsteps:\n  - *x\n"
    path = ("steps", 0, "run")
    assert read(text, added=(1, 2, 3, 4)).line_of(path) == 2
    assert read(text, added=(4,)).line_of(path) == 4


def _values() -> st.SearchStrategy[object]:
    leaves = st.none() | st.booleans() | st.integers() | st.text("abc:-# '\"\n", max_size=6)
    names = st.text("abcd", min_size=1, max_size=3)
    return st.recursive(leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3))


@given(_values(), st.booleans())
def test_it_reads_what_pyyaml_wrote(value, flow):
    shared = {"a": value, "b": value, "c": [value]}  # PyYAML writes an anchor and aliases
    assert read(yaml.safe_dump(shared, default_flow_style=flow)).data == shared
