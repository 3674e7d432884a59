"""An expression that refers to something its workflow does not have: an input, a step, a job, a key of the matrix.

GitHub's runner compares all these names without case.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from review_bot.analysis.project.wording import MOST_RELATED, listed
from review_bot.analysis.project.workflow_expressions import expressions
from review_bot.analysis.project.workflow_jobs import Place, WorkflowJob, WorkflowJobs, read_jobs
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_QUOTED = LazyRegex(r"'(?:[^']|'')*'")
_REFERENCE = LazyRegex(
    r"(?<![\w.-])(?:(matrix|steps|inputs)\.([A-Za-z_][\w-]*)|needs\.([A-Za-z_][\w-]*)(?:\.outputs\.([A-Za-z_][\w-]*))?)"
)

_MOST_NAMES = 3


class Missing(NamedTuple):
    """A reference that has no value, its line, and why."""

    line: int
    what: str
    why: str


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such reference, once per text and name. Raises CannotRead."""
    if "github" not in source.path and not source.path.endswith(("action.yml", "action.yaml")):
        return
    workflow = read_jobs(source)
    if workflow is None:
        return
    for job in workflow.jobs:
        absent = [name for name in job.needs if workflow.job(name) is None and "${{" not in name]
        if absent:
            needs = job.node.inner["needs"]
            verb = "which is no job of this workflow" if len(absent) == 1 else "which are no jobs of this workflow"
            yield Hit(
                source.line_with(needs.line, needs.end, absent[0]),
                message=f"This job needs {listed(absent, _MOST_NAMES)}, {verb}.",
            )
        found = [each for place in job.texts for each in _missing(source, place, workflow, job)]
        of_matrix = [each for each in found if each.what.startswith("matrix.") and job.matrix]
        yield from (_hit(*each) for each in found if each not in of_matrix)
        yield from _together(of_matrix, source, job)


def _hit(line: int, what: str, why: str) -> Hit:
    return Hit(line, values={"what": f"`{what}` has", "why": why})


def _together(found: Sequence[Missing], source: SourceFile, job: WorkflowJob) -> Iterator[Hit]:
    """Yield one hit for all keys that the matrix of a job lacks, on the first line of them that the change adds."""
    first = {each.what: each for each in reversed(found) if each.line in source.added}
    places = sorted(first.values())
    if len(places) < 2:
        yield from (_hit(*each) for each in places)
        return
    names = listed((each.what for each in places), _MOST_NAMES)
    related = tuple(Related(source.path, each.line, f"`{each.what}`") for each in places[1 : MOST_RELATED + 1])
    why = f"the matrix of this job has no such keys{_known(job.matrix)}"
    yield Hit(places[0].line, values={"what": f"{names} have", "why": why}, related=related)


def _missing(source: SourceFile, place: Place, workflow: WorkflowJobs, job: WorkflowJob) -> Iterator[Missing]:
    seen: set[str] = set()
    for expression in _expressions(place):
        for match in _REFERENCE.finditer(expression):
            if expression[match.end() :].lstrip().startswith("||"):
                continue  # it has a default
            why = _why(match[1] or "needs", match[2] or match[3], match[4], workflow, job)
            if why and match[0] not in seen:
                seen.add(match[0])
                yield Missing(source.line_with(place.line, place.end, match[0]), match[0], why)


def _expressions(place: Place) -> Iterator[str]:
    text = place.text
    if place.path and place.path[-1] == "run":  # of what a shell does not run, nothing is missed
        text = "\n".join(line for line in text.split("\n") if not line.lstrip().startswith("#"))
    found = [text[part.start + 3 : part.end - 2] for part in expressions(text)]
    if not found and place.is_condition:
        found = [text]
    for each in found:
        yield _QUOTED.sub("''", each)


def _why(kind: str, name: str, output: str | None, workflow: WorkflowJobs, job: WorkflowJob) -> str:
    """Return why a reference has no value; nothing if it has one, or may have one."""
    if kind == "inputs" and not _has(workflow.inputs, name):
        return f"no input is called `{name}`{_known(workflow.inputs)}"
    if kind == "steps" and job.steps is not None and not _has(job.steps, name):
        return f"no step of this {'job' if job.name else 'action'} has the id `{name}`{_known(job.steps)}"
    if kind == "matrix" and job.name and job.matrix is not None and not _has(job.matrix, name):
        return f"the matrix of this job has no `{name}`{_known(job.matrix)}" if job.matrix else "this job has no matrix"
    return _why_not_needed(name, output, workflow, job) if kind == "needs" else ""


def _why_not_needed(name: str, output: str | None, workflow: WorkflowJobs, job: WorkflowJob) -> str:
    if not _has(job.needs, name):
        return f"this job does not list `{name}` under `needs`"
    other = workflow.job(name)
    if output is None or other is None or other.outputs is None or _has(other.outputs, output):
        return ""
    return f"the job `{name}` has no output `{output}`{_known(other.outputs)}"


def _has(names: Iterable[str], name: str) -> bool:
    return name.lower() in {each.lower() for each in names}


def _known(names: object) -> str:
    known = sorted(names) if isinstance(names, frozenset | dict) else []
    shown = ", ".join(f"`{each}`" for each in known[:4])
    return f" (only {shown}{', …' if len(known) > 4 else ''})" if known else ""


CHECK = file_check(examine, CheckTraits(literals=("matrix", "steps", "inputs", "needs")))
