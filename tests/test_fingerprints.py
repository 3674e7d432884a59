"""Fingerprints and the laws of an examination: what stands below a change of unrelated things stays as it was."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from review_bot.findings import SEVERITIES
from review_bot.fingerprints import fingerprint
from review_bot.review.policy import FAIL_ON, Policy
from review_bot.review.verdict import decide
from tests.engine.cases import CALLS, review, rulebook_of

CODE = "def f(a):\n    bad(a)\n    if a:\n        bad( a )\n    bad(a)\n    x = bad(\n        a,\n    )\n# TODO one\n# TODO one\n"


def prints(result) -> list[str]:
    return sorted(finding.fingerprint for finding in result.findings)


def test_the_form_that_is_written_into_comments():
    first, second = fingerprint("r", "x", "p", 0).split("-")
    assert (len(first), len(second)) == (16, 8)
    assert fingerprint("r", " x \n\t y ", "p", 0) == fingerprint("r", "x y", "p", 0)
    assert (
        len(
            {fingerprint("r", "x", "p", n) for n in range(3)}
            | {fingerprint("r", "x", "q", 0), fingerprint("s", "x", "p", 0)}
        )
        == 5
    )


def test_equal_statements_differ_by_their_ordinal():
    result = review({"m.py": CODE})
    assert len(set(prints(result))) == len(result.findings) == 7


@given(st.lists(st.sampled_from(["import os", "", "# words", "y = 1", "'''text'''"]), max_size=6), st.booleans())
@settings(max_examples=40, deadline=None)
def test_lines_above_do_not_change_a_fingerprint(above, as_change):
    base = {"m.py": ""} if as_change else {}
    shifted = review({"m.py": "".join(line + "\n" for line in above) + CODE}, base)
    assert prints(shifted) == prints(review({"m.py": CODE}, base))


def test_white_space_and_another_indentation_do_not_change_a_fingerprint():
    assert prints(review({"m.py": CODE.replace("    ", "\t").replace("bad( a )", "bad(  a  )")})) == prints(
        review({"m.py": CODE})
    )


def test_a_rename_does_not_change_a_fingerprint():
    from review_bot.engine.examination import Texts, examine
    from review_bot.engine.examination_request import ExaminationRequest
    from review_bot.engine.plan import make_plan
    from review_bot.rules.examples import make_case

    book = rulebook_of()
    case = make_case(book.rules[0], {"base": {"old.py": "x = 1\n"}, "head": {"old.py": "x = 1\nbad(x)\n"}})
    (change,) = case.pull_request.files
    renamed = case.pull_request._replace(files=(change._replace(path="new.py", status="renamed"),))
    before, after = (
        examine(ExaminationRequest(each, make_plan(each, book), Texts(case.new, {}), case.repository, book))
        for each in (case.pull_request, renamed)
    )
    assert prints(before) == prints(after) != []


FILES = st.dictionaries(
    st.sampled_from(["a.py", "b.py", "c/d.py", "e.txt"]),
    st.lists(st.sampled_from(["def f(a):", "bad(1)", "x = bad(2)", "# TODO", "y = 3", "mirrored()"]), max_size=6).map(
        lambda lines: "".join(line + ("\n    pass\n" if line.startswith("def") else "\n") for line in lines)
    ),
    min_size=1,
)


@given(FILES, st.sampled_from(["z.py", "aa.py"]))
@settings(max_examples=60, deadline=None)
def test_another_file_takes_no_finding_away(files, name):
    before = review(files)
    after = review({**files, name: "bad(1)\n# TODO\n"})
    assert set(before.findings) <= set(after.findings)


@given(FILES)
@settings(max_examples=60, deadline=None)
def test_another_rule_takes_no_finding_away(files):
    fewer = "\n---\n".join(CALLS.split("---\n")[1:3])
    assert set(review(files, rules=fewer).findings) <= set(review(files).findings)


@given(
    FILES,
    st.lists(st.sampled_from(SEVERITIES), min_size=7, max_size=7),
    st.lists(st.sampled_from(["high", "medium"]), min_size=7, max_size=7),
)
@settings(max_examples=60, deadline=None)
def test_a_stricter_gate_never_turns_red_into_green(files, severities, confidences):
    found = [
        finding._replace(severity=severity, confidence=confidence)
        for finding, severity, confidence in zip(review(files).findings, severities, confidences, strict=False)
    ]
    codes = [decide(found, (), (), Policy(fail_on=fail_on)).exit_code for fail_on in FAIL_ON]
    assert codes == sorted(codes)
    passed = [decide(found, (), (), Policy(fail_on=fail_on)).passed for fail_on in FAIL_ON]
    assert passed == sorted(passed, reverse=True)
    for position in range(len(found)):
        fewer = found[:position] + found[position + 1 :]
        for fail_on in FAIL_ON:
            assert (
                decide(fewer, (), (), Policy(fail_on=fail_on)).exit_code
                <= decide(found, (), (), Policy(fail_on=fail_on)).exit_code
            )
