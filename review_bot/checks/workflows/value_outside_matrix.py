"""A condition that compares a key of the matrix with a value that the matrix does not give it."""

from __future__ import annotations

from collections.abc import Iterator

from review_bot.analysis.project.workflow_jobs import Place, WorkflowJob, read_jobs
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_COMPARED = LazyRegex(r"(?<![\w.-])matrix\.([A-Za-z_][\w-]*)\s*([=!]=)\s*'([^']*)'")
_IN_SHELL = LazyRegex(
    r"\[\[?\s+[\"']?\$\{\{\s*matrix\.([A-Za-z_][\w-]*)\s*\}\}[\"']?\s*(==?|!=)\s*[\"']?([\w.+-]+)[\"']?\s+\]"
)
_ENTRY = LazyRegex(r"(?<![\w-])([A-Za-z_][\w-]*)\s*:\s*[\"']?([\w.+-]+)")
_SHOWN = 6


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such comparison. Raises CannotRead."""
    workflow = read_jobs(source)
    # GitHub's starter workflow compares the language with all that CodeQL knows.
    is_from_template = "github/codeql-action" in (source.text or "")
    aside = _set_aside(source)
    for job in workflow.jobs if workflow is not None else ():
        for place in job.texts:
            found = [*_COMPARED.finditer(place.text)] if "${{" in place.text or place.is_condition else []
            for match in (*found, *_IN_SHELL.finditer(place.text)):
                values = _values(job, match[1])
                # One that is always true keeps out a value that the matrix may get again.
                if is_from_template and match[1] == "language":
                    continue
                if values is None or match[2] == "!=" or aside & {(match[1], match[3].lower()), ("", match[3].lower())}:
                    continue
                if match[3].lower() not in {each.lower() for each in values}:
                    yield _hit(source, place, match[0], match[1], sorted(values))


def _set_aside(source: SourceFile) -> set[tuple[str, str]]:
    """Return the keys and values in comments: entries that are switched off for now. A value of a list has no key."""
    comments = [line.partition("#")[2].strip() for line in source.lines if line.lstrip().startswith("#")]
    pairs = {(match[1], match[2].lower()) for line in comments for match in _ENTRY.finditer(line)}
    return pairs | {("", line[1:].strip(" \"'").lower()) for line in comments if line.startswith("-")}


def _values(job: WorkflowJob, key: str) -> frozenset[str] | None:
    """Return the values that a key of a job's matrix can have; None if its text does not show them."""
    values = (job.matrix or {}).get(key)
    return None if values is None or any("${{" in each for each in values) else values


def _hit(source: SourceFile, place: Place, written: str, key: str, values: list[str]) -> Hit:
    shown = ", ".join(f"`{each}`" for each in values[:_SHOWN]) + (", …" if len(values) > _SHOWN else "")
    return Hit(
        source.line_with(place.line, place.end, written, f"matrix.{key}"),
        values={
            "compared": " ".join(written.strip("[] ").split()),
            "key": key,
            "values": shown or "no value",
        },
    )


CHECK = file_check(examine, CheckTraits(literals=("matrix",)))
