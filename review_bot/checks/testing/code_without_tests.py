"""Code in the library, and no test in the whole change.

Left out is what existing tests reach: files all of whose changed functions a test names, what a decorator enters in a
table that a test names (and what that mentions), modules after which a test file is named, files with new examples in
docstrings that the repository runs, and modules among others without tests: ports of models that only run with weights,
or a folder of scripts or of an interface. A repository that does not configure pytest is left alone if it has a test
file for fewer than one module in twenty. What only declares has nothing to test: tables, fields, bindings without a
body.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from review_bot.analysis.facts.code_growth import (
    Changed,
    Growth,
    added_code,
    growth_of,
    known_aliases,
    known_as,
    rewrites_code,
)
from review_bot.analysis.facts.indirect_tests import command_of_tests, reached_by_table
from review_bot.analysis.facts.word_search import files_with
from review_bot.analysis.project.added_tests import (
    adds_tests,
    module_name,
    runs_doctests,
    switches_tests_on,
    tested_modules,
    tests_its_code,
)
from review_bot.analysis.project.base_tests import base_tests, import_share, test_naming
from review_bot.analysis.project.wording import about, listed
from review_bot.changes.codebase import Codebase, Snapshot
from review_bot.changes.pull_request import ChangedFile, PullRequest
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit, Options
from review_bot.rules.scope import is_library
from review_bot.text.lazy_regex import LazyRegex

_SHARE = 0.2
"""Which share of the library's modules tests import at least, where a change of few lines needs one.

Of 13 findings in repositories below it that two people judged, 4 were useful; of 8 in others, 6."""

_MANY = 150
"""Lines from which on a change needs tests also where tests import less of the library, and if it removes as many."""

_MUCH = 30
"""Statements that run, in what no test names, from which on a change needs tests also where few modules are tested.

