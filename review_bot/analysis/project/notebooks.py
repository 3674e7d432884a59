r"""The Python code of a Jupyter notebook, at the lines of the file where its cells hold it.

::

    12     "source": [                       a blank line
    13      "from pkg.core import start\n",  from pkg.core import start
    14      "%time start()"                  pass

Magics and shell lines are replaced by ``pass``; cells of other languages, and those that Python cannot parse, are left
out. See https://nbformat.readthedocs.io/en/latest/format_description.html.
"""

from __future__ import annotations

import ast
import json
import json.scanner
import re
from collections.abc import Callable, Container, Iterable, Iterator
from functools import lru_cache
from json.decoder import JSONDecoder, scanstring  # type: ignore[attr-defined]
from typing import Any

from review_bot.analysis.project.added_imports import AddedImport, all_added_imports, file_imports
from review_bot.analysis.project.measuring_magics import PYTHON_CELL, without_measurement
from review_bot.analysis.project.notebook_installs import installed_words
from review_bot.analysis.python.syntax import dotted
from review_bot.changes import patching
from review_bot.changes.codebase import Codebase, Snapshot
from review_bot.changes.node_index import nodes_of
from review_bot.changes.node_lines import last_line
from review_bot.changes.pull_request import ChangedFile, PullRequest
from review_bot.changes.python_parsing import CannotParse, CannotRead, parse_python, parsed
from review_bot.changes.source_file import SourceFile
from review_bot.errors import DiffError
from review_bot.records import NamedTuple
from review_bot.rules.rule import Span
from review_bot.text.lazy_regex import LazyRegex

SUFFIX = ".ipynb"

_MAGIC = LazyRegex(r"([ \t]*)(?:[%!?/,;]|(?P<gets>[^\s=#][^=#\n]*=)[ \t]*[%!](?!=)|[^\s#][^#\n]*\?[ \t]*$)")
_PROMPT = LazyRegex(r"[ \t]*(?:>>>|In \[\d+\]:|\.{3,}:?) ?")


DEEPEST = 100
"""Brackets in brackets of a notebook. A limit of ours, as Python's own depends on the calls around the one that reads:
a notebook that one process has read could be none to the next, which would pass it over."""


class NotebookCode(NamedTuple):
    """``text`` is Python; ``lines[n - 1]`` is the line of the notebook that holds its line ``n``.

    ``installs`` are the words of its lines that install packages, clone a repository or change the folder.
    """

    text: str
    lines: tuple[int, ...]
    installs: frozenset[str]


class _Located(str):
    """A string of a JSON text. ``line`` is where it begins, 1-based."""

    __slots__ = ("line",)
    line: int


@lru_cache(maxsize=64)
def notebook_code(text: str) -> NotebookCode | None:
    """Return the code of a notebook; None if it is not one, or not one of Python."""
    try:
        data = _read(text)
    except CannotRead:
        return None
    if not _is_python(data.get("metadata")):
        return None
    cells = _code_cells(data) or []
    code: list[str] = []
    lines: list[int] = []
    installs: set[str] = set()
    for cell in cells:
        found = list(_lines(cell))
        installs |= installed_words(line for line, _ in found)
        for line, number in _python(found):
            blank = max(0, number - 1 - len(code))
            code += [""] * blank
            lines += range(number - blank, number)
            code.append(line)
            lines.append(number)
    return NotebookCode("\n".join([*code, ""]), (*lines, len(text.split("\n"))), frozenset(installs))


def code_of(path: str, side: Snapshot) -> str | None:
    """Return the Python code of a file, that of its cells for a notebook; None if it has none."""
    text = side.text(path)
    if text is None or not path.endswith(SUFFIX):
        return text
    code = notebook_code(text)
    return None if code is None else code.text


def line_in_file(path: str, line: int, side: Snapshot) -> int:
    """Return the line of a file that holds a line of its ``code_of``."""
    code = notebook_code(side.text(path) or "") if path.endswith(SUFFIX) else None
    return line if code is None else code.lines[line - 1]


