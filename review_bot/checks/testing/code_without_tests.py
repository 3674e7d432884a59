"""Code in the library, and no test in the whole change.

Left out are modules after which a test file of the repository is named, since their tests exist already, and modules of
a series without tests, such as ports of models that only run with weights. A repository that does not configure pytest
is left alone if it has a test file for fewer than one module in twenty.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from review_bot.analysis.project.added_code import code_lines
from review_bot.analysis.project.added_tests import adds_tests, holds_tests, module_name, tested_modules, tests_its_code
from review_bot.analysis.project.base_tests import UntestedSeries, test_texts, without_defined
from review_bot.analysis.project.wording import listed
from review_bot.changes.codebase import Codebase
from review_bot.changes.pull_request import ChangedFile, PullRequest
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import ChangeCheck, CheckTraits, without_options
from review_bot.rules.rule import Hit, Options
from review_bot.text.lazy_regex import LazyRegex

_DEFINITION = LazyRegex(r"(?:async[ ]+def|def|class)[ ]+([A-Za-z]\w*)")
_MOST_NAMES = 8


def gather(source: SourceFile) -> tuple[str, ...] | None:
    """Return the public functions and classes that the change adds to a file at its top level; None for a test."""
    if holds_tests(source.change):
        return None
    return tuple(dict.fromkeys(_names(source.added_code.values()))) if source.added else None


def relate(facts: Mapping[str, Any], pull_request: PullRequest, codebase: Codebase, options: Options) -> Iterator[Hit]:
    """Yield one hit if the library grows by ``at_least`` lines of code or more, and no line of a test is added.

    With ``below``, none if it grows by that many or more: then another rule reports it.
    """
    if adds_tests(pull_request) or (codebase.available and not tests_its_code(codebase.head)):
        return
    tested = tested_modules(codebase.head.paths)
    files = [file for file in pull_request.files if file.path in facts and module_name(file.path) not in tested]
    if added_code(files, pull_request.files) < options["at_least"]:
        return
    series = UntestedSeries(test_texts(codebase), codebase.base.paths)
    counted = [file for file in files if not series.holds(file.path)]
    added = added_code(counted, pull_request.files)
    if not options["at_least"] <= added < options.get("below", added + 1):
        return
    before = _names(text for file in pull_request.files for _, text in file.removed_lines())
    new = (name for path in sorted(file.path for file in counted) for name in facts[path] if name not in before)
    names = listed(without_defined(new, codebase), _MOST_NAMES)
    what = f". New public names: {names}" if names else ""
    others = "" if len(counted) == len(files) else " or belong to a series without tests"
    yield Hit(None, values={"added": f"{added:,}", "what": what, "others": others}, statement="")


def _names(lines: Iterable[str]) -> list[str]:
    """Return the public functions and classes that some lines define at the top level."""
    return [match[1] for text in lines if (match := _DEFINITION.match(text))]


def added_code(files: Iterable[ChangedFile], change: Iterable[ChangedFile]) -> int:
    """Count the added lines of code in files, other than those merely moved from elsewhere in the change."""
    gone = Counter(line.strip() for file in change for _, line in file.removed_lines())
    count = 0
    for file in files:
        for text in code_lines(file):
            if gone[text] > 0:
                gone[text] -= 1
            else:
                count += 1
    return count


CHECK = ChangeCheck(
    without_options(gather),
    relate,
    CheckTraits(literals=None, reads_text=False, works_without_tree=True, on_lines=False),
)
