"""Which data files a project puts into its wheel: ``package-data`` of ``pyproject.toml``, ``package_data`` of setup.py.

A pattern is matched in the folder of its package; ``*.yaml`` takes no file of a folder below. Source:
https://setuptools.pypa.io/en/latest/userguide/datafiles.html#package-data
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.python.statements import assigned_values, last_name
from review_bot.analysis.python.syntax import keyword, text_of
from review_bot.changes.codebase import Snapshot, query
from review_bot.changes.node_index import nodes_of
from review_bot.records import NamedTuple
from review_bot.text.git_patterns import matches
from review_bot.text.lazy_regex import LazyRegex

_TAKES_ALL = LazyRegex(
    r"(?i)setuptools[-_](?:scm|git|hg|svn)|versioningit|\bpbr\b|hatchling|poetry|flit|pdm|maturin|scikit"
)
"""Build tools that pack what version control holds, or that have other settings."""


class PackageData(NamedTuple):
    """Patterns of one package: its folder, empty for every package, and the manifest that declares them."""

    package: str
    folder: str
    patterns: tuple[str, ...]
    manifest: str

    def pattern_for(self, path: str) -> str | None:
        """Return the pattern that takes a file of the package's folder, if one does."""
        near = path.removeprefix(f"{self.folder}/").split("/")
        if not path.startswith(f"{self.folder}/"):
            return None
        return next((each for each in self.patterns if matches(tuple(each.split("/")), tuple(near))), None)


@query
def package_data(side: Snapshot, folder: str) -> tuple[PackageData, ...]:
    """Return the patterns of the project in a folder, empty: the root; none if other settings may pack files too."""
    start = f"{folder}/" if folder else ""
    pyproject, setup = (side.text(f"{start}{name}") or "" for name in ("pyproject.toml", "setup.py"))
    held = f"{side.text(f'{start}setup.cfg') or ''}{setup}"
    if _TAKES_ALL.search(f"{pyproject.partition('[project]')[0]}{held}") or f"{start}MANIFEST.in" in side.paths:
        return ()
    if "include_package_data" in held or "package_data" in (side.text(f"{start}setup.cfg") or ""):
        return ()
    if "[tool.setuptools.package-data]" in pyproject:
        return tuple(_of_settings(pyproject, start, side))
    return tuple(_of_setup(start, side)) if "package_data" in setup else ()


def _of_settings(text: str, start: str, side: Snapshot) -> Iterator[PackageData]:
    import tomllib  # few changes add a data file

    try:
        settings: Any = tomllib.loads(text)["tool"]["setuptools"]
        declared: Mapping[str, Any] = settings["package-data"]
        where = settings.get("packages", {}).get("find", {}).get("where", ["."])
    except (tomllib.TOMLDecodeError, KeyError, AttributeError, TypeError):
        return
    for package, patterns in declared.items():
        if isinstance(patterns, list) and all(isinstance(each, str) for each in patterns):
            yield from _placed(package, patterns, [f"{start}{each}" for each in where], f"{start}pyproject.toml", side)


def _of_setup(start: str, side: Snapshot) -> Iterator[PackageData]:
    tree = side.tree(f"{start}setup.py")
    calls = [] if tree is None else [each for each in nodes_of(tree, ast.Call) if last_name(each.func) == "setup"]
    if tree is None or len(calls) != 1:
        return
    value = keyword(calls[0], "package_data")
    if isinstance(value, ast.Name):
        values = [each for target, each in assigned_values(tree) if last_name(target) == value.id]
        value = values[0] if len(values) == 1 else None
    for key, listed in zip(value.keys, value.values, strict=True) if isinstance(value, ast.Dict) else ():
        package = text_of(key)
        patterns = [text_of(each) for each in listed.elts] if isinstance(listed, (ast.List, ast.Tuple)) else [None]
        if package is not None and None not in patterns:
            known = [each for each in patterns if each is not None]
            yield from _placed(package, known, [start], f"{start}setup.py", side)
        else:
            yield PackageData("", "", (), "")


def _placed(
    package: str, patterns: list[str], starts: list[str], manifest: str, side: Snapshot
) -> Iterator[PackageData]:
    """Yield the patterns with the folder of their package, as it is in the tree; none for every package."""
    if package in {"", "*"}:
        yield PackageData("", "", tuple(patterns), manifest)
    for start in (*starts, *(f"{each}src/" for each in starts)):
        parts = [each for each in f"{start}/{package.replace('.', '/')}".split("/") if each not in {"", "."}]
        folder = "/".join(parts)
        if package not in {"", "*"} and any(path.startswith(f"{folder}/") for path in side.paths):
            yield PackageData(package, folder, tuple(patterns), manifest)
            return
