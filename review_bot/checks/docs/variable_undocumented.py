"""An environment variable of the project's own that the change starts to read and that no document mentions.

Where a file has several variables with one prefix, ``docs/config-undocumented`` compares them instead.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping

from review_bot.analysis.facts.documents import mentions
from review_bot.analysis.facts.settings import variables
from review_bot.analysis.facts.uses import uses_of
from review_bot.analysis.facts.word_search import files_with
from review_bot.analysis.project.wording import names_in_words
from review_bot.changes.codebase import Codebase
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit
from review_bot.rules.scope import is_vendored
from review_bot.text.lazy_regex import LazyRegex

_WORD = LazyRegex(r"[a-z\d]+")
_FOR_OURSELVES = LazyRegex(
    r"(?i)debug|internal|test|dummy|experimental|legacy|deprecat|unused|private|overfit|bench|probe"
    r"|impl|fallback|warps|block_[mnk]|kernel|fused?|record|dump|trace|profil|tuning|_log$"
    r"|^(?:buildkite|ci|circle|github|gitlab|jenkins|kubernetes|lsb|ompi|pbs|pmi|runner|slurm|travis)_"
)
"""Variables that no user sets: the developers do, or the service, scheduler or launcher that runs the code."""
_ASIDE = LazyRegex(r"(?i)(?:^|/)kernels?/|(?:^|/)collect_env")
"""Others' code, what only prints the variables, and kernels, whose variables tune them."""
_AROUND_PACKAGES = frozenset({"src", "python", "lib", "libs", "packages", "py", "client", "server"})
_MOST_SIBLINGS = 2
"""Variables with the same prefix that a file had before; where there are more, they say what is documented."""
_FEWEST_DOCUMENTS = 3
_FEWEST_WORDS = 3


class Variable(NamedTuple):
    """A variable that an added line reads; ``line`` is 1-based."""

    name: str
    line: int


def gather(source: SourceFile) -> tuple[Variable, ...] | None:
    """Return the new variables whose first word is one of the package, as a project's own are. Raises CannotParse."""
    if not source.added or _ASIDE.search(source.path) or is_vendored(source.path):
        return None
    folders = source.path.lower().split("/")[:-1]
    package = next((each for each in folders if each not in _AROUND_PACKAGES), "")
    words = set(_WORD.findall(package))
    read = list(variables(source.tree))
    # A docstring explains it, or a message names it to who needs it.
    texts = [each.value for each in source.nodes(ast.Constant) if isinstance(each.value, str)]
    before = Counter(each.group for each in read if each.line not in source.added)
    found: dict[str, Variable] = {}
    for each in read:
        own = each.group.lower() in words and each.name.count("_") + 1 >= _FEWEST_WORDS
        own = own and before[each.group] <= _MOST_SIBLINGS and not _FOR_OURSELVES.search(each.name)
        if own and each.line in source.added and not any(text != each.name and each.name in text for text in texts):
            found.setdefault(each.name, Variable(each.name, each.line))
    return tuple(found.values()) or None


def relate(facts: Mapping[str, tuple[Variable, ...]], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit for each file with variables that nothing sets, nothing read before and no document mentions."""
    if not facts or mentions(codebase.head).count < _FEWEST_DOCUMENTS:
        return
    reported: set[str] = set()
    for path, found in sorted(facts.items()):
        if mentions(codebase.head).includes(path):
            continue
        missing = [each for each in found if each.name not in reported and _is_new(each.name, codebase)]
        missing = [each for each in missing if not mentions(codebase.head).of(each.name)]
        if missing:
            reported.update(each.name for each in missing)
            values = {
                "names": names_in_words(each.name for each in missing),
                "it": "it" if len(missing) == 1 else "them",
                "variable": "environment variable" if len(missing) == 1 else "environment variables",
            }
            related = tuple(Related(path, each.line, f"reads `{each.name}`") for each in missing[1:])
            yield Hit(missing[0].line, values=values, related=related, path=path)


def _is_new(name: str, codebase: Codebase) -> bool:
    """Return whether the tree did not hold a variable before, and only users set it now."""
    if files_with(codebase.base, [name]):
        return False
    return not any(each.use.access == "write" for each in uses_of(codebase.head, name, "key").places)


CHECK = change_check(gather, relate, CheckTraits(literals=("environ", "getenv")))
