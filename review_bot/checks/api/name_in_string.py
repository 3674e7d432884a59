"""A string that still names what the change removes from a module: in ``patch("pkg.run.load")``, in an entry point.

A test may name the module before: ``patch.object(run, "load")``.

In Python the name must start the string. Strings on added lines do not count, as a table of old names may hold them,
nor do outputs that tests only compare. Where a module of the same dotted name under another folder has the name, only
strings below the folder of the changed module count: ``"app.main:app"`` means whichever folder is on the path when it
is looked up.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.word_search import words_held
from review_bot.analysis.project.generated_modules import kind_of
from review_bot.analysis.project.module_definitions import ModuleDefinitions
from review_bot.analysis.project.module_tree import module_tree, place_of, relative_name
from review_bot.analysis.project.notebooks import line_in_file
from review_bot.analysis.project.wording import MOST_RELATED, places_in_words
from review_bot.analysis.python.syntax import dotted, full_name, imported_names
from review_bot.changes.codebase import Codebase
from review_bot.changes.node_index import nodes_of
from review_bot.checks.api.removed_name import gather
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit
from review_bot.rules.scope import is_set_aside
from review_bot.text.lazy_regex import LazyRegex

_CONFIGURATION = (".yaml", ".yml", ".json", ".toml", ".cfg", ".ini")
_OUTPUTS = LazyRegex(
    r"(?i)(?:^|/)(?:expected(?:[_-]\w+)?|goldens?|golden[_-](?:files?|data|outputs?)|(?:__)?snapshots?(?:__)?)/"
    r"|(?:^|/)expected[_-][^/]*$|[._-](?:expected|golden)\.\w+$"
)
_TEST_DATA = LazyRegex(r"(?i)(?:^|/)(?:test[_-]?data|fixtures?)/")
"""Outputs that tests compare with what they get: nothing looks up what they name."""
_EXPECTED = LazyRegex(r"create\s*=\s*True|getLogger|sys\.modules|deprecat|#\s*noqa")
_REPLACING = ("patch.object", "monkeypatch.setattr", "mp.setattr")
_MOST_NAMES = 300
_MOST_CONFIGURATIONS = 600


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit on the removed line of each name that a string still means; the strings are its related places."""
    gone = _gone(facts, codebase)
    if not gone or len(gone) > _MOST_NAMES:
        return
    added = codebase.change.added_numbers()
    uses: dict[tuple[str, str], list[Related]] = {}
    shared = _shared(gone, codebase)
    for path, line, name in (*_named(gone, codebase), *_patched(gone, codebase)):
        place = line_in_file(path, line, codebase.head)
        if place not in added.get(path, ()) and _is_meant(path, gone[name].root, shared.get(name)):
            uses.setdefault((path, name), []).append(Related(path, place, f"names `{name}`"))
    found: dict[str, list[Related]] = {}
    for (_, name), places in sorted(uses.items()):
        found.setdefault(name, []).extend(places)
    for name, places in sorted(found.items()):
        path, line, _ = gone[name]
        where, alone = places_in_words(places)
        values = {"name": name, "users": where, "verb": "names" if alone else "name"}
        related = tuple(sorted(places)[:MOST_RELATED])
        yield Hit(line, side="LEFT", path=path, values=values, related=related, statement=f"string {name}")


class _Gone(NamedTuple):
    """Where a name was. ``root``: the folder from which its dotted name is counted."""

    path: str
    line: int
    root: str


def _shared(gone: Mapping[str, _Gone], codebase: Codebase) -> dict[str, list[str]]:
    """Return the folders in which other modules of the same dotted name have what one module lacks now."""
    definitions = ModuleDefinitions(codebase)
    places: dict[str, set[str]] = {}
    for place in (place_of(path) for path in codebase.head.paths if path.endswith(".py")):
        places.setdefault(place.rpartition("/")[2], set()).add(place)
    found: dict[str, list[str]] = {}
    for dotted_name, here in gone.items():
        module, _, name = dotted_name.rpartition(".")
        inner = module.replace(".", "/")
        for place in sorted(places.get(inner.rpartition("/")[2], ())):
            root = place.removesuffix(inner).rstrip("/")
            is_other = place == inner or place.endswith(f"/{inner}")
            if is_other and root != here.root and definitions.lack([place], name) != "surely":
                found.setdefault(dotted_name, []).append(root)
    return found


