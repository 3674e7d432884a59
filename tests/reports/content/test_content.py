"""The parts that all reports share, by value."""

from review_bot.advice.next_steps import Plan, Step
from review_bot.findings import Examination, Failure, Fix, Fixes, NoText, NotRun, SkippedFix, Suggestion, Suppressed
from review_bot.reports.content.fixes import FixList, VerifiedFix, fix_list
from review_bot.reports.content.items import Item, item
from review_bot.reports.content.set_aside import SetAside, set_aside
from review_bot.reports.content.steps import StepGroup, step_groups
from review_bot.reports.content.unreviewed import consequence, unreviewed
from tests.reviews import ALL, CONSTANT, RUN_PY, SWALLOWED, finding, review_of


def test_an_item_names_place_and_rule():
    assert item(finding("a/b", line=3, column=2)) == Item("engine/run.py:3:2 a/b")
    assert item(finding("a/b", path=None), "why") == Item("a/b", "why", "the whole change")


def test_each_kind_that_is_set_aside_has_its_number():
    examination = Examination(
        findings=(finding("a/b", moved=True),),
        suppressed=(Suppressed(finding("c/d"), "noqa", "E501", 2),),
        no_text=(NoText("x.png", "binary"),),
        not_run=(NotRun("e/f", "no tree"), NotRun("g/h", "no file"), NotRun("g/h", "no tree")),
        ignored=("gen.py",),
    )
    assert set_aside(review_of([RUN_PY], examination)) == (
        SetAside("1 finding on moved lines", (Item("engine/run.py:12:5 a/b"),)),
        SetAside("1 finding suppressed", (Item("engine/run.py:12:5 c/d", "noqa: E501"),)),
        SetAside("2 rules not run", (Item("e/f", "no tree"), Item("g/h", "no file; no tree"))),
        SetAside("1 file without text", (Item("x.png", "binary"),)),
        SetAside("1 file ignored by the configuration", (Item("gen.py"),)),
    )
    assert set_aside(ALL["clean"]) == ()


def test_files_of_data_are_listed_as_what_no_rule_of_their_kind_read():
    plain = review_of([RUN_PY], Examination())
    review = plain._replace(reach=plain.reach._replace(data_files=("poetry.lock",)))
    assert set_aside(review) == (
        SetAside("1 file of data, checked by no language-specific rule", (Item("poetry.lock"),)),
    )


def test_what_could_not_be_reviewed_and_the_consequence():
    examination = Examination(failures=(Failure("a/b", "x\ny.py", "boom"), Failure("c/d", None, "bang")))
    review = review_of([RUN_PY], examination)
    assert unreviewed(review) == (
        Item("a/b", "failed on x\\u000ay.py: boom", "rule"),
        Item("c/d", "failed: bang", "rule"),
    )
    assert consequence(review) == "The check fails because the review is incomplete."
    passed = review._replace(verdict=review.verdict._replace(passed=True))
    assert consequence(passed) == "The check passes because the configuration allows incomplete reviews."
    assert consequence(ALL["clean"]) == ""


def test_the_steps_of_an_author_are_one_group_if_none_is_quick():
    quick, longer = Step("author", "now", "a", 5), Step("author", "then", "b", 30)
    rest = Step("reviewers", "", "c")
    assert step_groups(Plan((quick, longer, rest), 35, 0, 1)) == (
        StepGroup("Author, quick fixes", 5, (quick,)),
        StepGroup("Author, longer fixes", 30, (longer,)),
        StepGroup("Reviewers", 0, (rest,)),
    )
    assert step_groups(Plan((longer,), 30, 0, 1)) == (StepGroup("Author", 30, (longer,)),)


def test_a_fix_knows_the_findings_that_it_resolves():
    other = CONSTANT._replace(fingerprint="ffffffffffffffff-01234567")
    fix = Fix("engine/run.py", SWALLOWED.rule, (SWALLOWED.fingerprint, "unknown"), Suggestion(12, 12, "x"))
    skipped = SkippedFix(fix._replace(fingerprints=(other.fingerprint,), rule="a/b"), "it overlaps")
    review = review_of([RUN_PY], Examination((SWALLOWED, other)))
    place = f"engine/run.py:{SWALLOWED.line}:{SWALLOWED.column}"
    there = f"engine/run.py:{other.line}:{other.column}"
    assert fix_list(review._replace(fixes=Fixes((fix,), (skipped,)))) == FixList(
        (VerifiedFix(fix, (SWALLOWED,), place),), (Item(f"{there} a/b", "it overlaps"),)
    )
    assert fix_list(review) == FixList()
