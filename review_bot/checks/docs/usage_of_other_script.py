"""The usage in the docstring of a script that runs another one, which the tree does not hold.

::

    \"\"\"Usage: python make_answers.py --model MODEL\"\"\"      in ``make_draft_answers.py``

Such a line is a copy, or older than the name of the file. Where the docstring runs the file itself too, the other
script may be one of another project.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from review_bot.analysis.project.path_mentions import ignored_by_git
from review_bot.analysis.project.script_runs import script_runs
from review_bot.analysis.python.statements import is_script, is_string
from review_bot.changes.codebase import Codebase
from review_bot.changes.node_lines import span_of
from review_bot.changes.source_file import SourceFile
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_PLACEHOLDER = LazyRegex(r"(?i)(?:^|[/_.-])(?:my|your|foo|bar|path|script|example|demo|x{2,3})(?:[/_.-]|$)")
_MADE = LazyRegex(r"(?i)generat|creat|download|clon(?:e|ing)|wget|curl|https?:")


class Command(NamedTuple):
    """A run of a script; ``line`` is 1-based."""

    script: str
    line: int


def gather(source: SourceFile) -> Command | None:
    """Return the first run on an added line of the docstring of a script that does not name itself."""
    body = source.tree.body
    if not source.added or not body or not is_string(body[0]) or not is_script(source.tree):
        return None
    first, last = span_of(body[0])
    lines = source.lines[first - 1 : last]
    own = source.path.rpartition("/")[2]
    if any(own in each for each in lines):
        return None
    for run in script_runs(lines, is_shell=False):
        line = first + run.line - 1
        if line in source.added and not run.is_module and not run.start and not _PLACEHOLDER.search(run.script):
            name = run.script.rpartition("/")[2]
            is_made = any(_MADE.search(each.replace(name, "")) for each in lines if name in each)
            return None if is_made else Command(run.script, line)
    return None


def relate(facts: Mapping[str, Command], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit for each script that is nowhere in the tree although its folder is."""
    if not facts:
        return
    places = [path.rpartition("/") for path in codebase.head.paths]
    names, folders = {name for _, _, name in places}, {folder for folder, _, _ in places}
    for path, command in sorted(facts.items()):
        folder, _, name = command.script.rpartition("/")
        if name not in names and (not folder or folder in folders) and name not in ignored_by_git(codebase.head):
            values = {"script": command.script, "own": path.rpartition("/")[2]}
            yield Hit(command.line, values=values, path=path)


CHECK = change_check(gather, relate, CheckTraits(literals=("__name__",)))
