"""The proxy of a server, from the environment: ``HTTPS_PROXY``, ``HTTP_PROXY``, ``ALL_PROXY`` and ``NO_PROXY``.

A self-hosted runner hands these to its jobs, in either case of letters
(https://docs.github.com/en/actions/how-tos/manage-runners/self-hosted-runners/use-proxy-servers).
"""

from __future__ import annotations

import os
from urllib.parse import urlsplit

from review_bot.errors import UsageError
from review_bot.forges.github import allowed_urls


def proxy_of(url: str) -> str | None:
    """Return the address of the proxy for a URL, or None to connect directly, as always to this machine itself.

    Raises UsageError for a proxy of another kind.
    """
    parts = urlsplit(url)
    if not any(name.lower().endswith("_proxy") for name in os.environ) or allowed_urls.is_local(parts):
        return None
    from urllib import request  # for runs behind a proxy alone

    proxies = request.getproxies_environment()
    if request.proxy_bypass(parts.netloc.rpartition("@")[2]):
        return None
    proxy = proxies.get(parts.scheme) or proxies.get("all")
    if not proxy:
        return None
    address = proxy if "://" in proxy else f"http://{proxy}"
    if urlsplit(address).scheme not in {"http", "https"} or not urlsplit(address).hostname:
        raise UsageError(f"the proxy for {parts.scheme}:// is not the address of an HTTP proxy; check HTTPS_PROXY")
    return address