def imports_and_code(source: SourceFile) -> tuple[tuple[AddedImport, ...], str]:
    """Return the imports that the change adds to a file of Python, a stub or a notebook, and all its code.

    In a notebook, an import that the base had in some cell is not added: editors write the whole file again. Raises
    CannotParse, and CannotRead for a text that is no notebook.
    """
    if source.path.endswith((".py", ".pyi")):
        return all_added_imports(source), source.text or ""
    if not source.path.endswith(SUFFIX):
        return (), ""
    text = source.text or ""
    code = notebook_code(text)
    if code is None:
        if text.strip():
            _read(text)
        return (), ""
    had = _had(source)
    found: list[AddedImport] = []
    for each in file_imports(source.path, code.text):
        here = code.lines[each.line - 1]
        names = tuple(
            name._replace(span=_span(code.lines[name.line - 1]))
            for name in each.names
            if (each.module, each.level, name.name) not in had and code.lines[name.line - 1] in source.added
        )
        new = here in source.added and (each.module, each.level, "") not in had
        if names or new:
            span = _span(here)._replace(end_line=code.lines[each.span.end_line - 1])
            found.append(each._replace(span=span, names=names, new=new))
    return tuple(found), code.text


def _span(line: int) -> Span:
    return Span(line, line, 1, 1)


class AddedCode(NamedTuple):
    """The code of a file, with what the change adds to it. ``lines`` and ``had`` are empty but for a notebook.

    ``source`` holds the code alone; ``lines`` are as in ``NotebookCode``; ``had`` are the attributes at the base.
    """

    source: SourceFile
    added: Container[int]
    lines: tuple[int, ...] = ()
    had: Container[str] = ()

    def line(self, line: int) -> int:
        """Return the line of the file that holds a line of the code."""
        return self.lines[line - 1] if self.lines else line

    def adds(self, line: int, written: str) -> bool:
        """Return whether a line of the code is added; of a notebook, also whether the base lacks such an attribute."""
        return self.line(line) in self.added and (not self.lines or written not in self.had)


def added_code(source: SourceFile) -> AddedCode | None:
    """Return the code of a file of Python or a notebook; None if it has none. Raises CannotParse, CannotRead."""
    if not source.path.endswith(SUFFIX):
        return AddedCode(source, source.added) if source.path.endswith(".py") else None
    code = notebook_code(source.text or "")
    if code is None:
        return None
    inner = SourceFile(ChangedFile(source.path, None, "added", "text"), code.text, None)
    had = _code_at_base(source)
    return AddedCode(inner, source.added, code.lines, () if had is None else _read_in(had.text))


class Additions:
    """Which code at the head the change adds, by the lines of ``code_of``: for the rules on what it leaves as it was.

    It is the same code that ``imports_and_code`` and ``added_code`` give to the rules on what a change adds, so that
    one of both looks at each import and read: what a notebook had in some cell is left, whatever line it is on now.
    """

    def __init__(self, pull_request: PullRequest, codebase: Codebase) -> None:
        self._added, self._codebase = pull_request.added_numbers(), codebase
        self._before = {file.path: file.base_path for file in pull_request.files if file.status != "added"}
        self._imports: dict[str, frozenset[tuple[str, int, str]]] = {}
        self._reads: dict[str, frozenset[str]] = {}

    def of(self, path: str) -> frozenset[int]:
        """Return the lines of a file that the change adds."""
        return self._added.get(path, frozenset())

    def lines_of_code(self, path: str) -> frozenset[int]:
        """Return the lines of the code of a file that are on lines which the change adds."""
        added = self.of(path)
        code = notebook_code(self._codebase.head.text(path) or "") if added and path.endswith(SUFFIX) else None
        return added if code is None else frozenset(n for n, line in enumerate(code.lines, 1) if line in added)

    def has_line(self, path: str, line: int) -> bool:
        """Return whether a line of the code is on an added line of its file."""
        return path in self._added and line_in_file(path, line, self._codebase.head) in self._added[path]

    def has_import(self, path: str, statement: AddedImport, name: str, line: int) -> bool:
        """Return whether the change adds a name of an import, which is on a line; empty: its module."""
        if not self.has_line(path, line):
            return False
        if path not in self._imports:
            self._imports[path] = _imported(path, self._code_before(path))
        return (statement.module, statement.level, name) not in self._imports[path]

    def had_import(self, path: str, statement: AddedImport, name: str) -> bool:
        """Return whether a file had such an import at the base, on whatever line."""
        before = self._before.get(path, "")
        code = (code_of(before, self._codebase.base) or "") if before else ""
        return (statement.module, statement.level, name) in _imported(before, code)

    def has_read(self, path: str, node: ast.Attribute) -> bool:
        """Return whether the change adds a read of an attribute."""
        if not self.has_line(path, last_line(node)):
            return False
        if path not in self._reads:
            self._reads[path] = _read_in(self._code_before(path))
        return (dotted(node) or node.attr) not in self._reads[path]

    def _code_before(self, path: str) -> str:
        """Return the code of a notebook at the base; empty for any other file."""
        before = self._before.get(path, "") if path.endswith(SUFFIX) else ""
        return (code_of(before, self._codebase.base) or "") if before.endswith(SUFFIX) else ""


