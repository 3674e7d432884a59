"""Added imports of a module of this repository that the head of the change does not have.

Only what the tree proves: the package has an ``__init__.py`` in the tree, no file, folder, symlink, stub or compiled
module could be the one that is meant, no build makes it, and no code expects the import to fail.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.guarded_modules import guarded_importers
from review_bot.analysis.facts.word_search import files_with
from review_bot.analysis.project.added_imports import AddedImport, file_imports
from review_bot.analysis.project.manifests import project_folders
from review_bot.analysis.project.missing_modules import missing_module, sets_path
from review_bot.analysis.project.module_tree import module_tree, places_of, relative_name
from review_bot.analysis.project.notebooks import imports_and_code
from review_bot.analysis.project.third_party import normalised
from review_bot.analysis.project.wording import MOST_RELATED, places_in_words
from review_bot.analysis.project.written_files import written_files
from review_bot.changes.codebase import Codebase, Snapshot
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit, hit_over

_MANY = 5
"""Missing modules of one file, which a slip hardly leaves behind."""


_USERS = 3
"""Files of the base that import missing private parts of a package: not all of them are broken."""


class Facts(NamedTuple):
    """The imports of one file, whether its own code sets ``sys.path``, and the names of the files that it writes."""

    imports: tuple[AddedImport, ...]
    sets_path: bool
    written: frozenset[str]


def gather(source: SourceFile) -> Facts | None:
    """Return the added imports of one file, if it has any."""
    added, code = imports_and_code(source)
    imports = tuple(each for each in added if each.new and (each.module or each.level))
    return Facts(imports, sets_path(code), written_files(code)) if imports else None


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit for each added import whose module is missing, and one for all relative imports of a file."""
    old_paths = {each.path: each.base_path for each in codebase.change.files if each.status == "renamed"}
    for path, fact in sorted(facts.items()):
        found = [
            (
                each,
                missing_module(each, path, codebase, sets_path=fact.sets_path)
                or _left_behind(each, path, old_paths.get(path), codebase),
            )
            for each in fact.imports
        ]
        missing = [
            (each, module)
            for each, module in found
            if module is not None
            and not _is_added_by_build(module, codebase)
            and not _lacked_before(each, old_paths.get(path), codebase.base)
        ]
        # What the change removes was no module that something else provides: nothing below excuses its import.
        removed = {module for _, module in missing if module_tree(codebase.base).anywhere(module)}
        missing = [
            (each, module)
            for each, module in missing
            if module in removed
            or (
                (each.always or not _is_known_to_lack(each, module, path, fact, codebase))
                and not (path.endswith(".ipynb") and _is_written(module, codebase.base))
            )
        ]
        beside = [
            (each, module)
            for each, module in missing
            if each.level and not module.startswith(".") and module not in removed
        ]
        if beside and (_is_copied_elsewhere(path, codebase.base) or _is_laid_over(path, len(beside), codebase)):
            missing = [each for each in missing if each not in beside]
            beside = []
        # A script that the change brings may be there to excuse the import.
        doubted = bool(beside) and _is_copied_elsewhere(path, codebase.head)
        for each, module in missing:
            if (each, module) not in beside[1:]:
                hit = _hit(path, each, module, beside[1:] if beside and each is beside[0][0] else [])
                if hiding := _hidden_by(module, codebase.head):
                    hit = hit._replace(
                        message=f"The module `{_shown(each, module)}` cannot be imported: `{hiding}` hides its folder."
                    )
                if module in removed:
                    yield hit._replace(subject=f"{module} as it was")
                    continue
                unsure = (
                    (doubted and (each, module) in beside)
                    or ((path.endswith(".ipynb") or not each.always) and _is_written(module, codebase.head))
                    or _is_known_to_checkers(each, path, codebase.head)
                )
                hit = hit._replace(severity="warning") if unsure else hit
                importers = guarded_importers(path, codebase) if each.always and not each.late else []
                yield _breaks_no_importer(hit, _shown(each, module), importers) if importers else hit


