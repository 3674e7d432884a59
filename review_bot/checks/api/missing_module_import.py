"""Added imports of a module of this repository that the head of the change does not have.

Only what the tree proves: the package has an ``__init__.py`` in the tree, no file, folder, symlink, stub or compiled
module could be the one that is meant, no build makes it, and no code expects the import to fail.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.project.added_imports import AddedImport
from review_bot.analysis.project.missing_modules import missing_module, sets_path
from review_bot.analysis.project.notebooks import imports_and_code
from review_bot.changes.codebase import Codebase
from review_bot.changes.pull_request import PullRequest
from review_bot.changes.source_file import SourceFile
from review_bot.records import NamedTuple
from review_bot.rules.check import ChangeCheck, CheckTraits, without_options
from review_bot.rules.rule import Hit


class Facts(NamedTuple):
    """The imports of one file, and whether its own code sets ``sys.path``."""

    imports: tuple[AddedImport, ...]
    sets_path: bool


def gather(source: SourceFile) -> Facts | None:
    """Return the added imports of one file, if it has any."""
    added, code = imports_and_code(source)
    imports = tuple(each for each in added if each.new and (each.module or each.level > 1))
    return Facts(imports, sets_path(code)) if imports else None


def relate(facts: Mapping[str, Any], _pull_request: PullRequest, codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit for each added import whose module is missing."""
    for path, fact in sorted(facts.items()):
        for each in fact.imports:
            module = missing_module(each, path, codebase, sets_path=fact.sets_path)
            if module is None:
                continue
            above = module.startswith(".")
            yield Hit(
                each.line,
                each.end_line,
                each.column,
                each.end_column,
                values={"module": module},
                path=path,
                statement=f"import {'.' * each.level}{each.module}",
                message=f"The dots of `{module}` go beyond the top-level package." if above else None,
            )


CHECK = ChangeCheck(without_options(gather), without_options(relate), CheckTraits(literals=("import",)))
