"""The requirements that a manifest states, each with its line: requirements files and ``pyproject.toml``.

A requirement is read as PEP 508 writes it; what pip alone understands (options, paths) is left out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from review_bot.analysis.project.third_party import normalised
from review_bot.changes.python_parsing import CannotRead
from review_bot.changes.source_file import SourceFile
from review_bot.records import NamedTuple
from review_bot.rules.scope import is_vendored
from review_bot.text.lazy_regex import LazyRegex

_FILE = LazyRegex(
    r"(?:^|/)(?:(?=[^/]*\.(?:txt|in)$)[^/]*requirement|requirements?/[^/]+\.(?:txt|in)$|pyproject\.toml$)"
)
_ASIDE = LazyRegex(r"(?i)(?:^|/)(?:docs?|examples?|tests?|unit_tests|benchmarks?|\.[^/]+|recipes|apps|tools|scripts)/")
_FOR_DEVELOPERS = LazyRegex(
    r"(?i)(?:^|[/_.-])(?:dev\w*|tests?|testing|(?:mk)?docs?|lint\w*|build|ci|style|quality|typing|locks?|constraints?)(?:[/_.-]|$)"
)
_REQUIREMENT = LazyRegex(
    r"\s*(?P<name>[A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\s*(?P<extras>\[[^\]]*\])?"
    r"\s*(?:@\s*(?P<url>[^\s;]+)|\(?\s*(?P<bounds>(?:(?:===|[<>=!~]=|[<>])\s*[^\s,;()]+\s*,?\s*)*)\)?)"
    r"\s*(?:;\s*(?P<marker>.*?))?\s*"
)
_CLAUSE = LazyRegex(r"(===|[<>=!~]=|[<>])\s*([^\s,;()]+)")
_PLAIN_VERSION = LazyRegex(r"v?(\d+(?:\.\d+)*)")


class Requirement(NamedTuple):
    """One requirement. ``name`` is normalised, ``text`` as written; ``bounds`` pairs operators with versions.

    ``group`` is the extra or group of ``pyproject.toml`` that it belongs to; ``line`` is 1-based.
    """

    name: str
    text: str
    bounds: tuple[tuple[str, str], ...]
    url: str
    marker: str
    group: str
    line: int


def is_manifest(path: str) -> bool:
    """Return whether a path names a requirements file or a ``pyproject.toml``."""
    return _FILE.search(path) is not None


def is_of_users(path: str, group: str = "") -> bool:
    """Return whether those who install the project get what this manifest, or this group in it, asks for.

    False for what examples, documentation, tests and the tools of its developers ask for.
    """
    name = path.rpartition("/")[2].rpartition(".")[0]
    return not (
        _ASIDE.search(path) or is_vendored(path) or _FOR_DEVELOPERS.search(name) or _FOR_DEVELOPERS.search(group)
    )


def requirements_of(path: str, text: str) -> list[Requirement]:
    """Return what a manifest asks for. Raises CannotRead."""
    if path.endswith(".toml"):
        return list(_of_pyproject(text))
    found = []
    for number, line in enumerate(text.split("\n"), 1):
        requirement = _read(line.partition(" #")[0] if not line.lstrip().startswith("#") else "", "", number)
        if requirement is not None:
            found.append(requirement)
    return found


def version_of(text: str) -> tuple[int, ...] | None:
    """Return a plain version as numbers without zeros at its end, so that 1.0 equals 1; None for any other."""
    match = _PLAIN_VERSION.fullmatch(text)
    if match is None:
        return None
    numbers = [int(part) for part in match[1].split(".")]
    while len(numbers) > 1 and not numbers[-1]:
        numbers.pop()
    return tuple(numbers)


def _read(text: str, group: str, line: int) -> Requirement | None:
    text = text.strip().rstrip("\\").partition(" --")[0].strip()
    match = _REQUIREMENT.fullmatch(text) if text else None
    if match is None:
        return None
    bounds = tuple((operator, version) for operator, version in _CLAUSE.findall(match["bounds"] or ""))
    name = normalised(match["name"])
    return Requirement(name, text, bounds, match["url"] or "", match["marker"] or "", group, line)


def _of_pyproject(text: str) -> Iterator[Requirement]:
    import tomllib

    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise CannotRead(f"not TOML: {error}") from error
    project = data.get("project")
    groups: list[tuple[str, Any]] = []
    if isinstance(project, dict):
        groups.append(("", project.get("dependencies")))
        groups += _tables(project.get("optional-dependencies"))
    groups += [(f"{name} dev", entries) for name, entries in _tables(data.get("dependency-groups"))]
    groups += [("build", entries) for name, entries in _tables(data.get("build-system")) if name == "requires"]
    places: defaultdict[str, list[int]] = defaultdict(list)
    named: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), 1):
        for quoted in _QUOTED.findall(line):
            places[quoted[0] or quoted[1]].append(number)
        for name in _QUOTED_NAME.findall(line):
            named.setdefault(normalised(name), number)
    for group, entries in groups:
        for entry in entries if isinstance(entries, list) else ():
            requirement = _read(entry, group, 0) if isinstance(entry, str) else None
            if requirement is None:
                continue
            written = places[entry].pop(0) if places.get(entry) else named.get(requirement.name)
            if written is None:
                raise CannotRead(f"the requirement `{requirement.name}` is written with escapes; write it without")
            yield requirement._replace(line=written)


_QUOTED_NAME = LazyRegex(r"""["']([A-Za-z0-9][\w.-]*)""")
_QUOTED = LazyRegex(r""""([^"]+)"|'([^']+)'""")


def _tables(value: Any) -> list[tuple[str, Any]]:
    return list(value.items()) if isinstance(value, dict) else []


def added_requirements(source: SourceFile) -> list[Requirement]:
    """Return the requirements that a manifest states on added lines. Raises CannotRead."""
    return [each for each in requirements_of(source.path, source.text or "") if each.line in source.added]
