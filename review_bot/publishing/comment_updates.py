"""What happens to the existing comments: still open, fixed, suppressed, or unknown."""

from __future__ import annotations

from collections.abc import Iterable

from review_bot.comments.model import Context, Edit, PostedComment
from review_bot.findings import Suggestion, order
from review_bot.fingerprints import is_of_file
from review_bot.publishing.anchors import offered
from review_bot.publishing.matching import MatchedComment
from review_bot.publishing.plan_input import PlanInput, signed
from review_bot.reports import comments
from review_bot.review.review import Review


def update(given: PlanInput, thread: MatchedComment) -> Edit | None:
    """Return the edit that makes a comment say how things are, None if it does or if it is unknown."""
    posted = thread.posted
    names = posted.fingerprints
    how = comments.settled(posted.body)
    silenced = {entry.finding.fingerprint: entry for entry in given.review.suppressed}
    entries = [silenced[name] for name in thread.gone if name in silenced]
    if thread.findings:
        if thread.gone and unseen(given, thread):
            return None
        names = tuple(finding.fingerprint for finding in thread.findings)
        text = comments.together(thread.findings, given.context, _still_offered(given, thread))
    elif thread.elsewhere or not thread.gone:
        return None
    elif entries:
        text = comments.suppressed(sorted(entries, key=lambda entry: order(entry.finding)), given.context)
    elif how in {"fixed", "unchecked"}:
        return None
    elif why := _unchecked(given, posted):
        text = comments.unchecked(posted.body, why)
    elif unseen(given, thread):
        return None
    else:
        text = comments.fixed(posted.body, given.context.head)
    body = signed(given, text, posted.kind, names)
    return None if comments.same_text(body, posted.body) else Edit(posted.id, posted.kind, body)


def _still_offered(given: PlanInput, thread: MatchedComment) -> Suggestion | None:
    """Return the suggestion of a comment's only finding if the comment is on exactly the lines it replaces.

    Of an outdated comment GitHub commits nothing, so its text may stay.
    """
    posted, first = thread.posted, thread.findings[0]
    file = given.files.get(first.path or "")
    if len(thread.findings) > 1 or posted.kind == "file" or file is None:
        return None
    suggestion = offered(file, first, given.hidden)
    if suggestion is None or posted.line is None:
        return suggestion
    stands_on = (posted.start_line or posted.line, posted.line)
    return suggestion if stands_on == (suggestion.start_line, suggestion.end_line) else None


def says_nothing_new(thread: MatchedComment) -> bool:
    """Return whether other comments are about all that is open here, and no one replied."""
    open_still = comments.settled(thread.posted.body) is None
    return open_still and not thread.findings and thread.elsewhere > 0 and not thread.posted.replied


def _unchecked(given: PlanInput, posted: PostedComment) -> str:
    """Return why nothing looks for a comment's finding any more, or an empty text."""
    return unchecked(given.review, given.context, comments.rule_of(posted.body), posted.path)


def unchecked(review: Review, context: Context, rule: str | None, path: str | None) -> str:
    """Return why nothing looks for findings of a rule in a file any more, or an empty text."""
    if path is not None and path in review.examination.ignored:
        return "the configuration ignores this file"
    if rule is None or context.rules is None or rule.startswith(comments.ALWAYS_ON):
        return ""
    return "" if rule in context.rules else "this rule is disabled"


def unseen(given: PlanInput, thread: MatchedComment) -> bool:
    """Return whether a finding may still be there though nothing saw it: its file or its rule was not tried in full.

    The file is the one where the other findings of the comment are, by whatever name; it may be another than the one
    that the comment is on, which follows a statement to where it moved.
    """
    path = thread.findings[0].path if thread.findings else thread.posted.path
    if not thread.findings:
        base_paths = {file.path: file.base_path for file in given.review.pull_request.files}
        unread = (base_paths.get(entry.path, entry.path) for entry in given.review.unreviewed)
        if any(is_of_file(name, each) for each in unread for name in thread.posted.fingerprints):
            return True
    return not_looked_for(given.review, comments.rule_of(thread.posted.body), path)


def not_looked_for(review: Review, rule: str | None, path: str | None) -> bool:
    """Return whether a rule (None: whichever) was not tried in full in a file."""
    unread = {entry.path for entry in (*review.unreviewed, *review.allowed_unreviewed)}
    known = {name for file in review.pull_request.files for name in (file.path, file.old_path)}
    if path in unread or (review.unreviewed and path not in known):
        return True
    renamed = [file.path for file in review.pull_request.files if file.old_path == path]
    if any(name in unread for name in renamed):
        return True
    if any(rule in {None, entry.rule} for entry in review.examination.not_run):
        return True
    return any(
        rule in {None, failure.rule} and (failure.path in {None, path, *renamed} or path not in known)
        for failure in review.examination.failures
    )


def reopened(given: PlanInput, threads: Iterable[MatchedComment]) -> tuple[str, ...]:
    """Return the resolved threads whose fixed findings are back; one that was resolved while open stays resolved."""
    if not given.settings.resolve_threads:
        return ()
    return tuple(
        thread.posted.thread
        for thread in threads
        if thread.posted.thread is not None
        and thread.posted.resolved
        and thread.findings
        and comments.settled(thread.posted.body) == "fixed"
    )


def resolved(given: PlanInput, threads: Iterable[MatchedComment], edits: Iterable[Edit]) -> tuple[str, ...]:
    """Return the threads that are settled by a fix, if that is wanted; where a person replied, the thread stays."""
    if not given.settings.resolve_threads:
        return ()
    bodies = {edit.id: edit.body for edit in edits}
    return tuple(
        thread.posted.thread
        for thread in threads
        if thread.posted.thread is not None
        and not thread.posted.resolved
        and not thread.posted.replied
        and comments.settled(bodies.get(thread.posted.id, thread.posted.body)) == "fixed"
    )
