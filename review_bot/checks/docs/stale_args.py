"""A docstring that describes a parameter which the function does not have, and that the change made so.

Three ways of writing are read::

    Args:                     Parameters              :param str name: ...
        name (str): ...       ----------
                              name : str
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from keyword import iskeyword

from review_bot.analysis.python.statements import Function, definitions, is_string, named_parameters
from review_bot.changes.line_map import LineMap, has_old_lines
from review_bot.changes.node_lines import last_line
from review_bot.changes.python_parsing import CannotParse
from review_bot.changes.source_file import SourceFile
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_GOOGLE_HEAD = LazyRegex(r"^(Args|Arguments|Inputs?|Input args|Params|Parameters|Keyword Args|Keyword Arguments) ?:$")
_GOOGLE_ENTRY = LazyRegex(r"^(\*{0,2}[A-Za-z_]\w*)\s*(?:\([^()]*(?:\([^()]*\)[^()]*)*\)\s*)?:(?:\s|$)")
_NUMPY_ENTRY = LazyRegex(r"^(\*{0,2}[A-Za-z_]\w*(?:\s*,\s*\*{0,2}[A-Za-z_]\w*)*)\s*(:.*)?$")
_SPHINX_ENTRY = LazyRegex(r"^:param\s([^:(]*(?:\([^:()]*\)[^:()]*)?):(?:\s|$)")
_NAME = LazyRegex(r"\*{0,2}[A-Za-z_]\w*")
_SIZE = LazyRegex(r"[A-Z]")
"""A letter that stands for a size in shapes: ``B: batch size, T: target length``."""
_PROSE = LazyRegex(r"[A-Z][a-z]+")
"""A word that begins a remark among the entries: ``Caution: both must be on one device``."""
_GOES_ON = LazyRegex(r"(?:,|\b(?:where|with|and|or|of))$")
"""The end of a line whose sentence goes on in the next one."""
_NOT_NAMES = frozenset(
    {"Arg", "Args", "Returns", "Return", "Raises", "Yields", "Yield", "Note", "Notes", "Example", "Examples"}
    | {
        "Arguments",
        "Parameters",
        "Params",
        "Warning",
        "Warnings",
        "Todo",
        "TODO",
        "NOTE",
        "Default",
        "Defaults",
        "Shape",
        "Shapes",
        "See",
        "References",
    }
    | {"Important", "Tip", "Usage", "Inputs", "Outputs", "Input", "Output", "Supported", "Required", "Optional"}
    | {"http", "https", "e", "i", "Other", "Where"}
    | {"example", "examples", "note", "notes", "raises", "returns", "warning", "yields"}
)
"""Words that are before a colon in prose."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each described name that is not a parameter, unless the base had the same mistake. Raises CannotParse."""
    before: _Stale | None = None
    for entry in _stale(source, _touched(source)):
        if before is None:
            before = _at_base(source)
        if (entry.owner, entry.name) in before.names or before.lines.old_line(entry.line) in before.numbers:
            continue
        yield Hit(
            entry.line,
            column=source.lines[entry.line - 1].find(entry.name) + 1,
            values={"name": entry.name, "function": entry.owner.rpartition(".")[2]},
        )


class _Entry(NamedTuple):
    """One described name that is no parameter of the function ``owner``."""

    owner: str
    name: str
    line: int


class _Stale(NamedTuple):
    """What was wrong at the base already: (function, name), and the lines of these entries."""

    names: frozenset[tuple[str, str]]
    numbers: frozenset[int]
    lines: LineMap


def _stale(source: SourceFile, touched: frozenset[int]) -> Iterator[_Entry]:
    """Yield the wrong entries of each function whose signature or docstring has one of the lines ``touched``."""
    dotted: dict[int, str] | None = None
    for function in source.functions:
        if function.args.kwarg is not None or not is_string(function.body[0]):
            continue
        docstring = function.body[0]
        if touched.isdisjoint(range(function.lineno, last_line(docstring) + 1)):
            continue
        known = _parameters(function)
        described = [*_described(source.lines, docstring.lineno, last_line(docstring))]
        items = _items([name.lstrip("*") for _, name in described], function)
        for line, name in described:
            bare = name.lstrip("*")
            if bare in items:
                continue
            is_name = not (_SIZE.fullmatch(bare) or _PROSE.fullmatch(bare) or iskeyword(bare))
            goes_on = _GOES_ON.search(source.lines[line - 2].rstrip()) is not None
            if is_name and bare not in known and bare not in _NOT_NAMES and not goes_on:
                if dotted is None:
                    dotted = {id(each.node): each.name for each in definitions(source.tree.body)}
                owner = dotted.get(id(function), function.name)
                yield _Entry(owner, bare, line)


