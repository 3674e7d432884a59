"""A command of a document or shell script that passes an option or a value which the script that it runs refuses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from review_bot.analysis.facts.word_search import files_with
from review_bot.analysis.project.script_paths import options_of, script_path
from review_bot.analysis.project.script_runs import ScriptRun, script_runs
from review_bot.analysis.project.wording import listed
from review_bot.analysis.python.script_options import ScriptOptions
from review_bot.changes.codebase import Codebase, Snapshot
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check, each_fact
from review_bot.rules.rule import Hit
from review_bot.rules.scope import is_history, is_of_another_release, is_vendored
from review_bot.text.lazy_regex import LazyRegex
from review_bot.text.near_names import NearNames

_PLAIN = LazyRegex(r"[\w./-]+")
_MOST_CHOICES = 8
_ALIKE = 0.7
"""How alike the name of an option must be to be meant (a ratio)."""


class AddedRun(NamedTuple):
    """A run of a script with options on added lines: their numbers, 1-based."""

    run: ScriptRun
    added: tuple[int, ...]


class _Script(NamedTuple):
    """The script that a command means, with its options; ``surely``: see ``ScriptPath``."""

    path: str
    options: ScriptOptions
    surely: bool


def gather(source: SourceFile) -> tuple[AddedRun, ...] | None:
    """Return the runs of Python scripts that pass an option on an added line."""
    if is_history(source.path) or is_vendored(source.path) or not source.added:
        return None
    is_shell = not source.path.endswith((".md", ".markdown", ".mdx", ".rst"))
    found: list[AddedRun] = []
    for run in script_runs(source.lines, is_shell=is_shell):
        added = tuple(sorted({each.line for each in run.passed if each.line in source.added}))
        found += [AddedRun(run, added)] if added else []
    return tuple(found) or None


def relate(facts: Mapping[str, tuple[AddedRun, ...]], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit for each option that the script does not declare, and each value outside its choices."""
    near: dict[str, NearNames] = {}
    for path, each in each_fact(facts):
        script = _script(each.run, path.rpartition("/")[0], codebase.head)
        if script is not None and not is_of_another_release(path, script.path):
            if script.path not in near:
                near[script.path] = NearNames(script.options.lines, _ALIKE)
            yield from _unknown(each, path, script, near[script.path], codebase.head)
            yield from _refused(each, path, script)


def _unknown(each: AddedRun, path: str, script: _Script, known: NearNames, side: Snapshot) -> Iterator[Hit]:
    """Yield one hit on the first option of a command that the script does not declare, which names all of them."""
    unknown = [one for one in each.run.passed if not script.options.takes(one.option)]
    if not script.surely and 2 * len(unknown) > len(each.run.passed):
        return  # a script of another repository may have the same name
    unknown = [one for one in unknown if one.line in each.added and not _is_taken_before(one.option, side)]
    if not unknown:
        return
    names = list(dict.fromkeys(one.option for one in unknown))
    near = known.nearest(names[0]) if len(names) == 1 else ""
    values = {
        "script": script.path,
        "what": f"has no {'option' if len(names) == 1 else 'options'} {listed(names)}",
        "meant": f"; the closest one is `{near}`" if near else "",
    }
    related = (Related(script.path, min(script.options.lines.values()), "the options are declared here"),)
    place = unknown[0]
    yield Hit(place.line, column=place.column, values=values, related=related, path=path, subject=script.path)


def _is_taken_before(option: str, side: Snapshot) -> bool:
    """Return whether code that reads ``sys.argv`` itself names an option, which it may take out."""
    return any(
        f'"{option}"' in text or f"'{option}'" in text for text in map(side.text, files_with(side, ["argv"])) if text
    )


def _refused(each: AddedRun, path: str, script: _Script) -> Iterator[Hit]:
    """Yield a hit for each value outside the choices; one in capitals stands for what its reader writes there."""
    for one in each.run.passed:
        choices = script.options.choices.get(one.option, ())
        if not choices or one.value in choices or not _PLAIN.fullmatch(one.value) or len(choices) > _MOST_CHOICES:
            continue
        if one.line in each.added and not (one.value.isupper() and not any(map(str.isupper, choices))):
            what = f"takes {listed(choices, _MOST_CHOICES)} for `{one.option}`, and not `{one.value}`"
            values = {"script": script.path, "what": what, "meant": ""}
            related = (Related(script.path, script.options.lines[one.option], "the choices are declared here"),)
            yield Hit(one.line, column=one.column, values=values, related=related, path=path)


def _script(run: ScriptRun, home: str, side: Snapshot) -> _Script | None:
    found = script_path(run, home, side)
    options = None if found is None else options_of(side, found.path)
    return None if found is None or options is None else _Script(found.path, options, found.surely)


CHECK = change_check(gather, relate, CheckTraits(literals=("py -",), doubted=True))
