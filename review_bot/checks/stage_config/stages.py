"""Stage configurations of vLLM-Omni (``stage_args``) that contradict themselves.

One file describes the stages of a model: their ids, which stages feed them, their devices and the share of each
device's memory that they take. Source: vLLM-Omni, docs/configuration/stage_configs.md.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from review_bot.analysis.project.yaml_documents import YamlDocument, read_documents
from review_bot.changes.source_file import SourceFile
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit, Options

LITERALS = (
    "stage_id", "engine_input_source", "gpu_memory_utilization", "devices", "tensor_parallel_size", "from", "to", "\\",
    "*",
)  # fmt: skip
"""What brings such a key or its value to a line: its name, an escape in quotes, an alias."""

_ROUNDING = 1e-6


class Stage(NamedTuple):
    """One entry of ``stage_args``: its position there, and its settings."""

    place: int
    settings: dict[str, Any]

    @property
    def id(self) -> object:
        """Its ``stage_id``."""
        return self.settings.get("stage_id")

    @property
    def engine(self) -> dict[str, Any]:
        """Its ``engine_args``."""
        return _mapping(self.settings.get("engine_args"))

    @property
    def devices(self) -> list[str] | None:
        """Its devices, or None if the file does not list them (``null``, ``auto``)."""
        devices = _mapping(self.settings.get("runtime")).get("devices")
        listed = [part.strip() for part in str(devices).split(",")] if isinstance(devices, str | int) else []
        return listed if listed and all(part.isdecimal() for part in listed) else None


def examine(source: SourceFile, options: Options) -> Iterator[Hit]:
    """Yield contradictions of the kind that ``options["problem"]`` names. Raises CannotRead."""
    for document in read_documents(source):
        stages = _mapping(document.data).get("stage_args")
        if isinstance(stages, list):
            entries = [Stage(place, entry) for place, entry in enumerate(stages) if isinstance(entry, dict)]
            yield from _PROBLEMS[options["problem"]](document, entries)


def _duplicate_ids(document: YamlDocument, stages: list[Stage]) -> Iterator[Hit]:
    seen: dict[object, Stage] = {}
    for stage in stages:
        if not isinstance(stage.id, int):
            continue
        if stage.id in seen:
            first = document.line_of(("stage_args", seen[stage.id].place, "stage_id"))
            line = document.line_of(("stage_args", stage.place, "stage_id"))
            yield Hit(line, values={"id": str(stage.id), "first": str(first)})
        seen.setdefault(stage.id, stage)


def _unknown_sources(document: YamlDocument, stages: list[Stage]) -> Iterator[Hit]:
    known = {stage.id for stage in stages if isinstance(stage.id, int)}
    for stage in stages:
        sources = stage.settings.get("engine_input_source")
        for number in sources if isinstance(sources, list) else ():
            if isinstance(number, int) and (number not in known or number == stage.id):
                what = (
                    "itself as its input" if number == stage.id else f"stage {number}, which this file does not define"
                )
                line = document.line_of(("stage_args", stage.place, "engine_input_source"))
                yield Hit(line, values={"id": f"Stage {stage.id}", "what": what})
    edges = _mapping(_mapping(document.data).get("runtime")).get("edges")
    for place, edge in enumerate(edges if isinstance(edges, list) else ()):
        for end in ("from", "to"):
            number = _mapping(edge).get(end)
            if isinstance(number, int) and number not in known:
                line = document.line_of(("runtime", "edges", place, end))
                what = f"stage {number}, which this file does not define"
                yield Hit(line, values={"id": f"Edge {place}", "what": what})


def _memory(document: YamlDocument, stages: list[Stage]) -> Iterator[Hit]:
    taken: dict[str, float] = {}
    for stage in stages:
        share = stage.engine.get("gpu_memory_utilization")
        if not isinstance(share, int | float) or isinstance(share, bool):
            continue
        line = document.line_of(("stage_args", stage.place, "engine_args", "gpu_memory_utilization"))
        for device in stage.devices or ():
            taken[device] = taken.get(device, 0.0) + share
            if taken[device] > 1 + _ROUNDING:
                yield Hit(line, values={"device": device, "total": f"{taken[device]:.2f}".rstrip("0")})
                break


def _parallel_size(document: YamlDocument, stages: list[Stage]) -> Iterator[Hit]:
    for stage in stages:
        devices, size = stage.devices, stage.engine.get("tensor_parallel_size")
        if devices is not None and isinstance(size, int) and not isinstance(size, bool) and size > len(set(devices)):
            line = document.line_of(("stage_args", stage.place, "engine_args", "tensor_parallel_size"))
            count = "1 device" if len(set(devices)) == 1 else f"{len(set(devices))} devices"
            yield Hit(line, values={"id": str(stage.id), "size": str(size), "count": count})


def _mapping(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


_PROBLEMS: dict[str, Callable[[YamlDocument, list[Stage]], Iterator[Hit]]] = {
    "duplicate-id": _duplicate_ids,
    "unknown-source": _unknown_sources,
    "memory": _memory,
    "parallel-size": _parallel_size,
}


CHECK = file_check(examine, CheckTraits(literals=LITERALS))