def _left_behind(statement: AddedImport, path: str, old_path: str | None, codebase: Codebase) -> str | None:
    """Return the module of a relative import in a file that left its package for a folder that is in none, or None.

    ::

        pkg/run.py      from .core import load      renamed to tools/run.py, where neither a script nor
        pkg/core.py                                 the namespace package ``tools`` finds a ``core``
    """
    before, tree, level = module_tree(codebase.base), module_tree(codebase.head), statement.level
    if old_path is None or not level or statement.conditional or tree.package_above(path, level) is not None:
        return None
    folder = "/".join(path.split("/")[:-level])
    for module in [statement.module] if statement.module else [each.name for each in statement.names]:
        place = f"{folder}/{module.replace('.', '/')}".lstrip("/")
        was_there = any(before.at(each).kind == "module" for each in places_of(module, level, old_path, before))
        if was_there and tree.at(place).kind == "missing":
            return relative_name(place, tree.roots)
    return None


def _is_added_by_build(module: str, codebase: Codebase) -> bool:
    """Return whether a private module is of a package that files of the base take other private parts of, all missing.

    ::

        cutlass/base.py      from cutlass._mlir import ir                  no file of the base is `cutlass/_mlir`
        cutlass/math.py      from cutlass._mlir_helpers import math        nor one of the head `cutlass/_mlir_helpers`

    The compiled package that is published holds them.
    """
    top, _, part = module.partition(".")
    tree = module_tree(codebase.base)
    if not part.startswith("_") or tree.anywhere(module):
        return False
    private = re.compile(rf"(?m)^(?:from|import)[ \t]+({re.escape(top)}\._\w+)")
    users = 0
    for path in files_with(codebase.base, [top], ".py"):
        named = set(private.findall(codebase.base.text(path) or ""))
        users += any(not tree.anywhere(each) for each in named)
    return users >= _USERS


def _lacked_before(statement: AddedImport, old_path: str | None, base: Snapshot) -> bool:
    """Return whether a file that a change moves had a relative import that found no module at its old place either.

    A build puts such a file next to what it imports, in a place that the tree does not show. An import that always runs
    must have done so.
    """
    if old_path is None or not statement.level:
        return False
    tree = module_tree(base)
    before = file_imports(old_path, base.text(old_path) or "")
    same = (each for each in before if (each.level, each.module) == (statement.level, statement.module))
    had = any(each.always or not statement.always for each in same)
    places = places_of(statement.module, statement.level, old_path, tree)
    return had and all(tree.at(place).kind == "missing" for place in places)


def _is_known_to_lack(statement: AddedImport, module: str, path: str, fact: Facts, codebase: Codebase) -> bool:
    """Return whether an import that runs late is of a file that this one writes, or of a package it always lacked.

    A script that has the name of the module as a text, and imports it later, has it made: ``convert(code="src")``.

    A file that is kept in step with another project imports what only that has: at the base already, in places that
    nothing runs here.
    """
    name = module.rpartition(".")[2]
    if f"{name}.py" in fact.written or re.search(rf"[\"']{re.escape(name)}[\"']", codebase.head.text(path) or ""):
        return True
    top, tree = statement.module.partition(".")[0], module_tree(codebase.base)
    places = places_of(top, statement.level, path, tree)
    if not places or any(tree.at(place).kind != "missing" for place in places):
        return False
    before = file_imports(path, codebase.base.text(path) or "")
    return any(
        not each.always and each.level == statement.level and each.module.partition(".")[0] == top for each in before
    )


def _is_known_to_checkers(statement: AddedImport, path: str, side: Snapshot) -> bool:
    """Return whether type checkers are to ignore an import, as they must where the module is of another project."""
    lines = (side.text(path) or "").split("\n") if path.endswith(".py") else []
    return any("# type: ignore" in line for line in lines[statement.span.line - 1 : statement.span.end_line])


def _is_written(module: str, side: Snapshot) -> bool:
    """Return whether code that writes files has the name of a module as a text: a notebook may make it in one cell."""
    name = module.rpartition(".")[2]
    texts = (side.text(path) or "" for path in files_with(side, [name], ".py"))
    return any("write" in text and re.search(rf"[\"']{re.escape(name)}(?:\.py)?[\"']", text) for text in texts)


def _hidden_by(module: str, side: Snapshot) -> str | None:
    """Return the file of a module that Python takes instead of the folder of its name, which holds another module."""
    place = module.replace(".", "/")
    found = [path for path in (f"{place}.py", f"src/{place}.py", f"python/{place}.py") if path in side.paths]
    while found and "/" in place:
        place = place.rpartition("/")[0]
        above = f"{found[0].partition(place)[0]}{place}.py"
        if above in side.paths:
            return above
    return None


