"""What is said in a pull request: reviews, comments on lines, threads, comments; and GitHub's refusals of bad ones."""

from typing import Any, NamedTuple

from fake_github.anchors import Anchor, diff_hunk
from fake_github.calls import Refusal
from fake_github.git_store import FileDiff
from fake_github.hosting import Hosting
from fake_github.world import ACTIONS_BOT, IssueComment, Pull, Repository, Review, ReviewComment, ReviewState, Thread

DOC_REVIEWS = "https://docs.github.com/rest/pulls/reviews#create-a-review-for-a-pull-request"
DOC_COMMENTS = "https://docs.github.com/rest/pulls/comments#create-a-review-comment-for-a-pull-request"
DOC_ISSUES = "https://docs.github.com/rest/issues/comments#create-an-issue-comment"
STATES: dict[str, ReviewState] = {
    "COMMENT": "COMMENTED",
    "APPROVE": "APPROVED",
    "REQUEST_CHANGES": "CHANGES_REQUESTED",
    "PENDING": "PENDING",
}
BLANK_HUNK = "Pull request review thread diff hunk can't be blank"


class ReviewDraft(NamedTuple):
    """A review as it was asked for."""

    commit_id: str
    body: str
    event: str
    comments: tuple[dict[str, Any], ...]


class Place(NamedTuple):
    """Where a comment may be placed: its file, and the anchors of its first and last line (None: the whole file)."""

    file: FileDiff
    end: Anchor | None


class Misplaced(Exception):
    """An anchor that GitHub refuses: the sentence of the reviews endpoint, and the objects of the comments endpoint."""

    def __init__(self, sentence: str, field: str, message: str, *, blank_hunk: bool = True) -> None:
        super().__init__(sentence)
        resource = "PullRequestReviewComment"
        self.sentence = f"{sentence} and {BLANK_HUNK}" if blank_hunk else sentence
        thread = "pull_request_review_thread"
        self.objects: list[dict[str, str]] = [
            {"resource": resource, "code": "custom", "field": field, "message": message}
        ]
        if blank_hunk:
            self.objects.append({"resource": resource, "code": "missing_field", "field": f"{thread}.diff_hunk"})


def add_review(hosting: Hosting, repository: Repository, pull: Pull, login: str, draft: ReviewDraft) -> Review:
    """Carry out a review, all or nothing. Raises Refusal (422)."""
    _check_review(hosting, repository, pull, login, draft)
    places = []
    sentences: list[str] = []
    for comment in draft.comments:
        try:
            places.append(_place(hosting, repository, pull, draft.commit_id, comment))
        except Misplaced as error:
            sentences.append(error.sentence)
    if sentences:
        # the strings of the reviews endpoint (The-PR-Agent/pr-agent#592, parkerbxyz/suggest-changes#64); it does not
        # say which comment it was, and posts nothing (QwenLM/qwen-code#6711)
        raise Refusal(422, "Unprocessable Entity", list(dict.fromkeys(sentences)), DOC_REVIEWS)
    world, moment = hosting.world, hosting.world.now()
    review = Review(
        world.next_id(), pull.number, login, draft.body, STATES[draft.event or "PENDING"], draft.commit_id, moment
    )
    repository.reviews[review.id] = review
    for comment, place in zip(draft.comments, places, strict=True):
        _add_comment(hosting, repository, pull, review, comment, place)
    return review


def add_to_pending(
    hosting: Hosting, repository: Repository, pull: Pull, review: Review, comment: dict[str, Any]
) -> ReviewComment:
    """Add a comment on a line or on a file to a pending review. Raises Refusal (422), Misplaced."""
    if review.state != "PENDING":
        raise Refusal(422, "Review has already been submitted.")
    too_long = _too_long(hosting, str(comment.get("body")), "PullRequestReviewComment")
    if too_long is not None:
        raise Refusal(422, "Validation Failed", [too_long], DOC_COMMENTS)
    place = _place(hosting, repository, pull, review.commit_id, comment)
    return _add_comment(hosting, repository, pull, review, comment, place)