def _imported(path: str, code: str) -> frozenset[tuple[str, int, str]]:
    """Return (module, level, name) of what code imports, with an empty name for each module."""
    return frozenset(
        (each.module, each.level, name)
        for each in file_imports(path, code)
        for name in ("", *(name.name for name in each.names))
    )


def _read_in(code: str) -> frozenset[str]:
    """Return the attributes that code reads or sets, each with what it is one of, as far as that has a name."""
    tree = parsed(code) if code else None
    found = () if tree is None else nodes_of(tree, ast.Attribute)
    return frozenset(dotted(node) or node.attr for node in found)


def _had(source: SourceFile) -> frozenset[tuple[str, int, str]]:
    """Return (module, level, name) of what the notebook imported at the base."""
    code = _code_at_base(source)
    return frozenset() if code is None else _imported(source.path, code.text)


def _code_at_base(source: SourceFile) -> NotebookCode | None:
    old = source.old_text
    if old is None and source.change.status != "added":
        try:
            old = patching.undo(source.text or "", source.change.hunks)
        except DiffError:
            old = None
    return notebook_code(old or "")


def _read(text: str) -> dict[str, Any]:
    """Return a notebook as ``_decode`` does. Raises CannotRead if the text is none."""
    try:
        data = _decode(text.removeprefix("\ufeff"))
    except json.JSONDecodeError as error:
        raise CannotRead(f"not JSON: {error.msg}", error.lineno) from error
    except ValueError as error:
        raise CannotRead("not a notebook: numbers beyond what is read") from error
    if not isinstance(data, dict) or _code_cells(data) is None:
        raise CannotRead("not a notebook: it has no cells")
    return data


def _decode(text: str) -> Any:
    """Return a JSON document whose strings are ``_Located``, keys aside. Raises CannotRead beyond ``DEEPEST``."""
    starts = [0, *(found.end() for found in re.finditer("\n", text))]
    at = depth = 0

    def located(whole: str, end: int, strict: bool = True) -> tuple[str, int]:  # noqa: FBT001, FBT002  # of the module
        nonlocal at
        while at < len(starts) and starts[at] < end:
            at += 1
        value, end = scanstring(whole, end, strict)
        found = _Located(value)
        found.line = at
        return found, end

    def inside(parse: Callable[..., Any]) -> Callable[..., Any]:
        def parsed(*given: Any) -> Any:
            nonlocal depth
            depth += 1
            if depth > DEEPEST:
                raise CannotRead(f"not a notebook: more than {DEEPEST} brackets in one another")
            found = parse(*given)
            depth -= 1
            return found

        return parsed

    decoder: Any = JSONDecoder()
    decoder.parse_string = located
    decoder.parse_object, decoder.parse_array = inside(decoder.parse_object), inside(decoder.parse_array)
    decoder.scan_once = json.scanner.py_make_scanner(decoder)  # type: ignore[attr-defined]
    return decoder.decode(text)