def _shown(statement: AddedImport, module: str) -> str:
    """Return the name of a module for a message: as it is written where the dotted name shows no package."""
    if not statement.level or "." in module:
        return module
    return f"{'.' * statement.level}{statement.module or module}"


def _hit(path: str, statement: AddedImport, module: str, others: list[tuple[AddedImport, str]]) -> Hit:
    message = f"The dots of `{module}` go beyond the top-level package." if module.startswith(".") else None
    if statement.late:
        message = (
            f"The module `{module}` does not exist in this repository at the head of this change; this entry imports "
            "it when one of its names is first accessed."
        )
    if others := [each for each in others if each[1] != module]:
        more = "another one" if len(others) == 1 else f"{len(others)} others"
        message = (
            f"The module `{_shown(statement, module)}` does not exist in this repository at the head of this change, "
            f"and neither {'does' if len(others) == 1 else 'do'} {more} that this file imports relative to its place."
        )
    return hit_over(
        statement.span,
        values={"module": _shown(statement, module)},
        path=path,
        related=tuple(Related(path, each.line, f"imports `{name}`") for each, name in others[:MOST_RELATED]),
        statement=f"import {'.' * statement.level}{statement.module}",
        message=message,
        subject=path.rpartition("/")[0] if statement.level else module,
        missing=(module,),
    )


def _breaks_no_importer(hit: Hit, module: str, importers: list[Related]) -> Hit:
    """Return a hit in a new file of which each import is guarded."""
    where, alone = places_in_words(importers)
    return hit._replace(
        severity="hint",
        message=(
            f"The module `{module}` does not exist in this repository at the head of this change, so this file cannot"
            f" be imported as it is; {where} {'catches' if alone else 'catch'} that."
        ),
        instead="Say next to the import where the module comes from, or add it to this change.",
        related=(*hit.related, *importers)[:MOST_RELATED],
    )


def _is_copied_elsewhere(path: str, side: Snapshot) -> bool:
    """Return whether a script of the tree copies a file, or all files of its folder, to another place.

    ::

        cp -r patch/* /usr/lib/python3/dist-packages/engine/models
        cp ../simple_evals.py simple_evals.py
    """
    folder, _, name = path.rpartition("/")
    folder = folder.rpartition("/")[2]
    if not folder:
        return False
    copied = rf"(?:{re.escape(folder)}/\*|{re.escape(name)}[\"']?[ \t]+\S)"
    copies = re.compile(rf"(?m)^[^#\n]*\b(?:cp|rsync|mv|ln|COPY|ADD)\b[^\n]*[\s\"'/]{copied}")
    scripts = (each for each in side.paths if each.endswith(".sh") or "Dockerfile" in each)
    return any(copies.search(side.text(each) or "") for each in sorted(scripts))


def _is_laid_over(path: str, missing: int, codebase: Codebase) -> bool:
    """Return whether a file is a part of an installed package, to be copied over it: then that has what is missing.

    ::

        object_detection/mmdet/models/backbones/__init__.py      from .darknet import Darknet, and many more
        object_detection/tools/train.py                          from mmdet.apis import train_detector

    Of one of its folders, which is in no package, the tree imports modules that no folder of that name has, as only of
    a package that is installed. The base shows that, unless all of the folder at the root is new: a change would excuse
    itself in a docstring.
    """
    if missing < _MANY:
        return False
    top = f"{path.partition('/')[0]}/"
    side = codebase.base if any(each.startswith(top) for each in codebase.base.paths) else codebase.head
    folders, tree = path.split("/")[:-1], module_tree(side)
    for depth, name in enumerate(folders[1:], 2):
        inside = "/".join(folders[:depth])
        if tree.package_above(inside, 1) is not None:
            break
        if normalised(name) in project_folders(codebase):
            continue  # the package of a project of this tree, which is installed from here
        imported = re.compile(rf"(?m)^[ \t]*(?:from|import)[ \t]+{re.escape(name)}\.([\w.]+)")
        for each in files_with(side, [name]):
            for module in imported.findall(side.text(each) or ""):
                if not tree.anywhere(f"{name}.{module}"):
                    return True
    return False


CHECK = change_check(gather, relate, CheckTraits(literals=("import",), doubted=True))
