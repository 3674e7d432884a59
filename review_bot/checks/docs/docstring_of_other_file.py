"""A docstring that was copied with its code from another file, and still names the class of that one.

::

    models/aria.py      def pre_process(request):
                            \"\"\"Prepare requests for AriaPipeline.\"\"\"
    models/lied.py      def pre_process(request):
                            \"\"\"Prepare requests for AriaPipeline.\"\"\"     no code of this file has ``AriaPipeline``
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from review_bot.analysis.facts.classes import classes_in, subclasses
from review_bot.analysis.facts.word_search import files_with
from review_bot.analysis.python.statements import definitions_of, is_string
from review_bot.analysis.python.syntax import bound_name
from review_bot.changes.codebase import Codebase
from review_bot.changes.node_index import nodes_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check, each_fact
from review_bot.rules.rule import Hit
from review_bot.rules.scope import is_test
from review_bot.text.lazy_regex import LazyRegex

_CLASS = LazyRegex(r"\b[A-Z][A-Za-z0-9]*[a-z][A-Z0-9][A-Za-z0-9]*\b")
_PARAGRAPH = LazyRegex(r"\n\s*\n")
_ON_PURPOSE = LazyRegex(
    r"(?i)\b(?:cop(?:y|ied)|adapt|based on|from|see|similar|like|same|inspired|refer|instead|compat|inherit|wrap|unlike"
    r"|analog|mirror|as in|subclass|shared?|reuse|used (?:by|in)|alias|equivalent)"
)
"""Words of a sentence that relates one thing to the other."""
_FEWEST_WORDS = 3
_MOST_FILES = 40
_MOST_COPIES = 1
"""Other files with the text, beyond which it is a habit of the project."""


class Said(NamedTuple):
    """The first paragraph of a docstring, its line, and the names of classes in it that the file's code has not."""

    name: str
    line: int
    text: str
    classes: tuple[str, ...]


def gather(source: SourceFile) -> tuple[Said, ...] | None:
    """Return such docstrings on added lines. Raises CannotParse."""
    found = [each for each in _said(source.tree) if each.line in source.added]
    if not found or is_test(source.path):
        return None
    code = _names(source.tree)
    found = [each._replace(classes=tuple(name for name in each.classes if name not in code)) for each in found]
    return tuple(each for each in found if each.classes) or None


def _said(tree: ast.Module) -> Iterator[Said]:
    for each in definitions_of(tree):
        if is_string(each.body[0]):
            docstring = ast.get_docstring(each, clean=False) or ""
            text = " ".join(_PARAGRAPH.split(docstring.strip())[0].split())
            names = tuple(sorted({found[0] for found in _CLASS.finditer(text)}))
            if names and len(text.split()) >= _FEWEST_WORDS and not _ON_PURPOSE.search(text):
                yield Said(each.name, each.body[0].lineno, text, names)


def _names(tree: ast.Module) -> set[str]:
    """Return the words of the code of a file, and of its strings but docstrings."""
    names = {each.id for each in nodes_of(tree, ast.Name)} | {each.attr for each in nodes_of(tree, ast.Attribute)}
    names |= {bound_name(each) for each in nodes_of(tree, ast.alias)}
    names |= {each.name.rpartition(".")[2] for each in nodes_of(tree, ast.alias)}
    names |= {each.name for each in nodes_of(tree, ast.ClassDef)}
    told = {
        id(each.body[0].value)
        for each in (tree, *definitions_of(tree))
        if each.body and isinstance(each.body[0], ast.Expr)
    }
    strings = (
        each.value for each in nodes_of(tree, ast.Constant) if isinstance(each.value, str) and id(each) not in told
    )
    return names | {found[0] for text in strings for found in _CLASS.finditer(text)}


def relate(facts: Mapping[str, tuple[Said, ...]], codebase: Codebase) -> Iterator[Hit]:
    """Yield those that a file has too which alone defines a class that the text names."""
    for path, said in each_fact(facts):
        for name in said.classes:
            home = "" if _has_heir(codebase, path, name) else _home(codebase, path, name, said.text)
            tree = codebase.head.tree(home) if home else None
            twin = next((each for each in _said(tree) if each.text == said.text), None) if tree else None
            if twin is not None and tree is not None and not _inherits(codebase, path, tree):
                values = {"name": said.name, "class": name, "twin": f"{home}:{twin.line}"}
                related = (Related(home, twin.line, f"the docstring of `{twin.name}`"),)
                yield Hit(said.line, values=values, path=path, related=related)
                break


def _inherits(codebase: Codebase, path: str, tree: ast.Module) -> bool:
    """Return whether a class of a file inherits from one of another file: its methods are described as those are."""
    owners = (each.name for each in nodes_of(tree, ast.ClassDef))
    return any(heir.path == path for owner in owners for heir in subclasses(codebase.head, owner))


def _has_heir(codebase: Codebase, path: str, name: str) -> bool:
    """Return whether a class of a file inherits from one of this name, so that the text holds for it too."""
    return any(heir.path == path for heir in subclasses(codebase.head, name))


def _home(codebase: Codebase, path: str, name: str, text: str) -> str:
    """Return the one file that defines a class; empty if it is this one, or if a habit of the project has the text."""
    holding = files_with(codebase.head, [name], ".py")
    if len(holding) > _MOST_FILES:
        return ""
    homes = [each for each in holding if any(one.name == name for one in classes_in(codebase.head, each))]
    begin = text.partition(name)[0] + name
    copies = sum(begin in (codebase.head.text(each) or "") for each in holding if each not in {path, *homes})
    return homes[0] if len(homes) == 1 and homes[0] != path and copies <= _MOST_COPIES else ""


CHECK = change_check(gather, relate, CheckTraits(literals=("def", "class")))
