"""Which folders a project's ``setup.py`` or ``setup.cfg`` packs: what setuptools' ``find_packages`` finds.

``find_packages`` takes a folder only if it and every folder above it, up to where it starts, has an ``__init__.py``.
Source: https://setuptools.pypa.io/en/latest/userguide/package_discovery.html#finding-simple-packages
"""

from __future__ import annotations

import ast
from fnmatch import fnmatchcase

from review_bot.analysis.python.statements import last_name
from review_bot.analysis.python.syntax import keyword, text_of
from review_bot.changes.codebase import Snapshot
from review_bot.changes.node_index import nodes_of
from review_bot.records import NamedTuple
from review_bot.text.lazy_regex import LazyRegex

_TAKES_MORE = LazyRegex(r"include_package_data|\.py\b|['\"/]\*\*?['\"/]|namespace")
"""What may pack Python files of folders that are no packages: data files by pattern, or by version control."""
_BLANKS = LazyRegex(r"[^\S\n]+")
"""Blanks in a row: the parser of settings needs the square of their number."""


class PackageFinder(NamedTuple):
    """A call of ``find_packages`` in a ``manifest``, which starts in the folder ``where`` (empty: the root)."""

    manifest: str
    where: str
    include: tuple[str, ...]
    exclude: tuple[str, ...]

    def takes_by_name(self, folder: str) -> bool:
        """Return whether a folder below the start would be packed if it were a package."""
        if self.where and not folder.startswith(f"{self.where}/"):
            return False
        dotted = folder[len(self.where) :].strip("/").replace("/", ".")
        return any(fnmatchcase(dotted, each) for each in self.include) and not any(
            fnmatchcase(dotted, each) for each in self.exclude
        )


def package_finder(side: Snapshot, path: str) -> PackageFinder | None:
    """Return what packs the Python files around a path; None if that is not one plain call of ``find_packages``.

    The project is the nearest folder with a manifest.
    """
    folder = path
    while folder:
        folder = folder.rpartition("/")[0]
        start = f"{folder}/" if folder else ""
        texts = {name: side.text(start + name) for name in ("setup.py", "setup.cfg", "pyproject.toml", "MANIFEST.in")}
        if not any(texts[name] for name in ("setup.py", "setup.cfg", "pyproject.toml")):
            continue
        if "[tool.setuptools" in (texts["pyproject.toml"] or "") or _takes_more(texts["MANIFEST.in"]):
            return None
        if "packages" in (texts["setup.py"] or ""):
            return _of_setup(f"{start}setup.py", folder, side)  # it decides, whatever ``setup.cfg`` says
        return _of_settings(f"{start}setup.cfg", folder, side)
    return None


def _takes_more(manifest_in: str | None) -> bool:
    return manifest_in is not None and (
        ".py" in manifest_in or "graft" in manifest_in or "global-include" in manifest_in
    )


def _of_setup(path: str, folder: str, side: Snapshot) -> PackageFinder | None:
    text = side.text(path) or ""
    if "find_packages" not in text or _TAKES_MORE.search(text.replace("setup.py", "")):
        return None
    tree = side.tree(path)
    if tree is None:
        return None
    calls = [each for each in nodes_of(tree, ast.Call) if last_name(each.func) == "setup"]
    packed = keyword(calls[0], "packages") if len(calls) == 1 else None
    if not isinstance(packed, ast.Call) or last_name(packed.func) != "find_packages":
        return None
    given = dict(zip(("where", "exclude", "include"), packed.args, strict=False))
    given |= {each.arg: each.value for each in packed.keywords if each.arg is not None}
    if len(given) != len(packed.args) + len(packed.keywords):
        return None
    where = text_of(given["where"]) if "where" in given else "."
    include = _texts(given["include"]) if "include" in given else ("*",)
    exclude = _texts(given["exclude"]) if "exclude" in given else ()
    if where is None or include is None or exclude is None:
        return None
    return _finder(path, folder, where, include, exclude)


def _texts(node: ast.expr) -> tuple[str, ...] | None:
    if not isinstance(node, (ast.List, ast.Tuple, ast.Set)):
        return None
    found = [text for each in node.elts if (text := text_of(each)) is not None]
    return tuple(found) if len(found) == len(node.elts) else None


def _of_settings(path: str, folder: str, side: Snapshot) -> PackageFinder | None:
    text = side.text(path) or ""
    if "packages" not in text:
        return None
    from configparser import ConfigParser, Error  # few projects have a ``setup.cfg`` that says what to pack

    settings = ConfigParser(interpolation=None, strict=False)
    try:
        settings.read_string(_BLANKS.sub(" ", text))
    except Error:
        return None
    options = dict(settings["options"]) if settings.has_section("options") else {}
    if options.get("packages", "").strip() != "find:" or _TAKES_MORE.search(text):
        return None
    name = "options.packages.find"
    finding = dict(settings[name]) if settings.has_section(name) else {}
    lists = {key: tuple(finding.get(key, "").replace(",", "\n").split()) for key in ("include", "exclude")}
    return _finder(path, folder, finding.get("where", "."), lists["include"] or ("*",), lists["exclude"])


def _finder(path: str, folder: str, where: str, include: tuple[str, ...], exclude: tuple[str, ...]) -> PackageFinder:
    inner = "/".join(part for part in f"{folder}/{where}".split("/") if part not in {"", "."})
    return PackageFinder(path, inner, include, exclude)
