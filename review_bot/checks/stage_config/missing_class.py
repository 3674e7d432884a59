"""Classes and functions that a stage configuration names by their path and that this repository does not have."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.project.module_definitions import ModuleDefinitions
from review_bot.analysis.project.module_tree import module_tree
from review_bot.analysis.project.yaml_documents import YamlDocument, read_documents
from review_bot.changes.codebase import Codebase
from review_bot.changes.source_file import SourceFile
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check, each_fact
from review_bot.rules.rule import Hit

_DOTTED = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*){2,}")


class Named(NamedTuple):
    """A dotted path, the key it is under, and its line."""

    key: str
    dotted: str
    line: int


def gather(source: SourceFile) -> tuple[Named, ...] | None:
    """Return what the stages of a file name, where the line was added. Raises CannotRead."""
    found: list[Named] = []
    for document in read_documents(source):
        stages = document.data.get("stage_args") if isinstance(document.data, dict) else None
        for place, stage in enumerate(stages if isinstance(stages, list) else ()):
            if isinstance(stage, dict):
                found += _named(document, ("stage_args", place), stage)
                found += _named(document, ("stage_args", place, "engine_args"), stage.get("engine_args"))
    return tuple(each for each in found if each.line in source.added) or None


def _named(document: YamlDocument, place: tuple[str | int, ...], settings: Any) -> Iterator[Named]:
    for key, value in settings.items() if isinstance(settings, dict) else ():
        if str(key).endswith(("_cls", "_func")) and isinstance(value, str) and _DOTTED.fullmatch(value):
            yield Named(key, value, document.line_of((*place, key)))


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield each name of this repository's own packages whose module, or which itself, is not there at the head."""
    packages = {path.partition("/")[0] for path in codebase.head.paths if path.endswith("/__init__.py")}
    for path, each in each_fact(facts):
        *modules, name = each.dotted.split(".")
        if modules[0] not in packages:
            continue
        missing = _missing("/".join(modules), name, codebase)
        if missing:
            yield Hit(each.line, values={"key": each.key, "dotted": each.dotted, "missing": missing}, path=path)


def _missing(module: str, name: str, codebase: Codebase) -> str | None:
    """Return a clause that names the missing module or name, or None."""
    files = module_tree(codebase.head).at(module).files
    if not files:
        return f"module `{module}.py` does not exist"
    return (
        f"`{files[0]}` does not define `{name}`"
        if ModuleDefinitions(codebase).lack([module], name) == "surely"
        else None
    )


CHECK = change_check(gather, relate, CheckTraits(literals=("_cls", "_func", "\\", "*")))
