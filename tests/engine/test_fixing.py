"""Fixes are proven together by a second review, in which their findings are gone and no other has come."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from review_bot.changes import line_edits
from review_bot.comments.model import Declined
from review_bot.configuration import rule_registry
from review_bot.engine import fix_comparison, fixing
from review_bot.engine.examination import Texts, examine
from review_bot.engine.examination_request import ExaminationRequest
from review_bot.engine.plan import Fixing, make_plan
from review_bot.findings import Fixes
from review_bot.rules.examples import make_case
from tests.engine.cases import review, rulebook_of
from tests.growth import SUPERLINEAR, growth

RULES = """\
id: own/bad
language: python
rule: {pattern: bad($A)}
fix: FIX
---
id: own/worse
language: python
rule: {pattern: worse($A)}
---
id: own/other
language: python
rule: {pattern: x = $A}
fix: z = $A
"""


def rules(fix="good($A)"):
    return rulebook_of(RULES.replace("FIX", fix))


ALL = Fixing()


def proven(head, base=None, book=None, asked=ALL):
    """Return the examination, and the texts with all proven fixes applied."""
    book = book or rules()
    case = make_case(book.rules[0], {"base": base or {}, "head": head})
    plan = make_plan(case.pull_request, book)._replace(fixing=asked)
    request = ExaminationRequest(case.pull_request, plan, Texts(case.new, case.old), case.repository, book)
    found = examine(request)
    assert found._replace(fixes=None) == examine(request._replace(plan=plan._replace(fixing=None)))
    return found, applied(head, found.fixes)


def applied(head, fixes):
    edits = {path: [fix.suggestion for fix in fixes.proven if fix.path == path] for path in head}
    return {path: text and line_edits.apply(text, edits[path]) for path, text in head.items()}


def told(fixes):
    return [(fix.path, fix.suggestion.start_line, fix.rule) for fix in fixes.proven]


def skipped(fixes):
    return [(each.fix.suggestion.start_line, each.fix.rule, each.reason) for each in fixes.skipped]


def assert_only_theirs_are_gone(found, after):
    names = [name for fix in found.fixes.proven for name in fix.fingerprints]
    assert len(names) == len(set(names))
    before = Counter((f.path, f.rule) for f in found.findings)
    gone = Counter((f.path, f.rule) for f in found.findings if f.fingerprint in names)
    assert Counter((f.path, f.rule) for f in after.findings) == before - gone


def test_several_files_and_equal_statements():
    head = {"a.py": "bad(1)\nbad(1)\nok()\nbad(2)\n", "b.py": "bad(1)\n", "c.py": "worse(1)\n"}
    found, after = proven(head)
    assert told(found.fixes) == [
        ("a.py", 1, "own/bad"),
        ("a.py", 2, "own/bad"),
        ("a.py", 4, "own/bad"),
        ("b.py", 1, "own/bad"),
    ]
    assert after == {"a.py": "good(1)\ngood(1)\nok()\ngood(2)\n", "b.py": "good(1)\n", "c.py": "worse(1)\n"}
    assert_only_theirs_are_gone(found, review(after, rulebook=rules()))


def test_a_plain_review_proves_nothing():
    assert review({"a.py": "bad(1)\n"}, rulebook=rules()).fixes is None


def test_of_two_fixes_for_one_line_one_is_skipped():
    found, after = proven({"a.py": "bad(worse(1)); bad(2)\nx = [\n    bad(1)]\n"})
    assert told(found.fixes) == [("a.py", 2, "own/other")]
    assert skipped(found.fixes) == [(3, "own/bad", fixing.OVERLAP)]
    assert_only_theirs_are_gone(found, review(after, rulebook=rules()))


def test_where_the_first_of_two_fails_the_other_is_taken():
    book = rulebook_of(RULES.replace("FIX", "good($A)").replace("worse($A)", "x = good($A)"))
    found, after = proven({"a.py": "x = bad(1)\n"}, book=book)
    assert told(found.fixes) == [("a.py", 1, "own/other")]
    assert skipped(found.fixes) == [(1, "own/bad", fix_comparison.new_finding_of("own/worse"))]
    assert after == {"a.py": "z = bad(1)\n"}


def test_another_finding_of_the_same_line_stays_the_same():
    found, after = proven({"a.py": "worse(bad(1))\n"})
    assert told(found.fixes) == [("a.py", 1, "own/bad")]
    assert [finding.rule for finding in review(after, rulebook=rules()).findings] == ["own/worse"]
    assert_only_theirs_are_gone(found, review(after, rulebook=rules()))


def test_the_fix_that_another_rule_minds_is_skipped_and_the_rest_is_not():
    code = "".join(f"bad({n})\n" for n in range(9)) + "bad(this)\n" + "".join(f"bad({n})\n" for n in range(20, 29))
    book = rulebook_of(RULES.replace("FIX", "good($A)").replace("worse($A)", "good(this)"))
    found, after = proven({"a.py": code}, book=book)
    assert skipped(found.fixes) == [(10, "own/bad", fix_comparison.new_finding_of("own/worse"))]
    assert len(found.fixes.proven) == 18
    assert_only_theirs_are_gone(found, review(after, rulebook=book))


RELATION = (
    RULES
    + """\
---
id: testing/two
pull_request:
  when: {changed: ["*.py"], added_lines: 1, below: 3}