def _code_cells(notebook: dict[str, Any]) -> list[Any] | None:
    """Return the sources of the code cells; those of a version before 4 are in worksheets. None: it has no cells."""
    sheets: Any = [notebook]
    is_old = notebook.get("nbformat") in (1, 2, 3)  # no set: it may be anything
    if is_old and isinstance(notebook.get("worksheets"), list):
        sheets = notebook["worksheets"]
    lists = [each.get("cells") for each in sheets if isinstance(each, dict)]
    cells = [cell for each in lists if isinstance(each, list) for cell in each if isinstance(cell, dict)]
    is_one = any(isinstance(each, list) for each in lists)
    key = "input" if is_old else "source"
    return [cell.get(key) for cell in cells if cell.get("cell_type") == "code"] if is_one else None


def _is_python(metadata: Any) -> bool:
    """Return whether the kernel or a language is named as one of Python, or no language is named.

    Jupyter starts a kernel by its name, whatever else the metadata claims.
    """
    metadata = metadata if isinstance(metadata, dict) else {}
    kernel, *languages = (
        str(metadata[key].get(name) or "").lower() if isinstance(metadata.get(key), dict) else ""
        for key, name in (("kernelspec", "name"), ("language_info", "name"), ("kernelspec", "language"))
    )
    return not any(languages) or any("python" in each for each in (kernel, *languages))


def _lines(source: Any) -> Iterator[tuple[str, int]]:
    """Yield the lines of a cell, each with the line of the notebook that holds it."""
    parts: Iterable[Any] = source if isinstance(source, list) else (source,)
    open_line: str | None = None
    number = 1
    for part in parts:
        if not isinstance(part, _Located):
            return
        for piece in part.splitlines(keepends=True):
            number = part.line if open_line is None else number
            open_line = (open_line or "") + piece
            if open_line.endswith(("\n", "\r")):  # in a cell, a carriage return ends a line for IPython and Python
                yield open_line.rstrip("\r\n"), number
                open_line = None
    if open_line is not None:
        yield open_line, number


def _python(cell: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """Return the lines of a cell as Python; none if it is not one."""
    first = next((line for line, _ in cell if line.strip()), "")
    if first.startswith("%%") and not PYTHON_CELL.match(first):
        return []
    ways: list[Callable[[], list[tuple[str, int]]]] = [
        lambda: cell,
        lambda: _transformed(first, cell, keeps_code=True),
        lambda: _transformed(first, cell, keeps_code=False),
    ]
    for way in ways:
        lines = way()
        try:
            parse_python("\n".join(line for line, _ in lines))
        except CannotParse:
            continue
        return lines
    return []


def _transformed(first: str, cell: list[tuple[str, int]], *, keeps_code: bool) -> list[tuple[str, int]]:
    """Return the lines of a cell as IPython passes them to Python, each magic and each line of a shell as ``pass``.

    ``keeps_code``: but not the Python around one, such as all of ``%time import a`` and ``import a; names = !ls``.
    IPython removes prompts and the indentation of the ``first`` line. Source: ``IPython.core.inputtransformer2``.
    """
    prompted = _PROMPT.match(first) is not None and first.strip()[0] != "."
    indent = first[: len(first) - len(first.lstrip())]
    lines: list[tuple[str, int]] = []
    goes_on = False
    for written, number in cell:
        prompt = _PROMPT.match(written) if prompted else None
        line = written.removeprefix(indent) if prompt is None else written[prompt.end() :]
        line = without_measurement(line) if keeps_code else line
        found = _MAGIC.match(line)
        if goes_on:
            line, goes_on = "", line.endswith("\\")
        elif found is not None:
            instead = f"{found['gets']} ..." if found["gets"] and keeps_code else "pass"
            line, goes_on = f"{found[1]}{instead}", line.endswith("\\")
        lines.append((line, number))
    return lines
