"""How people name a pull request: ``19``, ``#19``, ``owner/name#19`` or its address in a browser."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from review_bot.errors import UsageError
from review_bot.records import NamedTuple

_SHORT = re.compile(r"(?:(?P<repository>[A-Za-z0-9._-]+/[A-Za-z0-9._-]+))?#?(?P<number>[0-9]{1,9})")
_PATH = re.compile(r"/(?P<repository>[A-Za-z0-9._-]+/[A-Za-z0-9._-]+)/pull/(?P<number>[0-9]{1,9})(?:/.*)?")
_REMOTE = re.compile(
    r"(?:[a-z+]+://(?:[^/@]*@)?(?P<host>[^/:]+)(?::[0-9]+)?/|[^/@]+@(?P<alias>[^/:]+):)"
    r"(?P<repository>[^/]+/[^/]+?)(?:\.git)?/?"
)


class PullRequestRef(NamedTuple):
    """A repository, ``owner/name``, or None where only a number was given; and the number."""

    repository: str | None
    number: int


def parse(text: str, server_url: str) -> PullRequestRef:
    """Read the name of a pull request. Raises UsageError for anything else, and for an address on another server.

    ``server_url``: the server that the token is for. It is sent nowhere else.
    """
    if "://" in text:
        parts, server = urlsplit(text), urlsplit(server_url)
        if (parts.scheme, parts.netloc.lower()) != (server.scheme, server.netloc.lower()):
            raise UsageError(
                f"--pr {text}: this is not on {server_url}; set GITHUB_SERVER_URL and GITHUB_API_URL for another server"
            )
        match = _PATH.fullmatch(parts.path)
    else:
        match = _SHORT.fullmatch(text)
        if match and match["repository"] and "#" not in text:
            match = None
    if match is None or int(match["number"]) == 0:
        raise UsageError(f"--pr {text}: write 19, owner/name#19, or the URL of the pull request")
    return PullRequestRef(match["repository"], int(match["number"]))


def repository_of_remote(url: str, server_url: str) -> str | None:
    """Return ``owner/name`` of the address of a git remote, or None if it is not one on ``server_url``."""
    match = _REMOTE.fullmatch(url.strip())
    if match is None:
        return None
    # https://docs.github.com/en/authentication/troubleshooting-ssh/using-ssh-over-the-https-port
    host = (match["host"] or match["alias"]).lower().removeprefix("ssh.")
    return match["repository"] if host == urlsplit(server_url).hostname else None