def _is_meant(path: str, root: str, others: Collection[str] | None) -> bool:
    """Return whether a string in a file means the module in one folder, and none of that name in others."""
    if others is None:
        return True
    held = [each for each in (root, *others) if each and path.startswith(f"{each}/")]
    return root in held and max(held, key=len) == root


def _gone(facts: Mapping[str, Any], codebase: Codebase) -> dict[str, _Gone]:
    """Return the dotted names that modules surely lack now, with the removed line of each."""
    definitions, tree = ModuleDefinitions(codebase), module_tree(codebase.head)
    found: dict[str, _Gone] = {}
    for key, fact in sorted(facts.items()):
        place = place_of(fact.path)
        dotted = relative_name(place, tree.roots)
        if "." not in dotted:
            continue
        is_missing = kind_of(place, codebase) == "missing"
        package, _, module = place.rpartition("/")
        if is_missing and kind_of(package, codebase) == "module" and definitions.lack([package], module) == "no":
            continue  # the package has another module under this name
        for name, line in fact.names:
            if is_missing or definitions.lack([place], name) == "surely":
                root = place.removesuffix(dotted.replace(".", "/")).rstrip("/")
                found[f"{dotted}.{name}"] = _Gone(key, line, root)
    return found


def _named(gone: Mapping[str, object], codebase: Codebase) -> Iterator[tuple[str, int, str]]:
    """Yield the places where a string is one of some dotted names, or starts with one."""
    words = {name.rpartition(".")[2] for name in gone}
    modules = sorted({name.rpartition(".")[0] for name in gone})
    parents = "|".join(map(re.escape, modules))
    in_code = re.compile(rf"[\"']({parents})[.:](\w+)(?=[\"'.])")
    alone = re.compile(rf"(?<![\w./-])({parents})[.:](\w+)(?![\w/-])")
    side = codebase.head
    places = [(path, in_code) for path in words_held(side, words) if not (is_set_aside(path) or _OUTPUTS.search(path))]
    configured = sorted(path for path in side.paths if path.endswith(_CONFIGURATION))
    if len(configured) <= _MOST_CONFIGURATIONS:
        data = (path for path in configured if _OUTPUTS.search(path) or _TEST_DATA.search(path))
        places += [(path, alone) for path in sorted(frozenset(configured).difference(data))]
    for path, pattern in places:
        text = side.text(path) or ""
        if not any(module in text for module in modules):  # much quicker than the expression
            continue
        lines: list[str] = []
        for match in pattern.finditer(text):
            name = f"{match[1]}.{match[2]}"
            if name not in gone:
                continue
            lines = lines or text.split("\n")
            line = text.count("\n", 0, match.start()) + 1
            around = "\n".join(lines[line - 1 : line + 1])
            if not _EXPECTED.search(around) and not around.lstrip().startswith("#"):
                yield path, line, name


def _patched(gone: Mapping[str, object], codebase: Codebase) -> Iterator[tuple[str, int, str]]:
    """Yield the places where a test replaces one of some names in a module that it has imported."""
    side = codebase.head
    for path in words_held(side, {name.rpartition(".")[2] for name in gone}):
        text = side.text(path) or ""
        tree = side.tree(path) if "patch.object" in text or ".setattr(" in text else None
        if tree is None:
            continue
        names = imported_names(tree)
        for call in nodes_of(tree, ast.Call):
            if (dotted(call.func) or "").endswith(_REPLACING) and len(call.args) > 1 and not _may_lack(call):
                owner, name = full_name(call.args[0], names), call.args[1]
                if isinstance(name, ast.Constant) and (replaced := f"{owner}.{name.value!s}") in gone:
                    yield path, call.lineno, replaced


def _may_lack(call: ast.Call) -> bool:
    """Return whether a call that replaces an attribute need not find it."""
    return any(each.arg in {None, "create", "raising"} for each in call.keywords)


CHECK = change_check(gather, relate, CheckTraits(literals=None, reads_old=True, on_lines=False))
