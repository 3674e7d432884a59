"""Reads ``rules/focus.yaml``: the built-in areas and question cards, in the grammar of the configuration."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from pydantic import ValidationError

from review_bot.assessment.review_areas import FocusMap
from review_bot.configuration.config_file import grammar, location_of, record_of
from review_bot.errors import ConfigError, RuleError
from review_bot.files.yaml_file import Document, YamlError, most_specific_error, read_yaml
from review_bot.records import NamedTuple
from review_bot.rules.review_topics import AreaEntry, CardEntry, with_topics
from review_bot.setting import Setting


class FocusFile(NamedTuple):
    """The whole file."""

    areas: Annotated[tuple[AreaEntry, ...], Setting("Parts of the field.")]
    cards: Annotated[tuple[CardEntry, ...], Setting("Question cards, the most important first.")]


def read_focus(text: str, path: str, rule_ids: Iterable[str]) -> FocusMap:
    """Read areas and cards. Raises RuleError with file, line and field, also for a rule that ``rule_ids`` lacks."""
    try:
        documents = read_yaml(text)
    except YamlError as error:
        raise RuleError(error.message, path=path, line=error.line) from error
    document = documents[0] if len(documents) == 1 else Document(None, {}, 1)
    if not isinstance(document.data, dict):
        raise RuleError("this must be one mapping with `areas` and `cards`", path=path, line=1)
    try:
        file = record_of(FocusFile, grammar(FocusFile).model_validate(document.data))
        return with_topics(FocusMap(), file.areas, file.cards, rule_ids)
    except ValidationError as error:
        location, sentence = most_specific_error(error.errors(), document.data)
    except ConfigError as error:
        location, sentence = location_of(error.field), error.message
    field = ".".join(map(str, location))
    raise RuleError(sentence, path=path, line=document.line_of(location), field=field)
