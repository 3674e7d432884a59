"""A server that fetches whatever address a request names, the ones of its own network included."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from review_bot.analysis.python.statements import Function, last_name, named_parameters
from review_bot.analysis.python.syntax import full_name, hit_at, imported_names, keyword, own_nodes
from review_bot.analysis.python.value_origins import ValueOrigins
from review_bot.changes.node_index import kept_on_node, nodes_of
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_FETCHERS = LazyRegex(r"(?:requests|httpx)\.(?:get|head|stream)|urllib\.request\.(?:urlopen|urlretrieve)")
_SESSIONS = LazyRegex(r"_?(?:\w+_)?(?:session|client|ClientSession|AsyncClient)", re.IGNORECASE)
_CLIENTS = frozenset({"aiohttp", "httpx", "requests"})
_MEDIA = LazyRegex(
    r"(?:.*_)?(?:image|img|video|audio|media|picture|photo)s?"
    r"(?:_(?:url|uri|path|file|source))?s?|url|uri"
)
_SERVING = LazyRegex(
    r"(?:^|[/_])(?:(?:entrypoints?|serve[rs]?|serving|multi_?modal|mm|media|vision|chat|inputs?)[/_.]|api/)"
)
"""Paths of what serves requests. A file ``api.py`` or ``api_client.py`` is for callers in the same program."""
_PROBES = LazyRegex(r"probe|health|ping|ready|register|terminate|status")
_CHECKS = LazyRegex(
    r"\.hostname\b|\.netloc\b|is_private|is_global|is_loopback|ip_address|getaddrinfo|gethostbyname|MediaConnector"
    r"|allow(?:ed)?_|(?:safe_|trusted_|(?:valid|check|assert)\w{0,40}_)\w{0,80}(?:url|host|domain)|whitelist"
)

_MOST_CALLS = 50
"""Calls of a function that are looked at for what they pass."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each fetch of an address that a media function was handed, in a file that looks at no address."""
    if not _SERVING.search(source.path) or any(
        last_name(each.func) == "ArgumentParser" for each in source.nodes(ast.Call)
    ):
        return  # who starts a command decides what it fetches
    names = imported_names(source.tree)
    checked: bool | None = None
    for function in source.functions:
        if _PROBES.search(function.name):
            continue
        origins: ValueOrigins | None = None
        for node in own_nodes(function.body):
            if not isinstance(node, ast.Call) or not _fetches(node, names):
                continue
            address = node.args[0] if node.args else keyword(node, "url")
            if address is None:
                continue
            origins = origins or ValueOrigins(function)
            handed = _handed_over(origins, address)
            if not handed or _is_of_client(node, origins) or _is_download(function, node, handed):
                continue
            if function.name.startswith("_") and _is_called_with_own(function, handed, source.tree):
                continue
            if checked is None:
                checked = _CHECKS.search(source.text or "") is not None
            if checked:
                return
            yield hit_at(source, node, values={"fetcher": ast.unparse(node.func), "address": handed})


def _fetches(call: ast.Call, names: dict[str, str]) -> bool:
    if _FETCHERS.fullmatch(full_name(call.func, names) or ""):
        return True
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in {"get", "stream"}:
        return False
    # Clients of object stores and caches have a method of that name too.
    over_http = any(full.partition(".")[0] in _CLIENTS for full in names.values())
    return over_http and _SESSIONS.fullmatch(last_name(call.func.value)) is not None


def _is_of_client(call: ast.Call, origins: ValueOrigins) -> bool:
    """Return whether a fetch says who it is: the client of a service does, and who fetches what a request names not."""
    headers = keyword(call, "headers")
    if headers is None:
        return keyword(call, "auth") is not None
    return any(
        isinstance(each, ast.Constant) and str(each.value).lower() == "authorization"
        for origin in origins.of(headers)
        for each in ast.walk(origin)
    )


def _is_download(function: Function, call: ast.Call, handed: str) -> bool:
    """Return whether a function fetches what its program asks for, weights or data: into a file, and nothing twice.

    What a request names is an image or a video, and its parameter says so.
    """
    if handed not in {"url", "uri"}:
        return False
    calls = [each for each in own_nodes(function.body) if isinstance(each, ast.Call) and each.args]
    tested = {ast.unparse(each.args[0]) for each in calls if last_name(each.func) in {"exists", "isfile"}}
    return last_name(call.func) == "urlretrieve" or any(
        last_name(each.func) == "open" and ast.unparse(each.args[0]) in tested for each in calls
    )


def _handed_over(origins: ValueOrigins, address: ast.expr) -> str:
    """Return the parameter that an address comes from as it is, or nothing: a fixed host in front is the program's."""
    found = ""
    for node in origins.of(address):
        if isinstance(node, (ast.JoinedStr, ast.BinOp)) or (isinstance(node, ast.Constant) and _is_url(node.value)):
            return ""
        if isinstance(node, ast.Name) and node.id in origins.parameters and not found and _MEDIA.fullmatch(node.id):
            found = node.id
    return found


def _is_called_with_own(function: Function, name: str, tree: ast.Module) -> bool:
    """Return whether the calls in this file pass an address that the program begins itself."""
    names = [each.arg for each in named_parameters(function) if each.arg not in {"self", "cls"}]
    place = names.index(name) if name in names else len(names)
    calls = _calls_by_name(tree).get(function.name, [])[:_MOST_CALLS]
    given = (keyword(call, name) or (call.args[place] if place < len(call.args) else None) for call in calls)
    own = (ast.JoinedStr, ast.BinOp, ast.Constant)
    return bool(calls) and all(
        isinstance(each, own) or (isinstance(each, ast.Name) and each.id.isupper()) for each in given
    )


@kept_on_node
def _calls_by_name(tree: ast.Module) -> dict[str, list[ast.Call]]:
    found: dict[str, list[ast.Call]] = {}
    for call in nodes_of(tree, ast.Call):
        found.setdefault(last_name(call.func), []).append(call)
    return found


def _is_url(value: object) -> bool:
    return isinstance(value, str) and "://" in value


CHECK = file_check(examine, CheckTraits(literals=("requests", "urlopen", "urlretrieve", "httpx", "get", "stream")))
