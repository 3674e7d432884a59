"""Review + what is posted already → what to write, as data; nothing here sends anything.

::

    findings ──┐
               ├─ match ──▶ new         one review with inline comments, at most ``max_comments``
    posted  ───┘            still open  edited only if the text differs
                            gone        edited to say "fixed", with the commit; "suppressed"; "no longer checked"
                            unseen      left as it is: what would see it could not look
                            twice       the copy without a reply is deleted

The same review and the same posted comments always give the same plan, in whatever order they come; once it is carried
out, the plan is empty. Every open finding is described in one place: a comment of its own, or the summary.
"""

from __future__ import annotations

from collections.abc import Sequence

from review_bot.comments import marker
from review_bot.comments.model import Context, Deletion, Edit, NewComment, Posted, PublicationPlan, PublicationSettings
from review_bot.findings import Finding, order
from review_bot.publishing import checkboxes, history
from review_bot.publishing.anchors import anchor, offered
from review_bot.publishing.comment_updates import reopened, resolved, says_nothing_new, update
from review_bot.publishing.matching import match
from review_bot.publishing.plan_input import PlanInput, signed
from review_bot.publishing.selection import choose, group, join
from review_bot.reports import comments, summary_comment
from review_bot.reports.content.topics import Topic
from review_bot.reports.markdown import LONGEST
from review_bot.reports.summary_comment import CommentDelivery, WithheldFindings
from review_bot.review.declined import declined_findings, with_declined
from review_bot.review.redaction import redactor
from review_bot.review.review import Review


def plan(review: Review, posted: Posted, settings: PublicationSettings, context: Context) -> PublicationPlan:
    """Return what to write so that the pull request says what the review says."""
    review = _at_comments(_in_order(review), posted)
    review = with_declined(review, declined_findings(review.findings, posted.declined, review.pull_request.files))
    files = {file.path: file for file in review.pull_request.files}
    findings = review.findings
    declined = frozenset(each.fingerprint for each in review.context.declined)
    given = PlanInput(review, settings, context, files, redactor(review).places, declined)
    matched = match([each for each in posted.comments if each.kind != "summary"], findings, tuple(files.values()))
    threads, rest = join(given, matched)
    fresh, held = choose(given, threads, *group(threads, rest))
    edits = [edit for thread in threads if (edit := update(given, thread)) is not None]
    deletions = [Deletion(copy.id, copy.kind) for copy in matched.copies]
    deletions += [Deletion(thread.posted.id, thread.posted.kind) for thread in threads if says_nothing_new(thread)]
    new = tuple(_new_comment(given, each) for each in fresh)
    commented = frozenset(finding for thread in threads for finding in thread.findings)
    commented |= {finding for each in fresh for finding in each.findings}
    summary, summary_edits, summary_deletions = _summary(given, posted, commented, held)
    requests, withdraw = _requests(given, posted)
    line = comments.review_line(len(new), asks=requests)
    return PublicationPlan(
        new=new,
        review_body=signed(given, line, "summary", ()) if new or requests else "",  # known for ours by its marker
        request_changes=requests,
        reopen=reopened(given, threads),
        edits=(*edits, *summary_edits),
        deletions=(*sorted(deletions), *summary_deletions),
        resolve=resolved(given, threads, edits),
        withdraw=withdraw,
        summary=summary,
    )


def _in_order(review: Review) -> Review:
    """Sort what a review lists, so that no text depends on the order in which things were found."""
    failures = sorted(review.examination.failures, key=lambda each: (each.path or "", each.rule, each.error))
    return review._replace(
        examination=review.examination._replace(failures=tuple(failures)),
        findings=tuple(sorted(review.findings, key=order)),
        suppressed=tuple(sorted(review.suppressed, key=lambda each: (order(each.finding), each.by, each.reason))),
        unreviewed=tuple(sorted(review.unreviewed, key=lambda each: (each.path, each.reason))),
    )


def _at_comments(review: Review, posted: Posted) -> Review:
    """Put findings with several places where a comment is about them, or where the summary remembers them."""
    lines = {name for each in posted.comments if each.kind != "summary" for name in each.fingerprints}
    summary = {name for each in posted.comments if each.kind == "summary" for name in each.fingerprints}

    def placed(finding: Finding) -> Finding:
        for known in (lines, summary):
            if finding.fingerprint in known:
                break
            for place in finding.also_at:
                if place.fingerprint in known:
                    return finding.at(place)
        return finding

    return review._replace(findings=tuple(placed(each) if each.also_at else each for each in review.findings))


def _new_comment(given: PlanInput, fresh: Topic) -> NewComment:
    first = fresh.findings[0]
    file = given.files[first.path or ""]
    at = None if first.placement == "file" else anchor(file, first)
    kind = "file" if at is None else "inline"
    suggestion = None
    if at is not None and len(fresh.findings) == 1:
        suggestion = offered(file, first, given.hidden)
        if suggestion is not None:
            start = suggestion.start_line if suggestion.start_line < suggestion.end_line else None
            at = at._replace(line=suggestion.end_line, start_line=start)
    text = comments.together(fresh.findings, given.context, suggestion)
    return NewComment(
        path=file.path,
        line=None if at is None else at.line,
        start_line=None if at is None else at.start_line,
        body=signed(given, text, kind, fresh.fingerprints),
        fingerprints=fresh.fingerprints,
        side="RIGHT" if at is None else at.side,
    )


def _summary(
    given: PlanInput, posted: Posted, commented: frozenset[Finding], held: Sequence[WithheldFindings]
) -> tuple[str | None, list[Edit], list[Deletion]]:
    """Return the text of a new summary, or the edit of the oldest; newer ones go."""
    standing = sorted((each for each in posted.comments if each.kind == "summary"), key=lambda each: each.id)
    oldest = standing[0] if standing else None
    deletions = [Deletion(each.id, "summary") for each in standing[1:]]
    if oldest is None and not _wants_summary(given):
        return None, [], deletions
    past = history.compare(given.review, oldest, given.context)
    hidden = f"\n{past.line}\n{marker.write(given.settings.name, 'summary', past.remembered)}\n"
    name = given.settings.name
    delivery = CommentDelivery(commented, tuple(held), past.ledger, f"/{name}")
    body = (
        summary_comment.render(
            given.review,
            given.context,
            delivery,
            label="" if name == PublicationSettings().name else name,
            room=LONGEST - len(hidden.encode()),
        )
        + hidden
    )
    if oldest is None:
        return body, [], deletions
    body = checkboxes.kept(body, oldest.body)
    same = comments.same_text(body, oldest.body)
    return None, [] if same else [Edit(oldest.id, "summary", body)], deletions


def _wants_summary(given: PlanInput) -> bool:
    """Return whether a first summary is posted."""
    posting, review = given.settings.posting, given.review
    if "off" in {posting.comments, posting.summary}:
        return False
    found = bool(review.listed) or review.verdict.decision != "no-findings"
    return posting.summary == "always" or found or given.context.edits_gate


def _requests(given: PlanInput, posted: Posted) -> tuple[bool, tuple[int, ...]]:
    """Return whether to ask for changes now, and which requests to withdraw; an incomplete review does neither.

    A draft that is to be quiet gets no new request; one that it has stays.
    """
    standing = tuple(sorted(review.id for review in posted.requests))
    decision = given.review.verdict.decision
    if given.settings.request_changes and decision == "changes-required":
        return not standing and not given.settings.quiet, standing[1:]
    if given.settings.request_changes and decision == "incomplete":
        return False, standing[1:]
    return False, standing
