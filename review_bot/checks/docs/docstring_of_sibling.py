"""A docstring that was copied from a function next to it and still describes that one.

The two names differ in a word or two, and the first sentence holds those of the other name::

    def is_empty(self):             def is_full(self):
        \"\"\"Check if it is empty.\"\"\"     \"\"\"Check if it is empty.\"\"\"
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from review_bot.analysis.project.wording import listed
from review_bot.analysis.python.name_words import difference, forms_of, words_in
from review_bot.analysis.python.statements import Function, blocks, is_function, is_string, named_parameters
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_FEWEST_WORDS = 4
_MOST_WORDS = 2
"""In which the two names may differ."""
_FIRST_PART = LazyRegex(
    r"\n\s*\n|(?:^|\n)\s*(?:Args|Arguments|Parameters|Returns|Raises|Examples?)\b|:param\b|[.](?=\s)"
)
_ALIKE = frozenset({"impl", "inner", "async", "sync", "new", "old", "v1", "v2", "v3", "base", "fast", "slow", "tensor"})
"""Words that say how a function does the same as the other, or that any description may hold."""
_IN_ANY_SENTENCE = frozenset(
    {"a", "all", "and", "as", "at", "by", "for", "from", "in", "is", "no", "of", "on", "or", "the", "to", "with"}
)


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such docstring. Raises CannotParse."""
    for body in blocks(source.tree.body):
        said: dict[str, list[Function]] = {}
        for function in body:
            words = _words_of_docstring(function)
            if words is None or not is_function(function):
                continue
            alike = said.setdefault(words, [])
            # Cleaning a docstring imports a large module, which few files need.
            text = (ast.get_docstring(function) or "") if alike else ""
            # Where the first to say it is another, the sentence is about all of them, and was copied from none.
            first = next((each for each in alike if ast.get_docstring(each) == text), None)
            if first is not None and _describes(text, first.name, function):
                docstring = function.body[0]
                related = (Related(source.path, first.body[0].lineno, f"the docstring of `{first.name}`"),)
                theirs, _ = difference(words_in(first.name), words_in(function.name))
                values = {"name": function.name, "other": first.name, "said": listed(_as_written(text, theirs))}
                yield Hit(docstring.lineno, values=values, related=related)
            alike.append(function)


def _words_of_docstring(node: ast.stmt) -> str | None:
    """Return the words of a docstring of some, spaces and line ends aside."""
    if not is_function(node) or not is_string(node.body[0]):
        return None
    words = (ast.get_docstring(node, clean=False) or "").split()
    return " ".join(words) if len(words) >= _FEWEST_WORDS else None


def _describes(text: str, other: str, function: Function) -> bool:
    """Return whether a text holds a word in which the other name differs, and none in which this one does.

    The name of a parameter is a word that the text of this one may hold as well, and so is what its code names.
    """
    theirs, ours = difference(words_in(other), words_in(function.name))
    if not {each.arg for each in named_parameters(function)}.isdisjoint(theirs):
        return False
    if not 0 < len(theirs) <= _MOST_WORDS or not 0 < len(ours) <= _MOST_WORDS or {*theirs, *ours} & _ALIKE:
        return False
    if not all(map(str.isalpha, (*theirs, *ours))) or _IN_ANY_SENTENCE.intersection(theirs):
        return False
    if any(each in function.name.lower() for each in theirs):
        return False  # written without a space in between: ``test_gridsearch`` has the word as well
    first = _FIRST_PART.split(text)[0]
    said = set(words_in(first))
    used = {word for statement in function.body[1:] for word in words_in(ast.unparse(statement))}
    return all(not said.isdisjoint(forms_of(each)) and used.isdisjoint(forms_of(each)) for each in theirs) and not any(
        each in first.lower() or not said.isdisjoint(forms_of(each)) for each in ours
    )


def _as_written(text: str, words: Iterable[str]) -> list[str]:
    """Return the words of the first sentence that are forms of some words, as they are written there."""
    written = [each for each in _FIRST_PART.split(text)[0].split() if each.isascii()]
    found = [next((one for one in written if not forms_of(each).isdisjoint(words_in(one))), each) for each in words]
    return [each.strip(".,:;()[]`'\"").replace("`", "") for each in found]


CHECK = file_check(examine, CheckTraits(literals=("def",)))
