"""A new flag, setting or model that no document mentions, where the documents mention most of its siblings."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.documents import Mentions, mentions
from review_bot.analysis.facts.settings import fields, flags, variables
from review_bot.analysis.project.wording import listed
from review_bot.changes.codebase import Codebase, Snapshot
from review_bot.changes.node_index import nodes_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit, Options
from review_bot.rules.scope import is_library, is_test
from review_bot.text.lazy_regex import LazyRegex

_BENCHMARKS = LazyRegex(r"(?:^|/)bench(?:marks?)?/")
_FOR_OURSELVES = LazyRegex(r"(?i)debug|internal|test|dummy|experimental|legacy|deprecated|unused|private|_dir$|-dir$")
_MODEL = LazyRegex(
    r"[A-Z]\w*(?:Pipeline|Model|ForCausalLM|ForConditionalGeneration|Generation|Diffusion|Transformer\w*)"
)
_LISTS_CODE = LazyRegex(r"(?:^|/)_?api/")
_FEWEST_SIBLINGS = 3
_FEWEST_WORDS = 3
"""Words of a name that is alike another if one of them differs."""
_MOST_SIBLINGS = 3
"""Names that a document mentions and that the message repeats."""
_WHAT = {"flag": "flags", "script": "flags", "env": "environment variables", "field": "fields", "model": "models"}


class Named(NamedTuple):
    """One flag, variable, field or model; ``group`` names its siblings, ``added`` whether its line is new.

    The ``kind`` of a flag is ``script`` where the file is no part of the library: who runs it reads the page about it.
    """

    kind: str
    group: str
    name: str
    line: int
    added: bool


def gather(source: SourceFile, options: Options) -> tuple[Named, ...] | None:
    """Return what a file names, if it adds any. Raises CannotParse."""
    kinds = options["kinds"]
    found: list[Named] = []
    for kind, settings in (("flag", flags), ("script", flags), ("env", variables), ("field", fields)):
        if kind in kinds and (kind != "script" or _has_readers(source.path)):
            found += [Named(kind, *each[1:], each.line in source.added) for each in settings(source.tree)]
    if "model" in kinds:
        found += _models(source)
    removed = "\n".join(source.removed.values())
    found = [each._replace(added=each.added and each.name not in removed) for each in found]  # else it was edited
    return tuple(dict.fromkeys(found)) if any(each.added for each in found) else None


def _has_readers(script: str) -> bool:
    """Return whether pages for users describe a script: of benchmarks they show single commands."""
    return not (is_library(script) or is_test(script) or _BENCHMARKS.search(script))


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit for each group with new names that no document mentions, if two in three of the old ones are."""
    if not facts:
        return
    documents = mentions(codebase.head)
    reported: set[tuple[str, str]] = set()
    for path, named in sorted(facts.items()):
        if documents.includes(path):
            continue
        for group in dict.fromkeys((each.kind, each.group) for each in named if each.added):
            if group[0] in {"flag", "field"} and documents.made_from_code:
                continue
            members = [each for each in named if (each.kind, each.group) == group]
            members = [each for each in members if (_reader(each, path), each.name) not in reported]
            hit, names = _judge(path, members, documents)
            if hit is not None and (
                group[0] == "field" or (group[0] == "flag" and not _names(hit, path, documents, codebase.head))
            ):
                elsewhere = _elsewhere(group[0], {each.name for each in members if not each.added}, facts, codebase)
                if group[0] == "field":
                    elsewhere |= _of_others(group[1], path, facts)
                hit, names = _judge(path, members, documents, elsewhere)
            if hit is not None:
                reported |= {(_reader(each, path), each.name) for each in members if each.name in names}
                yield hit


def _reader(named: Named, path: str) -> str:
    """Return whose readers look for a name: each folder of scripts has its own pages, the library has one set."""
    return path.rpartition("/")[0] if named.kind == "script" else ""


def _names(hit: Hit, path: str, documents: Mentions, side: Snapshot) -> bool:
    """Return whether the document that describes other flags names the file, so that it means the flags of this one.

    Of several files of a name, it means the one that is below its folder.
    """
    document, name = hit.values["document"], path.rpartition("/")[2]
    folder = document.rpartition("/")[0]
    below = [each for each in side.paths if each.endswith(f"/{name}") and each.startswith(f"{folder}/")]
    means_other = bool(folder) and bool(below) and path not in below
    return not means_other and document in documents.of(name.removesuffix(".py"))


def _of_others(owner: str, path: str, facts: Mapping[str, tuple[Named, ...]]) -> frozenset[str]:
    """Return the fields of the other classes of the changed files: a document that mentions one may mean that class.

    One that gets the same new field is a twin, of which the documents lack it as well.
    """
    of_classes: dict[tuple[str, str], list[Named]] = {}
    for place, found in facts.items():
        for each in found:
            if each.kind == "field":
                of_classes.setdefault((place, each.group), []).append(each)
    new = {each.name for each in of_classes[path, owner] if each.added}
    return frozenset(
        each.name
        for key, found in of_classes.items()
        if key != (path, owner) and new.isdisjoint(each.name for each in found if each.added)
        for each in found
    )


