"""A command of a document or shell script that passes an option or a value which the script that it runs refuses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from posixpath import normpath

from review_bot.analysis.project.script_runs import Passed, ScriptRun, script_runs
from review_bot.analysis.project.wording import listed
from review_bot.analysis.python.script_options import ScriptOptions, script_options
from review_bot.changes.codebase import Codebase, Snapshot, query
from review_bot.changes.pull_request import PullRequest
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import ChangeCheck, CheckTraits, without_options
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex
from review_bot.text.near_names import did_you_mean

_ASIDE = LazyRegex(r"(?i)(?:^|/)(?:third_?party|vendor|archived?|blogs?)/|JOURNAL|CHANGELOG|release[_-]?notes")
_PLAIN = LazyRegex(r"[\w./-]+")
_MOST_CHOICES = 8


def gather(source: SourceFile) -> tuple[ScriptRun, ...] | None:
    """Return the runs of Python scripts that pass an option on an added line."""
    if _ASIDE.search(source.path) or not source.added:
        return None
    is_shell = not source.path.endswith((".md", ".markdown", ".mdx", ".rst"))
    runs = script_runs(source.lines, is_shell=is_shell)
    found = (each._replace(passed=tuple(one for one in each.passed if one.line in source.added)) for each in runs)
    return tuple(each for each in found if each.passed) or None


def relate(facts: Mapping[str, tuple[ScriptRun, ...]], _change: PullRequest, codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit for each option that the script does not declare, and each value outside its choices."""
    for path, runs in sorted(facts.items()):
        for run in runs:
            script = _script(run, path.rpartition("/")[0], codebase.head)
            known = None if script is None else _options(codebase.head, script)
            if script is not None and known is not None:
                yield from _unknown(run, path, script, known)
                yield from _refused(run, path, script, known)


def _unknown(run: ScriptRun, path: str, script: str, known: ScriptOptions) -> Iterator[Hit]:
    """Yield one hit on the first option of a command that the script does not declare, which names all of them."""
    unknown = [each for each in run.passed if not known.takes(each.option)]
    if not unknown:
        return
    names = list(dict.fromkeys(each.option for each in unknown))
    meant = ""
    if len(names) == 1:
        declared = (each for each in known.lines if each.startswith("--"))
        meant = did_you_mean(names[0], declared).replace("'", "`")
    what = f"has no {'option' if len(names) == 1 else 'options'} {listed([f'`{each}`' for each in names])}{meant}"
    yield _hit(unknown[0], path, script, what, min(known.lines.values()))


def _refused(run: ScriptRun, path: str, script: str, known: ScriptOptions) -> Iterator[Hit]:
    for passed in run.passed:
        choices = known.choices.get(passed.option, ())
        if choices and passed.value not in choices and _PLAIN.fullmatch(passed.value) and len(choices) <= _MOST_CHOICES:
            taken = listed([f"`{each}`" for each in choices])
            what = f"takes {taken} for `{passed.option}`, and not `{passed.value}`"
            yield _hit(passed, path, script, what, known.lines[passed.option])


def _hit(passed: Passed, path: str, script: str, what: str, declared: int) -> Hit:
    related = (Related(script, declared, "the options are declared here"),)
    values = {"script": script, "what": what}
    return Hit(passed.line, column=passed.column, values=values, related=related, path=path)


def _script(run: ScriptRun, home: str, side: Snapshot) -> str | None:
    """Return the one file of the tree that a command means, from the root, its own folder, or where it went before."""
    starts = [run.folder, f"{home}/{run.folder}"] if run.folder else ["", home]
    found = {place for start in starts if (place := normpath(f"{start}/{run.script}").lstrip("/")) in side.paths}
    if not found and "/" in run.script and not run.script.startswith(".."):
        found = {place for place in side.paths if place.endswith(f"/{run.script}")}
    return found.pop() if len(found) == 1 else None


@query
def _options(side: Snapshot, script: str) -> ScriptOptions | None:
    tree = side.tree(script) if "add_argument" in (side.text(script) or "") else None
    return None if tree is None else script_options(tree)


CHECK = ChangeCheck(without_options(gather), without_options(relate), CheckTraits(literals=(".py --", "-m --")))
