"""A docstring that describes a parameter which the function does not have.

Three ways of writing are read::

    Args:                     Parameters              :param str name: ...
        name (str): ...       ----------
                              name : str
"""

from __future__ import annotations

from review_bot.rules.check import CheckTraits, FileCheck, without_options

from collections.abc import Iterator
from keyword import iskeyword

from review_bot.analysis.python.statements import Function, is_string, last_line
from review_bot.changes.source_file import SourceFile
from review_bot.rules.rule import Hit, Options
from review_bot.text.lazy_regex import LazyRegex


_GOOGLE_HEAD = LazyRegex(r"^(Args|Arguments|Parameters|Keyword Args|Keyword Arguments):$")
_GOOGLE_ENTRY = LazyRegex(r"^(\*{0,2}[A-Za-z_]\w*)\s*(?:\([^()]*(?:\([^()]*\)[^()]*)*\)\s*)?:(?:\s|$)")
_NUMPY_ENTRY = LazyRegex(r"^(\*{0,2}[A-Za-z_]\w*(?:\s*,\s*\*{0,2}[A-Za-z_]\w*)*)\s*(:.*)?$")
_SPHINX_ENTRY = LazyRegex(r"^:param\s([^:]*):")
_NAME = LazyRegex(r"\*{0,2}[A-Za-z_]\w*")
_NOT_NAMES = frozenset(
    {"Arg", "Args", "Returns", "Return", "Raises", "Yields", "Yield", "Note", "Notes", "Example", "Examples"}
    | {"Warning", "Warnings", "Todo", "TODO", "NOTE", "Default", "Defaults", "Shape", "Shapes", "See", "References"}
    | {"Important", "Tip", "Usage", "Inputs", "Outputs", "Input", "Output", "Supported", "Required", "Optional"}
    | {"http", "https", "e", "i", "Other", "Where"}
)
"""Words that are before a colon in prose."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each described name that is not a parameter, where signature or docstring changed. Raises CannotParse."""
    touched: frozenset[int] | None = None
    for function in source.functions:
        if function.args.kwarg is not None or not is_string(function.body[0]):
            continue
        docstring = function.body[0]
        if touched is None:
            touched = _touched(source)
        if touched.isdisjoint(range(function.lineno, last_line(docstring) + 1)):
            continue
        known = _parameters(function)
        described = list(_described(source.lines, docstring.lineno, last_line(docstring)))
        for line, name in described:
            bare = name.lstrip("*")
            if bare not in known and bare not in _NOT_NAMES and not iskeyword(bare):
                yield Hit(
                    line,
                    column=source.lines[line - 1].find(name) + 1,
                    values={"name": bare, "function": function.name},
                )


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
    arguments = function.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg]
    return {each.arg for each in every if each is not None} | {"self", "cls"}


def _described(lines: list[str], first: int, last: int) -> Iterator[tuple[int, str]]:
    """Yield (line, name) of each parameter that a docstring between two lines describes."""
    head: int | None = None
    """Indent of the section's head; None outside a section of parameters."""
    entry: int | None = None
    numpy = False
    for number in range(first, last + 1):
        text = lines[number - 1].replace("\t", "    ")
        stripped = text.strip()
        indent = len(text) - len(text.lstrip())
        if not stripped:
            continue
        if (match := _SPHINX_ENTRY.match(stripped)) and (words := match[1].split()) and _NAME.fullmatch(words[-1]):
            yield number, words[-1]
            continue
        follows = lines[number].strip() if number < last else ""
        underlined = len(follows) >= 3 and set(follows) == {"-"}
        if underlined:
            head, entry, numpy = (
                (indent, None, True) if stripped in {"Parameters", "Other Parameters"} else (None, None, False)
            )
        elif _GOOGLE_HEAD.match(stripped):
            head, entry, numpy = indent, None, False
        elif head is None or set(stripped) == {"-"}:
            continue
        elif numpy:
            if indent == head and (found := _NUMPY_ENTRY.match(stripped)):
                yield from ((number, name.strip()) for name in found[1].split(",") if found[2] is not None)
        elif indent <= head:
            head = None
        else:
            entry = indent if entry is None else entry
            if indent == entry and (found := _GOOGLE_ENTRY.match(stripped)):
                yield number, found[1]


CHECK = FileCheck(without_options(examine), CheckTraits(literals=None))