def add_single_comment(
    hosting: Hosting, repository: Repository, pull: Pull, login: str, comment: dict[str, Any]
) -> ReviewComment:
    """Post one comment on a line or on a file, in a review of its own. Raises Refusal (422)."""
    body, commit_id = comment.get("body"), comment.get("commit_id")
    missing = [name for name in ("body", "commit_id", "path") if not isinstance(comment.get(name), str)]
    if missing:
        words = "\n\n".join(f'"{name}" wasn\'t supplied.' for name in missing)
        raise Refusal(422, f"Invalid request.\n\n{words}", documentation=DOC_COMMENTS)
    too_long = _too_long(hosting, str(body), "PullRequestReviewComment")
    if too_long is not None:
        raise Refusal(422, "Validation Failed", [too_long], DOC_COMMENTS)
    _check_pending(repository, pull, login)
    try:
        _check_commit(hosting, repository, pull, str(commit_id))
        place = _place(hosting, repository, pull, str(commit_id), comment)
    except Misplaced as error:
        # the objects of the comments endpoint (cli/cli#5746, octokit.rb#1324)
        raise Refusal(422, "Validation Failed", list(error.objects), DOC_COMMENTS) from None
    world = hosting.world
    review = Review(world.next_id(), pull.number, login, "", "COMMENTED", str(commit_id), world.now())
    repository.reviews[review.id] = review
    return _add_comment(hosting, repository, pull, review, comment, place)


def add_reply(
    hosting: Hosting, repository: Repository, pull: Pull, login: str, comment_id: int, body: str
) -> ReviewComment:
    """Answer a top-level review comment. Raises Refusal (404, 422)."""
    first = repository.review_comments.get(comment_id)
    if first is None or first.number != pull.number or first.in_reply_to is not None:
        # rest/pulls/comments: "comment_id must be a top-level review comment"
        raise Refusal(404, "Not Found", documentation=DOC_COMMENTS)
    too_long = _too_long(hosting, body, "PullRequestReviewComment")
    if too_long is not None:
        raise Refusal(422, "Validation Failed", [too_long], DOC_COMMENTS)
    _check_pending(repository, pull, login)
    world, moment = hosting.world, hosting.world.now()
    review = Review(world.next_id(), pull.number, login, "", "COMMENTED", pull.head_sha, moment)
    repository.reviews[review.id] = review
    reply = ReviewComment(
        world.next_id(),
        pull.number,
        review.id,
        first.thread,
        login,
        body,
        first.path,
        first.subject_type,
        first.side,
        first.start_side,
        first.original_line,
        first.original_start_line,
        first.original_position,
        first.original_commit_id,
        first.diff_hunk,
        moment,
        moment,
        first.commit_id,
        first.line,
        first.start_line,
        first.position,
        first.id,
    )
    repository.review_comments[reply.id] = reply
    repository.threads[first.thread].comments.append(reply.id)
    return reply


def add_issue_comment(hosting: Hosting, repository: Repository, pull: Pull, login: str, body: str) -> IssueComment:
    """Comment in the conversation. Raises Refusal (422)."""
    too_long = _too_long(hosting, body, "IssueComment")
    if too_long is not None:
        raise Refusal(422, "Validation Failed", [too_long], DOC_ISSUES)
    if not body.strip():
        error = {"resource": "IssueComment", "code": "missing_field", "field": "body"}
        raise Refusal(422, "Validation Failed", [error], DOC_ISSUES)
    moment = hosting.world.now()
    comment = IssueComment(hosting.world.next_id(), pull.number, login, body, moment, moment)
    repository.issue_comments[comment.id] = comment
    return comment


def edit(hosting: Hosting, repository: Repository, comment_id: int, body: str) -> IssueComment | ReviewComment:
    """Change the text of a comment of either kind. Raises Refusal (404, 422)."""
    found = repository.issue_comments.get(comment_id) or repository.review_comments.get(comment_id)
    if found is None:
        raise Refusal(404, "Not Found")
    resource = "IssueComment" if isinstance(found, IssueComment) else "PullRequestReviewComment"
    too_long = _too_long(hosting, body, resource)
    if too_long is not None:
        raise Refusal(422, "Validation Failed", [too_long])
    found.body, found.updated = body, hosting.world.now()
    return found


def delete(repository: Repository, comment_id: int) -> None:
    """Delete a comment of either kind; its answers stay, as at GitHub. Raises Refusal (404)."""
    if repository.issue_comments.pop(comment_id, None) is not None:
        return
    comment = repository.review_comments.pop(comment_id, None)
    if comment is None:
        raise Refusal(404, "Not Found")
    thread = repository.threads[comment.thread]
    thread.comments.remove(comment_id)
    if not thread.comments:
        del repository.threads[comment.thread]


