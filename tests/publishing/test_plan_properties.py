"""Random pull requests over many pushes: nothing twice, nothing wrongly closed, nothing lost, nothing left to do."""

import random
from collections import Counter

from hypothesis import example, given, settings
from hypothesis import strategies as st

from review_bot.changes.pull_request import ChangedFile, Hunk, Status, Unreviewed
from review_bot.comments.model import Context, Posting, PublicationSettings
from review_bot.findings import Examination, Suggestion, Suppressed
from review_bot.fingerprints import fingerprint
from review_bot.publishing.plan import plan
from review_bot.reports import comments
from tests.pull_request_page import Page
from tests.reviews import finding, review_of

LINES = 60
RULES = ("errors/one", "errors/two", "style/three")
SEVERITY = {"errors/one": "error", "errors/two": "warning", "style/three": "info"}

site = st.tuples(st.sampled_from(RULES), st.sampled_from(("f()", "g()")), st.integers(1, LINES))
file_state = st.fixed_dictionaries(
    {
        "sites": st.lists(site, max_size=7, unique_by=lambda each: (each[0], each[2])),
        "name": st.sampled_from(("", "", "", "moved_")),
        "unread": st.sampled_from((False, False, False, False, True)),
        "silenced": st.sampled_from((False, False, False, True)),
        "absent": st.sampled_from((False, False, False, True)),
    }
)
push = st.tuples(file_state, file_state)
configuration = st.builds(
    PublicationSettings,
    name=st.just("review-bot"),
    posting=st.builds(
        Posting,
        comments=st.sampled_from(("line", "line", "line", "summary", "off")),
        comment_on=st.sampled_from(("warning", "info", "error")),
        max_comments=st.integers(0, 6),
        summary=st.just("always"),
    ),
    drafts=st.just("review"),
    quiet=st.sampled_from((False, False, True)),
    resolve_threads=st.booleans(),
    request_changes=st.booleans(),
)


def review_after(pushed, seed):
    """Return the review of a push: ``kept.py`` is a file of the base, ``fresh.py`` one that the change adds."""
    shuffled = random.Random(seed)
    files, findings, suppressed, unreviewed = [], [], [], []
    for plain, state in zip(("kept.py", "fresh.py"), pushed, strict=True):
        path = state["name"] + plain
        if state["absent"]:
            continue
        added = plain == "fresh.py"
        base_path = path if added else plain
        hunk = Hunk(0 if added else 1, 0, 1, LINES, tuple("+x" for _ in range(LINES)))
        status: Status = "added" if added else "renamed" if path != plain else "modified"
        files.append(ChangedFile(path, None if added else plain, status, "text", (hunk,), LINES))
        if state["unread"]:
            unreviewed.append(Unreviewed(path, "cut"))
            continue
        ordinals: Counter[tuple[str, str]] = Counter()
        for rule, statement, line in sorted(state["sites"], key=lambda each: each[2]):
            name = fingerprint(rule, statement, base_path, ordinals[rule, statement])
            ordinals[rule, statement] += 1
            one = finding(
                rule,
                severity=SEVERITY[rule],
                message=f"Message {name}",
                path=path,
                line=line,
                end_line=line + line % 3,
                fingerprint=name,
                placement="file" if line % 7 == 0 else "summary" if line % 11 == 0 else "inline",
                moved=line % 13 == 0,
                suggestion=Suggestion(line, min(line + line % 2, LINES), "y") if line % 4 == 0 else None,
            )
            if state["silenced"] and rule == "errors/two":
                suppressed.append(Suppressed(one, "comment", f"reason {line % 2}", line))
            else:
                findings.append(one)
    for each in (files, findings, suppressed, unreviewed):
        shuffled.shuffle(each)
    return review_of(files, Examination(tuple(findings), tuple(suppressed), tuple(unreviewed)))


def shuffled_page(page, seed):
    posted = page.posted()
    rows = list(posted.comments)
    random.Random(seed).shuffle(rows)
    return posted._replace(comments=tuple(rows))


def live(page):
    return [each for each in page.comments.values() if each.kind != "summary" and not comments.settled(each.body)]


