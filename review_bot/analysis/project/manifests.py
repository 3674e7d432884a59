"""What a project declares: its names, what it depends on, and the oldest Python that it promises to run on."""

import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from review_bot.analysis.project.module_tree import MANIFESTS, module_tree
from review_bot.analysis.project.notebooks import SUFFIX as NOTEBOOK
from review_bot.analysis.project.notebooks import notebook_code
from review_bot.analysis.project.requirements import is_manifest, requirements_of
from review_bot.analysis.project.third_party import normalised
from review_bot.changes.codebase import Codebase, Snapshot, query
from review_bot.changes.python_parsing import CannotRead
from review_bot.records import NamedTuple
from review_bot.text.lazy_regex import LazyRegex

_NAME = LazyRegex(r"""(?:^|[(,])[ \t]*name[ \t]*[=:][ \t]*["']?([A-Za-z0-9][\w.-]*)""", re.MULTILINE)
_REQUIREMENTS = LazyRegex(
    r"(?:^|/)(?:(?=[^/]*\.(?:txt|in)$)[^/]*(?:requirement|constraint)|requirements?/[^/]+\.(?:txt|in)$)"
)
_OTHER = LazyRegex(
    r"(?:^|/)(?:setup\.py|setup\.cfg|Pipfile|conda[^/]*\.ya?ml|environment[^/]*\.ya?ml|meta\.ya?ml"
    r"|(?=\w+\.py$)\w*dependency_versions\w*\.py)$"
)
_SCRIPT = LazyRegex(r"^# /// script$(?:\n#.*$)*", re.MULTILINE)
"""The header of a script. Source: PEP 723."""
_TOKEN = LazyRegex(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_PYTHON = (
    re.compile(r"""^[ \t]*requires-python[ \t]*=[ \t]*["']([^"']+)["']""", re.MULTILINE),
    re.compile(r"""^[ \t]*python[ \t]*=[ \t]*["']([^"']+)["']""", re.MULTILINE),
    re.compile(r"""python_requires[ \t]*=[ \t]*["']?([^"'\n,)]+)""", re.MULTILINE),
)
_LOWEST = LazyRegex(r"(>=|~=|\^|==|>)\s*3\.(\d+)")
_CLASSIFIER = LazyRegex(r"Programming Language :: Python :: 3\.(\d+)\b")


class LowestPython(NamedTuple):
    """The minor version of the oldest Python 3 that a project promises to run on, and the line that says so.

    ``is_classifier``: only classifiers say it, which the installer does not check.
    """

    minor: int
    path: str
    line: int
    is_classifier: bool = False


@query
def project_folders(codebase: Codebase) -> Mapping[str, frozenset[str]]:
    """Return the folders of the projects in the tree, by their normalised names.

    A name that the change takes from a manifest, or with it, counts: what else the tree calls by it does not go away.
    """
    found: dict[str, set[str]] = {}
    for side in (codebase.head, codebase.base):
        for folder, names in _named_projects(side):
            for name in names:
                found.setdefault(name, set()).add(folder)
    return {name: frozenset(folders) for name, folders in found.items()}


def holds_namespace(dotted: str, path: str, codebase: Codebase) -> bool:
    """Return whether a project that has the name of a module's package holds the module.

    Its package may have no ``__init__.py``: a namespace package, of which each project holds a portion (PEP 420). For a
    file (``path``) in a package of that name, or next to other code of the base, the base must have the project: a
    change could add one for itself.
    """
    top = dotted.partition(".")[0]
    own = any(path.startswith(f"{place}/") for place in module_tree(codebase.head).package_places(top))
    name, tree = normalised(top), module_tree(codebase.head)
    inner = dotted.replace(".", "/")
    return any(
        name in names
        and (
            not codebase.base.paths.isdisjoint(f"{folder}/{each}".lstrip("/") for each in MANIFESTS)
            or not (own or _is_apart(path, folder, codebase.base))
        )
        and tree.at(f"{folder}/{inner}" if folder else inner).kind == "module"
        for folder, names in _named_projects(codebase.head)
    )


def _is_apart(path: str, folder: str, side: Snapshot) -> bool:
    """Return whether a file is neither in a project nor, with it, in a folder without any Python on a side."""
    if not folder or path.startswith(f"{folder}/"):
        return False
    around = f"{folder.rpartition('/')[0]}/"
    return not path.startswith(around) or any(each.startswith(around) for each in module_tree(side).python_files())


def lowest_python(path: str, codebase: Codebase) -> LowestPython | None:
    """Return the oldest Python that the project around a file promises; None if it promises nothing."""
    folder = path
    while folder:
        folder = folder.rpartition("/")[0]
        for name in ("pyproject.toml", "setup.cfg", "setup.py"):
            manifest = f"{folder}/{name}" if folder else name
            text = codebase.head.text(manifest)
            if text is None:
                continue
            for pattern in _PYTHON:
                match = pattern.search(text)
                lowest = _LOWEST.search(match[1]) if match else None
                if match and lowest:
                    minor = int(lowest[2]) + (lowest[1] == ">")
                    return LowestPython(minor, manifest, text.count("\n", 0, match.start(1)) + 1)
            classifiers = _CLASSIFIER.finditer(text)
            if (first := min(classifiers, key=lambda each: int(each[1]), default=None)) is not None:
                line = text.count("\n", 0, first.start()) + 1
                return LowestPython(int(first[1]), manifest, line, is_classifier=True)
    return None


@query
def runs_a_release(codebase: Codebase, path: str) -> bool:
    """Return whether a file, such as an example, asks for a release of the project instead of its own tree.

    It does so in the header of a script or by requirements in its folder, both read at the base, or in a cell of a
    notebook that installs one. A module of a package never does.
    """
    folder = path.rpartition("/")[0]
    is_notebook = path.endswith(NOTEBOOK)
    if not is_notebook and any(f"{folder}/__init__.py" in side.paths for side in (codebase.head, codebase.base)):
        return False
    names = project_folders(codebase).keys()
    code = notebook_code(codebase.head.text(path) or "") if is_notebook else None
    installed = () if code is None else (word.removesuffix(".git") for word in code.installs)
    if any(normalised(each) in names or module_tree(codebase.head).package_places(each) for each in installed):
        return True
    header = _SCRIPT.search(codebase.base.text(path) or "")
    if header is not None and not names.isdisjoint(normalised(word) for word in _TOKEN.findall(header[0])):
        return True
    while folder:
        inside = (
            each for each in codebase.base.paths if each.startswith(f"{folder}/") and "/" not in each[len(folder) + 1 :]
        )
        for manifest in inside:
            if _REQUIREMENTS.search(manifest):
                wanted = codebase.base.text(manifest) or ""
                if not names.isdisjoint(normalised(word) for word in _TOKEN.findall(wanted)):
                    return True
        folder = folder.rpartition("/")[0]
    return False


@query
def declared(side: Snapshot) -> frozenset[str] | None:
    """Return the normalised names of all distributions that some manifest of the tree names.

    Every word of a requirements file counts, so that an unusual notation is not mistaken for an absence. None: there is
    no manifest, or one that cannot be read.
    """
    names: set[str] = set()
    seen = False
    for path in sorted(side.paths):
        base = path.rpartition("/")[2]
        if base == "pyproject.toml":
            text = side.text(path)
            found = None if text is None else _of_pyproject(text)
            if found is None:
                return None
            names |= found
            seen = True
        elif _REQUIREMENTS.search(path) or _OTHER.search(path):
            text = side.text(path)
            if text is None:
                return None
            lines = (line.partition("#")[0] for line in text.splitlines())
            names.update(normalised(word) for line in lines for word in _TOKEN.findall(line))
            seen = True
    return frozenset(names) if seen else None


@query
def required(side: Snapshot) -> frozenset[str]:
    """Return the normalised names of the distributions that the tree's manifests require, for whatever purpose.

    A manifest that cannot be read requires nothing.
    """
    names: set[str] = set()
    for path in side.paths:
        text = side.text(path) if is_manifest(path) else None
        if text is not None:
            with suppress(CannotRead):
                names.update(each.name for each in requirements_of(path, text))
    return frozenset(names)


def _named_projects(side: Snapshot) -> Iterator[tuple[str, set[str]]]:
    """Yield the folder of each manifest, and the normalised names in it."""
    for folder in module_tree(side).projects:
        for name in ("pyproject.toml", "setup.cfg", "setup.py"):
            text = side.text(f"{folder}/{name}" if folder else name)
            if text is not None:
                yield folder, {normalised(each) for each in _NAME.findall(text)}


def _of_pyproject(text: str) -> set[str] | None:
    import tomllib

    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return None
    project, tool = _table(data, "project"), _table(data, "tool")
    parts: list[Any] = [
        project.get("dependencies"),
        project.get("optional-dependencies"),
        data.get("dependency-groups"),
        _table(data, "build-system").get("requires"),
    ]
    parts += [tool.get(name) for name in ("poetry", "pdm", "uv", "hatch", "pixi", "flit", "rye", "setuptools")]
    return {normalised(word) for part in parts for entry in _strings(part) for word in _TOKEN.findall(entry)}


def _table(data: Any, name: str) -> dict[str, Any]:
    value = data.get(name) if isinstance(data, dict) else None
    return value if isinstance(value, dict) else {}


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield str(key)
            yield from _strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _strings(inner)
