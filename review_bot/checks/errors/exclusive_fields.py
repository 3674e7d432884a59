"""A class whose text says that only one of its optional fields may be set, and nothing that makes sure of it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from review_bot.analysis.python.statements import decorator_names, is_function, last_name, statements
from review_bot.analysis.python.syntax import hit_on, is_literal, keyword
from review_bot.changes.node_lines import last_line
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Suggestion
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_SAYS_ONE = LazyRegex(
    r"\b(exactly one|only one|mutually exclusive|(?:either|one) of \(|either\b[^.]{0,300}\bor)\b", re.IGNORECASE
)
_EXACTLY = LazyRegex(r"\bexactly one of\b", re.IGNORECASE)
_HOOKS = frozenset({"__post_init__", "__init__", "__new__", "__attrs_post_init__", "model_post_init"})
_SENTENCE = LazyRegex(r"(?<=[.;])\s+|\n\s*\n|\n\s*[-*] ")


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each class that does not check what it says. Raises CannotParse."""
    for node in statements(source.tree.body):
        if not isinstance(node, ast.ClassDef) or not _holds_fields(node) or _checks_itself(node):
            continue
        fields = [each for each in node.body if _is_optional(each)]
        names = [
            each.target.id for each in fields if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
        ]
        for sentence in _sentences(node, source) if len(names) > 1 else ():
            named = [name for name in names if name in sentence and re.search(rf"\b{re.escape(name)}\b", sentence)]
            if len(named) < 2 or not _SAYS_ONE.search(sentence):
                continue
            *others, last = (f"`{name}`" for name in named)
            yield hit_on(
                source,
                node,
                values={"class": node.name, "fields": f"{', '.join(others)} and {last}"},
                suggestion=_suggestion(node, named, sentence, source),
            )
            break


def _holds_fields(node: ast.ClassDef) -> bool:
    bases = {last_name(base) for base in node.bases}
    return bool(bases & {"Struct", "BaseModel"} or decorator_names(node) & {"dataclass", "define", "frozen", "attrs"})


def _checks_itself(node: ast.ClassDef) -> bool:
    """Return whether the class has code of its own that could refuse a value."""
    for each in node.body:
        if is_function(each) and (
            each.name in _HOOKS
            or any("validator" in name for name in decorator_names(each))
            or any(isinstance(inner, (ast.Raise, ast.Assert)) for inner in statements(each.body))
        ):
            return True
    return False


def _is_optional(statement: ast.stmt) -> bool:
    if not isinstance(statement, ast.AnnAssign) or statement.value is None:
        return False
    value: ast.expr = statement.value
    if isinstance(value, ast.Call) and last_name(value.func).lower() == "field":
        value = keyword(value, "default") or (value.args or [value])[0]
    return is_literal(value, None)


def _sentences(node: ast.ClassDef, source: SourceFile) -> Iterator[str]:
    text = (
        ast.get_docstring(node, clean=False) or ""
    ).expandtabs()  # to clean it imports a lot, and changes only blanks
    comments = [  # those with code between them are about something else
        line.strip().lstrip("# ") if line.lstrip().startswith("#") else ""
        for line in source.lines[node.lineno - 1 : last_line(node)]
    ]
    for part in (text, "\n".join(comments)):
        yield from (" ".join(sentence.split()) for sentence in _SENTENCE.split(part))


def _suggestion(node: ast.ClassDef, named: list[str], sentence: str, source: SourceFile) -> Suggestion | None:
    """Offer the check itself where the words leave one reading: exactly one of two fields."""
    makes_post_init = any(last_name(base) == "Struct" for base in node.bases) or not node.bases
    if len(named) != 2 or not _EXACTLY.search(sentence) or not makes_post_init:
        return None
    last = last_line(node)
    line = source.lines[last - 1]
    indent = " " * node.body[0].col_offset
    first, second = named
    method = (
        f"{indent}def __post_init__(self) -> None:\n"
        f"{indent}    if (self.{first} is None) == (self.{second} is None):\n"
        f'{indent}        raise ValueError("set exactly one of {first} and {second}")'
    )
    return Suggestion(last, last, f"{line}\n\n{method}")


CHECK = file_check(examine, CheckTraits(literals=("class",)))
