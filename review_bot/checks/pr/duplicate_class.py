"""A new class that another module of the same package defines already: the same name, and half of the members."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.classes import Class, classes_in
from review_bot.analysis.facts.word_search import files_with
from review_bot.analysis.project.platforms import platforms_of
from review_bot.changes.codebase import Codebase
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, change_check, each_fact
from review_bot.rules.rule import Hit
from review_bot.rules.scope import is_library
from review_bot.text.lazy_regex import LazyRegex

_CLASS = LazyRegex(r"class[ ]+([A-Za-z]\w*)")
_OF_MODEL_REPOSITORY = LazyRegex(r"(?:configuration|(?:image_)?processing|modeling|tokenization)_\w+\.py$")
_LANGUAGE = LazyRegex(r"(?:^|/)(ar|de|en|es|fa|fr|he|hi|hu|hy|it|ja|ko|mr|pt|ru|rw|sv|th|uk|vi|zh)(?=/)")
"""A folder of code for one language of people."""
_MOST_READ = 80
"""Files next to the changed ones in which namesakes are looked for."""
_USUAL = frozenset({"gpu", "cuda"})
_VARIANTS = frozenset({"models", "pipelines", "model", "schedulers", "platforms", "backends"})


def gather(source: SourceFile) -> tuple[tuple[int, str], ...] | None:
    """Return (line, name) of each public class that is added at the top level of a file."""
    if source.path.endswith("/__init__.py"):
        return None
    gone = {match[1] for text in source.removed_code.values() if (match := _CLASS.match(text))}
    found = [(line, match[1]) for line, text in source.added_code.items() if (match := _CLASS.match(text))]
    return tuple(each for each in found if each[1] not in gone) or None


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit for each added class with a namesake in the same top-level package."""
    wanted = {name for symbols in facts.values() for _, name in symbols}
    twins: dict[str, list[tuple[str, int]]] = {}
    members: dict[tuple[str, int], frozenset[str]] = {}
    holding = set(files_with(codebase.head, wanted, ".py"))
    for path in (path for path in _near(facts, codebase) if path in holding):
        for each in classes_in(codebase.head, path):
            if each.name in wanted and not each.indented:
                twins.setdefault(each.name, []).append((path, each.line))
                members[path, each.line] = _members(each)
    for path, (line, name) in each_fact(facts):
        own = members.get((path, line), frozenset())
        others = (each for each in twins.get(name, ()) if each[0] != path and _are_alike(own, members[each]))
        twin = next(
            (each for each in others if not are_variants(path, each[0]) and not _are_own_versions(path, each[0])),
            None,
        )
        earlier = twin is not None and twin[0] in facts and twin[0] < path
        if twin is not None and (twin[0] not in facts or earlier):
            yield Hit(
                line,
                values={"name": name, "twin": twin[0]},
                related=(Related(*twin, "the class with the same name"),),
                path=path,
            )


def _members(definition: Class) -> frozenset[str]:
    """Return the methods and fields of a class, but for ``__init__`` and its like."""
    names = (*definition.methods, *(field.name for field in definition.fields))
    return frozenset(name for name in names if not name.startswith("__"))


def _are_alike(one: frozenset[str], other: frozenset[str]) -> bool:
    """Return whether at least half of the members of the smaller class are in both."""
    return 2 * len(one & other) >= min(len(one), len(other)) if one and other else one == other


def _near(facts: Mapping[str, Any], codebase: Codebase) -> list[str]:
    """Return the library files of the same top-level packages: the changed ones, then those nearest to them."""
    folders = {path.rpartition("/")[0] for path in facts}
    tops = tuple({f"{path.partition('/')[0]}/" for path in facts if "/" in path})
    others = [
        path
        for path in codebase.head.paths
        if path not in facts and path.endswith(".py") and path.startswith(tops) and is_library(path)
    ]
    parents = {folder.rpartition("/")[0] for folder in folders}

    def distance(path: str) -> tuple[int, str]:
        folder = path.rpartition("/")[0]
        return (0 if folder in folders else 1 if folder in parents or folder.rpartition("/")[0] in folders else 2), path

    return [*sorted(facts), *sorted(others, key=distance)[:_MOST_READ]]


def _are_own_versions(path: str, other: str) -> bool:
    """Return whether two folders side by side each have a file of this name, as each backend has its own."""
    (*parts, name), (*others, namesake) = path.split("/"), other.split("/")
    return name == namesake and len(parts) == len(others) and parts[:-1] == others[:-1]


def are_variants(path: str, other: str) -> bool:
    """Return whether two files are the same thing for two platforms or languages, or belong to two models.

    The folder of a model that ``transformers`` loads with its own code holds all of that.
    Source: https://huggingface.co/docs/transformers/custom_models
    """
    one, two = (platforms_of(each) - _USUAL for each in (path, other))
    if one != two or _LANGUAGE.findall(path) != _LANGUAGE.findall(other):
        return True
    name = path.rpartition("/")[2]
    if _OF_MODEL_REPOSITORY.match(name) and name == other.rpartition("/")[2]:
        return True
    parts, others = path.split("/")[:-1], other.split("/")[:-1]
    return any(part in _VARIANTS for part in parts) and any(part in _VARIANTS for part in others) and parts != others


CHECK = change_check(gather, relate, CheckTraits(literals=("class",), reads_text=False))
