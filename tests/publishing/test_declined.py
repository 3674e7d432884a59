"""What is declined: a statement in a file, by whatever name; another statement is not."""

from review_bot.comments.model import Declined, Posted
from review_bot.publishing.plan import plan
from review_bot.review.declined import declined_findings
from tests.publishing.test_plan import CONTEXT, LATER, LONG, PLAIN, mark, only, posted, seen
from tests.reviews import RUN_PY

FILES = [LONG, RUN_PY]


def record(*findings, number=1, by="grace", reason="because", path="engine/long.py"):
    return Declined(tuple(each.fingerprint for each in findings), by, reason, path, number)


def shifted(found, to, **facts):
    """Return a finding of the same rule and statement under another ordinal or path."""
    return found._replace(fingerprint=f"{found.fingerprint[:16]}-{to:08x}", **facts)


def test_the_fingerprint_counts_first():
    twin = shifted(mark(1), 9)
    found = declined_findings([mark(1), twin, mark(2)], [record(mark(1))], FILES)
    assert list(found) == [mark(1).fingerprint]


def test_the_same_statement_further_up_or_down_is_known_again():
    twin = shifted(mark(1), 9)
    assert list(declined_findings([twin], [record(mark(1))], FILES)) == [twin.fingerprint]


def test_one_word_hides_one_finding():
    first, second = shifted(mark(1), 8), shifted(mark(1), 9)
    assert len(declined_findings([first, second], [record(mark(1))], FILES)) == 1
    assert len(declined_findings([first, second], [record(mark(1), shifted(mark(1), 7))], FILES)) == 2


def test_findings_that_share_an_id_stay_open():
    other = mark(1)._replace(path="engine/run.py")
    assert declined_findings([mark(1), other], [record(mark(1))], FILES) == {}
    assert list(declined_findings([other], [record(mark(1))], FILES)) == [other.fingerprint]


def test_a_finding_is_declined_with_any_of_its_places():
    copy = shifted(mark(1), 9, path="engine/run.py")
    both = mark(1)._replace(also_at=(copy.place,))
    assert list(declined_findings([both], [record(copy, path="engine/run.py")], FILES)) == [both.fingerprint]


def test_the_same_statement_elsewhere_is_another_finding():
    twin = shifted(mark(1), 9, path="engine/run.py")
    assert declined_findings([twin], [record(mark(1))], FILES) == {}
    assert declined_findings([twin], [record(mark(1), path=None)], FILES) == {}


def test_a_file_that_the_change_adds_may_be_renamed():
    renamed = LONG._replace(path="engine/better.py")
    twin = shifted(mark(1), 9, path="engine/better.py")
    assert list(declined_findings([twin], [record(mark(1))], [renamed])) == [twin.fingerprint]


def test_the_newest_word_holds():
    words = [record(mark(1), number=7, reason="newer"), record(mark(1), number=3, reason="older")]
    assert declined_findings([mark(1)], words, FILES)[mark(1).fingerprint].reason == "newer"


def test_a_declined_finding_is_fixed_quietly():
    page = posted(seen(mark(1)))
    there = page.posted()._replace(declined=(record(mark(1)),))
    page.carry_out(plan(seen(mark(1)), there, PLAIN, CONTEXT))
    there = page.posted()._replace(declined=(record(mark(1)),))
    page.carry_out(plan(seen(), there, PLAIN, LATER))
    text = only(page, "summary").body
    assert only(page).body.startswith("Fixed in `def5678`.")
    assert "declined" not in text


def test_what_is_declined_before_it_was_ever_posted_has_no_comment():
    written = plan(seen(mark(1), mark(2)), Posted(declined=(record(mark(1)),)), PLAIN, CONTEXT)
    assert [new.fingerprints for new in written.new] == [(mark(2).fingerprint,)]
