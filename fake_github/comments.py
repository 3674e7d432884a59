"""REST: reviews, comments on lines, comments of the conversation."""

from typing import Any

from fake_github import conversation
from fake_github.calls import Answer, Call, Refusal, Route, not_found
from fake_github.shapes import Shapes
from fake_github.world import IssueComment, Pull, Review, ReviewComment

DOC = "https://docs.github.com/rest/pulls"


def list_reviews(call: Call) -> Answer:
    """Answer ``GET pulls/{n}/reviews``: oldest first; of pending ones only one's own."""
    call.need("pull_requests")
    pull, shapes = call.pull, Shapes(call.hosting, call.urls)
    login = call.token.login if call.token else None
    rows = [one for one in call.repository.reviews.values() if one.number == pull.number]
    return call.page(
        [shapes.review(call.repository, one) for one in rows if one.state != "PENDING" or one.author == login]
    )


def get_review(call: Call) -> Answer:
    """Answer ``GET pulls/{n}/reviews/{id}``."""
    call.need("pull_requests")
    return Answer(200, Shapes(call.hosting, call.urls).review(call.repository, _review(call)))


def create_review(call: Call) -> Answer:
    """Answer ``POST pulls/{n}/reviews``: 200, not 201 (rest/pulls/reviews); all comments or none."""
    pull = _to_write(call)
    body = call.body()
    comments = body.get("comments") or []
    _only(body, {"commit_id", "body", "event", "comments"})
    for comment in comments:
        missing = [name for name in ("path", "body") if not isinstance(comment.get(name), str)]
        if missing:
            words = "\n\n".join(f'"{name}" wasn\'t supplied.' for name in missing)
            raise Refusal(422, f"Invalid request.\n\n{words}", documentation=conversation.DOC_REVIEWS)
        # subject_type is not among the fields of comments[] in GitHub's description
        _only(comment, {"path", "position", "body", "line", "side", "start_line", "start_side"})
    draft = conversation.ReviewDraft(
        str(body.get("commit_id") or pull.head_sha),
        str(body.get("body") or ""),
        str(body.get("event") or ""),
        tuple(comments),
    )
    review = conversation.add_review(call.hosting, call.repository, pull, call.viewer.login, draft)
    return Answer(200, Shapes(call.hosting, call.urls).review(call.repository, review))


def update_review(call: Call) -> Answer:
    """Answer ``PUT pulls/{n}/reviews/{id}``: another body."""
    _to_write(call)
    review = _review(call)
    review.body = str(call.body().get("body", ""))
    return Answer(200, Shapes(call.hosting, call.urls).review(call.repository, review))


def delete_review(call: Call) -> Answer:
    """Answer ``DELETE pulls/{n}/reviews/{id}``: only a pending one (rest/pulls/reviews)."""
    _to_write(call)
    review = _review(call)
    if review.state != "PENDING":
        raise Refusal(422, "Unprocessable Entity", ["Can not delete a non-pending pull request review"])
    del call.repository.reviews[review.id]
    for comment in [one for one in call.repository.review_comments.values() if one.review == review.id]:
        conversation.delete(call.repository, comment.id)
    return Answer(200, Shapes(call.hosting, call.urls).review(call.repository, review))


def submit_review(call: Call) -> Answer:
    """Answer ``POST pulls/{n}/reviews/{id}/events``: submit a pending review."""
    _to_write(call)
    review, body = _review(call), call.body()
    if review.state != "PENDING":
        raise Refusal(422, "Unprocessable Entity", ["Can not submit a non-pending pull request review"])
    review.state = conversation.STATES[str(body.get("event", "COMMENT"))]
    review.body = str(body.get("body", review.body))
    review.submitted = call.hosting.world.now()
    for comment in call.repository.review_comments.values():
        comment.pending = comment.pending and comment.review != review.id
    return Answer(200, Shapes(call.hosting, call.urls).review(call.repository, review))


def dismiss_review(call: Call) -> Answer:
    """Answer ``PUT pulls/{n}/reviews/{id}/dismissals``."""
    _to_write(call)
    if not isinstance(call.body().get("message"), str):
        raise Refusal(422, 'Invalid request.\n\n"message" wasn\'t supplied.')
    review = conversation.dismiss(call.repository, _review(call).id)
    return Answer(200, Shapes(call.hosting, call.urls).review(call.repository, review))


def list_review_comments_of_review(call: Call) -> Answer:
    """Answer ``GET pulls/{n}/reviews/{id}/comments``: the old shape, without ``line`` (sortie-ai/sortie#821)."""
    call.need("pull_requests")
    review, shapes = _review(call), Shapes(call.hosting, call.urls)
    rows = [
        shapes.review_comment(call.repository, one)
        for one in call.repository.review_comments.values()
        if one.review == review.id
    ]
    newer = {"line", "original_line", "start_line", "original_start_line", "side", "start_side", "subject_type"}
    return call.page([{name: value for name, value in row.items() if name not in newer} for row in rows])


