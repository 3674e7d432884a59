"""A GitHub workflow as its steps: what each one runs, and on which line. Source: GitHub's workflow syntax."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.project.yaml_documents import YamlDocument, read_documents
from review_bot.changes.python_parsing import CannotRead
from review_bot.changes.source_file import SourceFile
from review_bot.records import NamedTuple


class Text(NamedTuple):
    """A text of a step: its key, the first and last line (1-based) of key and value, and what it says."""

    key: str
    line: int
    end: int
    text: str

    def reported(self, added: Mapping[int, str]) -> int:
        """Return its first added line, or its first one."""
        return next((line for line in range(self.line, self.end + 1) if line in added), self.line)


class Step(NamedTuple):
    """A step of a job: its line, the action it uses, and its scripts (``run``, and ``script`` of an action).

    ``job``: the name of its job; empty in a composite action. ``condition``: its ``if``.
    """

    line: int
    uses: str
    scripts: tuple[Text, ...]
    settings: dict[str, Text]
    job: str = ""
    condition: str = ""


class Job(NamedTuple):
    """What must be so before the steps of a job run: its ``if``, whose approval it waits for, and which jobs."""

    condition: str
    environment: bool
    needs: tuple[str, ...]


class Workflow(NamedTuple):
    """A workflow or a composite action. ``triggers``: the events that start it. ``jobs``: by name."""

    triggers: frozenset[str]
    steps: tuple[Step, ...]
    jobs: dict[str, Job]


def read_workflow(source: SourceFile) -> Workflow | None:
    """Read a workflow; None if it has neither jobs nor steps. Raises CannotRead."""
    documents = read_documents(source)
    if not documents or not isinstance(documents[0].data, dict):
        return None
    document = documents[0]
    if document.twice:
        key, line = document.twice[0]
        raise CannotRead(f"GitHub refuses a workflow with the key `{key}` twice in one mapping", line)
    data: dict[str, Any] = document.data
    steps = tuple(_steps(document, data))
    return Workflow(frozenset(_triggers(data.get("on"))), steps, dict(_jobs(data.get("jobs")))) if steps else None


def _triggers(on: Any) -> Iterator[str]:
    if isinstance(on, str):
        yield on.lower()
    elif isinstance(on, list | dict):
        yield from (each.lower() for each in on if isinstance(each, str))


def _jobs(jobs: Any) -> Iterator[tuple[str, Job]]:
    for name, job in jobs.items() if isinstance(jobs, dict) else ():
        if isinstance(job, dict):
            needs = job.get("needs") or []
            names = tuple(map(str, needs)) if isinstance(needs, list) else (str(needs),)
            yield str(name), Job(str(job.get("if") or ""), bool(job.get("environment")), names)


def _steps(document: YamlDocument, data: dict[str, Any]) -> Iterator[Step]:
    jobs = data.get("jobs")
    places: list[tuple[tuple[str | int, ...], Any]] = []
    for name, job in jobs.items() if isinstance(jobs, dict) else ():
        places.append((("jobs", name, "steps"), job.get("steps") if isinstance(job, dict) else None))
    runs = data.get("runs")
    places.append((("runs", "steps"), runs.get("steps") if isinstance(runs, dict) else None))
    for place, steps in places:
        for number, step in enumerate(steps if isinstance(steps, list) else ()):
            if isinstance(step, dict):
                yield _step(document, (*place, number), step)


def _step(document: YamlDocument, place: tuple[str | int, ...], step: dict[str, Any]) -> Step:
    settings = step.get("with")
    given = {
        str(key).lower(): Text(str(key), *document.lines_of((*place, "with", key)), str(value))
        for key, value in (settings.items() if isinstance(settings, dict) else ())
    }
    scripts = []
    if isinstance(step.get("run"), str):
        scripts.append(Text("run", *document.lines_of((*place, "run")), step["run"]))
    uses = str(step.get("uses") or "")
    if uses.lower().startswith("actions/github-script@") and "script" in given:
        scripts.append(given["script"])
    job = str(place[1]) if place[0] == "jobs" else ""
    return Step(document.line_of(place), uses, tuple(scripts), given, job, str(step.get("if") or ""))
