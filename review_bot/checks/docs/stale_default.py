"""A documented default that is not the default of the code next to it.

The help of an argument or a field is read, and docstrings in the styles of Google, NumPy and Sphinx::

    parser.add_argument("--port", default=8000, help="the port (default: 8080)")

    def sample(self, steps: int = 28):
        \"\"\"...
            steps (`int`, *optional*, defaults to 50): ...
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import suppress

from review_bot.analysis.facts.declared_defaults import field_defaults
from review_bot.analysis.python.option_destination import used_default
from review_bot.analysis.python.stated_defaults import Known, StatedDefault, contradicts, literal, stated_defaults
from review_bot.analysis.python.statements import Function, defaults_of, is_function, is_string, last_name
from review_bot.analysis.python.syntax import keyword
from review_bot.changes.line_map import has_old_lines
from review_bot.changes.node_lines import lines_of
from review_bot.changes.python_parsing import CannotParse
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_ENTRY = LazyRegex(r"[`*-]{0,3} ?(\w+)`{0,2} ?[:(,]")
_COPIED = LazyRegex(r"#\s*(?:Adapted|Copied|Modified)\s+from\b")
_OPTIONS = frozenset({"add_argument", "option"})
_FIELDS = frozenset({"field", "Field", "Option", "Argument", "Query", "Body"})


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such default where the change wrote the text or the code, and not both again. Raises CannotParse."""
    before: set[str] | None = None
    for hit in _contradictions(source):
        if before is None:
            before = {str(each.values) for each in _at_base(source)}
        if str(hit.values) not in before:
            yield hit


def _at_base(source: SourceFile) -> list[Hit]:
    if has_old_lines(source.change) and (old := source.at_base()) is not None:
        with suppress(CannotParse):
            return list(_contradictions(old))
    return []


def _contradictions(source: SourceFile) -> Iterator[Hit]:
    for call in source.nodes(ast.Call):
        name = last_name(call.func)
        if name in _OPTIONS or name in _FIELDS:
            yield from _of_help(call, source, is_field=name in _FIELDS)
    for function in source.functions:
        yield from _of_docstring(function, _defaults(function), source)
    for owner in source.nodes(ast.ClassDef):
        maker = next((each for each in owner.body if is_function(each) and each.name == "__init__"), None)
        defaults = field_defaults(owner) if maker is None else _defaults(maker)
        yield from _of_docstring(owner, defaults, source)


def _of_help(call: ast.Call, source: SourceFile, *, is_field: bool) -> Iterator[Hit]:
    default = used_default(call)
    if default is None and is_field and call.args:
        default = call.args[0]
    known = literal(default)
    if default is None or known is None:
        return
    first = literal(call.args[0]) if call.args and not is_field else None
    name = str(first.value) if first is not None else _field(call, source)
    for line, text in _helps(call):
        if "%(default)" in text:
            continue  # argparse writes the default there
        stated = list(stated_defaults(text))
        if stated and all(contradicts(each.value, known.value) for each in stated):
            yield from _hit(source, line, default, name, stated[0], known)


def _field(call: ast.Call, source: SourceFile) -> str:
    """Return the name that a class gives a field, of which a call states the default."""
    named = (each for each in source.nodes(ast.AnnAssign) if each.value is call and isinstance(each.target, ast.Name))
    return next((each.target.id for each in named if isinstance(each.target, ast.Name)), "this field")


def _helps(call: ast.Call) -> Iterator[tuple[int, str]]:
    """Yield the help texts of an argument or field, with their lines."""
    texts = [keyword(call, "help"), keyword(call, "description")]
    metadata = keyword(call, "metadata")
    if isinstance(metadata, ast.Dict):
        texts += metadata.values
    for text in texts:
        if isinstance(text, ast.Constant) and isinstance(text.value, str):
            yield text.lineno, text.value


def _of_docstring(owner: Function | ast.ClassDef, defaults: dict[str, ast.expr], source: SourceFile) -> Iterator[Hit]:
    docstring = owner.body[0]
    if not defaults or not is_string(docstring):
        return
    above = source.lines[max(0, min([owner.lineno, *(each.lineno for each in owner.decorator_list)]) - 2)]
    if _COPIED.search(above):
        return  # a tool keeps it equal to the original, or a person means to
    described, depth = "", 0
    said: dict[str, list[tuple[int, StatedDefault]]] = {}
    for number in lines_of(docstring):
        line = source.lines[number - 1]
        name = _entry(line.strip())
        indent = len(line) - len(line.lstrip())
        if name in defaults:
            described, depth = name, indent
        elif line.strip() and described and indent <= depth:
            described = ""
        if described:
            said.setdefault(described, []).extend((number, each) for each in stated_defaults(line))
    for parameter, places in said.items():
        known = literal(defaults[parameter])
        if known is not None and places and all(contradicts(each.value, known.value) for _, each in places):
            yield from _hit(source, places[0][0], defaults[parameter], parameter, places[0][1], known)


def _entry(text: str) -> str:
    """Return the name that a line of a docstring begins to describe; an empty text if it is none."""
    if text.startswith(":param "):
        words = text.removeprefix(":param ").partition(":")[0].split()
        return words[-1] if words else ""
    match = _ENTRY.match(text)
    return match[1] if match is not None and ":" in text[match.end() - 1 :] else ""


def _hit(
    source: SourceFile, line: int, default: ast.expr, name: str, stated: StatedDefault, known: Known
) -> Iterator[Hit]:
    """Yield the hit on the line that the change wrote; none if it wrote neither."""
    values = {"name": name, "stated": stated.shown, "default": repr(known.value)}
    places = ((line, default.lineno, "the default"), (default.lineno, line, "documented here"))
    for here, there, note in places:
        if here in source.added:
            related = (Related(source.path, there, note),) if here != there else ()
            yield Hit(here, values=values, related=related)
            return


def _defaults(function: Function) -> dict[str, ast.expr]:
    return {each.arg: default for each, default in defaults_of(function)}


CHECK = file_check(examine, CheckTraits(literals=("default", "Default", "DEFAULT")))
