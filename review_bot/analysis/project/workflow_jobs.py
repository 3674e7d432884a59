"""The jobs of a GitHub workflow: what their expressions may refer to, and every text in which an expression can be.

A set of names is None where the text does not show it: a matrix that an expression computes, for example.
Source: GitHub, "Workflow syntax" and "Contexts reference".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from review_bot.analysis.project.yaml_documents import Node, Twice, YamlDocument, read_documents
from review_bot.changes.source_file import SourceFile
from review_bot.records import NamedTuple


class Place(NamedTuple):
    """A text: where it is (``("jobs", "test", "if")``), its first and last line, 1-based, and what it says."""

    path: tuple[str | int, ...]
    line: int
    end: int
    text: str

    @property
    def is_condition(self) -> bool:
        """Whether the whole text is an expression, also without ``${{ }}``."""
        return self.path[-1] == "if"


class WorkflowJob(NamedTuple):
    """A job, or the steps of a composite action.

    ``matrix``: its keys, each with the values it can have, or None where they are not written out. ``steps``: the ids
    of its steps; None: they are no list, or are given twice, so that GitHub rejects the file. ``needs``: the jobs it
    waits for. ``outputs``: what it hands on; None: another workflow decides.
    """

    name: str
    matrix: dict[str, frozenset[str] | None] | None
    steps: frozenset[str] | None
    needs: tuple[str, ...]
    outputs: frozenset[str] | None
    texts: tuple[Place, ...]
    node: Node


class WorkflowJobs(NamedTuple):
    """A workflow, or an action of several steps. ``inputs``: those that it declares."""

    data: dict[str, Any]
    root: Node
    inputs: frozenset[str]
    jobs: tuple[WorkflowJob, ...]

    def job(self, name: str) -> WorkflowJob | None:
        """Return the job of a name; GitHub compares names without case."""
        return next((each for each in self.jobs if each.name.lower() == name.lower()), None)


def read_jobs(source: SourceFile) -> WorkflowJobs | None:
    """Read a workflow or an action; None if it is neither. Raises CannotRead."""
    documents = read_documents(source)
    document: YamlDocument | None = documents[0] if documents else None
    if document is None or not isinstance(document.data, dict):
        return None
    data, root = document.data, document.root
    if isinstance(data.get("jobs"), dict):
        inputs = frozenset(_inputs_of_triggers(data.get("on")))
        jobs = tuple(
            _job(str(name), job, root.inner["jobs"].inner[name], document.twice)
            for name, job in data["jobs"].items()
            if isinstance(job, dict)
        )
        return WorkflowJobs(data, root, inputs, jobs)
    runs = data.get("runs")
    if isinstance(runs, dict) and isinstance(runs.get("steps"), list):
        declared = data.get("inputs")
        inputs = frozenset(map(str, declared)) if isinstance(declared, dict) else frozenset()
        return WorkflowJobs(data, root, inputs, (_job("", runs, root.inner["runs"], document.twice),))
    return None


def _texts(node: Node, path: tuple[str | int, ...]) -> Iterator[Place]:
    if isinstance(node.data, str):
        yield Place(path, node.line, node.end, node.data)
    for key, inner in node.inner.items():
        yield from _texts(inner, (*path, key))


def _inputs_of_triggers(on: Any) -> Iterator[str]:
    for trigger in ("workflow_dispatch", "workflow_call"):
        event = on.get(trigger) if isinstance(on, dict) else None
        inputs = event.get("inputs") if isinstance(event, dict) else None
        yield from map(str, inputs if isinstance(inputs, dict) else ())


def _job(name: str, job: dict[str, Any], node: Node, twice: Iterable[Twice]) -> WorkflowJob:
    needs = job.get("needs") or ()
    outputs = job.get("outputs")
    return WorkflowJob(
        name,
        _matrix(job),
        None
        if any(each.key == "steps" and node.line <= each.line <= node.end for each in twice)
        else _steps(job.get("steps", [])),
        tuple(map(str, needs)) if isinstance(needs, list) else (str(needs),) if needs else (),
        None if "uses" in job else frozenset(map(str, outputs)) if isinstance(outputs, dict) else frozenset(),
        tuple(_texts(node, ())),
        node,
    )


def _steps(steps: Any) -> frozenset[str] | None:
    if not isinstance(steps, list):
        return None
    return frozenset(str(each["id"]) for each in steps if isinstance(each, dict) and "id" in each)


def _matrix(job: dict[str, Any]) -> dict[str, frozenset[str] | None] | None:
    strategy = job.get("strategy")
    if strategy is None:
        return {}
    matrix = strategy.get("matrix") if isinstance(strategy, dict) else strategy
    if matrix is None:
        return {}
    if not isinstance(matrix, dict) or not isinstance(matrix.get("include", []), list):
        return None
    found: dict[str, frozenset[str] | None] = {}
    for key, values in matrix.items():
        if key not in {"include", "exclude"}:
            plain = isinstance(values, list) and not any(isinstance(each, dict | list) for each in values)
            found[str(key)] = frozenset(map(_as_text, values)) if plain else None
    for entry in matrix.get("include") or ():
        if not isinstance(entry, dict):
            return None
        for key, value in entry.items():
            known = found.get(str(key), frozenset())
            found[str(key)] = None if known is None or isinstance(value, dict | list) else known | {_as_text(value)}
    return found


def _as_text(value: Any) -> str:
    """Return a value as an expression shows it."""
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)
