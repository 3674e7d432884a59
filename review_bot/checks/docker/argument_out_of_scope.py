"""A build argument that an instruction uses and that its stage does not declare, so that it is empty there."""

from __future__ import annotations

from collections.abc import Iterator

from review_bot.analysis.project.dockerfile import Instruction, instructions, stage_names
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_USED = LazyRegex(r"\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))")
_DECLARED = LazyRegex(r"([A-Za-z_]\w*)")
_GIVEN = LazyRegex(r"(?:^|\s)([A-Za-z_]\w*)=")
_SET_IN_SHELL = LazyRegex(
    r"(?:^|[\s;&|({\"'])([A-Za-z_]\w*)=|\bfor\s+([A-Za-z_]\w*)\s+in\b|\bread\s+(?:-\w+\s+)*([A-Za-z_]\w*)"
)
_OF_IMAGES = LazyRegex(
    r"^(?:NV_.*|NVIDIA_.*|PATH|HOME|LANG|.*_HOME|.*_PATH|TARGET\w+|BUILD\w+|(?:CUDA|CUDNN|PYTHON|ROCM|PYTORCH|TORCH|NODE|GO|OS|CANN|UBUNTU)_?VERSION)$"
)
"""Variables that images set themselves, or that BuildKit knows."""
_READING = frozenset({"RUN", "ENV", "COPY", "ADD", "WORKDIR", "LABEL", "USER", "EXPOSE"})


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the first such use of each argument in a stage."""
    found = instructions(source.text or "")
    stages = stage_names(found)
    parents = {number: _parent(number, stages) for number in stages}
    arguments = [(name, each) for each in found if each.name == "ARG" for name in _names(each)]
    declarations = dict(reversed(arguments))
    declared_in = {(each.stage, name) for name, each in arguments}
    known: dict[int, set[str]] = {}
    seen: set[tuple[int, str]] = set()
    for each in found:
        here = [known.get(stage, frozenset[str]()) for stage in _visible(each.stage, parents)]
        known.setdefault(each.stage, set()).update(_names(each))
        if each.name not in _READING or each.stage == 0 or not _is_known(each.stage, stages, parents):
            continue
        set_here = _SET_IN_SHELL.finditer(each.text) if each.name == "RUN" else ()
        here.append({name for match in set_here for name in match.groups() if name})
        for match in _USED.finditer(each.text):
            name = match[1] or match[2]
            declared = declarations.get(name)
            if (
                any(name in names for names in here)
                or _OF_IMAGES.match(name)
                or declared is None
                or declared.stage == each.stage
                or (each.stage, name) in seen
                or (each.stage, name) in declared_in  # further down
            ):
                continue
            seen.add((each.stage, name))
            where = "before the first `FROM`" if declared.stage == 0 else "in another stage"
            yield Hit(
                source.line_with(each.line, each.end, match[0]),
                values={"name": name, "where": f"{where} (line {declared.line})"},
                related=(Related(source.path, declared.line, f"`ARG {name}`"),),
            )


def _parent(number: int, stages: dict[int, tuple[str, str]]) -> int | None:
    base = stages[number][0]
    return next((other for other, (_, name) in stages.items() if other < number and name == base), None)


def _visible(stage: int, parents: dict[int, int | None]) -> Iterator[int]:
    """Yield the stages of which a stage holds what they set: itself, and those that it builds on."""
    current: int | None = stage
    while current is not None:
        yield current
        current = parents.get(current)


def _is_known(stage: int, stages: dict[int, tuple[str, str]], parents: dict[int, int | None]) -> bool:
    """Return whether the text shows which image a stage is built on, so that it may not set the variable itself."""
    current: int | None = stage
    while parents.get(current or 0) is not None:
        current = parents[current or 0]
    return "$" not in stages.get(current or 0, ("$", ""))[0].partition(":")[0]


def _names(instruction: Instruction) -> list[str]:
    if instruction.name == "ARG":
        first = _DECLARED.match(instruction.text)
        return [first[1]] if first is not None else []
    if instruction.name != "ENV":
        return []
    return _GIVEN.findall(instruction.text) or instruction.text.split()[:1]


CHECK = file_check(examine, CheckTraits(literals=("ARG", "arg")))