def dismiss(repository: Repository, review_id: int) -> Review:
    """Dismiss a review. Raises Refusal (404, 422)."""
    review = repository.reviews.get(review_id)
    if review is None:
        raise Refusal(404, "Not Found")
    if review.state not in {"APPROVED", "CHANGES_REQUESTED"}:
        # MorrisonCole/pr-lint-action#161
        raise Refusal(422, "Unprocessable Entity", [f"Can not dismiss a {review.state.lower()} pull request review"])
    review.state = "DISMISSED"
    return review


def queue(hosting: Hosting, repository: Repository, pull: Pull, base: str, parent: str) -> str:
    """Put a pull request into the merge queue behind ``parent``; return its group's merge commit."""
    store = hosting.store(repository)
    tree = store.merge(parent, pull.head_sha)
    if tree is None:
        raise ValueError("the pull request is in conflict with what is before it in the queue")
    message = f"Merge pull request #{pull.number} from {pull.head_owner}/{pull.head_ref}"
    sha = store.commit_tree(tree, (parent, pull.head_sha), message, hosting.world.now())
    # the sha in the name is the base's (VangelisTech/archetype#689)
    repository.refs[f"refs/heads/gh-readonly-queue/{base}/pr-{pull.number}-{parent}"] = sha
    return sha


def _check_review(hosting: Hosting, repository: Repository, pull: Pull, login: str, draft: ReviewDraft) -> None:
    if draft.event not in {"", *STATES}:
        # the enum of rest/pulls/reviews
        words = f'Invalid request.\n\n{draft.event} is not a member of ["APPROVE", "REQUEST_CHANGES", "COMMENT"].'
        raise Refusal(422, words, documentation=DOC_REVIEWS)
    errors = []
    if draft.event == "APPROVE" and login == ACTIONS_BOT and not repository.actions_may_approve:
        errors.append("GitHub Actions is not permitted to approve pull requests.")  # github/docs#31550
    elif login == pull.author and draft.event in {"APPROVE", "REQUEST_CHANGES"}:
        what = "approve" if draft.event == "APPROVE" else "request changes on"
        errors.append(f"Can not {what} your own pull request")  # cpp-linter/cpp-linter#51
    if len(draft.body) > hosting.limits.comment:
        errors.append("Body is too long (maximum is 65536 characters)")  # reviewdog/reviewdog#1696
    if any(len(str(comment.get("body") or "")) > hosting.limits.comment for comment in draft.comments):
        errors.append("Pull request review comments body is too long (maximum is 65536 characters)")
    if not draft.body and (draft.event == "REQUEST_CHANGES" or (draft.event == "COMMENT" and not draft.comments)):
        errors.append("Body can't be blank")  # rest/pulls/reviews: body is required for these events
    if _has_pending(repository, pull, login):  # whatever the event (QwenLM/qwen-code#10088)
        errors.append("User can only have one pending review per pull request")
    if not errors:
        try:
            _check_commit(hosting, repository, pull, draft.commit_id)
        except Misplaced as error:
            errors.append(error.sentence)
    if errors:
        raise Refusal(422, "Unprocessable Entity", errors, DOC_REVIEWS)


def _has_pending(repository: Repository, pull: Pull, login: str) -> bool:
    mine = (one for one in repository.reviews.values() if one.number == pull.number and one.author == login)
    return any(one.state == "PENDING" for one in mine)


def _check_pending(repository: Repository, pull: Pull, login: str) -> None:
    """Refuse a single comment or a reply of someone with a pending review (namanshergill/diohub#18)."""
    if _has_pending(repository, pull, login):
        message = "user_id can only have one pending review per pull request"
        error = {"resource": "PullRequestReview", "code": "custom", "field": "user_id", "message": message}
        raise Refusal(422, "Validation Failed", [error], DOC_COMMENTS)


def _check_commit(hosting: Hosting, repository: Repository, pull: Pull, commit_id: str) -> None:
    """Refuse a commit that is not in the pull request now; one that a force push took out is not any more.

    Sources: reviewdog/reviewdog#434 for reviews, packsaddle/ruby-saddler#45 for single comments,
    wandersoncferreira/code-review#210 for the force push.
    """
    if commit_id not in {commit.sha for commit in hosting.pull_commits(repository, pull)} | {pull.head_sha}:
        words = "is not part of the pull request"
        raise Misplaced(f"The commitOID {words}", "commit_id", f"commit_id {words}", blank_hunk=False)