severity: hint
message: few lines
metadata: {}
"""
)


def test_what_the_whole_change_says_counts_too():
    """A fix that deletes a line makes another rule speak, which looks at the change as a whole."""
    text = RELATION.replace("FIX", "''")
    head = {"a.py": "bad(1)\n", "b.py": "y = 1\nz = 2\n"}
    found, after = proven(head, book=rulebook_of(text))
    assert found.fixes.proven == ()
    assert skipped(found.fixes) == [(1, "own/bad", fix_comparison.new_finding_of("testing/two"))]
    assert after == head


@pytest.mark.parametrize(
    "head",
    [
        {"a.py": "# review-bot: ignore[own/bad] it is fine\nbad(1)\n"},
        {"a.py": "bad(1)\r\n"},
    ],
)
def test_what_is_silenced_and_files_with_carriage_returns_stay(head):
    found, after = proven(head)
    assert found.fixes.proven == ()
    assert after == head


def test_only_what_is_asked_for_is_fixed():
    head = {"a.py": "bad(1)\nx = 1\n"}
    assert told(proven(head, asked=Fixing(frozenset(["own/other"])))[0].fixes) == [("a.py", 2, "own/other")]
    book = rules().with_baseline([], of_base=False)
    found = proven(head, book=book)[0].findings
    names = frozenset(finding.baseline_entry for finding in found if finding.rule == "own/bad")
    assert told(proven(head, book=book, asked=Fixing(baseline=names))[0].fixes) == [("a.py", 2, "own/other")]


def test_what_is_declined_is_not_fixed_by_whatever_name_its_file_goes_and_its_twin_is():
    first, twin = proven({"a.py": "bad(1)\nbad(1)\n"})[0].findings
    for path, name in (("a.py", first.fingerprint), ("old.py", f"{first.fingerprint[:17]}01234567")):
        asked = Fixing(declined=(Declined((name,), "grace", "because", path),))
        found, after = proven({"a.py": "bad(1)\nbad(1)\n"}, asked=asked)
        assert [fix.fingerprints for fix in found.fixes.proven] == [(twin.fingerprint,)]
        assert after == {"a.py": "bad(1)\ngood(1)\n"}
    assert proven({"a.py": "bad(1)\n"}, asked=Fixing(accepted=frozenset([first.fingerprint])))[0].fixes == Fixes()


def test_moved_code_is_not_fixed():
    block = "def moved_far_away(value):\n    bad(value)\n    return value\n"
    found, _ = proven({"a.py": "", "b.py": block + "bad(2)\n"}, {"a.py": block, "b.py": ""})
    assert told(found.fixes) == [("b.py", 4, "own/bad")]


def test_white_space_and_the_end_of_the_file():
    book = rule_registry.builtin_rulebook()
    head = {
        "pkg/a.py": '"""A module."""\n\nX = 1  \n   \n\t\nY = """\n  \n"""\nZ = 1 ',
        "README.md": "# Read  \nme",
    }
    found, after = proven(head, {"pkg/a.py": '"""A module."""\n', "README.md": "# Read  \n"}, book)
    assert after["README.md"] == "# Read  \nme\n"
    assert after["pkg/a.py"] == '"""A module."""\n\nX = 1\n\n\nY = """\n  \n"""\nZ = 1\n'
    assert found.fixes.skipped == ()
    names = {name for fix in found.fixes.proven for name in fix.fingerprints}
    assert [f.rule for f in found.findings if f.fingerprint in names] == [
        "style/eof-newline",
        "style/trailing-whitespace",
        "style/trailing-whitespace",
        "style/trailing-whitespace",
        "style/eof-newline",
        "style/trailing-whitespace",
    ]

    head = {"pkg/a.py": "X = 1\n    "}
    found, after = proven(head, None, book)
    assert after == {"pkg/a.py": "X = 1\n"}
    assert len(found.fixes.proven[0].fingerprints) == 2


LINES = st.sampled_from(
    ["x = bad(1)", "bad(2)", "bad(bad(3))", "good(4)", "if bad(5): pass", "x = bad(6) + bad(7)", "x = 1", "worse(1)"]
)
FIXES = st.sampled_from(["good($A)", "$A", "worse($A)", "x = $A", "''", "''"])


@settings(max_examples=80, deadline=None)
@given(st.lists(LINES, min_size=1, max_size=9), st.lists(LINES, max_size=4), st.booleans(), FIXES)
def test_whatever_is_proven_can_be_applied_together(lines, base, ended, fix):
    end = "\n" if ended else ""
    head = {"m.py": "\n".join(lines) + end, "n.py": "x = bad(1)\n"}
    book = rules(fix)
    old = {"m.py": "\n".join(base)} if base else None
    found, after = proven(head, old, book)
    compile(after["m.py"], "m.py", "exec")
    assert_only_theirs_are_gone(found, review(after, old, rulebook=book))


def test_the_cost_of_many_fixes_of_one_file_grows_with_their_number():
    """Each with each other, or each with all lines of the file, was minutes."""

    def prove(count: int) -> None:
        lines = [f"X{number} = {number}" for number in range(count)]
        found, after = proven({"a.py": "  \n".join(lines) + "  \n"}, book=rule_registry.builtin_rulebook())
        assert (len(found.fixes.proven), found.fixes.skipped) == (count, ())
        assert after["a.py"] == "\n".join(lines) + "\n"

    prove(1)  # what is made once is made now
    assert growth(prove, 200) < SUPERLINEAR
