"""GraphQL: ``schema.graphql`` says what can be asked for, ``graphql_types.py`` finds it, graphql-core does the rest."""

import json
import os
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any

from graphql import (
    ArgumentNode,
    DocumentNode,
    FieldNode,
    FragmentSpreadNode,
    GraphQLError,
    GraphQLSchema,
    OperationDefinitionNode,
    ValidationRule,
    build_schema,
    execute_sync,
    get_operation_ast,
    get_variable_values,
    is_composite_type,
    parse,
    print_ast,
    validate,
)

from fake_github.calls import Answer, Call, Refusal, Urls
from fake_github.graphql_checks import context_kind
from fake_github.graphql_nodes import GithubError, Node
from fake_github.graphql_types import TYPES
from fake_github.hosting import Hosting
from fake_github.http_server import Request
from fake_github.world import Token

_REFUSALS = {404: "NOT_FOUND", 403: "FORBIDDEN"}


def operation_name(body: Mapping[str, Any]) -> str | None:
    """Return the name of the operation that a request asks for, without carrying it out."""
    if isinstance(body.get("operationName"), str):
        return str(body["operationName"])
    try:
        operation = get_operation_ast(parse(str(body.get("query", ""))))
    except GraphQLError:
        return None
    return operation.name.value if operation and operation.name else None


def answer(hosting: Hosting, urls: Urls, request: Request, token: Token | None) -> Answer:
    """Answer ``POST /graphql``. A token is always needed (docs graphql/guides/forming-calls-with-graphql)."""
    if token is None:
        raise Refusal(
            401, "This endpoint requires you to be authenticated.", documentation="https://docs.github.com/graphql"
        )
    try:
        body = json.loads(request.body)
    except ValueError:
        raise Refusal(400, "Problems parsing JSON") from None
    if not isinstance(body, dict) or not isinstance(body.get("query"), str):
        return Answer(200, {"errors": [{"message": "A query attribute must be specified and must be a string."}]})
    call = Call(hosting, urls, request, token, None, {})
    return Answer(200, _run(call, body["query"], body.get("operationName"), body.get("variables") or {}))


def _run(call: Call, text: str, name: str | None, variables: dict[str, Any]) -> dict[str, Any]:
    """Return ``data`` and ``errors``; a document that is not valid is not carried out at all."""
    try:
        document = _valid(text)
        operation = _operation(document, name)
        _check_variables(operation.variable_definitions or (), variables)
    except GraphQLError as error:
        return {"errors": [_as_json(error)]}
    root = Node("Query" if operation.operation.value == "query" else "Mutation", None)
    done = execute_sync(
        _schema(),
        document,
        root,
        call,
        variables,
        name,
        field_resolver=lambda node, info, **arguments: TYPES[info.parent_type.name][info.field_name](
            info.context, node.value, arguments
        ),
        type_resolver=lambda node, info, _: context_kind(info.context, node),
    )
    return {"data": done.data} | ({"errors": [_as_json(error) for error in done.errors]} if done.errors else {})


@cache
def _schema() -> GraphQLSchema:
    with open(os.path.join(os.path.dirname(__file__), "schema.graphql"), encoding="utf-8") as stream:
        return build_schema(stream.read())


@lru_cache(maxsize=200)
def _valid(text: str) -> DocumentNode:
    """Return a document that fits the schema. Raises GraphQLError."""
    try:
        document = parse(text)
    except GraphQLError as error:
        raise GraphQLError(f"Parse error: {error.message}", error.nodes, error.source, error.positions) from None
    errors = validate(_schema(), document, [_InTheWordsOfGitHub]) or validate(_schema(), document)
    if errors:
        raise errors[0]
    return document


def _operation(document: DocumentNode, name: str | None) -> OperationDefinitionNode:
    """Return the operation of a name, or the only one. Raises GraphQLError."""
    operation = get_operation_ast(document, name)
    if operation is None:
        raise GraphQLError("An operation name is required" if name is None else f'No operation named "{name}"')
    return operation


class _InTheWordsOfGitHub(ValidationRule):
    """The mistakes that tools look for, as graphql-ruby words them; GitHub passes its words on."""

    def enter_field(self, node: FieldNode, *_: Any) -> None:
        parent, field, name = self.context.get_parent_type(), self.context.get_field_def(), node.name.value
        kind = self.context.get_type()
        if parent and not field:
            details = {"code": "undefinedField", "typeName": parent.name, "fieldName": name}
            self._report(f"Field '{name}' doesn't exist on type '{parent.name}'", node, details)
        elif kind and is_composite_type(kind) and not node.selection_set:
            words = f"Field must have selections (field '{name}' returns {kind} but has no selections)"
            self._report(words, node, {"code": "selectionMismatch"})

    def enter_argument(self, node: ArgumentNode, *around: Any) -> None:
        if self.context.get_field_def() and not self.context.get_argument():
            words = f"Field '{around[3][-1].name.value}' doesn't accept argument '{node.name.value}'"
            self._report(words, node, {"code": "argumentNotAccepted"})

    def enter_fragment_spread(self, node: FragmentSpreadNode, *_: Any) -> None:
        if not self.context.get_fragment(node.name.value):
            self._report(f"Fragment {node.name.value} was used, but not defined", node, None)

    def _report(self, words: str, node: Any, extensions: dict[str, Any] | None) -> None:
        self.report_error(GraphQLError(words, node, extensions=extensions))


def _check_variables(definitions: Any, variables: dict[str, Any]) -> None:
    for definition in definitions:
        found = get_variable_values(_schema(), [definition], variables)
        if isinstance(found, list):
            name = definition.variable.name.value
            problems = [{"path": [], "explanation": error.message} for error in found]
            raise GraphQLError(
                f"Variable ${name} of type {print_ast(definition.type)} was provided invalid value",
                definition,
                extensions={"value": variables.get(name), "problems": problems},
            )


def _as_json(error: GraphQLError) -> dict[str, Any]:
    """Return an error as GitHub writes it. Raises what a resolver raised by mistake."""
    cause, kind, extensions = error.original_error, None, error.extensions
    if isinstance(cause, GithubError):
        kind = cause.kind
    elif isinstance(cause, Refusal):
        kind = _REFUSALS.get(cause.status, "UNPROCESSABLE")
    elif cause is not None:
        raise cause
    row: dict[str, Any] = {"message": error.message, "locations": [one.formatted for one in error.locations or ()]}
    row |= {"path": error.path} if error.path else {}
    row |= {"type": kind} if kind else {}
    return row | ({"extensions": extensions} if extensions else {})
