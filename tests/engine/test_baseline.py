"""Whatever a change does to a file with findings in the baseline: those that it leaves alone stay, no other one is."""

from __future__ import annotations

import ast
from collections import Counter

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from review_bot.changes.line_map import LineMap
from review_bot.rules.examples import make_case
from tests.engine.cases import review, rulebook_of

OK = "# review-bot: ignore[own/bad-call] measured, see #12"
CALLS = "id: own/bad-call\nlanguage: python\nrule: {pattern: bad($$$A)}\nmetadata: {lines: LINES}\n"

PARTS = st.sampled_from(
    [
        "bad(1)",
        f"bad(1)  {OK}",
        OK,
        "bad(2)",
        "bad(\n    1,\n)",
        f"bad(\n    1,\n    2,  {OK}\n)",
        "x = 1",
        "y = 2",
        "z = 3",
    ]
)
FILES = st.lists(PARTS, max_size=9).map("\n".join).map(lambda text: text + "\n")
EDITS = st.lists(
    st.tuples(st.integers(0, 30), st.sampled_from(["delete", "indent", "insert"]), PARTS), min_size=1, max_size=4
)


def edited(text: str, edits: list[tuple[int, str, str]]) -> str:
    """Return a text with some lines deleted, spaced otherwise, or put in; it need not parse."""
    lines = text.splitlines()
    for place, what, part in edits:
        at = place % (len(lines) + 1)
        if what == "insert":
            lines[at:at] = part.split("\n")
        elif at < len(lines):
            lines[at : at + 1] = [] if what == "delete" else [lines[at] + " "]
    return "\n".join(lines) + "\n"


def is_python(text: str) -> bool:
    """Return whether a text can be parsed."""
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


def change_of(base: str, head: str, book):
    """Return the changed file, or None."""
    files = make_case(book.rules[0], {"base": {"m.py": base}, "head": {"m.py": head}}).pull_request.files
    return files[0] if files else None


@given(FILES, EDITS)
@settings(max_examples=150, deadline=None)
def test_a_comment_counts_only_for_what_the_base_has(base, edits):
    head = edited(base, edits)
    book = rulebook_of(CALLS.replace("LINES", "file"))._replace(suppressions="requested")
    result = review({"m.py": head}, {"m.py": base}, rulebook=book)
    change = change_of(base, head, book)
    if change is None:
        return
    lines = LineMap(change)
    before = review({"m.py": base}, rulebook=book._replace(suppressions="head"))
    accepted = {(entry.finding.line, entry.line) for entry in before.suppressed}
    for entry in result.suppressed:
        comment, line = entry.line or 0, entry.finding.line or 0
        assert lines.is_unchanged(min(comment, line), max(comment, line, entry.finding.end_line or 0))
        assert lines.old_line(line) in {line for line, _ in accepted}
    silenced = {entry.finding.line for entry in result.suppressed}
    for finding in result.findings:
        if finding.rule == "own/bad-call" and finding.line in silenced:
            raise AssertionError("both open and silenced")


@given(FILES, EDITS)
@settings(max_examples=150, deadline=None)
def test_a_baseline_accepts_what_is_left_alone_and_no_more_than_the_base_has(base, edits):
    base, head = base.replace(OK, "# fine"), edited(base, edits).replace(OK, "# fine")
    assume(is_python(base) and is_python(head))  # what a statement is in a broken text depends on all of it
    book = rulebook_of(CALLS.replace("LINES", "file"))
    before = review({"m.py": base}, rulebook=book)
    names = {finding.fingerprint for finding in before.findings}
    assert len(names) == len(before.findings)
    change = change_of(base, head, book)
    if change is None:
        return
    result = review({"m.py": head}, {"m.py": base}, rulebook=book.with_baseline(names, of_base=True))
    accepted = [finding for finding in result.findings if finding.baseline_entry in names]
    assert len({finding.baseline_entry for finding in accepted}) == len(accepted)
    had = Counter(finding.fingerprint[:16] for finding in before.findings)
    has = Counter(finding.fingerprint[:16] for finding in accepted)
    assert all(has[statement] <= had[statement] for statement in has)
    lines, was = LineMap(change), {finding.line for finding in before.findings}
    for finding in result.findings:
        line, same_statement = finding.line or 0, finding.fingerprint[:16] in had
        if same_statement and lines.is_unchanged(line, finding.end_line or line) and lines.old_line(line) in was:
            assert finding in accepted


def test_a_baseline_written_with_the_change_accepts_a_new_equal_finding_and_keeps_the_old_one():
    book = rulebook_of(CALLS.replace("LINES", "file"))
    base, head = "bad(1)\n", "bad(1)\nx = 1\nbad(1)\n"
    old = {finding.fingerprint for finding in review({"m.py": base}, rulebook=book).findings}
    found = review({"m.py": head}, {"m.py": base}, rulebook=book.with_baseline(old, of_base=False)).findings
    assert [finding.baseline_entry in old for finding in found] == [True, False]
    written = old | {finding.baseline_entry for finding in found if finding.baseline_entry is not None}
    again = review({"m.py": head}, {"m.py": base}, rulebook=book.with_baseline(written, of_base=False)).findings
    assert [finding.baseline_entry in written for finding in again] == [True, True]
    merged = review(
        {"m.py": head + "y = 2\n"}, {"m.py": head}, rulebook=book.with_baseline(written, of_base=True)
    ).findings
    assert [finding.baseline_entry in written for finding in merged] == [True, True]
