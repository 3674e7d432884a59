"""``python -m bench.standard_names``: write the names of modules of the standard library that a rule looks up.

They are what the stubs of mypy declare, for any version and platform, and what the modules of this Python have. Names
with a leading underscore are left out, and modules whose names depend on the platform or on what has been imported.
"""

from __future__ import annotations

import ast
import importlib
import textwrap
from collections.abc import Iterable, Iterator
from importlib.metadata import files
from pathlib import Path

PATH = Path(__file__).parents[1] / "review_bot/analysis/project/standard_name_table.py"
_HEAD = '"""The public names of modules of the standard library. ``python -m bench.standard_names`` writes them."""\n'
MODULES = (
    "abc", "argparse", "ast", "asyncio", "atexit", "base64", "bisect", "collections", "collections.abc",
    "concurrent.futures", "contextlib", "contextvars", "copy", "copyreg", "csv", "dataclasses", "datetime", "decimal",
    "difflib", "enum", "fnmatch", "fractions", "functools", "gc", "getpass", "glob", "gzip", "hashlib", "heapq", "hmac",
    "importlib", "importlib.metadata", "importlib.resources", "importlib.util", "inspect", "io", "itertools", "json",
    "linecache", "logging", "logging.handlers", "math", "mimetypes", "multiprocessing", "numbers", "operator", "os",
    "os.path", "pathlib", "pickle", "pkgutil", "platform", "pprint", "queue", "random", "re", "secrets", "shlex",
    "shutil", "sqlite3", "statistics", "string", "struct", "subprocess", "tarfile", "tempfile", "textwrap", "threading",
    "time", "timeit", "traceback", "types", "typing", "unittest", "unittest.mock", "urllib.error", "urllib.parse",
    "urllib.request", "uuid", "warnings", "weakref", "zipfile", "zlib",
)  # fmt: skip
OLDER = {
    "asyncio": ("coroutine",),
    "collections": (
        "Awaitable", "ByteString", "Callable", "Collection", "Container", "Coroutine", "Generator", "Hashable",
        "ItemsView", "Iterable", "Iterator", "KeysView", "Mapping", "MappingView", "MutableMapping", "MutableSequence",
        "MutableSet", "Reversible", "Sequence", "Set", "Sized", "ValuesView",
    ),
    "contextlib": ("nested",),
    "inspect": ("formatargspec", "getargspec"),
    "typing": ("io", "re"),
}  # fmt: skip
"""What Python 3.9 or 3.10 had and no later one has (their "What's New")."""


def _stubs() -> dict[str, tuple[ast.Module, bool]]:
    """Return the stub of each module, and whether it is a package."""
    found: dict[str, tuple[ast.Module, bool]] = {}
    for file in files("mypy") or ():
        if file.parts[:3] == ("mypy", "typeshed", "stdlib") and file.suffix == ".pyi":
            parts = list(Path(*file.parts[3:]).with_suffix("").parts)
            package = parts[-1] == "__init__"
            name = ".".join(parts[:-1] if package else parts)
            found[name] = ast.parse(Path(str(file.locate())).read_text(encoding="utf-8")), package
    return found


def _bound(module: str, stubs: dict[str, tuple[ast.Module, bool]]) -> set[str]:
    """Return the names that a stub declares or exports in any branch, with the submodules of a package."""
    tree, package = stubs[module]
    names = {each.rpartition(".")[2] for each in stubs if each.rpartition(".")[0] == module}
    exported = {each.value for each in ast.walk(tree) if isinstance(each, ast.Constant) and isinstance(each.value, str)}
    for statement in _statements(tree.body):
        match statement:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                names.add(name)
            case ast.Assign(targets=targets):
                names |= {each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)}
            case ast.AnnAssign(target=ast.Name(id=name)):
                names.add(name)
            case ast.Import(names=aliases):
                names |= {alias.asname for alias in aliases if alias.asname}
            case ast.ImportFrom(module=source, level=level, names=aliases):
                above = module.split(".") if package else module.split(".")[:-1]
                parts = [*above[: len(above) - level + 1], *([source] if source else [])] if level else [source or ""]
                for alias in aliases:
                    if alias.name == "*":
                        names |= _bound(".".join(parts), stubs)
                    elif alias.asname or alias.name in exported:
                        names.add(alias.asname or alias.name)
    return names


def _statements(body: Iterable[ast.stmt]) -> Iterator[ast.stmt]:
    for each in body:
        if isinstance(each, ast.If):
            yield from _statements(each.body)
            yield from _statements(each.orelse)
        else:
            yield each


def table() -> str:
    """Return the text of the module that holds the names."""
    stubs, lines = _stubs(), list[str]()
    for module in MODULES:
        names = _bound(module, stubs) | set(dir(importlib.import_module(module))) | set(OLDER.get(module, ()))
        wrapped = textwrap.wrap(" ".join(sorted(name for name in names if not name.startswith("_"))), 104)
        parts = [f'        "{line} "' for line in wrapped[:-1]] + [f'        "{wrapped[-1]}"']
        lines += [f'    "{module}": (', *parts, "    ),"] if len(wrapped) > 1 else [f'    "{module}": "{wrapped[0]}",']
    return "\n".join([_HEAD, "TABLE = {", *lines, "}", ""])


if __name__ == "__main__":
    PATH.write_text(table(), encoding="utf-8")
