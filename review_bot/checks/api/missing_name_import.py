"""Added imports of a name that its module, a file of this repository, does not define."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.project.added_imports import AddedImport, ImportedName
from review_bot.analysis.project.manifests import runs_a_release
from review_bot.analysis.project.missing_modules import is_prepared, sets_path
from review_bot.analysis.project.module_definitions import ModuleDefinitions
from review_bot.analysis.project.module_names import modules
from review_bot.analysis.project.module_tree import module_tree, places_of, relative_name
from review_bot.analysis.project.notebooks import imports_and_code
from review_bot.changes.codebase import Codebase
from review_bot.changes.source_file import SourceFile
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit, hit_over


class Facts(NamedTuple):
    """The added ``from`` imports of one file, and whether its own code sets ``sys.path``."""

    imports: tuple[AddedImport, ...]
    sets_path: bool


def gather(source: SourceFile) -> Facts | None:
    """Return the added ``from`` imports of one file, if it has any."""
    added, code = imports_and_code(source)
    imports = tuple(each for each in added if each.from_import and each.names)
    return Facts(imports, sets_path(code)) if imports else None


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield one hit for each import statement with names that are missing, on the line of the first."""
    tree = module_tree(codebase.head)
    definitions = ModuleDefinitions(codebase)
    for path, fact in sorted(facts.items()):
        for each in fact.imports:
            places = places_of(each.module, each.level, path, tree)
            stub = path.endswith(".pyi")
            lacks = {n: definitions.lack(places, n.name, for_stub=stub) for n in each.names if n.name != "*"}
            missing = [
                name
                for name, lack in lacks.items()
                if lack != "no"
                and not is_prepared(each, name.name, places[0], path, codebase, sets_path=fact.sets_path)
            ]
            if missing and (each.level or not runs_a_release(codebase, path)):
                sure = any(lacks[name] == "surely" for name in missing)
                hit = _hit(path, each, missing, relative_name(places[0], tree.roots))
                if each.late:
                    hit = hit._replace(message=_late(hit.values))
                if not modules(codebase.base).at(places[0]).names.isdisjoint(each.name for each in missing):
                    hit = hit._replace(subject=f"{hit.subject} as it was")
                yield hit if sure else hit._replace(severity="warning", message=_doubtful(hit.values))


def _doubtful(values: Mapping[str, str]) -> str:
    module, names = values["module"], values["names"]
    return f"`{module}` does not define {names}; only an assignment at run time could provide it."


def _late(values: Mapping[str, str]) -> str:
    return f"`{values['module']}` does not define {values['names']}, which is imported here when it is asked for."


def _hit(path: str, statement: AddedImport, missing: list[ImportedName], module: str) -> Hit:
    names = [f"`{each.name}`" for each in missing]
    listed = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} or {names[-1]}"
    return hit_over(
        missing[0].span,
        values={"module": module, "names": listed},
        path=path,
        subject=module,
        missing=tuple(each.name for each in missing),
        statement=f"from {'.' * statement.level}{statement.module} import {', '.join(each.name for each in missing)}",
    )


CHECK = change_check(gather, relate, CheckTraits(literals=None, doubted=True))
