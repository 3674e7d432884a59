"""The documentation of keys and inputs, as their owners declare them."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator
from typing import Any, get_args, get_origin

from review_bot.comments.model import Posting, PostingOverrides
from review_bot.configuration.inputs import Inputs, Overrides
from review_bot.configuration.settings import Settings
from review_bot.review.policy import Policy
from review_bot.setting import Declared, all_declared, bare, declared, is_record

_SHARED = frozenset({*Overrides._fields, *PostingOverrides._fields})
"""Fields of the inputs that are keys of the configuration too."""

_KINDS = {str: "text", int: "whole number", bool: "`true`, `false`"}


def key_table() -> str:
    """Return the Markdown table of all keys of the configuration."""
    rows = [f"| `{name}` | {_values(each)} | {_default(each)} | {each.doc} |" for name, each in _keys(Settings, "")]
    return "\n".join(["| Key | Values | Default | Meaning |", "| --- | --- | --- | --- |", *rows, ""])


def input_table() -> str:
    """Return the Markdown table of all inputs of the Action."""
    rows = [f"| `{name}` | {text} |" for name, text in inputs().items()]
    return "\n".join(["| Input | Meaning |", "| --- | --- |", *rows, ""])


def action_inputs() -> str:
    """Return the inputs as ``action.yml`` lists them."""
    lines = []
    for name, text in inputs().items():
        default = "${{ github.token }}" if name == "github-token" else "''"
        quoted = json.dumps(text, ensure_ascii=False) if ": " in text else text
        lines.append(f"  {name}:\n    description: {quoted}\n    default: {default}\n")
    return "".join(lines)


def inputs() -> dict[str, str]:
    """Return every input of the Action with its description."""
    own = {each.field: each for each in (*declared(Policy), *declared(Posting)) if each.field in _SHARED}
    return {each.name: _description(each, own.get(each.field)) for each in all_declared(Inputs)}


def config_template() -> str:
    """Return a configuration with every key: the gate's as they are by default, all others as comments."""
    parts = []
    for each in all_declared(Settings):
        values = f" Values: {_values(each)}." if each.words and not all(word in each.doc for word in each.words) else ""
        said = textwrap.fill(each.doc + values, 120, initial_indent="# ", subsequent_indent="# ")
        if each.example.startswith("[") or not each.example:
            setting = f"{each.name}: {each.example or each.default}"
        else:
            setting = f"{each.name}:\n{textwrap.indent(each.example, '  ')}"
        is_gate = each.field in Overrides._fields
        parts.append(f"{said}\n{setting if is_gate else textwrap.indent(setting, '# ')}\n")
    return "\n".join(parts)


def _description(setting: Declared, own: Declared | None) -> str:
    """Return the description of an input. ``own``: the key of the configuration with the same name."""
    said = [setting.doc]
    if not all(f"`{word}`" in setting.doc for word in _words(setting)):
        said.append(f"Values: {_values(setting)}.")
    if own is not None:
        wins = "The stricter of this and the configuration applies" if own.order else "Overrides the configuration"
        said.append(f"{wins}. Default: `{own.default}`.")
    elif _default(setting):
        said.append(f"Default: {_default(setting)}.")
    return " ".join(said)


def _keys(record: type, prefix: str) -> Iterator[tuple[str, Declared]]:
    for each in all_declared(record):
        name = prefix + each.name
        yield name, each
        if is_record(each.kind):
            yield from _keys(each.kind, f"{name}.")
        for inner in _records_within(each.kind):
            yield from _keys(inner, f"{name}[]." if get_origin(each.kind) is tuple else f"{name}.*.")


def _records_within(kind: Any) -> Iterator[type]:
    for part in get_args(kind):
        yield from [bare(part)] if is_record(bare(part)) else _records_within(part)


def _values(setting: Declared) -> str:
    words = _words(setting)
    if words:
        return ", ".join(f"`{word}`" for word in words)
    return _KINDS.get(setting.kind, "list" if get_origin(setting.kind) is tuple else "mapping")


def _words(setting: Declared) -> tuple[str, ...]:
    return ("true", "false") if setting.kind is bool else setting.words


def _default(setting: Declared) -> str:
    if setting.required:
        return "required"
    default = setting.default
    if isinstance(default, str | int) and default != "":
        return f"`{str(default).lower() if isinstance(default, bool) else default}`"
    items = get_args(setting.kind)[:1]
    return "all" if default and items and default == get_args(items[0]) else ""
