"""Reads ``.github/review-bot.yml``. The grammar follows from the settings as their owners declare them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, partial, reduce
from hashlib import sha256
from operator import or_
from typing import Annotated, Any, get_args, get_origin

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    create_model,
    model_validator,
)

from review_bot.configuration.inputs import Inputs
from review_bot.configuration.settings import Settings
from review_bot.errors import ConfigError, together
from review_bot.files.policy_paths import CONFIG_PATH
from review_bot.files.yaml_file import YamlError, errors_by_entry, read_yaml
from review_bot.setting import Declared, Setting, all_declared, bare, check_refused, is_record, is_union, make, marks_of


class _Mapping(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    @model_validator(mode="before")
    @classmethod
    def _without_empty_keys(cls, data: Any) -> Any:
        """Drop keys without a value: they set nothing."""
        optional = {field.alias for field in cls.model_fields.values() if not field.is_required()}
        if not isinstance(data, dict):
            return data
        return {key: value for key, value in data.items() if value is not None or key not in optional}


def read(text: str, path: str = CONFIG_PATH) -> Settings:
    """Read a configuration. Raises ConfigError with file, line and field."""
    try:
        documents = read_yaml(text)
    except YamlError as error:
        raise ConfigError(error.message, path=path, line=error.line) from error
    if len(documents) > 1:
        raise ConfigError("a configuration is one document; remove the `---`", path=path, line=documents[1].line)
    data: Any = documents[0].data if documents else {}
    if not isinstance(data, dict | None):
        raise ConfigError("a configuration is a mapping such as `fail-on: error`", path=path, line=1)
    try:
        model = grammar(Settings).model_validate(data or {})
    except ValidationError as error:
        inputs, keys = ({each.name for each in all_declared(record)} for record in (Inputs, Settings))
        found = []
        for location, sentence in errors_by_entry(error.errors(), data, _keys(schema())):
            message = sentence
            if len(location) == 1 and location[0] in inputs - keys:
                message = f"{location[0]!r} is an input of the Action; set it below `with:` in the workflow"
            elif location[0] == "rules" and location[2:] == ("enabled",):
                message = "the key 'enabled' is not known here; a rule is switched off with `show: off`"
            line, field = documents[0].line_of(location), ".".join(map(str, location))
            found.append(ConfigError(message, path=path, line=line, field=field))
        raise together(found) from error
    settings: Settings = record_of(Settings, model)
    digest = sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return settings._replace(policy=settings.policy._replace(digest=digest), given=frozenset(model.model_fields_set))


def located(error: ConfigError, text: str, path: str) -> ConfigError:
    """Return an error about a field of a configuration with file and line."""
    documents = read_yaml(text)
    found = []
    for each in (error, *error.others):
        line = documents[0].line_of(location_of(each.field)) if documents else None
        found.append(ConfigError(each.message, path=path, line=line, field=each.field))
    return together(found)


def location_of(field: str) -> tuple[str | int, ...]:
    """Return keys and indexes of a field such as ``cards.0.id``; the name of a rule is one key, with its dots."""
    key, _, rest = field.partition(".")
    if key == "rules":
        return (key, rest)
    return tuple(int(part) if part.isdigit() else part for part in field.split("."))


def schema() -> dict[str, Any]:
    """Return the JSON Schema of the configuration."""
    made = grammar(Settings).model_json_schema(by_alias=True)
    made |= {"title": "ConfigFile", "description": "The configuration of Review Bot for one repository."}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **made}


def _keys(part: Any) -> Iterator[str]:
    """Yield the keys of a configuration and of all its parts."""
    if isinstance(part, dict):
        yield from part.get("properties", ())
        for each in part.values():
            yield from _keys(each)


@cache
def grammar(record: type) -> type[BaseModel]:
    """Return what validates the settings of a record."""
    fields: dict[str, Any] = {each.field: (_shape(each.hint), _field(each)) for each in all_declared(record)}
    first_paragraph = (record.__doc__ or "").partition("\n\n")[0]
    return create_model(record.__name__, __base__=_Mapping, __doc__=first_paragraph, **fields)


def _field(setting: Declared) -> Any:
    options: dict[str, Any] = {"alias": setting.name, "description": setting.doc}
    if is_record(setting.kind) or isinstance(setting.default, Mapping):
        return Field(default_factory=lambda: setting.default, **options)
    if setting.required:
        return Field(**options)
    return Field(default=setting.default, **options)


def record_of(record: type, model: BaseModel) -> Any:
    """Return a record of what was validated."""
    return make(record, lambda setting: getattr(model, setting.field))


def _shape(hint: Any) -> Any:
    """Return a type as pydantic validates it in YAML."""
    if get_origin(hint) is Annotated:
        shape = _shape(hint.__origin__)
        for mark in hint.__metadata__:
            shape = Annotated[shape, *_bounds(mark, bare(hint))]
        refuse = partial(check_refused, marks=marks_of(hint))
        return Annotated[shape, BeforeValidator(refuse)] if any(mark.refused for mark in marks_of(hint)) else shape
    if is_record(hint):
        return Annotated[grammar(hint), AfterValidator(partial(record_of, hint))]
    if get_origin(hint) is tuple:
        return Annotated[list[_shape(get_args(hint)[0])], AfterValidator(tuple)]  # type: ignore[misc]
    if is_union(hint):
        return reduce(or_, map(_shape, get_args(hint)))
    if get_args(hint) and isinstance(get_origin(hint), type):
        key, value = map(_shape, get_args(hint))
        return dict[key, value]  # type: ignore[valid-type]
    return hint


def _bounds(mark: Setting, kind: Any) -> list[Any]:
    """Return what pydantic knows of the bounds of a setting."""
    names = ("ge", "le") if kind is int else ("min_length", "max_length")
    limits: Any = dict(zip(names, (mark.least, mark.most), strict=True))
    check = mark.check
    if check is None:
        return [Field(**limits)]

    def checked(value: Any) -> Any:
        check(value)
        return value

    return [Field(**limits), AfterValidator(checked)]
