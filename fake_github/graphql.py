"""GraphQL: any selection of the fields that ``graphql_types.py`` knows; what it does not know is GitHub's error."""

import json
from collections.abc import Mapping
from typing import Any

from fake_github.calls import Answer, Call, Refusal, Urls
from fake_github.graphql_document import Document, Field, GraphqlError, Operation, Selection, Spread, Variable, parse
from fake_github.graphql_nodes import Node
from fake_github.graphql_types import INTERFACES, TYPES
from fake_github.hosting import Hosting
from fake_github.http_server import Request
from fake_github.world import Token


def operation_name(body: Mapping[str, Any]) -> str | None:
    """Return the name of the operation that a request asks for, without carrying it out."""
    if isinstance(body.get("operationName"), str):
        return str(body["operationName"])
    try:
        return parse(str(body.get("query", ""))).operation(None).name
    except GraphqlError:
        return None


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
    execution = Execution(Call(hosting, urls, request, token, None, {}))
    return Answer(200, execution.run(body["query"], body.get("operationName"), body.get("variables") or {}))


class Execution:
    """Carries out one document."""

    def __init__(self, call: Call) -> None:
        self._call = call
        self._errors: list[dict[str, Any]] = []
        self._document = Document((), {})
        self._variables: Mapping[str, Any] = {}

    def run(self, text: str, name: str | None, variables: Mapping[str, Any]) -> dict[str, Any]:
        """Return ``data`` and ``errors``; a document that is not valid is not carried out at all."""
        try:
            self._document = parse(text)
            operation = self._document.operation(name)
            self._variables = _read_variables(operation, variables)
            root = "Query" if operation.kind == "query" else "Mutation"
            self._check(root, operation.selections)
        except GraphqlError as error:
            return {"errors": [_written(error, [])]}
        data = self._select(Node(root, None), operation.selections, [])
        return {"data": data} | ({"errors": self._errors} if self._errors else {})

    def _check(self, kind: str, selections: tuple[Selection, ...]) -> None:
        """Refuse fields that no type of the schema has here."""
        for selection in selections:
            if not isinstance(selection, Field):
                inline = self._fragment(selection)
                self._check(inline.condition or kind, inline.selections)
            elif selection.name != "__typename":
                known = TYPES.get(kind, {}).get(selection.name)
                if known is None:
                    # graphql-ruby's words, which GitHub passes on
                    details = {"code": "undefinedField", "typeName": kind, "fieldName": selection.name}
                    words = f"Field '{selection.name}' doesn't exist on type '{kind}'"
                    raise GraphqlError(words, extensions=details)
                if known.kind and not selection.selections:
                    why = f"field '{selection.name}' returns {known.kind} but has no selections"
                    words = f"Field must have selections ({why})"
                    raise GraphqlError(words, extensions={"code": "selectionMismatch"})
                for argument in selection.arguments:
                    if argument not in known.arguments:
                        words = f"Field '{selection.name}' doesn't accept argument '{argument}'"
                        raise GraphqlError(words, extensions={"code": "argumentNotAccepted"})
                if known.kind:
                    self._check(known.kind, selection.selections)

    def _fragment(self, selection: Selection) -> Any:
        if isinstance(selection, Spread):
            if selection.name not in self._document.fragments:
                raise GraphqlError(f"Fragment {selection.name} was used, but not defined")
            return self._document.fragments[selection.name]
        return selection

    def _select(self, node: Node, selections: tuple[Selection, ...], path: list[str | int]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for selection in selections:
            if not isinstance(selection, Field):
                inline = self._fragment(selection)
                if inline.condition in {None, node.kind} or inline.condition in INTERFACES.get(node.kind, ()):
                    found |= self._select(node, inline.selections, path)
                continue
            here = [*path, selection.key]
            if selection.name == "__typename":
                found[selection.key] = node.kind
                continue
            try:
                arguments = {name: self._value(value) for name, value in selection.arguments.items()}
                value = TYPES[node.kind][selection.name].resolve(self._call, node.value, arguments)
                found[selection.key] = self._complete(value, selection, here)
            except GraphqlError as error:
                self._errors.append(_written(error, here))
                found[selection.key] = None
            except Refusal as refused:
                kind = {404: "NOT_FOUND", 403: "FORBIDDEN"}.get(refused.status, "UNPROCESSABLE")
                self._errors.append(_written(GraphqlError(str(refused), kind), here))
                found[selection.key] = None
        return found

    def _complete(self, value: Any, field: Field, path: list[str | int]) -> Any:
        if isinstance(value, Node):
            return self._select(value, field.selections, path)
        if isinstance(value, list):
            return [self._item(one, field, [*path, at]) for at, one in enumerate(value)]
        return value

    def _item(self, value: Any, field: Field, path: list[str | int]) -> Any:
        """Complete a row of a list; one that may be refused alone is found only now."""
        try:
            return self._complete(value() if callable(value) else value, field, path)
        except GraphqlError as error:
            self._errors.append(_written(error, path))
            return None

    def _value(self, value: Any) -> Any:
        if isinstance(value, Variable):
            return self._variables.get(value.name)
        if isinstance(value, list):
            return [self._value(one) for one in value]
        if isinstance(value, dict):
            return {name: self._value(one) for name, one in value.items()}
        return value


def _read_variables(operation: Operation, given: Mapping[str, Any]) -> dict[str, Any]:
    found = {}
    for name, (written, default) in operation.variables.items():
        value = given.get(name, default)
        if value is None and written.endswith("!"):
            words = f"Variable ${name} of type {written} was provided invalid value"
            raise GraphqlError(
                words,
                extensions={"value": None, "problems": [{"path": [], "explanation": "Expected value to not be null"}]},
            )
        if written.startswith("Int") and value is not None and (isinstance(value, bool) or not isinstance(value, int)):
            raise GraphqlError(f"Variable ${name} of type {written} was provided invalid value")
        found[name] = value
    return found


def _written(error: GraphqlError, path: list[str | int]) -> dict[str, Any]:
    row: dict[str, Any] = {"message": str(error), "locations": [{"line": 1, "column": 1}]}
    row |= {"path": path} if path else {}
    row |= {"type": error.kind} if error.kind else {}
    return row | ({"extensions": dict(error.extensions)} if error.extensions else {})