def check(page, review, before, written, wanted, seen):
    """Say what must hold after each run; ``seen``: where each finding was, whatever file its comment is on."""
    open_now = {each.fingerprint for each in review.findings}
    unread = {each.path for each in review.unreviewed}
    named = Counter(name for each in live(page) for name in each.fingerprints)
    assert len(written.new) <= wanted.posting.max_comments
    known = {name for each in before if each.kind != "summary" for name in each.fingerprints}
    assert not [name for new in written.new for name in new.fingerprints if name in known], "said twice"
    assert not [name for name, number in named.items() if number > 1], "two live comments for one finding"
    closed = [each for each in page.comments.values() if each.kind != "summary" and comments.settled(each.body)]
    assert not [each for each in closed if open_now & set(each.fingerprints)], "wrongly closed"
    for each in before:
        was_open = comments.settled(each.body) is None and each.kind != "summary"
        if was_open and {seen[name] for name in each.fingerprints} <= unread:
            assert page.comments[each.id].body == each.body, "closed though nobody looked"
    if not review.unreviewed:
        assert not [each for each in live(page) if set(each.fingerprints) - open_now], "left open"
    summaries = [each for each in page.comments.values() if each.kind == "summary"]
    assert len(summaries) <= 1
    for summary in summaries:
        text = summary.body.replace("\u200b", "")
        for each in review.findings:
            if not each.moved and each.severity != "info":  # those are told by rule
                assert (f"Message {each.fingerprint}" in text) != (each.fingerprint in named), "lost, or told twice"


def sites(*lines):
    return [("errors/one", "f()", line) for line in lines]


def state(*lines, name="", unread=False, absent=False):
    return {"sites": sites(*lines), "name": name, "unread": unread, "silenced": False, "absent": absent}


FOLLOWED = [
    (state(1, 6, 2, 23), state()),
    (state(name="moved_"), state(1, 2)),
    (state(), state(absent=True)),
    (state(), state(1, 2)),
    (state(unread=True), state(1)),
]
"""The comment follows the statement to another file; then the file that it is on cannot be read."""


@settings(max_examples=250, deadline=None)
@example(pushes=FOLLOWED, wanted=PublicationSettings(posting=Posting(max_comments=1)), seed=0, outdated=False)
@given(st.lists(push, min_size=1, max_size=5), configuration, st.integers(0, 1000), st.booleans())
def test_many_pushes(pushes, wanted, seed, outdated):
    page = Page()
    seen: dict[str, str] = {}
    for number, pushed in enumerate(pushes):
        review = review_after(pushed, seed + number)
        seen |= {each.fingerprint: each.path for each in review.findings}
        context = Context("octo/engine", 19, f"{number:040x}")
        if outdated:
            for each in list(page.comments.values()):
                page.change(each.id, line=None, start_line=None)
        before = list(page.comments.values())
        written = plan(review, page.posted(), wanted, context)
        assert written == plan(review_after(pushed, seed + 99), shuffled_page(page, seed), wanted, context)
        page.carry_out(written)
        check(page, review, before, written, wanted, seen)
        again = plan(review, shuffled_page(page, seed), wanted, context)
        assert again.empty, again


@settings(max_examples=150, deadline=None)
@given(push, push, st.data())
def test_whatever_people_and_races_do_one_run_mends(first, second, data):
    """Comments of ours are deleted, edited, doubled, answered and resolved between two runs."""
    page = Page()
    wanted = PublicationSettings(posting=Posting(comment_on="info"), resolve_threads=True)
    context = Context("octo/engine", 19, "a" * 40)
    page.carry_out(plan(review_after(first, 1), page.posted(), wanted, context))
    for each in list(page.comments.values()):
        event = data.draw(st.sampled_from(("", "", "delete", "edit", "double", "answer", "resolve", "crlf")))
        if event == "delete":
            del page.comments[each.id]
        elif event == "edit":
            page.change(each.id, body="Nonsense.\n" + each.body)
        elif event == "double":
            page.add(each.kind, each.body, path=each.path, line=each.line, replied=data.draw(st.booleans()))
        elif event == "answer":
            page.change(each.id, replied=True)
        elif event == "resolve":
            page.change(each.id, resolved=True)
        elif event == "crlf":
            page.change(each.id, body=each.body.replace("\n", " \r\n"))
    review = review_after(second, 2)
    context = context._replace(head="b" * 40)
    page.carry_out(plan(review, page.posted(), wanted, context))
    assert plan(review, shuffled_page(page, 3), wanted, context).empty
    open_now = {each.fingerprint for each in review.findings}
    for each in page.comments.values():
        if each.kind != "summary" and comments.settled(each.body):
            elsewhere = {name for other in live(page) for name in other.fingerprints}
            assert not (open_now & set(each.fingerprints)) - elsewhere
    assert len([each for each in page.comments.values() if each.kind == "summary"]) == 1
