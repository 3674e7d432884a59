"""The parser of the command line: an error is one line with the name that was probably meant."""

from __future__ import annotations

import argparse
from typing import Any, NoReturn

from review_bot.text import console
from review_bot.text.near_names import did_you_mean


class CommandParser(argparse.ArgumentParser):
    """Parses a command, an action or their options; each reports its own mistakes."""

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self._intermixing = False

    def error(self, message: str) -> NoReturn:
        """Print the error and where the options are listed, and exit with 2."""
        self.exit(2, f"{self.prog}: error: {message}\nSee `{self.prog} --help`.\n")

    def _print_message(self, message: str, file: Any = None) -> None:
        console.write(message, file)  # argparse itself ignores text that cannot be written
        console.flush()

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Return what is parsed, and an empty list: an unknown argument is an error of the parser that finds it.

        Options may come between positional arguments: by itself argparse takes an optional one as absent at the first
        option that follows the others (https://github.com/python/cpython/issues/59317).
        """
        if self._intermixing:
            return super().parse_known_args(args, namespace)
        if any(action.nargs == argparse.PARSER for action in self._actions):
            options, unknown = super().parse_known_args(args, namespace)
        else:
            self._intermixing = True  # the call below comes back here, once for the options and once for the rest
            options, unknown = self.parse_known_intermixed_args(args, namespace)
            self._intermixing = False
        if unknown:
            flag = next((each for each in unknown if each.startswith("-")), "")
            flags = [name for name in self._option_string_actions if name.startswith("--")]
            near = did_you_mean(flag.partition("=")[0], flags) if flag else ""
            self.error(f"unrecognized arguments: {' '.join(unknown)}{near}")
        return options, unknown

    def _match_argument(self, action: argparse.Action, arg_strings_pattern: str) -> int:
        try:
            return super()._match_argument(action, arg_strings_pattern)
        except argparse.ArgumentError as error:
            if action.choices is None:
                raise
            known = ", ".join(map(str, action.choices))
            raise argparse.ArgumentError(action, f"{error.message} (choose from {known})") from None

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        if action.choices is not None and value not in action.choices:
            known = [*map(str, action.choices)]
            near = did_you_mean(str(value), known)
            raise argparse.ArgumentError(action, f"invalid choice: {value!r} (choose from {', '.join(known)}){near}")
