"""OpenAPI 3.0 schemas, read as JSON Schema, and the one question JSON Schema does not ask: which fields are invented.

Two liberties, both on purpose. ``oneOf`` is read as ``anyOf``: GitHub's alternatives overlap (an empty list is a list of
anything), and what matters is that one of them fits. ``nullable`` allows null in addition to an ``enum`` too, as GitHub means it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from jsonschema import Draft202012Validator, FormatChecker

Schema = Mapping[str, Any]

_KEPT = (
    "additionalProperties",
    "enum",
    "format",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "pattern",
    "required",
    "type",
    "uniqueItems",
)
_FORMATS = FormatChecker(formats=())


@_FORMATS.checks("date-time")
def _is_date_time(value: object) -> bool:
    """Return whether a text is a moment as GitHub writes it: ``2011-04-14T16:00:49Z``."""
    if not isinstance(value, str):
        return True
    try:
        return datetime.fromisoformat(value).tzinfo is not None and "T" in value
    except ValueError:
        return False


@_FORMATS.checks("uri")
def _is_uri(value: object) -> bool:
    return not isinstance(value, str) or (bool(urlsplit(value).scheme) and not re.search(r"[\s{}]", value))


def as_json_schema(schema: Schema) -> dict[str, Any]:
    """Return an OpenAPI 3.0 schema as JSON Schema; references stay as they are."""
    if "$ref" in schema:
        return {"$ref": schema["$ref"]}
    made: dict[str, Any] = {name: schema[name] for name in _KEPT if name in schema}
    if isinstance(made.get("additionalProperties"), dict):
        made["additionalProperties"] = as_json_schema(made["additionalProperties"])
    for name in ("items", "not"):
        if name in schema:
            made[name] = as_json_schema(schema[name])
    if "properties" in schema:
        made["properties"] = {key: as_json_schema(part) for key, part in schema["properties"].items()}
    for name, kept_as in (("allOf", "allOf"), ("anyOf", "anyOf"), ("oneOf", "anyOf")):
        if name in schema:
            made.setdefault(kept_as, []).extend(as_json_schema(part) for part in schema[name])
    if schema.get("nullable"):
        return {"anyOf": [{"type": "null"}, made]}
    return made


class Schemas:
    """The schemas that a description names, ready to judge values."""

    def __init__(self, components: Mapping[str, Schema]) -> None:
        self._components = {name: as_json_schema(part) for name, part in components.items()}

    def violations(self, schema: Schema, value: object) -> Iterator[str]:
        """Yield what is wrong with a value, one sentence each; invented fields too."""
        made = as_json_schema(schema)
        whole = {**made, "components": {"schemas": self._components}}
        for error in Draft202012Validator(whole, format_checker=_FORMATS).iter_errors(value):
            deepest = error
            while deepest.context:
                # The alternative that came furthest says best what is wrong; "is not null" never does.
                deepest = max(deepest.context, key=lambda part: (len(part.path), part.validator_value != "null"))
            yield f"{_place(deepest.absolute_path)}: {deepest.message[:300]}"
        yield from self._invented([made], value, "")

    def variants(self, schema: Schema, value: object) -> Iterator[tuple[str, object]]:
        """Yield the value with one field null, or left out, wherever the schema allows that; and where that is.

        Of a list, the first element stands for all.
        """
        yield from self._variants([as_json_schema(schema)], value, "")

    def _variants(self, schemas: list[dict[str, Any]], value: object, place: str) -> Iterator[tuple[str, object]]:
        known = [part for schema in schemas for part in self._alternatives(schema)]
        if isinstance(value, list) and value:
            items = [part["items"] for part in known if "items" in part]
            for where, first in self._variants(items, value[0], f"{place}[0]"):
                yield where, [first, *value[1:]]
        elif isinstance(value, dict):
            objects = [part for part in known if part.get("properties")]
            for name, inner in value.items():
                inside = [part["properties"][name] for part in objects if name in part["properties"]]
                where = f"{place}.{name}"
                if not inside:
                    continue
                if not any(name in part.get("required", ()) for part in objects):
                    yield f"{where} left out", {key: part for key, part in value.items() if key != name}
                if inner is not None and any(self._nullable(part) for part in inside):
                    yield f"{where} null", {**value, name: None}
                for deeper, changed in self._variants(inside, inner, where):
                    yield deeper, {**value, name: changed}

    def _nullable(self, schema: dict[str, Any]) -> bool:
        return any(part.get("type") == "null" for part in self._alternatives(schema))

    def _invented(self, schemas: list[dict[str, Any]], value: object, place: str) -> Iterator[str]:
        """Yield the fields that no schema of this place knows."""
        known = [part for schema in schemas for part in self._alternatives(schema)]
        if isinstance(value, list):
            items = [part["items"] for part in known if "items" in part]
            for position, item in enumerate(value):
                yield from self._invented(items, item, f"{place}[{position}]")
        elif isinstance(value, dict):
            objects = [part for part in known if part.get("properties")]
            if not objects or any(part.get("additionalProperties") for part in known):
                return
            for name, inner in value.items():
                inside = [part["properties"][name] for part in objects if name in part["properties"]]
                if inside:
                    yield from self._invented(inside, inner, f"{place}.{name}")
                else:
                    yield f"{place or 'the body'}: GitHub knows no field {name!r} here"

    def _alternatives(self, schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
        if "$ref" in schema:
            yield from self._alternatives(self._components[schema["$ref"].rpartition("/")[2]])
            return
        yield schema
        for name in ("allOf", "anyOf"):
            for part in schema.get(name, ()):
                yield from self._alternatives(part)


def _place(path: Any) -> str:
    steps = [f"[{step}]" if isinstance(step, int) else f".{step}" for step in path]
    return "".join(steps) or "the body"