Of eight such changes that two people judged, six needed them."""

_LINES_OF_RUNNING = 10
"""Lines for each statement that runs: where there are more, a change writes types, tables and texts."""

_MOST_NAMES = 8
_MOST_SHOWN = 3
_LINES_OF_A_STATEMENT = 3
"""Lines that a statement has at most, on average, in code that is no table."""
_DEFINES = LazyRegex(r"(?m)^(?:async +)?(?:def|class) +(\w+)")
_EXAMPLE = LazyRegex(r"\s*>>> ")


def relate(facts: Mapping[str, Growth], codebase: Codebase, options: Options) -> Iterator[Hit]:
    """Yield one hit if the library grows by ``at_least`` lines of code or more, and no line of a test is added.

    Tests that the change no longer skips are tests of what it adds.
    With ``untested_below``, it is about the code that tests name, unless as many lines are added to what they do not:
    then other rules report those. With ``below``, none if it grows by that many or more: then another rule reports it.
    Nor is there one, with it, if the tests name each public definition that grows; and scripts, which are tried by
    running them, are left out. Where tests import few modules of the library, a small change is tried in other ways.
    """
    is_tested = adds_tests(codebase.change) or switches_tests_on(codebase.change)
    if is_tested or (codebase.available and not tests_its_code(codebase.head)):
        return
    if "untested_below" in options:
        if codebase.available:
            yield from _grown(facts, codebase.change, codebase, options)
        return
    tested = tested_modules(codebase.head.paths)
    files = [file for file in codebase.change.files if file.path in facts and module_name(file.path) not in tested]
    if added_code(files, facts, codebase.change.files) < options["at_least"]:
        return
    with_examples = [file.path for file in files if any(_EXAMPLE.match(line) for _, line in file.added_lines())]
    if with_examples and codebase.available and runs_doctests(codebase.head):
        files = [file for file in files if file.path not in with_examples]
    tests = base_tests(codebase)
    defined = {name for growth in facts.values() for each in growth.definitions for name in (each.owner, each.name)}
    words = tests.words.union(known_aliases(facts, tests.words), tests.in_names_of_tests(defined - tests.words))
    is_untested = "below" in options and codebase.available and import_share(tests.texts, codebase.base.paths) < _SHARE
    grown = {file.path: facts[file.path].definitions for file in files}
    entered = [each for growth in facts.values() for each in growth.registered]
    known = reached_by_table(entered, tests.words, codebase.head)  # by what a test that goes through a table runs
    untested = {
        path: [each for each in found if not known_as(each, words) and (each.owner or each.name) not in known]
        for path, found in grown.items()
    }
    counted = [file for file in files if untested[file.path] or not grown[file.path]]
    counted = [file for file in counted if not tests.leave_out(file.path)]
    added = added_code(counted, facts, codebase.change.files)
    if "below" in options:
        if added >= options["below"] and not _only_declares(counted, untested, options["below"]):
            return  # with its scripts, it is enough for the other rule
        files, counted = ([each for each in some if not facts[each.path].is_script] for some in (files, counted))
        added = added_code(counted, facts, codebase.change.files)
    runs = sum(each.runs for file in counted if not rewrites_code([file]) for each in untested[file.path])
    least = max(options["at_least"], _MANY if is_untested and runs < _MUCH else 0)
    rewrites = "below" in options and added < _MANY and rewrites_code(counted)
    if rewrites or not least <= added < options.get("below", added + 1) or _only_declares(counted, untested, least):
        return
    shown = (each for path in sorted(file.path for file in counted) for each in untested[path])
    public = (each for each in shown if _is_public(each, words))
    names = listed(dict.fromkeys(_named(each, words) for each in public), _MOST_NAMES)
    what = f". No existing test names {names}" if names and codebase.available else ""
    if what and (command := command_of_tests(codebase.base, tests.texts, [each.path for each in counted])):
        what += f", but tests run the command `{command}`, which may reach them"
    if "below" in options and codebase.available and not names:
        return  # a small change of what tests may reach through other functions
    places = listed((each.path for each in counted if added_code([each], facts, codebase.change.files)), _MOST_SHOWN)
    yield Hit(None, values={"added": about(added), "files": places, "what": what}, statement="")


def _grown(
    facts: Mapping[str, Growth], pull_request: PullRequest, codebase: Codebase, options: Options
) -> Iterator[Hit]:
    """Yield a hit if what a test names grows: the test was written for what it did before."""
    tests = base_tests(codebase)
    aliases = known_aliases(facts, tests.words)
    words = tests.words.union(aliases)
    files = [file for file in pull_request.files if file.path in facts and not facts[file.path].is_script]
    files = [file for file in files if not tests.leave_out(file.path)]
    named = {
        file.path: [name for each in facts[file.path].definitions if (name := known_as(each, words))] for file in files
    }
    shared = _defined_often({name for found in named.values() for name in found}, codebase.head)
    named = {path: [name for name in found if name not in shared] for path, found in named.items()}
    reached = [file for file in files if named[file.path] and file.status != "added"]  # a new file has no tests yet
    others = [file for file in files if file not in reached]
    if added_code(others, facts, pull_request.files) >= options["untested_below"]:
        return
    added = added_code(reached, facts, pull_request.files)
    if added < options["at_least"] or rewrites_code(reached):
        return
    # Texts, tables and overloads are no behaviour, and one edit that many files get is tried in one of them.
    behaves = [file for file in reached if facts[file.path].statements * _LINES_OF_A_STATEMENT >= options["at_least"]]
    behaves = [file for file in behaves if _runs(facts[file.path]) * _LINES_OF_RUNNING >= options["at_least"]]
    known = [each.runs for file in reached for each in facts[file.path].definitions if known_as(each, words)]
    if not behaves or 2 * sum(known) < sum(_runs(facts[file.path]) for file in reached):
        return  # most of it is in what no test names, which other rules report
    names = dict.fromkeys(aliases.get(name, name) for file in behaves for name in named[file.path])
    lines = added_code(behaves, facts, pull_request.files)
    shown = {"names": listed(names, _MOST_SHOWN), "them": "it" if len(names) == 1 else "them"}
    values = {"added": about(lines), "test": test_naming(names, codebase), **shown}
    yield Hit(None, values=values, statement="")


def _runs(growth: Growth) -> int:
    return sum(each.runs for each in growth.definitions)


def _defined_often(names: Collection[str], side: Snapshot) -> frozenset[str]:
    """Return the names that several files of the library define: a test that has one may be about any of them."""
    counts: Counter[str] = Counter()
    for path in files_with(side, names, ".py") if names else ():
        if is_library(path):
            counts.update({each[1] for each in _DEFINES.finditer(side.text(path) or "")})
    return frozenset(name for name in names if counts[name] > 1)


def _only_declares(files: Iterable[ChangedFile], untested: Mapping[str, Sequence[Changed]], lines: int) -> bool:
    """Return whether files get hardly a statement that runs for their lines: annotations, texts, other forms."""
    definitions = [untested[file.path] for file in files]
    runs = sum(each.runs for found in definitions for each in found)
    return all(definitions) and runs * _LINES_OF_RUNNING < lines


def _is_public(changed: Changed, words: Collection[str]) -> bool:
    """Return whether a definition is public, or part of a public class that no test names."""
    if changed.name.startswith("_") and (not changed.owner or changed.owner in words):
        return False
    return not changed.owner.startswith("_")


def _named(changed: Changed, words: Collection[str]) -> str:
    """Return the class if no test names that, else the definition."""
    if changed.owner and changed.owner in words:
        return f"{changed.owner}.{changed.name}"
    return changed.owner or changed.name


CHECK = change_check(
    growth_of, relate, CheckTraits(literals=None, reads_old=True, works_without_tree=True, on_lines=False)
)
