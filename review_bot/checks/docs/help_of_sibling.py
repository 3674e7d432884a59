"""The help of an option that was copied from another one and still describes that one.

::

    parser.add_argument("--tokenizer", help="Name or path of the tokenizer.")
    parser.add_argument("--tokenizer-mode", help="Name or path of the tokenizer.")

The same is read of fields with ``metadata={"help": ...}`` or ``description=``. A text that could describe both stays,
and one that describes several.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.name_words import forms_of, words_in
from review_bot.analysis.python.option_destination import destination
from review_bot.analysis.python.statements import last_name
from review_bot.analysis.python.syntax import joined_text, keyword
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_FEWEST_WORDS = 3
_MOST_ALIKE = 8
"""Options with one text, from more than which on it is meant for all of them."""
_SHORTEST_BEGINNING = 3
"""Letters of a word that are enough to stand for it: ``num`` for "number"."""
_NO_OWN_TEXT = LazyRegex(r"(?i)deprecat|suppress|alias|same as|see |ignored|unused|reserved|not used|\.\.\.")


class _Option(NamedTuple):
    """An option or a field.

    ``shown`` is its name as users write it; ``line`` is that of its help; ``stored`` is the attribute of its value.
    """

    shown: str
    name: str
    line: int
    stored: str | None


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such help, at its line. Raises CannotParse."""
    described: dict[tuple[int, str], list[_Option]] = {}
    for owner, option, text in (*_options(source), *_fields(source)):
        words = " ".join(text.split())
        if len(words.split()) >= _FEWEST_WORDS and not _NO_OWN_TEXT.search(words):
            described.setdefault((owner, words), []).append(option)
    for (_, text), options in described.items():
        for each in options if len(options) <= _MOST_ALIKE else ():
            others = [one for one in options if one.stored != each.stored and _describes(text, one.name, each.name)]
            if len(others) == 1:  # what describes several is about what they have in common
                (other,) = others
                related = (Related(source.path, other.line, f"the help of `{other.shown}`"),)
                yield Hit(each.line, values={"name": each.shown, "other": other.shown}, related=related)


def _options(source: SourceFile) -> Iterator[tuple[int, _Option, str]]:
    """Yield the options of parsers, all as of one owner: groups of a parser are variables of their own."""
    for call in source.nodes(ast.Call):
        if last_name(call.func) not in {"add_argument", "option"}:
            continue
        shown, text = keyword(call, "help"), joined_text(keyword(call, "help"))
        flags = [each for each in map(joined_text, call.args) if each]
        flag = next((each for each in flags if each.startswith("--")), flags[0] if flags else None)
        if shown is not None and text and flag:
            yield 0, _Option(flag, flag.lstrip("-"), shown.lineno, destination(call)), text


def _fields(source: SourceFile) -> Iterator[tuple[int, _Option, str]]:
    for owner in source.nodes(ast.ClassDef):
        for each in owner.body:
            if not isinstance(each, ast.AnnAssign) or not isinstance(each.target, ast.Name):
                continue
            shown = _shown(each.value)
            text = joined_text(shown)
            if shown is not None and text:
                yield owner.lineno, _Option(each.target.id, each.target.id, shown.lineno, each.target.id), text


def _shown(value: ast.expr | None) -> ast.expr | None:
    """Return the help or description of ``field(metadata={"help": ...})`` or ``Field(description=...)``."""
    if not isinstance(value, ast.Call) or last_name(value.func).lower() not in {"field", "argument", "option"}:
        return None
    metadata = keyword(value, "metadata")
    if isinstance(metadata, ast.Dict):
        named = zip(map(joined_text, filter(None, metadata.keys)), metadata.values, strict=False)
        return next((each for key, each in named if key == "help"), None)
    return keyword(value, "description") or keyword(value, "help")


def _describes(text: str, other: str, name: str) -> bool:
    """Return whether a text holds a word in which the other name differs, and none in which this one does."""
    theirs, ours = (list(dict.fromkeys(words_in(each))) for each in (other, name))
    own, others = [each for each in ours if each not in theirs], [each for each in theirs if each not in ours]
    said = words_in(text)
    if not own or any(_holds(said, each) or each in text.lower() for each in own) or _is_short_for(name, said):
        return False
    if others:
        return any(_holds(said, each) for each in others)
    # A word in front, as in ``--set-global``, leaves what the name is about; one at its end does not.
    return ours[-1] in own and all(_holds(said, each) for each in theirs)


def _holds(said: list[str], word: str) -> bool:
    """Return whether a text holds a word, or one that begins with it or that it begins with."""
    if not forms_of(word).isdisjoint(said):
        return True
    beginnings = (each for each in said if len(each) >= _SHORTEST_BEGINNING <= len(word))
    return any(each.startswith(word) or word.startswith(each) for each in beginnings)


def _is_short_for(name: str, said: list[str]) -> bool:
    """Return whether a name consists of the first letters of words of the text: ``lr`` of "learning rate"."""
    letters = "".join(each[0] for each in said)
    return any(1 < len(each) <= len(letters) and each in letters for each in words_in(name))


CHECK = file_check(examine, CheckTraits(literals=("help", "description")))