def list_review_comments(call: Call) -> Answer:
    """Answer ``GET pulls/{n}/comments``, by ascending id; ``sort``, ``direction`` and ``since`` as documented."""
    call.need("pull_requests")
    pull, shapes = call.pull, Shapes(call.hosting, call.urls)
    rows = [
        shapes.review_comment(call.repository, one)
        for one in call.repository.review_comments.values()
        if one.number == pull.number and not one.pending
    ]
    return call.page(_ordered(call, rows))


def get_review_comment(call: Call) -> Answer:
    """Answer ``GET pulls/comments/{id}``."""
    call.need("pull_requests")
    return Answer(200, Shapes(call.hosting, call.urls).review_comment(call.repository, _review_comment(call)))


def create_review_comment(call: Call) -> Answer:
    """Answer ``POST pulls/{n}/comments``: 201; with ``in_reply_to`` all but ``body`` is ignored."""
    pull = _to_write(call)
    body = call.body()
    if body.get("in_reply_to") is not None:
        return _reply(call, pull, int(body["in_reply_to"]), body)
    found = conversation.add_single_comment(call.hosting, call.repository, pull, call.viewer.login, body)
    shape = Shapes(call.hosting, call.urls).review_comment(call.repository, found)
    return Answer(201, shape, {"Location": shape["url"]})


def create_reply(call: Call) -> Answer:
    """Answer ``POST pulls/{n}/comments/{id}/replies``."""
    pull = _to_write(call)
    return _reply(call, pull, _number(call, "id"), call.body())


def update_review_comment(call: Call) -> Answer:
    """Answer ``PATCH pulls/comments/{id}``."""
    return Answer(200, Shapes(call.hosting, call.urls).review_comment(call.repository, _edited_review_comment(call)))


def delete_review_comment(call: Call) -> Answer:
    """Answer ``DELETE pulls/comments/{id}``: 204."""
    comment = _review_comment(call)
    _may_change(call, comment)
    conversation.delete(call.repository, comment.id)
    return Answer(204, None)


def list_issue_comments(call: Call) -> Answer:
    """Answer ``GET issues/{n}/comments``, by ascending id."""
    call.need("pull_requests")
    pull, shapes = call.pull, Shapes(call.hosting, call.urls)
    rows = [
        shapes.issue_comment(call.repository, one)
        for one in call.repository.issue_comments.values()
        if one.number == pull.number
    ]
    return call.page(_ordered(call, rows))


def get_issue_comment(call: Call) -> Answer:
    """Answer ``GET issues/comments/{id}``."""
    call.need("pull_requests")
    return Answer(200, Shapes(call.hosting, call.urls).issue_comment(call.repository, _issue_comment(call)))


def create_issue_comment(call: Call) -> Answer:
    """Answer ``POST issues/{n}/comments``: 201.

    On a pull request the permission is ``pull_requests``, not ``issues`` (RevenueCat/purchases-ios#6655,
    WordPress/props-bot-action#245).
    """
    pull = _to_write(call)
    text = _text(call)
    found = conversation.add_issue_comment(call.hosting, call.repository, pull, call.viewer.login, text)
    shape = Shapes(call.hosting, call.urls).issue_comment(call.repository, found)
    return Answer(201, shape, {"Location": shape["url"]})


def update_issue_comment(call: Call) -> Answer:
    """Answer ``PATCH issues/comments/{id}``."""
    comment = _issue_comment(call)
    _may_change(call, comment)
    conversation.edit(call.hosting, call.repository, comment.id, _text(call))
    return Answer(200, Shapes(call.hosting, call.urls).issue_comment(call.repository, comment))


def delete_issue_comment(call: Call) -> Answer:
    """Answer ``DELETE issues/comments/{id}``: 204."""
    comment = _issue_comment(call)
    _may_change(call, comment)
    conversation.delete(call.repository, comment.id)
    return Answer(204, None)


def _to_write(call: Call) -> Pull:
    """Return the pull request if the one who asks may write in its conversation. Raises Refusal."""
    pull = call.pull
    if call.token is not None and not call.token.is_app and not call.token.read_only:
        if call.repository.archived:
            raise Refusal(403, "Repository was archived so is read-only.")
    else:
        call.need("pull_requests", "write")
    viewer = call.viewer
    if pull.locked and not call.hosting.world.can_push(call.repository, viewer.login):
        # only people with write access may comment, GITHUB_TOKEN may not (renovatebot/renovate#6215, probot/stale#25,
        # hashicorp/terraform-github-actions#100)
        locked = "https://docs.github.com/articles/locking-conversations/"
        raise Refusal(403, "Unable to create comment because issue is locked.", documentation=locked)
    return pull


def _may_change(call: Call, comment: IssueComment | ReviewComment) -> None:
    """Refuse to change a comment: apps with the permission and people who may push change anyone's (danger-js#552)."""
    if call.viewer.login == comment.author and call.token is not None and not call.token.is_app:
        return
    call.need("pull_requests", "write")
    if not call.is_writer():
        raise Refusal(403, "Must have admin rights to Repository.")


