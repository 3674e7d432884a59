"""What this change may share with other pull requests: files, added imports, missing modules and names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from review_bot.changes.open_pull_requests import LARGEST_TEXT
from review_bot.changes.pull_request import ChangedFile, PullRequest
from review_bot.context.open_pull_requests.outline import Import, outline
from review_bot.findings import Finding
from review_bot.records import NamedTuple

LACKING_MODULE = "api/missing-module-import"
LACKING_NAME = "api/missing-name-import"
MOST_FILES = 500
"""Python files of the change whose imports are read."""

MOST_READ = 5_000_000
"""Characters of them."""


class ChangeImport(NamedTuple):
    """A module that a file imports on an added line, dotted from the root of its package or as a path.

    ``place``: where a relative import looks, without suffix; empty for an absolute one. ``names``: (name, line) of what
    it takes from there on added lines.
    """

    path: str
    line: int
    end_line: int
    module: str
    place: str
    names: tuple[tuple[str, int], ...]
    guarded: bool

    def provides(self, path: str, name: str = "") -> bool:
        """Return whether a file of this path is the imported module, or the module of a name below it."""
        return self._is_at(module_of(path), name)

    def lies_above(self, path: str) -> bool:
        """Return whether a file of this path makes the imported module, a folder without ``__init__.py``.

        Of such a folder only modules can be taken by name. Source:
        https://packaging.python.org/en/latest/guides/packaging-namespace-packages/
        """
        folder, _, last = module_of(path).rpartition("/")
        if self.names:
            return any(name == last and self._is_at(folder) for name, _ in self.names)
        while folder:
            if self._is_at(folder):
                return True
            folder = folder.rpartition("/")[0]
        return False

    def _is_at(self, module: str, name: str = "") -> bool:
        below = f"/{name}" if name else ""
        if self.place:
            return module == self.place + below
        wanted = self.module.replace(".", "/") + below
        return module == wanted or (module.endswith("/" + wanted) and self._in_root(module[: -len(wanted)]))

    def _in_root(self, root: str) -> bool:
        """Return whether packages are looked for in a folder, such as ``src/``: it holds this file, or is named so."""
        return self.path.startswith(root) or root.rstrip("/").rpartition("/")[2] in {"src", "python", "lib"}


class Imports:
    """Added imports, found by the file that they may mean."""

    def __init__(self, imports: Iterable[ChangeImport]) -> None:
        self.all = tuple(imports)
        self._by_last: dict[str, list[ChangeImport]] = {}
        self._by_path: dict[str, list[ChangeImport]] = {}
        for each in self.all:
            self._by_path.setdefault(each.path, []).append(each)
            module = each.place or each.module.replace(".", "/")
            for last in {module.rpartition("/")[2], *(name for name, _ in each.names)}:
                self._by_last.setdefault(last, []).append(each)

    def inside(self, path: str) -> list[ChangeImport]:
        """Return the imports in a file of this path."""
        return self._by_path.get(path, [])

    def of(self, path: str) -> list[ChangeImport]:
        """Return the imports that mean a file of this path, or take it as a module from the folder around it."""
        near = self._by_last.get(module_of(path).rpartition("/")[2], ())
        return [
            each for each in near if each.provides(path) or any(each.provides(path, name) for name, _ in each.names)
        ]


class Lacking(NamedTuple):
    """What this change imports and does not exist: a module, or a name of one."""

    statement: ChangeImport
    name: str
    line: int

    @property
    def subject(self) -> str:
        """How to call it."""
        return f"{self.statement.module}.{self.name}" if self.name else self.statement.module


class ChangeImports(NamedTuple):
    """A change, the imports that it adds, and who gives the whole text of its files at the head."""

    change: PullRequest
    imports: Imports
    head_text: Callable[[str], str | None]


def module_of(path: str) -> str:
    """Return the path of a module without suffix; empty if it is not a Python module."""
    if not path.endswith(".py"):
        return ""
    return path[:-3].removesuffix("/__init__")


def imports_of_change(change: PullRequest, head_text: Callable[[str], str | None]) -> ChangeImports:
    """Return the change with the imports that it adds."""
    found: list[ChangeImport] = []
    left = MOST_READ
    for file in _importing(change):
        text = head_text(file.path) if left > 0 else None
        if text is not None and len(text) <= LARGEST_TEXT:
            left -= len(text)
            found += _added_imports(file, text, 1, _added(file))
    return ChangeImports(change, Imports(found), head_text)


def imports_of_hunks(change: PullRequest) -> Imports:
    """Return the added imports as far as the hunks alone show them: enough to know what is worth reading."""
    found: list[ChangeImport] = []
    left = MOST_READ
    for file in _importing(change):
        added = _added(file)
        for hunk in file.hunks:
            text = "\n".join(line[1:] for line in hunk.lines if line[:1] in {"+", " "})
            left -= len(text)
            if left > 0 and len(text) <= LARGEST_TEXT:
                found += _added_imports(file, text, hunk.new_start, added)
    return Imports(found)


def _importing(change: PullRequest) -> list[ChangedFile]:
    files = [file for file in change.files if file.path.endswith(".py") and file.added and file.kind == "text"]
    importing = [file for file in files if any("import" in line for hunk in file.hunks for line in hunk.lines)]
    return importing[:MOST_FILES]


def _added(file: ChangedFile) -> frozenset[int]:
    return frozenset(line for line, _ in file.added_lines())


def _added_imports(file: ChangedFile, text: str, start: int, added: frozenset[int]) -> Iterator[ChangeImport]:
    """Yield the imports of a text, which begins on line ``start`` at the head, on lines which the change adds."""
    past = start - 1
    for each in outline(text).imports:
        names = tuple((name, line + past) for name, line in each.names if line + past in added)
        if names or each.line + past in added:
            module, place = _target(file.path, each)
            yield ChangeImport(file.path, each.line + past, each.end_line + past, module, place, names, each.guarded)


def _target(path: str, each: Import) -> tuple[str, str]:
    """Return (how to call a module, where a relative import looks for it)."""
    if not each.level:
        return each.module, ""
    folders = path.split("/")[:-1]
    above = folders[: len(folders) - each.level + 1] if each.level - 1 <= len(folders) else []
    place = "/".join([*above, *each.module.split(".")] if each.module else above)
    return place.replace("/", "."), place


def lacking(side: ChangeImports, findings: Iterable[Finding]) -> Iterator[Lacking]:
    """Yield what the findings report as missing, at the imports that they are on."""
    for finding in findings:
        if finding.rule not in {LACKING_MODULE, LACKING_NAME} or finding.line is None:
            continue
        for each in side.imports.inside(finding.path or ""):
            if not each.line <= finding.line <= each.end_line:
                continue
            if finding.rule == LACKING_NAME:
                yield from (Lacking(each, name, line) for name, line in each.names if name in finding.missing)
            elif each.module in finding.missing or each.place:
                yield Lacking(each, "", finding.line)
