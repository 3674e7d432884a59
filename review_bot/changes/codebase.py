"""The code on both sides of a change: each text is read once, parsed once and asked once, whichever check comes first.

A question that many checks ask is a function with ``@query``, which keeps its answers on the side that it is about::

    @query
    def module_tree(side: Snapshot) -> ModuleTree: ...

    module_tree(codebase.head)      computed
    module_tree(codebase.head)      remembered
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from copy import copy
from functools import wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, Protocol, TypeVar

from review_bot.changes.pull_request import PullRequest, without_mark
from review_bot.changes.python_parsing import parsed
from review_bot.changes.repository import Repository, former_links

if TYPE_CHECKING:
    import ast

_MOST_REMEMBERED = 32_000_000
"""Characters of texts that a side keeps; what is read beyond them is read again when it is asked for again."""


_MOST_PARSED = 300_000
"""Characters of texts of which both sides keep what they made of the syntax trees; of others it is made again when it
is asked for again. Some 60 bytes for each. The first are kept, not the last: rules go over all files in one order.

Few rules ask for a tree again: a third of the texts kept costs two hundredths of the time of a large change."""


class _Parsed:
    """How many characters of texts are kept as trees, of a side and of the one before it."""

    def __init__(self) -> None:
        self.characters = 0


class Snapshot:
    """One side of a change. ``paths`` are relative to the root, with ``/``; ``earlier`` is the base, for a head.

    Texts come without a byte order mark. ``opaque``: the symbolic links and submodules among the paths; None where they
    are not known.
    """

    def __init__(
        self,
        paths: frozenset[str],
        read: Callable[[str], str | None],
        earlier: Snapshot | None = None,
        opaque: frozenset[str] | None = None,
    ) -> None:
        self.paths, self.earlier, self.opaque = paths, earlier, opaque
        self.answers: dict[Hashable, Any] = {}
        self._read = read
        self._texts: dict[str, str | None] = {}
        self._trees: dict[str, ast.Module | None] = {}
        self._lasting: dict[str, bool] = {}
        self._kept = 0
        self._parsed: _Parsed = _Parsed() if earlier is None else earlier._parsed  # noqa: SLF001  # of the same class

    def text(self, path: str) -> str | None:
        """Return the text of a file, or None if it is absent or is not UTF-8 text."""
        if path in self._texts:
            return self._texts[path]
        text = self._read(path) if path in self.paths else None
        text = None if text is None else without_mark(text)
        if self._kept < _MOST_REMEMBERED:
            self._kept += len(text or "")
            self._texts[path] = text
        return text

    def tree(self, path: str) -> ast.Module | None:
        """Return the syntax tree of a Python file, or None if it has no text or cannot be parsed."""
        if path in self._trees:
            return self._trees[path]
        text = self.text(path)
        tree = None if text is None else parsed(text)
        if tree is None or self.keeps(path, text or ""):
            self._trees[path] = tree
        return tree

    def keeps(self, path: str, code: str) -> bool:
        """Return whether what is made of the syntax tree of a file is to be kept as long as this side."""
        if path not in self._lasting:
            self._lasting[path] = self._parsed.characters < _MOST_PARSED
            self._parsed.characters += len(code) if self._lasting[path] else 0
        return self._lasting[path]


class Codebase:
    """A change and both sides of it. ``base`` is the merge base.

    A path that the change touches on neither side has the same text on both, which is read at the head. One that is a
    link at the base and a file at the head has at the base the text of the module that it leads to.

    ``available`` is false when neither tree is known (a bare diff), ``texts_available`` when only their paths are.
    ``links`` are the symbolic links and submodules that the change adds or edits and behind which anything may be.
    """

    def __init__(self, repository: Repository, change: PullRequest) -> None:
        touched = {path for file in change.files for path in (file.path, file.base_path)}
        touched.update(entry.path for entry in change.unreviewed)
        links_before = former_links(change.files, repository.base_paths)

        def read_base(path: str) -> str | None:
            path = links_before.get(path, path)
            shared = path not in touched and path in self.head.paths
            return self.head.text(path) if shared else repository.read_base(path)

        opaque = repository.opaque
        opaque_before = None if opaque is None else opaque.union(_no_files_before(change)) & repository.base_paths
        self.change = change
        self.base = Snapshot(repository.base_paths, read_base, opaque=opaque_before)
        self.head = Snapshot(repository.head_paths, repository.read_head, self.base, opaque)
        links = frozenset(each.path for each in change.files if each.kind in {"symlink", "submodule"})
        self.links = links if opaque is None else links & opaque
        self.available, self.texts_available = repository.available, repository.texts_available
        self.answers: dict[Hashable, Any] = {}

    def between(self, base: Snapshot, head: Snapshot, change: PullRequest) -> Codebase:
        """Return what is known of another change, from one side to another: as much as of this one."""
        made = copy(self)
        made.base, made.head, made.change, made.answers = base, head, change, {}
        return made


def _no_files_before(change: PullRequest) -> Iterable[str]:
    """Return the paths that the change touches and that were, or may have been, no files at the base."""
    return (file.base_path for file in change.files if file.kind != "text" or file.status == "retyped")


class _Answering(Protocol):
    @property
    def answers(self) -> dict[Hashable, Any]: ...


_Asked = TypeVar("_Asked", bound=_Answering)
_Rest = ParamSpec("_Rest")
_Answer = TypeVar("_Answer")


def query(function: Callable[Concatenate[_Asked, _Rest], _Answer]) -> Callable[Concatenate[_Asked, _Rest], _Answer]:
    """Return a function of a snapshot, a codebase or a source file that computes each answer once.

    Its other arguments are hashable. An answer is shared by all that ask, and must not be changed.
    """

    @wraps(function)
    def asked(about: _Asked, /, *arguments: _Rest.args, **named: _Rest.kwargs) -> _Answer:
        question = (function, arguments, *named.items())
        answers = about.answers
        if question not in answers:
            answers[question] = function(about, *arguments, **named)
        answer: _Answer = answers[question]
        return answer

    return asked
