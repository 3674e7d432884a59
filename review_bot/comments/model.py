"""The values of publishing: what is posted, what to write, and the settings. ``publishing/plan.py`` makes the plan."""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Literal

from review_bot.changes.pull_request import Side
from review_bot.records import NamedTuple
from review_bot.setting import Setting

CommentKind = Literal["summary", "inline", "file"]

NOTHING_WITHHELD: Mapping[tuple[str, ...], str] = MappingProxyType({})


_NAME = re.compile(r"[a-z0-9-]{1,40}")


def _check_name(name: str) -> None:
    if not _NAME.fullmatch(name):
        raise ValueError(f"{name!r} is not 1 to 40 of the characters a-z, 0-9 and -")


PublicationName = Annotated[
    str,
    Setting(
        "Identifies the comments and the status, so that two installations can share a repository. 1 to 40 of a-z, "
        "0-9 and -.",
        check=_check_name,
    ),
]


Comments = Annotated[
    Literal["line", "summary", "off"],
    Setting(
        "Where findings are posted: `line` (line comments and a summary), `summary` (one comment) or `off` (nothing is "
        "posted)."
    ),
]
CommentOn = Annotated[
    Literal["error", "warning", "info"],
    Setting(
        "Lowest severity that gets a line comment.",
        refused=(("hint", "hints are never comments on lines; set `show: line` for rules whose hints should be"),),
    ),
]
MaxComments = Annotated[
    int,
    Setting("Maximum number of new line comments in one run, 0 to 100; the rest is in the summary.", least=0, most=100),
]
SummaryComment = Annotated[
    Literal["always", "with-findings", "off"],
    Setting(
        "When a summary comment is posted: `always`, `with-findings` (only if something is found, or the "
        "change edits how it is judged) or `off`. An existing one is kept up to date."
    ),
]


class Posting(NamedTuple):
    """What of a review is posted to a pull request. The verdict does not depend on it."""

    comments: Comments = "line"
    comment_on: CommentOn = "warning"
    max_comments: MaxComments = 30
    summary: SummaryComment = "always"


class PostingOverrides(NamedTuple):
    """What a caller sets of ``Posting``, instead of the configuration. None: not set."""

    comments: Comments | None = None
    comment_on: CommentOn | None = None
    max_comments: MaxComments | None = None
    summary: SummaryComment | None = None

    def applied(self, posting: Posting) -> Posting:
        """Return what holds: what the caller sets, else the configuration."""
        return posting._replace(**{field: value for field, value in self._asdict().items() if value is not None})


class PublicationSettings(NamedTuple):
    """What is posted to a pull request, and how. ``quiet``: it is a draft, and all but the summary waits."""

    name: PublicationName = "review-bot"
    drafts: Annotated[
        Literal["review", "quiet"],
        Setting(
            "How drafts are handled: `review` (like any other pull request) or `quiet` (same verdict and summary; line "
            "comments, requests for changes and labels wait until it is ready for review)."
        ),
    ] = "review"
    resolve_threads: Annotated[
        bool, Setting("Whether the threads of fixed findings are resolved. Needs `contents: write`.")
    ] = False
    request_changes: Annotated[bool, Setting("Whether a failed gate also submits a review that requests changes.")] = (
        False
    )
    labels: Annotated[
        bool,
        Setting(
            "Whether the pull request carries a label with the decision, such as `review-bot: changes-required`; the "
            "label of an earlier decision is removed."
        ),
    ] = False
    quiet: bool = False
    posting: Annotated[Posting, Setting(resolved=True)] = Posting()


class Context(NamedTuple):
    """What a text has to know in addition to the review.

    ``number`` is None for a merge group; ``head``: the SHA that was reviewed. ``notices`` and ``problems`` (what could
    not be written) are sentences, plain text with code between single backticks; ``edits_gate``: some of them are about
    an edit of what judges or narrows the review. ``withheld``: why a comment with these
    fingerprints cannot be posted. ``unsuppressible``: rules that no comment silences. ``rules``: the rules that are
    switched on, None if not given.
    """

    repository: str
    number: int | None
    head: str
    server_url: str = "https://github.com"
    notices: tuple[str, ...] = ()
    edits_gate: bool = False
    withheld: Mapping[tuple[str, ...], str] = NOTHING_WITHHELD
    problems: tuple[str, ...] = ()
    unsuppressible: frozenset[str] = frozenset()
    rules: frozenset[str] | None = None


class PostedComment(NamedTuple):
    """A comment of ours (same author, same marker) as GitHub holds it now.

    ``line`` is None for a summary, a comment on a file, or one that is outdated; ``start_line`` is None for a comment
    on one line. ``replied``: someone else answered in its thread. ``thread`` and ``resolved`` are known only where
    threads were read. ``updated``: when its text changed last, as GitHub writes it; known of a summary.
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
    start_line: int | None = None
    updated: str = ""


class PostedReview(NamedTuple):
    """A review of ours that requests changes and was not dismissed."""

    id: int


class Declined(NamedTuple):
    """Findings that a person with write access declined, as our answer to that command (comment ``id``) describes it.

    ``path``: the file that they were in then, None for the whole change. ``body``: the answer, ``line`` the hidden line
    in it that records all this. ``in_thread``: it is a reply in a thread.
    """

    fingerprints: tuple[str, ...]
    by: str
    reason: str
    path: str | None = None
    id: int = 0
    body: str = ""
    line: str = ""
    in_thread: bool = False


class Accepted(NamedTuple):
    """Findings that a person with write access accepted for the commit ``head``, as our answer (``id``) describes it.

    ``command``: the comment of that person, which must still say so; the answer alone accepts nothing. ``body``,
    ``line``, ``in_thread``: as in ``Declined``.
    """

    fingerprints: tuple[str, ...]
    by: str
    reason: str
    head: str
    command: int
    id: int = 0
    body: str = ""
    line: str = ""
    in_thread: bool = False


class Posted(NamedTuple):
    """Everything of ours that is in a pull request, oldest first."""

    comments: tuple[PostedComment, ...] = ()
    requests: tuple[PostedReview, ...] = ()
    declined: tuple[Declined, ...] = ()
    accepted: tuple[Accepted, ...] = ()


class NewComment(NamedTuple):
    """A comment to post. ``line`` None: on the file as a whole. ``start_line`` only where it is before ``line``.

    ``side``: the lines are those of the head (``RIGHT``) or of the merge base (``LEFT``: deleted lines).
    """

    path: str
    line: int | None
    start_line: int | None
    body: str
    fingerprints: tuple[str, ...]
    side: Side = "RIGHT"


class Edit(NamedTuple):
    """Give a comment of ours another text; ``kind``: which of GitHub's two kinds of comment it is."""

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
    ``withdraw``: our own requests for changes that no longer hold. ``reopen``, ``resolve``: threads whose findings are
    back, and threads whose findings are fixed.
    """

    new: tuple[NewComment, ...] = ()
    review_body: str = ""
    request_changes: bool = False
    reopen: tuple[str, ...] = ()
    edits: tuple[Edit, ...] = ()
    deletions: tuple[Deletion, ...] = ()
    resolve: tuple[str, ...] = ()
    withdraw: tuple[int, ...] = ()
    summary: str | None = None

    @property
    def empty(self) -> bool:
        """Return whether there is nothing to write."""
        return self == PublicationPlan()