def _edited_review_comment(call: Call) -> ReviewComment:
    comment = _review_comment(call)
    _may_change(call, comment)
    conversation.edit(call.hosting, call.repository, comment.id, _text(call))
    return comment


def _reply(call: Call, pull: Pull, comment_id: int, body: dict[str, Any]) -> Answer:
    text = str(body.get("body") or "")
    found = conversation.add_reply(call.hosting, call.repository, pull, call.viewer.login, comment_id, text)
    shape = Shapes(call.hosting, call.urls).review_comment(call.repository, found)
    return Answer(201, shape, {"Location": shape["url"]})


def add_labels(call: Call) -> Answer:
    """Answer ``POST issues/{n}/labels``: those that the repository does not have are created."""
    pull = _to_write(call)
    wanted = call.body().get("labels")
    if not isinstance(wanted, list) or not all(isinstance(each, str) and 0 < len(each) <= 50 for each in wanted):
        raise Refusal(422, "Validation Failed", [{"resource": "Label", "code": "invalid", "field": "name"}])
    known = {each.lower() for each in pull.labels}
    pull.labels += [each for each in wanted if each.lower() not in known]
    return Answer(200, Shapes(call.hosting, call.urls).labels(call.repository, pull))


def remove_label(call: Call) -> Answer:
    """Answer ``DELETE issues/{n}/labels/{name}``: 404 if the pull request does not have it."""
    pull = _to_write(call)
    gone = [each for each in pull.labels if each.lower() == call.parameters["name"].lower()]
    if not gone:
        raise not_found("https://docs.github.com/rest/issues/labels#remove-a-label-from-an-issue")
    pull.labels.remove(gone[0])
    return Answer(200, Shapes(call.hosting, call.urls).labels(call.repository, pull))


def _text(call: Call) -> str:
    text = call.body().get("body")
    if not isinstance(text, str):
        raise Refusal(422, 'Invalid request.\n\n"body" wasn\'t supplied.')
    return text


def _review(call: Call) -> Review:
    found = call.repository.reviews.get(_number(call, "id"))
    if found is None or found.number != call.pull.number:
        raise not_found(f"{DOC}/reviews")
    return found


def _review_comment(call: Call) -> ReviewComment:
    found = call.repository.review_comments.get(_number(call, "id"))
    if found is None:
        raise not_found(f"{DOC}/comments")
    return found


def _issue_comment(call: Call) -> IssueComment:
    found = call.repository.issue_comments.get(_number(call, "id"))
    if found is None:
        raise not_found(conversation.DOC_ISSUES)
    return found


def _number(call: Call, name: str) -> int:
    text = call.parameters[name]
    if not text.isdecimal():
        raise not_found()
    return int(text)


def _ordered(call: Call, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    query = call.request.query
    rows = [row for row in rows if row["updated_at"] >= query.get("since", "")]
    name = {"created": "created_at", "updated": "updated_at"}.get(query.get("sort", ""), "id")
    return sorted(
        rows, key=lambda row: (row[name], row["id"]), reverse=query.get("direction") == "desc" and "sort" in query
    )


def _only(given: dict[str, Any], known: set[str]) -> None:
    """Refuse fields that the description does not have, as GitHub's own validation words it."""
    for name in given:
        if name not in known:
            raise Refusal(
                422, f'Invalid request.\n\n"{name}" is not a permitted key.', documentation=conversation.DOC_REVIEWS
            )


ROUTES = (
    Route("GET", "pulls/{number}/reviews", list_reviews),
    Route("POST", "pulls/{number}/reviews", create_review),
    Route("GET", "pulls/{number}/reviews/{id}", get_review),
    Route("PUT", "pulls/{number}/reviews/{id}", update_review),
    Route("DELETE", "pulls/{number}/reviews/{id}", delete_review),
    Route("POST", "pulls/{number}/reviews/{id}/events", submit_review),
    Route("PUT", "pulls/{number}/reviews/{id}/dismissals", dismiss_review),
    Route("GET", "pulls/{number}/reviews/{id}/comments", list_review_comments_of_review),
    Route("GET", "pulls/comments/{id}", get_review_comment),
    Route("PATCH", "pulls/comments/{id}", update_review_comment),
    Route("DELETE", "pulls/comments/{id}", delete_review_comment),
    Route("GET", "pulls/{number}/comments", list_review_comments),
    Route("POST", "pulls/{number}/comments", create_review_comment),
    Route("POST", "pulls/{number}/comments/{id}/replies", create_reply),
    Route("GET", "issues/comments/{id}", get_issue_comment),
    Route("PATCH", "issues/comments/{id}", update_issue_comment),
    Route("DELETE", "issues/comments/{id}", delete_issue_comment),
    Route("POST", "issues/{number}/labels", add_labels),
    Route("DELETE", "issues/{number}/labels/{name}", remove_label),
    Route("GET", "issues/{number}/comments", list_issue_comments),
    Route("POST", "issues/{number}/comments", create_issue_comment),
)
