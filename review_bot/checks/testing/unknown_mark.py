"""A mark that no configuration of pytest registers, although the repository's does register others.

::

    pyproject.toml      markers = ["slow: ...", "gpu: ..."]
    test_serve.py       @pytest.mark.gpus

Marks that pytest or a well-known plugin brings are left out, and those that tests of the base have: what they work with
may be registered by a plugin.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping

from review_bot.analysis.facts.word_search import files_with
from review_bot.analysis.project.manifests import declared
from review_bot.analysis.project.path_mentions import folders_around
from review_bot.analysis.python.statements import last_name
from review_bot.analysis.python.syntax import full_name, imported_names
from review_bot.changes.codebase import Codebase
from review_bot.changes.node_lines import last_line
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex
from review_bot.text.near_names import NearNames

_BROUGHT = frozenset({
    "allow_hosts", "anyio", "asyncio", "benchmark", "block_network", "dependency", "depends", "disable_socket",
    "django_db", "enable_socket", "filterwarnings", "flaky", "forked", "freeze_time", "httpx_mock", "incremental",
    "isolate", "iterations", "limit_leaks", "limit_memory", "mpl_image_compare", "no_cover", "order",
    "parallel_threads", "parametrize", "random_order", "repeat", "respx", "run", "skip", "skipif", "sphinx",
    "thread_unsafe", "timeout", "trio", "tryfirst", "trylast", "usefixtures", "vcr", "xdist_group", "xfail",
})  # fmt: skip
"""Marks of pytest and of its well-known plugins."""
_CONFIGURATION = frozenset({"pyproject.toml", "pytest.ini", ".pytest.ini", "setup.cfg", "tox.ini"})
_REGISTERS = LazyRegex(r"(?m)^markers\s*=")
_MARK = LazyRegex(r"(?m)^[ \t]*[\"']?(\w+)[ \t]*[(:\"']")
_STRICT = LazyRegex(r"--strict-markers\b|--strict\b|(?m:^strict(?:_markers)?\s*=\s*[Tt]rue)")
_COMPUTED = LazyRegex(r"""addinivalue_line\(\s*["']markers["']\s*,\s*(?:[^\s"'fFrRuU]|[fF]["'][^:"'{]*\{|\w+[^\w"'])""")
"""Registers a mark whose name only a run knows: ``addinivalue_line("markers", f"gpu_{name}: ...")``."""
_ALIKE = 0.75


def gather(source: SourceFile) -> Mapping[str, int] | None:
    """Return the marks on added lines, with the first line of each. Raises CannotParse."""
    found: dict[str, int] = {}
    names = imported_names(source.tree)
    for node in source.nodes(ast.Attribute):
        line = last_line(node)
        is_new = line in source.added and node.attr not in _BROUGHT
        if is_new and last_name(node.value) in {"mark", *names} and full_name(node.value, names) == "pytest.mark":
            found[node.attr] = min(line, found.get(node.attr, line))
    return found or None


def relate(facts: Mapping[str, Mapping[str, int]], codebase: Codebase) -> Iterator[Hit]:
    """Yield one hit for each mark that is new to the tree and registered nowhere, in the first file that has it."""
    side = codebase.head
    registering = [side.text(path) or "" for path in files_with(side, ["addinivalue_line"])]
    if any(_COMPUTED.search(text) for text in registering):
        return
    known = [side.text(path) or "" for path in side.paths if path.rpartition("/")[2] in _CONFIGURATION]
    known += registering
    known += [side.text(path) or "" for path in files_with(side, ["pytest_plugins"])]
    known += [each.removeprefix("pytest-") for each in declared(side) or () if each.startswith("pytest-")]
    seen: set[str] = set()
    for path, marks in sorted(facts.items()):
        settings = _settings(path, codebase)
        for name, line in sorted(marks.items()) if settings else ():
            word = re.compile(rf"\b{name}\b")
            if name in seen or any(word.search(text) for text in known) or _is_used(name, codebase):
                continue
            seen.add(name)
            yield Hit(line, values=_values(name, settings, codebase), path=path, statement=f"mark {name}",
                      related=(_place(settings, codebase),))  # fmt: skip


def _settings(path: str, codebase: Codebase) -> str:
    """Return the nearest file above a test that registers marks; empty if there is none."""
    paths = codebase.head.paths
    for folder in (*folders_around(path), ""):
        for name in sorted(_CONFIGURATION):
            place = f"{folder}/{name}".lstrip("/")
            if place in paths and _REGISTERS.search(codebase.head.text(place) or ""):
                return place
    return ""


def _is_used(name: str, codebase: Codebase) -> bool:
    """Return whether tests of the base have a mark."""
    mark = re.compile(rf"\bmark\.{name}\b")
    return any(mark.search(codebase.base.text(path) or "") for path in files_with(codebase.base, [name], ".py"))


def _values(name: str, settings: str, codebase: Codebase) -> dict[str, str]:
    text = codebase.head.text(settings) or ""
    registered = text[text.index("markers") :].partition("\n\n")[0]
    near = NearNames(_MARK.findall(registered), _ALIKE).nearest(name)
    effect = "stops with an error here" if _STRICT.search(text) else "warns of it, or stops where marks are strict"
    return {
        "name": name,
        "settings": settings,
        "effect": effect,
        "meant": f"; the closest one is `{near}`" if near else "",
    }


def _place(settings: str, codebase: Codebase) -> Related:
    lines = (codebase.head.text(settings) or "").split("\n")
    line = next(number for number, each in enumerate(lines, 1) if _REGISTERS.match(each))
    return Related(settings, line, "registers the marks")


CHECK = change_check(gather, relate, CheckTraits(literals=("pytest mark",)))