def _place(hosting: Hosting, repository: Repository, pull: Pull, commit_id: str, comment: dict[str, Any]) -> Place:
    """Return where a comment is placed, or raise Misplaced with GitHub's words."""
    path, thread = comment.get("path"), "pull_request_review_thread"
    file = hosting.pull_change(repository, pull, commit_id).file(str(path))
    if file is None:
        # villesau/ai-codereviewer#34
        raise Misplaced("Pull request review thread path is invalid", f"{thread}.path", f"{thread}.path is invalid")
    if comment.get("subject_type") == "file":
        return Place(file, None)
    if hosting.is_too_large(file):
        # danobi/prr#13, octokit/octokit.rb#1324
        raise Misplaced("Pull request review thread path diff too large", "path", "path diff too large")
    anchors = hosting.anchors(file.patch)
    line, start = comment.get("line"), comment.get("start_line")
    side, start_side = comment.get("side") or "RIGHT", comment.get("start_side") or comment.get("side") or "RIGHT"
    for one in (side, start_side):
        if one not in {"LEFT", "RIGHT"}:
            raise Misplaced(f"Pull request review thread side {one} is invalid", "side", "side is invalid")
    if line is None and isinstance(comment.get("position"), int):
        for where, table in (("RIGHT", anchors.right), ("LEFT", anchors.left)):
            for number, anchor in table.items():
                if anchor.position == comment["position"]:
                    comment |= {"line": number, "side": where}
                    return Place(file, anchor)
    if not isinstance(line, int) or isinstance(line, bool) or line < 1:
        # danobi/prr#13
        words = "Pull request review thread line required and an integer greater than zero"
        raise Misplaced(words, f"{thread}.line", "line is required and must be an integer greater than zero")
    end = anchors.side(side).get(line)
    if end is None:
        # The-PR-Agent/pr-agent#592, cli/cli#5746
        words = "Pull request review thread line must be part of the diff"
        raise Misplaced(words, f"{thread}.line", f"{thread}.line must be part of the diff")
    if start is not None:
        begin = anchors.side(start_side).get(start)
        if begin is not None and begin.position >= end.position:
            # ubuntu/WSL#244
            words = "Pull request review thread start line must precede the end line."
            raise Misplaced(words, f"{thread}.start_line", "start_line must precede the end line.", blank_hunk=False)
        if begin is None or begin.hunk != end.hunk:
            # parkerbxyz/suggest-changes#64
            words = "Pull request review thread start line must be part of the same hunk as the line."
            message = f"{thread}.start_line must be part of the same hunk as the line."
            raise Misplaced(words, f"{thread}.start_line", message, blank_hunk=False)
    return Place(file, end)


def _add_comment(
    hosting: Hosting, repository: Repository, pull: Pull, review: Review, comment: dict[str, Any], place: Place
) -> ReviewComment:
    world, moment = hosting.world, hosting.world.now()
    end = place.end
    start = comment.get("start_line") if end is not None else None
    side = comment.get("side") or "RIGHT"
    found = ReviewComment(
        world.next_id(),
        pull.number,
        review.id,
        f"PRRT_{world.next_id()}",
        review.author,
        str(comment.get("body") or ""),
        place.file.path,
        "file" if end is None else "line",
        side,
        None if start is None else comment.get("start_side") or side,
        1 if end is None else comment["line"],
        start,
        1 if end is None else end.position,
        review.commit_id,
        "" if end is None else diff_hunk(place.file.patch, end),
        moment,
        moment,
        review.commit_id,
        pending=review.state == "PENDING",
    )
    repository.review_comments[found.id] = found
    repository.threads[found.thread] = Thread(found.thread, pull.number, [found.id])
    hosting.place(repository, pull, found)
    return found


def _too_long(hosting: Hosting, body: str, resource: str) -> dict[str, str] | None:
    """Return the error object of a text over 65,536 characters (telia-oss/github-pr-resource#259)."""
    if len(body) <= hosting.limits.comment:
        return None
    return {
        "resource": resource,
        "code": "unprocessable",
        "field": "data",
        "message": "Body is too long (maximum is 65536 characters)",
    }
