"""GitHub's public GraphQL schema (npm ``@octokit/graphql-schema``), and what it says of a document and its answer."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from graphql import (
    DocumentNode,
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    GraphQLAbstractType,
    GraphQLError,
    GraphQLNamedType,
    GraphQLResolveInfo,
    GraphQLScalarType,
    GraphQLSchema,
    InlineFragmentNode,
    OperationDefinitionNode,
    SelectionSetNode,
    build_schema,
    execute,
    get_named_type,
    is_abstract_type,
    is_non_null_type,
    parse,
    validate,
)

PUBLISHED = Path(__file__).parent / "node_modules/@octokit/graphql-schema/schema.graphql"

_TEXT_FORMS = {
    "Base64String": re.compile(r"[A-Za-z0-9+/=]*"),
    "GitObjectID": re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?"),
    "URI": re.compile(r"[a-z]+://\S+"),
}


_Fragments = Mapping[str, FragmentDefinitionNode]


class Schema:
    """The schema, ready to judge."""

    @cached_property
    def _schema(self) -> GraphQLSchema:
        schema = build_schema(PUBLISHED.read_text(encoding="utf-8"), assume_valid=True)
        for name, kind in schema.type_map.items():
            if isinstance(kind, GraphQLScalarType) and name in {*_TEXT_FORMS, "DateTime", "GitTimestamp", "BigInt"}:
                kind.coerce_output_value = _reader(name)
        return schema

    def of_document(self, text: str) -> Iterator[str]:
        """Yield what is wrong with a document."""
        try:
            document = parse(text)
        except GraphQLError as error:
            yield error.message
            return
        for wrong in validate(self._schema, document):
            yield wrong.message

    def of_exchange(self, body: bytes, answer: bytes) -> Iterator[str]:
        """Yield what is wrong with a call: the document, its variables, or the answer's shape, types and names."""
        request, got = json.loads(body), json.loads(answer)
        for name in set(request) - {"query", "variables", "operationName"}:
            yield f"request: GraphQL over HTTP knows no field {name!r}"
        said = list(self.of_document(request["query"]))
        yield from (f"request: {sentence}" for sentence in said)
        if said:
            return
        if set(got) - {"data", "errors", "extensions"} or not got:
            yield "answer: it holds something else than data, errors and extensions"
        for error in got.get("errors", ()):
            if not isinstance(error.get("message"), str) or set(error) - {
                "message",
                "type",
                "path",
                "locations",
                "extensions",
            }:
                yield f"answer: this is no error of GitHub's: {error}"
        if got.get("data") is not None:
            yield from self._of_data(
                parse(request["query"]), request.get("variables"), got["data"], bool(got.get("errors"))
            )

    def variants(self, text: str, data: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Yield the data with one field null wherever the schema allows that; and where that is.

        Of a list, the first element stands for all.
        """
        document = parse(text)
        fragments = {made.name.value: made for made in document.definitions if isinstance(made, FragmentDefinitionNode)}
        for made in document.definitions:
            if isinstance(made, OperationDefinitionNode):
                root = self._schema.get_root_type(made.operation)
                assert root is not None
                yield from self._variants([made.selection_set], root, data, fragments, "")

    def _variants(
        self,
        selections: list[SelectionSetNode],
        kind: GraphQLNamedType,
        value: Mapping[str, Any],
        fragments: _Fragments,
        place: str,
    ) -> Iterator[tuple[str, Mapping[str, Any]]]:
        nodes: dict[str, list[FieldNode]] = {}
        for part in selections:
            for node in self._fields(part, None, fragments):
                nodes.setdefault((node.alias or node.name).value, []).append(node)
        for key, inner in value.items():
            if key == "__typename":  # never null
                continue
            type_ = next(found for node in nodes[key] if (found := self._type_of(kind, node.name.value)) is not None)
            where = f"{place}.{key}"
            if inner is not None and not is_non_null_type(type_):
                yield f"{where} null", {**value, key: None}
            first = inner[0] if isinstance(inner, list) and inner else inner
            deeper = [node.selection_set for node in nodes[key] if node.selection_set]
            if deeper and isinstance(first, dict):
                for changed_at, changed in self._variants(deeper, get_named_type(type_), first, fragments, where):
                    yield changed_at, {**value, key: [changed, *inner[1:]] if isinstance(inner, list) else changed}

    def _type_of(self, kind: GraphQLNamedType, field: str) -> Any:
        """Return the type of a field; of an abstract type, as one of its possible types has it."""
        kinds = [kind, *(self._schema.get_possible_types(kind) if is_abstract_type(kind) else ())]
        return next((made.fields[field].type for made in kinds if field in getattr(made, "fields", {})), None)

    def operations(self, text: str) -> list[str]:
        """Return the names of the operations in a document."""
        return [made.name.value for made in parse(text).definitions if getattr(made, "operation", None) and made.name]  # type: ignore[attr-defined]  # definitions of operations have a name

    def _of_data(
        self, document: DocumentNode, variables: Mapping[str, Any] | None, data: Mapping[str, Any], partial: bool
    ) -> Iterator[str]:
        """Yield where the answer differs from what executing the document over it gives back."""
        fragments = {made.name.value: made for made in document.definitions if isinstance(made, FragmentDefinitionNode)}

        def kind_of(value: Any, info: GraphQLResolveInfo[Any], kind: GraphQLAbstractType) -> str | None:
            return self._kind_of(value, info, kind, fragments)

        made = execute(
            self._schema,
            document,
            data,
            variable_values=dict(variables or {}),
            field_resolver=lambda value, info, **_: value.get(info.path.key),
            type_resolver=kind_of,
        )
        errors = getattr(made, "errors", None) or ()
        for error in errors:
            yield f"answer: {'.'.join(map(str, error.path or ['the variables']))}: {error.message}"
        if not errors and not partial:
            yield from (f"answer: {said}" for said in _differences(data, getattr(made, "data", None), ""))

    def _kind_of(
        self,
        value: Mapping[str, Any],
        info: GraphQLResolveInfo[Any],
        kind: GraphQLAbstractType,
        fragments: _Fragments,
    ) -> str | None:
        """Return the type whose fields the value holds: the answer need not say ``__typename``."""
        if "__typename" in value:
            return str(value["__typename"])
        fields = [node.selection_set for node in info.field_nodes if node.selection_set]
        candidates = {
            possible.name: {
                (node.alias or node.name).value
                for part in fields
                for node in self._fields(part, possible.name, fragments)
            }
            for possible in self._schema.get_possible_types(kind)
        }
        exact = [name for name, keys in candidates.items() if keys == set(value)]
        return exact[0] if exact else max(candidates, key=lambda name: len(candidates[name] & set(value)))

    def _fields(self, selections: SelectionSetNode, kind: str | None, fragments: _Fragments) -> Iterator[FieldNode]:
        """Yield the fields that a selection asks of a type, or of any type."""
        for node in selections.selections:
            if isinstance(node, FieldNode):
                yield node
                continue
            if isinstance(node, FragmentSpreadNode):
                fragment: FragmentDefinitionNode | InlineFragmentNode = fragments[node.name.value]
            else:
                assert isinstance(node, InlineFragmentNode)
                fragment = node
            condition = fragment.type_condition
            if kind is None or condition is None or self._fits(condition.name.value, kind):
                yield from self._fields(fragment.selection_set, kind, fragments)

    def _fits(self, condition: str, kind: str) -> bool:
        wanted = self._schema.type_map[condition]
        if is_abstract_type(wanted):
            return any(part.name == kind for part in self._schema.get_possible_types(wanted))
        return wanted.name == kind


def _reader(name: str) -> Any:
    def read(value: object) -> object:
        if name == "BigInt":
            fits = isinstance(value, str) and value.lstrip("-").isdigit()
        elif not isinstance(value, str):
            fits = False
        elif name in _TEXT_FORMS:
            fits = bool(_TEXT_FORMS[name].fullmatch(value))
        else:
            fits = datetime.fromisoformat(value).tzinfo is not None
        if not fits:
            raise GraphQLError(f"{value!r} is no {name}")
        return value

    return read


def _differences(given: object, made: object, place: str) -> Iterator[str]:
    if isinstance(given, dict) and isinstance(made, dict):
        for name in given.keys() - made.keys():
            yield f"{place}.{name} was not asked for"
        for name in made.keys() - given.keys():
            yield f"{place}.{name} is missing"
        for name in given.keys() & made.keys():
            yield from _differences(given[name], made[name], f"{place}.{name}")
    elif isinstance(given, list) and isinstance(made, list):
        for position, (one, other) in enumerate(zip(given, made, strict=True)):
            yield from _differences(one, other, f"{place}[{position}]")
    elif type(given) is not type(made) or given != made:
        yield f"{place} is {given!r}, which GraphQL writes as {made!r}"
