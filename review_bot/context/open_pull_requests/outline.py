r"""The definitions and imports of a Python text by its layout alone: brackets, strings, indentation.

Nothing is parsed or run, a text that is not Python gives a poor outline and no error, and the time is linear in the
length of any text. Lines end at ``\n`` and are 1-based.

::

    class Scheduler:            part "Scheduler"            its own lines: header, fields, docstring
        def step(self):         part "Scheduler.step"       functions in functions belong to the outer one
"""

from __future__ import annotations

from collections.abc import Iterator

from review_bot.records import NamedTuple
from review_bot.text.lazy_regex import LazyRegex

_TOKEN = LazyRegex(
    r"#[^\n]*"
    r'|"""[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*(?:"""|\\?\Z)'
    r"|'''[^'\\]*(?:(?:\\.|'(?!''))[^'\\]*)*(?:'''|\\?\Z)"
    r'|"[^"\\\n]*(?:\\.[^"\\\n]*)*(?:"|(?=\n)|\\?\Z)'
    r"|'[^'\\\n]*(?:\\.[^'\\\n]*)*(?:'|(?=\n)|\\?\Z)"
    r"|[()\[\]{}\n]|\\\n",
    16,  # re.DOTALL
)
_DEFINITION = LazyRegex(r"(?:async[ \t]+)?(?:(def)|class)[ \t]+(\w+)")
_NEVER_INSIDE = ("def ", "class ", "async def ", "import ")
_FROM = LazyRegex(
    r"from\b(?:[ \t]|\\\n)*(?![ \t]|\\\n|import\b)((?:\.[ \t]*)*)(?![. \t])"
    r"((?:(?!import\b)[\w.]+(?![\w.]))?)(?:[ \t]|\\\n)*import\b(?:[ \t]|\\\n)*\(?"
)
"""The negative look-aheads let each repetition take all that it can or fail, so that the time is linear."""

_IMPORTED = LazyRegex(r"([\w.]+)(?:[ \t\n\\]+as[ \t\n\\]+(\w+))?|#[^\n]*")
_ASSIGNED = LazyRegex(r"\(?([\w \t,]+)(?![\w \t,])\)?[ \t]*(?![ \t])(?::[^=\n]+)?=(?!=)")
_WORD = LazyRegex(r"[^\W\d]\w*")
_DEEPEST = 100
"""Levels of indentation that Python itself takes."""

_TRY = LazyRegex(r"try[ \t]*:")


class Part(NamedTuple):
    """The own lines of a function, method or class, as (number, text), blank ones left out."""

    lines: tuple[tuple[int, str], ...]

    @property
    def texts(self) -> tuple[str, ...]:
        """The lines without their numbers."""
        return tuple(text for _, text in self.lines)


class Import(NamedTuple):
    """One import of one module, on ``line`` to ``end_line``; ``level`` counts the dots of a relative one.

    ``names``: (name, line) of each name of a ``from`` import. ``guarded``: it is in a ``try``.
    """

    module: str
    level: int
    names: tuple[tuple[str, int], ...]
    line: int
    end_line: int
    guarded: bool


class Outline(NamedTuple):
    """``parts`` by qualified name; ``names`` that the module binds outside of functions and classes, by line.

    ``open``: it has a star import, so that it may bind more.
    """

    parts: dict[str, Part]
    names: dict[str, int]
    imports: tuple[Import, ...]
    open: bool


class _Statement(NamedTuple):
    """One logical line: its text without indentation, and where it is."""

    text: str
    indent: int
    line: int
    end_line: int


class _Block(NamedTuple):
    """An open block. ``name``: of a class or function, empty in a function of a function; None for a ``try``."""

    indent: int
    name: str | None
    is_function: bool


