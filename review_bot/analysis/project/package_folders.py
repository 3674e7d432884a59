"""Which folder a manifest gives for a package whose name is not its path.

::

    setup.py         setup(package_dir={"pkg": "pkg/python"})
    setup.cfg        [options]
                     package_dir =
                         pkg = pkg/python
    pyproject.toml   [tool.setuptools.package-dir]
                     pkg = "pkg/python"

What a comment or a docstring says gives nothing. https://setuptools.pypa.io/en/latest/userguide/package_discovery.html
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from review_bot.analysis.python.statements import assigned_values, last_name
from review_bot.analysis.python.syntax import is_name, text_of
from review_bot.changes.codebase import Snapshot, query
from review_bot.changes.node_index import nodes_of

_SETTING = "package_dir"


@query
def package_folders(side: Snapshot) -> dict[str, str]:
    """Return the folders of the top-level packages that the manifests at the root name, by the name of each.

    For a head, those that the manifests of the base name as well: a change gives a package no other folder, in which
    what it removes from the package would be found.
    """
    named = {
        name: folder.removeprefix("./").strip("/")
        for manifest, pairs in _MANIFESTS.items()
        if manifest in side.paths
        for name, folder in pairs(side, manifest)
    }
    if side.earlier is None:
        return named
    before = package_folders(side.earlier)
    return {name: folder for name, folder in named.items() if before.get(name) == folder}


def _of_setup(side: Snapshot, path: str) -> Iterator[tuple[str, str]]:
    if _SETTING not in (side.text(path) or ""):
        return
    tree = side.tree(path)
    for value in () if tree is None else _settings(tree):
        if isinstance(value, ast.Dict):
            pairs = [(text_of(key), text_of(folder)) for key, folder in zip(value.keys, value.values, strict=True)]
        elif isinstance(value, ast.Call) and last_name(value.func) == "dict":
            pairs = [(each.arg, text_of(each.value)) for each in value.keywords]
        else:
            continue
        yield from ((name, folder) for name, folder in pairs if name is not None and folder is not None)


def _settings(tree: ast.Module) -> Iterator[ast.expr | None]:
    """Yield what a program gives for the setting: as an argument, under its name, or as an entry of that name."""
    yield from (each.value for each in nodes_of(tree, ast.keyword) if each.arg == _SETTING)
    for target, value in assigned_values(tree):
        if is_name(target, _SETTING) or (isinstance(target, ast.Subscript) and text_of(target.slice) == _SETTING):
            yield value
    for each in nodes_of(tree, ast.Dict):
        yield from (
            value for key, value in zip(each.keys, each.values, strict=True) if key and text_of(key) == _SETTING
        )


def _of_ini(side: Snapshot, path: str) -> Iterator[tuple[str, str]]:
    text = side.text(path) or ""
    if not any(spelling in text for spelling in (_SETTING, "package-dir")):
        return
    import configparser

    parser = configparser.RawConfigParser(strict=False, allow_no_value=True)
    try:
        parser.read_string(text)
    except configparser.Error:
        return
    options = dict(parser.items("options")) if parser.has_section("options") else {}
    for line in (options.get(_SETTING) or options.get("package-dir") or "").split("\n"):
        name, _, folder = line.partition("=")
        if name.strip() and folder.strip():
            yield name.strip(), folder.strip()


def _of_toml(side: Snapshot, path: str) -> Iterator[tuple[str, str]]:
    text = side.text(path) or ""
    if "package-dir" not in text:
        return
    import tomllib

    try:
        table: Any = tomllib.loads(text)["tool"]["setuptools"]["package-dir"]
        pairs = list(table.items())
    except (tomllib.TOMLDecodeError, KeyError, AttributeError, TypeError):
        return
    yield from ((name, folder) for name, folder in pairs if isinstance(folder, str))


_MANIFESTS: Mapping[str, Callable[[Snapshot, str], Iterator[tuple[str, str]]]] = {
    "setup.py": _of_setup,
    "setup.cfg": _of_ini,
    "pyproject.toml": _of_toml,
}
