"""Flags of the command line for settings, as their owners declare them."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from functools import partial
from typing import Any

from review_bot.setting import Declared, check_refused, declared, make, parse


def add(parser: argparse._ActionsContainer, settings: Iterable[Declared]) -> None:
    """Declare a flag for each setting. One that is not given is None."""
    for setting in settings:
        default = setting.default if setting.default and setting.kind is not bool else None
        said = setting.doc[0].lower() + setting.doc[1:].replace("`", "").replace("%", "%%").removesuffix(".")
        if setting.order:
            said += "; the stricter of this and the configuration applies"
        options: dict[str, Any] = {"help": said + (f" (default: {default})" if default is not None else "")}
        if setting.kind is bool:
            options |= {"action": "store_true", "default": None}
        elif setting.words:
            options |= {"choices": setting.words, "type": partial(_word, setting)}
        else:
            options |= {"type": partial(_value, setting), "metavar": "N" if setting.kind is int else "TEXT"}
        parser.add_argument(f"--{setting.name}", dest=setting.field, **options)


def add_running(parser: argparse._ActionsContainer) -> None:
    """Declare the number of processes, which is None without the flag, and whether anything is kept for later runs."""
    parser.add_argument("--jobs", type=positive, metavar="N", help="worker processes (default: one per core)")
    parser.add_argument(
        "--no-cache",
        action="store_true",
        help="neither read nor write the user's cache folder; the report is the same",
    )


def positive(text: str) -> int:
    """Return a whole number from 1 on. Raises ArgumentTypeError."""
    if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text)):
        raise argparse.ArgumentTypeError(f"must be at least 1, not {text!r}")
    return int(text)


def given(options: argparse.Namespace, record: type) -> list[str]:
    """Return the flags of a record's settings that are on the command line."""
    return [f"--{each.name}" for each in declared(record) if getattr(options, each.field) is not None]


def read(options: argparse.Namespace, record: type) -> Any:
    """Return a record of what the command line sets; a command without these flags sets nothing."""
    return make(record, lambda setting: getattr(options, setting.field, None))


def _word(setting: Declared, text: str) -> str:
    """Return a word, also one that is no choice. Raises ArgumentTypeError if it is refused for a reason of its own."""
    try:
        return str(check_refused(text, setting.marks))
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _value(setting: Declared, text: str) -> Any:
    try:
        return parse(setting, text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
