"""A call whose result is unpacked into another number of names than the function returns values.

Each ``return`` has to write its values out, and the text has to prove which function runs (see ``call_targets``).
``partly``: other returns give as many, and one gives another number after an error or where there is no data::

    def load(path):
        try:
            return read(path), len(path)
        except OSError:
            return None
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from review_bot.analysis.facts.call_certainty import CallCertainty, is_patched
from review_bot.analysis.facts.call_targets import call_targets
from review_bot.analysis.facts.made_objects import MadeObjects
from review_bot.analysis.facts.placed_calls import calls_at
from review_bot.analysis.facts.returned_values import returned_values
from review_bot.analysis.facts.unpacked_results import Unpacked, runs_unpacked, unpacked_results
from review_bot.changes.codebase import Codebase
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit, Options


def gather(source: SourceFile) -> tuple[Unpacked, ...] | None:
    """Return the calls on added lines whose results are unpacked. Raises CannotParse."""
    return tuple(each for each in unpacked_results(source.tree) if source.touches(each.first, each.last)) or None


def relate(facts: Mapping[str, tuple[Unpacked, ...]], codebase: Codebase, options: Options) -> Iterator[Hit]:
    """Yield a hit on each call that never returns as many values or, ``partly``, not always."""
    targets, certainty, objects = call_targets(codebase.head), CallCertainty(codebase), MadeObjects(codebase)
    for path, found in sorted(facts.items()):
        noted = {each.place: each for each in found}
        for file, call, run, function, each in runs_unpacked(targets, path, noted, hidden=not options["partly"]):
            returned = returned_values(function, is_awaited=each.awaited)
            others = [one for one in returned if one.size != each.size]
            if (len(others) < len(returned)) != options["partly"]:
                continue
            others = [one for one in others if one.is_aside or not options["partly"]]
            if others and not is_patched(file, call, run, targets) and certainty.of(file, call, run):
                words = " or ".join(dict.fromkeys(one.words for one in others))
                related = tuple(Related(run.symbol.path, one.line, f"returns {one.words}") for one in others[:3])
                values = {"name": run.symbol.name, "size": str(each.size), "returned": words}
                yield Hit(each.at, values=values, path=path, related=related)
        for file, call, each in calls_at(targets, path, {} if options["partly"] else noted, hidden=True):
            made = None if each.awaited else objects.unpacked_size(file, call)
            if made is not None and made[1] != each.size:
                line = getattr(targets.class_of(made[0]), "lineno", 1)
                related = (Related(made[0].path, line, f"`{made[0].name}`"),)
                values = {"name": each.name, "size": str(each.size), "returned": f"a `{made[0].name}` of {made[1]}"}
                yield Hit(each.at, values=values, path=path, related=related)


CHECK = change_check(gather, relate, CheckTraits(literals=("=",)))