def outline(text: str) -> Outline:
    """Return what a text defines and imports."""
    owners: dict[int, str] = {}
    names: dict[str, int] = {}
    imports: list[Import] = []
    is_open = False
    blocks: list[_Block] = []
    decorated: int | None = None
    for statement in _statements(text):
        while blocks and (statement.indent <= blocks[-1].indent or len(blocks) >= _DEEPEST):
            blocks.pop()
        definition = _DEFINITION.match(statement.text)
        first = statement.line if decorated is None or definition is None else decorated
        decorated = (decorated or statement.line) if statement.text[0] == "@" else None
        inside = next((block for block in reversed(blocks) if block.name is not None), None)
        owner = inside.name if inside is not None else ""
        if definition is not None:
            is_function = definition[1] is not None
            if inside is None:
                names.setdefault(definition[2], statement.line)
            if inside is None or not inside.is_function:
                owner = f"{owner}.{definition[2]}" if owner else definition[2]
            blocks.append(_Block(statement.indent, owner, is_function or (inside is not None and inside.is_function)))
        elif _TRY.match(statement.text):
            blocks.append(_Block(statement.indent, None, is_function=False))
        elif statement.text.startswith(("from", "import")):
            guarded = any(block.name is None for block in blocks)
            for found, bound in _imports(statement, guarded=guarded):
                imports.append(found)
                is_open = is_open or any(name == "*" for name, _ in found.names)
                if inside is None:
                    names.update({name: statement.line for name in bound if name not in names})
        elif inside is None and (assigned := _ASSIGNED.match(statement.text)):
            names.update({name: statement.line for name in _WORD.findall(assigned[1]) if name not in names})
        if owner:
            for line in range(first, statement.end_line + 1):
                owners[line] = owner
    return Outline(_parts(text, owners), names, tuple(imports), is_open)


def _parts(text: str, owners: dict[int, str]) -> dict[str, Part]:
    """Give each line that is not blank to its definition; comments between statements go with the one above."""
    found: dict[str, list[tuple[int, str]]] = {}
    lines = text.split("\n")
    for line, owner in owners.items():
        if lines[line - 1].strip():
            found.setdefault(owner, []).append((line, lines[line - 1].rstrip()))
    return {name: Part(tuple(own)) for name, own in found.items()}


def _statements(text: str) -> Iterator[_Statement]:
    """Yield each logical line that says something; comments alone and blank lines say nothing."""
    depth = 0
    start, line, number = 0, 1, 1
    for token in _TOKEN.finditer(text):
        sign = token[0]
        if sign == "\n":
            number += 1
            if depth and text.startswith(_NEVER_INSIDE, token.end()):
                depth = 0  # a bracket that was never closed
            if not depth:
                statement = _statement(text, start, token.start(), line, number - 1)
                if statement is not None:
                    yield statement
                start, line = token.end(), number
        elif len(sign) == 1:
            depth = depth + 1 if sign in "([{" else max(0, depth - 1) if sign in ")]}" else depth
        else:
            number += sign.count("\n")
    statement = _statement(text, start, len(text), line, number)
    if statement is not None:
        yield statement


def _statement(text: str, start: int, end: int, line: int, end_line: int) -> _Statement | None:
    whole = text[start:end]
    said = whole.lstrip(" \t\f\r\n")
    if not said or said[0] == "#":
        return None
    indent = len(whole[: len(whole) - len(said)].expandtabs().rpartition("\n")[2])
    return _Statement(said, indent, line, end_line)


def _imports(statement: _Statement, *, guarded: bool) -> Iterator[tuple[Import, list[str]]]:
    """Yield what one statement imports, each with the names that it binds."""
    line, last = statement.line, statement.end_line
    head = _FROM.match(statement.text)
    if head is None:
        if not statement.text.startswith(("import ", "import\t")):
            return
        for each in _IMPORTED.finditer(statement.text[7:]):
            if each[1]:
                yield Import(each[1], 0, (), line, last, guarded), [each[2] or each[1].partition(".")[0]]
        return
    names: list[tuple[str, int]] = []
    bound: list[str] = []
    taken = statement.text[head.end() :]
    number, position = line + head[0].count("\n"), 0
    for each in _IMPORTED.finditer(taken):
        if each[1]:
            number += taken.count("\n", position, each.start())
            position = each.start()
            names.append((each[1], number))
            bound.append(each[2] or each[1])
    if not names and "*" in taken:
        names.append(("*", line))
    yield Import(head[2], head[1].count("."), tuple(names), line, last, guarded), bound
