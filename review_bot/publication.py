"""Review + what is posted already → what to write, as data; nothing here sends anything.

::

    findings ──┐
               ├─ match by fingerprint ──▶ new       one review with inline comments
    posted  ───┘                          still open  edited only if the text differs
                                          gone        edited to say "fixed", with the commit
                                          twice       the newer copy is deleted

The same review and the same posted comments always give the same plan; once it is carried out, the plan is empty.
"""

from typing import Literal, NamedTuple

from review_bot.findings import Severity

CommentKind = Literal["summary", "inline", "file"]
CommentsMode = Literal["inline", "summary", "off"]


class PublicationSettings(NamedTuple):
    """How to speak. ``name`` marks our comments; ``comment_on``: lowest severity of an inline comment."""

    name: str = "review-bot"
    comments: CommentsMode = "inline"
    comment_on: Severity = "warning"
    max_comments: int = 30
    quiet: bool = False
    resolve_threads: bool = False
    request_changes: bool = False


class PostedComment(NamedTuple):
    """A comment of ours (same author, same marker) as GitHub holds it now.

    ``line`` is None for a summary, a comment on a file, or one that is outdated. ``replied``: somebody else answered in
    its thread. ``thread`` and ``resolved`` are known only where threads were read.
    """

    id: int
    kind: CommentKind
    fingerprints: tuple[str, ...]
    body: str
    url: str = ""
    path: str | None = None
    line: int | None = None
    replied: bool = False
    thread: str | None = None
    resolved: bool = False


class PostedReview(NamedTuple):
    """A review of ours that asks for changes and still stands."""

    id: int


class Posted(NamedTuple):
    """Everything of ours that stands in a pull request, oldest first."""

    comments: tuple[PostedComment, ...] = ()
    requests: tuple[PostedReview, ...] = ()


class NewComment(NamedTuple):
    """A comment to post. ``line`` None: on the file as a whole. ``start_line`` only where it is before ``line``."""

    path: str
    line: int | None
    start_line: int | None
    body: str
    fingerprints: tuple[str, ...]


class Edit(NamedTuple):
    """Give a comment of ours another text; ``kind`` tells GitHub's two kinds of comment apart."""

    id: int
    kind: CommentKind
    body: str


class Deletion(NamedTuple):
    """Delete a comment of ours that says what an older one says already."""

    id: int
    kind: CommentKind


class PublicationPlan(NamedTuple):
    """What to write, in this order. ``summary``: the text of a new summary comment, or None if it is there already.

    ``review_body``: the one line of the review that carries ``new``. ``request_changes``: that review asks for changes.
    ``withdraw``: our own requests for changes that no longer hold. ``resolve``: threads to resolve.
    """

    new: tuple[NewComment, ...] = ()
    review_body: str = ""
    request_changes: bool = False
    edits: tuple[Edit, ...] = ()
    deletions: tuple[Deletion, ...] = ()
    resolve: tuple[str, ...] = ()
    withdraw: tuple[int, ...] = ()
    summary: str | None = None

    @property
    def empty(self) -> bool:
        """Tell whether there is nothing to write."""
        return self == PublicationPlan()