def _elsewhere(kind: str, names: set[str], changed: Collection[str], codebase: Codebase) -> frozenset[str]:
    """Return the names that are also flags, or fields of any class, in files that the change leaves alone.

    A document that mentions such a name may describe the other setting.
    """
    found: set[str] = set()
    for path in sorted(codebase.head.paths):
        is_asked = is_library(path) if kind == "field" else path.endswith(".py")
        text = codebase.head.text(path) or "" if is_asked and path not in changed else ""
        if any((f"{name}:" if kind == "field" else name) in text for name in names - found):
            tree = codebase.head.tree(path)
            if tree is not None:
                found |= names & ({*_declared(tree)} if kind == "field" else {each.name for each in flags(tree)})
    return frozenset(found)


def _declared(tree: ast.Module) -> Iterator[str]:
    """Yield the names that classes declare with an annotation."""
    for owner in nodes_of(tree, ast.ClassDef):
        declared = (each.target for each in owner.body if isinstance(each, ast.AnnAssign))
        yield from (each.id for each in declared if isinstance(each, ast.Name))


def _judge(
    path: str, members: list[Named], documents: Mentions, elsewhere: frozenset[str] = frozenset()
) -> tuple[Hit | None, set[str]]:
    """Return the hit of one group, and the names in it; ``elsewhere``: names whose mentions prove nothing."""
    known = {each.name for each in members if not each.added}
    new = {each.name: each for each in members if each.added and each.name not in known}
    is_script = bool(members) and members[0].kind == "script"
    places = {each: documents.of_script(path, each) if is_script else documents.of(each) for each in sorted(known)}
    # A notebook holds code, often a copy of it: that a name is in it documents nothing.
    pages = {name: [place for place in found if not place.endswith(".ipynb")] for name, found in places.items()}
    described = {name: found for name, found in pages.items() if found and name not in elsewhere}
    missing = [each for name, each in new.items() if not documents.of(name) and not _FOR_OURSELVES.search(name)]
    owner = "its class" if members[0].kind == "field" else "this file"
    siblings = ""
    if is_script:
        missing = missing if 2 * len(described) >= len(known) > 0 else []
        missing = [each for each in missing if not documents.in_history(each.name)]
    elif len(known) < _FEWEST_SIBLINGS or 3 * len(described) < 2 * len(known):
        alike = {each.name: near for each in missing if (near := _alike(each, known))}
        missing = [each for each in missing if any(name in described for name in alike.get(each.name, ()))]
        described = {name: described[name] for each in missing for name in alike[each.name] if name in described}
        siblings = f"{'similar ones' if len(described) > 1 else 'a similar one'} ({listed(described)})"
    if not missing:
        return None, set()
    counts = Counter(place for places in described.values() for place in set(places))
    best = min(counts, key=lambda place: (_LISTS_CODE.search(place) is not None, -counts[place], place))
    here = [name for name, found in described.items() if best in found]
    if is_script and len(here) < _FEWEST_SIBLINGS:
        siblings = listed(here)
    shown = listed(here[:_MOST_SIBLINGS])
    # A page may have the name of a field for something else.
    other = f"names of other {_WHAT['field']}" if members[0].kind == "field" else f"other {_WHAT[members[0].kind]}"
    siblings = siblings or f"{other} of {owner} ({shown})"
    values = {
        "names": listed(each.name for each in missing),
        "siblings": siblings,
        "described": str(len(described)),
        "known": str(len(known)),
        "what": _WHAT[missing[0].kind],
        "document": best,
    }
    others = (Related(path, each.line, f"adds `{each.name}`") for each in missing[1:])
    related = (Related(best, None, "names others"), *others)
    return Hit(missing[0].line, values=values, related=related, path=path), {each.name for each in missing}


def _alike(new: Named, known: Collection[str]) -> list[str]:
    """Return the old names that differ from a new one in one of their words: ``--use_fp8`` and ``--use_fp4``."""
    if new.kind not in {"flag", "env"}:
        return []
    words = _words(new.name)
    return [
        name
        for name in sorted(known)
        if len(other := _words(name)) == len(words) >= _FEWEST_WORDS
        and sum(one != another for one, another in zip(words, other, strict=True)) == 1
    ]


def _words(name: str) -> list[str]:
    return name.strip("-").replace("-", "_").split("_")


def _models(source: SourceFile) -> Iterator[Named]:
    for number, node in enumerate(source.nodes(ast.Dict)):
        for key in node.keys:
            if isinstance(key, ast.Constant) and isinstance(key.value, str) and _MODEL.fullmatch(key.value):
                yield Named("model", str(number), key.value, key.lineno, key.lineno in source.added)


CHECK = change_check(gather, relate, CheckTraits(literals=("add_argument", "environ", "getenv", ":")))
