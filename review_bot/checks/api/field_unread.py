"""A field that the change adds to a configuration or request, and that nothing in the tree reads.

Every other mention of the word in the tree's Python counts as a reader, that of a test aside. Silent about classes
whose objects are taken apart as a whole (``asdict(config)``), and about bases that the tree does not contain.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.composed_reads import read_by_composed_name
from review_bot.analysis.facts.word_search import words_held
from review_bot.analysis.project.wording import names_in_words
from review_bot.analysis.python.statements import decorator_names
from review_bot.analysis.python.syntax import classes, dotted
from review_bot.analysis.python.unread_parameters import SAID
from review_bot.changes.codebase import Codebase, Snapshot
from review_bot.changes.node_lines import last_line
from review_bot.changes.source_file import SourceFile
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check, each_fact
from review_bot.rules.rule import Hit
from review_bot.rules.scope import is_test
from review_bot.text.lazy_regex import LazyRegex

_NAMES = ("Config", "Args", "Arguments", "Settings", "Options", "Request", "Params", "Parameters")
_SETTINGS = LazyRegex(r"(?:Config|Args|Arguments|Settings|Options|Request|Params|Parameters)$")
_PLAIN_BASES = frozenset({"object", "ABC", "BaseModel", "pydantic.BaseModel", "BaseSettings"})
_WHOLE = LazyRegex(
    r"(?:asdict|astuple|vars|to_container|to_builtins|unstructure|jsonable_encoder)\([ \n]{0,20}([\w.]{1,80})"
    r"|\b(\w{1,60})\.(?:model_dump|dict\(|json\(|__dict__|to_dict\()|\*\*([\w.]{1,80})|HfArgumentParser()"
)
"""What may read all fields of an object at once, and the object."""
_BY_NAME = LazyRegex(r"\bgetattr\([ \n]{0,20}([\w.]{1,80}),[ \n]{0,20}(?=[A-Za-z_])")
"""A read of a field whose name is a value, as in a loop over the fields of another class."""
_WORD = LazyRegex(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_SHORT = {
    "cfg": "config",
    "conf": "config",
    "req": "request",
    "opts": "options",
    "param": "params",
    "args": "arguments",
}
_MOST_WORDS = 1000


class Field(NamedTuple):
    """A new field. ``owner`` is its class, ``bases`` those of the class that may be in the tree."""

    owner: str
    bases: tuple[str, ...]
    name: str
    line: int


def gather(source: SourceFile) -> tuple[Field, ...] | None:
    """Return the fields that the file itself does not mention a second time. Raises CannotParse."""
    if is_test(source.path) or not source.added:
        return None
    found: list[Field] = []
    for owner in classes(source.tree):
        if not _is_settings(owner):
            continue
        names = tuple(base for each in owner.bases if (base := dotted(each) or "?") not in _PLAIN_BASES)
        for each in owner.body:
            if not isinstance(each, ast.AnnAssign) or not isinstance(each.target, ast.Name):
                continue
            name, line = each.target.id, each.lineno
            if line not in source.added or name.startswith(("_", "model_config")):
                continue
            around = "\n".join(source.lines_of_authors[max(0, line - 3) : last_line(each)])
            if not SAID.search(around) and "ClassVar" not in ast.unparse(each.annotation):
                found.append(Field(owner.name, names, name, line))
    times = Counter(re.findall(r"\w+", source.text or "")) if found else {}
    kept = [each for each in found if times.get(each.name) == 1]
    return tuple(kept) or None


def _is_settings(owner: ast.ClassDef) -> bool:
    is_dataclass = "dataclass" in decorator_names(owner)
    return bool(_SETTINGS.search(owner.name)) and (is_dataclass or bool(owner.bases))


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit on the first field of each class that nothing but tests mentions."""
    fields = [*each_fact(facts)]
    if not fields or len(fields) > _MOST_WORDS:
        return
    owners = {each.owner for _, each in fields}
    bases = {base.rpartition(".")[2] for _, each in fields for base in each.bases}
    search = _Search(codebase.head, {each.name for _, each in fields} | owners | bases)
    put_together = read_by_composed_name(codebase.head, {each.name for _, each in fields})
    unread: dict[tuple[str, str], list[Field]] = {}
    for path, each in fields:
        if each.name in put_together:
            continue
        if not search.is_read(each.name, path) and search.shows_all(path, each.owner, each.bases):
            unread.setdefault((path, each.owner), []).append(each)
    for (path, owner), found in sorted(unread.items()):
        names = names_in_words(each.name for each in found)
        tested = any(search.is_tested(each.name) for each in found)
        nothing = "Nothing in this repository but tests" if tested else "Nothing in this repository"
        values = {"nothing": nothing, "names": names, "owner": owner, "they": "it" if len(found) == 1 else "them"}
        yield Hit(found[0].line, path=path, values=values, statement=f"{owner} {names}")


class _Search:
    """Finds what the tree says of fields and their classes."""

    def __init__(self, side: Snapshot, words: set[str]) -> None:
        self._side = side
        self._held = words_held(side, words)
        self._shown: dict[tuple[str, str], bool] = {}
        self._taken: dict[str, frozenset[str]] = {}

    def is_read(self, field: str, path: str) -> bool:
        """Return whether another file than that of a field, and than tests, mentions it."""
        return any(field in here and at != path and not is_test(at) for at, here in self._held.items())

    def is_tested(self, field: str) -> bool:
        """Return whether a test mentions a field."""
        return any(field in here and is_test(at) for at, here in self._held.items())

    def shows_all(self, path: str, owner: str, bases: tuple[str, ...]) -> bool:
        """Return whether each base of a class is in the tree, and nothing reads all fields of its objects at once."""
        if (path, owner) not in self._shown:
            homes = self._homes(bases)
            self._shown[path, owner] = homes is not None and not self._is_taken_apart(owner, {path, *homes})
        return self._shown[path, owner]

    def _homes(self, bases: tuple[str, ...]) -> set[str] | None:
        """Return the files that define some classes; None if the tree does not define one."""
        homes: set[str] = set()
        for base in bases:
            name = base.rpartition(".")[2]
            defined = re.compile(rf"(?m)^class[ \t]+{re.escape(name)}\b")
            users = [at for at, here in self._held.items() if name in here]
            found = [at for at in users if defined.search(self._side.text(at) or "")]
            if not found:
                return None
            homes.update(found)
        return homes

    def _is_taken_apart(self, owner: str, homes: set[str]) -> bool:
        """Return whether a file that names a class may read all fields of an object at once.

        The object is ``self``, where the class or a base is defined, or has a word of the class in its name.
        """
        words = {word.lower() for word in _WORD.findall(owner)}
        for path in {at for at, here in self._held.items() if owner in here} | homes:
            for name in self._taken_in(path):
                if not name or (name == "self" and path in homes):
                    return True
                parts = {_SHORT.get(part, part) for part in name.lower().split("_")}
                if not words.isdisjoint(parts) and name != "args":
                    return True
        return False

    def _taken_in(self, path: str) -> frozenset[str]:
        """Return the names of the objects that a file may take apart; an empty one for what it does not name."""
        if path not in self._taken:
            text = self._side.text(path) or ""
            whole = (next(filter(None, each), "") for each in _WHOLE.findall(text))
            by_name = ("arguments" if each == "args" else each for each in _BY_NAME.findall(text))
            self._taken[path] = frozenset(each.rpartition(".")[2] for each in (*whole, *by_name))
        return self._taken[path]


CHECK = change_check(gather, relate, CheckTraits(literals=_NAMES))
