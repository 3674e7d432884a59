"""The contract of a check: a rule in Python, for what no pattern can express.

Each module below ``review_bot/checks/`` ends with one line that says what it is::

    CHECK = file_check(examine, CheckTraits(literals=("def",)))
    CHECK = change_check(gather, relate, CheckTraits(literals=("def",)))

mypy proves it: the functions have the right parameters, and what ``gather`` returns is what ``relate`` takes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import wraps
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from review_bot.records import NamedTuple

if TYPE_CHECKING:
    from review_bot.changes.codebase import Codebase
    from review_bot.changes.pull_request import PullRequest
    from review_bot.changes.source_file import SourceFile
    from review_bot.rules.rule import Hit, Options

Fact = TypeVar("Fact")


class CheckTraits(NamedTuple):
    """What the engine must know of a check before it imports it.

    ``literals``: the file must contain one of them (the old text, if ``reads_old``); None: always run. Each is a part
    of a word or one sign, or several separated by spaces, all of which must occur; never text over several tokens,
    since spaces and line ends may be between them. ``vocabulary.BEYOND_LATIN`` stands for letters of other scripts.
    ``reads_old``: it reads ``source.old_text`` too; of a ``ChangeCheck``, files that the change deletes are gathered as
    well (``source.text`` is None). ``reads_text`` False: the diff alone is enough; ``source.text`` may be None, and the
    literals are looked for in the changed lines. ``new_names``: it looks at names alone and is given every file with a
    new name, also one without text, and with ``reads_old`` every deleted one. ``works_without_tree``: it runs where the
    tree is unknown, although its rule needs the tree. ``reads_description``: what it finds depends on the title or the
    description too. ``on_lines`` False: its findings are on deleted lines, on files or on the whole change, never on a
    line of the new text. ``doubted``: it claims that something is nowhere in the repository, which is not believed
    where it would claim the same of the base (see ``engine.doubt``). ``tree_excuses``: its findings follow from their
    own lines, and the tree only says which of them are in order, so those of moved lines are not new. ``by_folder``:
    what it finds on a line depends on the folder of the file, so that it runs on a file that moves to another, although
    no line of it was changed.
    """

    literals: tuple[str, ...] | None
    reads_old: bool = False
    reads_text: bool = True
    new_names: bool = False
    works_without_tree: bool = False
    reads_description: bool = False
    on_lines: bool = True
    doubted: bool = False
    tree_excuses: bool = False
    by_folder: bool = False


class FileCheck(NamedTuple):
    """A check that needs one file at a time.

    ``examine`` yields what is wrong in the whole file; the engine keeps what the change added.
    """

    examine: Callable[[SourceFile, Options], Iterable[Hit]]
    traits: CheckTraits


class ChangeCheck(NamedTuple, Generic[Fact]):
    """A check over the whole change: facts per file, maybe from another process, then one look at all of them.

    ``gather`` returns what ``relate`` needs to know of one file, as plain data; None: nothing. ``relate`` yields hits,
    each with its ``path``; its facts are keyed by the path of each file in scope.
    """

    gather: Callable[[SourceFile, Options], Fact | None]
    relate: Callable[[Mapping[str, Fact], PullRequest, Codebase, Options], Iterable[Hit]]
    traits: CheckTraits


Check = FileCheck | ChangeCheck[Any]


def file_check(
    examine: Callable[[SourceFile], Iterable[Hit]] | Callable[[SourceFile, Options], Iterable[Hit]], traits: CheckTraits
) -> FileCheck:
    """Return a check of one file at a time; the function takes the options of the rule too if it has a place."""
    return FileCheck(_with_options(examine, 1), traits)


def change_check(
    gather: Callable[[SourceFile], Fact | None] | Callable[[SourceFile, Options], Fact | None],
    relate: Callable[[Mapping[str, Fact], Codebase], Iterable[Hit]]
    | Callable[[Mapping[str, Fact], Codebase, Options], Iterable[Hit]],
    traits: CheckTraits,
) -> ChangeCheck[Fact]:
    """Return a check over the whole change; its functions take the options of the rule too if they have a place."""
    related = _with_options(relate, 2)
    return ChangeCheck(
        _with_options(gather, 1), lambda facts, _, codebase, options: related(facts, codebase, options), traits
    )


def each_fact(facts: Mapping[str, Iterable[Fact]]) -> Iterator[tuple[str, Fact]]:
    """Yield each of the facts that were gathered of several files, with the path of its file, in order of the paths."""
    for path, found in sorted(facts.items()):
        for each in found:
            yield path, each


def _with_options(function: Any, others: int) -> Any:
    """Return a function that takes options behind its other arguments; they are ignored if it has no place for them."""
    if function.__code__.co_argcount > others:
        return function

    @wraps(function)
    def called(*arguments: Any) -> Any:
        return function(*arguments[:-1])

    return called
