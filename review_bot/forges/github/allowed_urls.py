"""Which addresses may be asked at all: nothing but TLS, except on this machine."""

from __future__ import annotations

import ipaddress
from urllib.parse import SplitResult, urlsplit

from review_bot.errors import UsageError


def check(url: str) -> None:
    """Raise UsageError for the address of an API over which the token would go in the open."""
    try:
        parts = urlsplit(url)
        is_good = parts.scheme == "https" or is_local(parts)
    except ValueError:
        parts, is_good = urlsplit(""), False
    if not is_good or not parts.hostname or parts.username:
        raise UsageError(f"{url!r} is not a URL for GitHub's API: it must start with https:// (set GITHUB_API_URL)")


def is_safe(target: str, *, from_url: str) -> bool:
    """Return whether a download may go on at another server: over TLS, or from this machine to itself."""
    parts = urlsplit(target)
    return parts.scheme == "https" or (is_local(urlsplit(from_url)) and is_local(parts))


def graphql_of(api_url: str) -> str:
    """Return the GraphQL URL that belongs to a REST URL.

    Sources: https://docs.github.com/en/graphql/guides/forming-calls-with-graphql, and for ``/api/graphql`` next to
    ``/api/v3`` the same page of the Enterprise Server.
    """
    return api_url.removesuffix("/").removesuffix("/v3") + "/graphql"


def is_local(parts: SplitResult) -> bool:
    """Return whether a URL is that of this machine, over plain HTTP."""
    host = parts.hostname or ""
    try:
        is_loopback = host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
    return parts.scheme == "http" and is_loopback
