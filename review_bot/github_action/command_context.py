"""What commands in comments share: the comment, the findings that it means, and the answer."""

from __future__ import annotations

from review_bot.comments.command import Command, is_named
from review_bot.comments.model import Posted, PostedComment
from review_bot.configuration.inputs import Overrides
from review_bot.forges.github import chat_requests, conversation
from review_bot.forges.github.client import Client
from review_bot.forges.github.event import CommandTarget
from review_bot.publishing import memory
from review_bot.records import NamedTuple
from review_bot.reports.markdown import code

LONGEST_REASON = 500
"""Characters of a reason; the summary of every push shows it."""


class Said(NamedTuple):
    """The answer in the pull request, as Markdown, and the line for the log."""

    reply: str
    log: str


class Asked(NamedTuple):
    """A command, where it was posted, and the settings of the run that answers it. ``name``: that of Review Bot."""

    client: Client
    target: CommandTarget
    command: Command
    name: str
    server_url: str
    overrides: Overrides

    @property
    def in_thread(self) -> bool:
        """Whether the command is a comment in the change and not below the pull request."""
        return self.target.thread is not None

    def posted(self) -> Posted:
        """Return what Review Bot has posted. Raises ForgeError."""
        repository, number = self.target.repository, self.target.number
        viewer = chat_requests.viewer_of(self.client)
        talk = conversation.fetch(self.client, repository, number, threads=False, requests=False)
        return talk.ours(viewer.databaseId, viewer.login, self.name)

    def usage(self, arguments: str) -> Said:
        """Return how the command is written. ``arguments``: what follows the ID."""
        verb, arguments = self.command.verb, f" {arguments}" if arguments else ""
        usage = f"Usage: {code(f'/{self.name} {verb} ID{arguments}')}"
        if self.in_thread:
            usage += f", or {code(f'/{self.name} {verb}{arguments}')} as a reply to a comment of Review Bot"
        return Said(usage if not self.in_thread else f"{usage}.", f"{verb}: invalid arguments")

    def meant(self, posted: Posted) -> list[PostedComment]:
        """Return the comments about the findings that are meant, or the summary if they have none; empty if unknown."""
        if not self.command.finding:
            return [each for each in posted.comments if each.kind != "summary" and each.id == self.target.thread]
        wanted = self.command.finding
        own = [each for each in posted.comments if each.kind != "summary" and self.names(each.fingerprints)]
        return own or [row for each in posted.comments if (row := _row(each, wanted)) is not None]

    def names(self, fingerprints: tuple[str, ...]) -> bool:
        """Return whether the ID of the command names one of some findings."""
        return any(is_named(each, self.command.finding) for each in fingerprints)

    def unknown(self) -> Said:
        """Return the answer to a command about no known finding."""
        verb = self.command.verb
        if self.command.finding:
            return Said(f"No finding has the ID {code(self.command.finding)}.", f"{verb}: no such finding")
        return Said(
            f"This thread is not about a finding of Review Bot. Use {code(f'/{self.name} {verb} ID reason')}; each "
            "comment of Review Bot shows its ID.",
            f"{verb}: not a thread of ours",
        )


def _row(comment: PostedComment, wanted: str) -> PostedComment | None:
    """Return the summary as if it were the comment about one finding that has none, None if it does not name it."""
    names = tuple(each for each in comment.fingerprints if is_named(each, wanted))
    if comment.kind != "summary" or not names:
        return None
    past = memory.read(comment.body, comment.fingerprints)
    known = [] if past is None else [one for one in past.open or () if one.fingerprint in names]
    return comment._replace(fingerprints=names, path=known[0].path or None if known else None)