def _at_base(source: SourceFile) -> _Stale:
    entries: list[_Entry] = []
    lines = LineMap(source.change)
    if has_old_lines(source.change) and (old := source.at_base()) is not None:
        with suppress(CannotParse):
            entries += _stale(old, frozenset(old.added))
    return _Stale(frozenset((each.owner, each.name) for each in entries), frozenset(e.line for e in entries), lines)


def _touched(source: SourceFile) -> frozenset[int]:
    """Return the added lines, and the lines that are now in the place of removed ones."""
    found = set(source.added)
    for hunk in source.change.hunks:
        number = hunk.new_start
        for line in hunk.lines:
            if line[:1] == "-":
                found.add(number)
            elif line[:1] in {"+", " "}:
                number += 1
    return frozenset(found)


def _parameters(function: Function) -> set[str]:
    every = [*named_parameters(function), function.args.vararg]
    return {each.arg for each in every if each is not None} | {"self", "cls"}


def _items(described: list[str], function: Function) -> frozenset[str]:
    """Return the names that a docstring has in the place of ``*values``: they are those of its items.

    They follow the parameters in front of it and precede those that are passed by keyword alone.
    """
    arguments = function.args
    if arguments.vararg is None or arguments.vararg.arg in described:
        return frozenset()
    in_front = {each.arg for each in (*arguments.posonlyargs, *arguments.args)}
    behind = {each.arg for each in arguments.kwonlyargs}
    first = max((place + 1 for place, name in enumerate(described) if name in in_front), default=0)
    last = next((place for place, name in enumerate(described) if name in behind), len(described))
    return frozenset(described[first:last])


def described_parameters(source: SourceFile, function: Function) -> list[str]:
    """Return the parameters that the docstring of a function describes, as it writes them. It must have one.

    One that is listed without a word about it is not described.
    """
    docstring = function.body[0]
    entries = _described(source.lines, docstring.lineno, last_line(docstring))
    return [name for line, name in entries if not _is_empty(source.lines, line)]


def _is_empty(lines: list[str], number: int) -> bool:
    """Return whether an entry of a docstring ends with its colon, and nothing below it belongs to it."""
    entry, below = lines[number - 1], lines[number] if number < len(lines) else ""
    deeper = len(below) - len(below.lstrip()) > len(entry) - len(entry.lstrip())
    return entry.rstrip().endswith(":") and not (below.strip() and deeper)


def _described(lines: list[str], first: int, last: int) -> Iterator[tuple[int, str]]:
    """Yield (line, name) of each parameter that a docstring between two lines describes, not those of its examples."""
    head: int | None = None
    """Indent of the section's head; None outside a section of parameters."""
    entry: int | None = None
    outermost: int | None = None
    """Indent of the first ``:param``; those below it that are indented further describe what it holds."""
    numpy = False
    of_examples, inside = "'''" if '"""' in lines[first - 1] else '"""', False
    for number in range(first, last + 1):
        if lines[number - 1].count(of_examples) % 2:
            inside = not inside
        if inside:
            continue
        text = lines[number - 1].replace("\t", "    ")
        stripped = text.strip()
        indent = len(text) - len(text.lstrip())
        if not stripped:
            continue
        if (match := _SPHINX_ENTRY.match(stripped)) and (words := match[1].split()) and _NAME.fullmatch(words[-1]):
            outermost = indent if outermost is None else outermost
            if indent <= outermost:
                yield number, words[-1]
            continue
        follows = lines[number].strip() if number < last else ""
        underlined = len(follows) >= 3 and set(follows) == {"-"}
        if underlined:
            head, entry, numpy = (
                (indent, None, True) if stripped in {"Parameters", "Other Parameters"} else (None, None, False)
            )
        elif _GOOGLE_HEAD.match(stripped) and (head is None or indent <= head):
            head, entry, numpy = indent, None, False
        elif head is None or set(stripped) == {"-"}:
            continue
        elif numpy:
            if indent == head and (found := _NUMPY_ENTRY.match(stripped)):
                yield from ((number, name.strip()) for name in found[1].split(",") if found[2] is not None)
        elif indent <= head or (entry is not None and indent < entry):
            head = None
        else:
            entry = indent if entry is None else entry
            goes_on = lines[number - 2].rstrip().endswith(("\\", "|"))
            if indent == entry and not goes_on and (found := _GOOGLE_ENTRY.match(stripped)):
                yield number, found[1]


CHECK = file_check(examine, CheckTraits(literals=None))
