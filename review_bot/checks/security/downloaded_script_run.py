"""A file that a function downloads and then runs, without comparing a hash of it.

::

    download(SCRIPT_URL, script_path)
    subprocess.run(["bash", script_path])
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.function_pairs import plain
from review_bot.analysis.python.statements import Function
from review_bot.analysis.python.syntax import dotted, full_name, hit_at, imported_names, own_nodes
from review_bot.changes.node_lines import start_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_RUNS = frozenset(f"subprocess.{name}" for name in ("run", "call", "check_call", "check_output", "Popen"))
_INTERPRETERS = frozenset({"bash", "sh", "zsh", "/bin/bash", "/bin/sh", "python", "python3", "sys.executable"})
_CHECKS = ("sha1", "sha256", "sha512", "md5", "hash", "checksum", "verify", "signature", "digest")


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each run of a downloaded file. Raises CannotParse."""
    imported = imported_names(source.tree)
    for function in source.functions:
        calls = [each for each in own_nodes(function.body) if isinstance(each, ast.Call)]
        runs = [(each, path) for each in calls if (path := _script(each, imported)) is not None]
        for run, path in runs if runs and not _checks_content(function) else ():
            downloads = (each for each in calls if start_of(each) < start_of(run) and _downloads_to(each, path))
            download = max(downloads, key=start_of, default=None)
            if download is not None:
                related = (Related(source.path, download.lineno, "downloads it"),)
                values = {"path": path, "line": str(download.lineno)}
                yield hit_at(source, run, values=values, related=related)


def _script(call: ast.Call, imported: dict[str, str]) -> str | None:
    """Return the name of the file that a call runs as a program or a script: ``["bash", path]``, ``[path, "-s"]``."""
    if full_name(call.func, imported) not in _RUNS or not call.args or not isinstance(call.args[0], ast.List):
        return None
    words = call.args[0].elts
    first = words[0] if words else None
    if first is not None and len(words) > 1 and _word(first) in _INTERPRETERS:
        first = words[1]
    if isinstance(first, ast.Call) and dotted(first.func) == "str" and first.args:
        first = first.args[0]
    return first.id if isinstance(first, ast.Name) else None


def _word(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else dotted(node)


def _downloads_to(call: ast.Call, path: str) -> bool:
    """Return whether a call takes a download's source and then the path."""
    name = (dotted(call.func) or "").rpartition(".")[2].lower()
    if "download" not in name and name != "urlretrieve":
        return False
    targets = [*call.args[1:], *(each.value for each in call.keywords)]
    return any(isinstance(each, ast.Name) and each.id == path for each in targets)


def _checks_content(function: Function) -> bool:
    text = plain(function).lower()
    return any(word in text for word in _CHECKS)


CHECK = file_check(examine, CheckTraits(literals=("subprocess download", "subprocess urlretrieve")))
