"""The one printer to the terminal, and what it may say there; the only user of rich."""

import os
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TextIO

from review_bot.errors import ReviewBotError
from review_bot.records import NamedTuple
from review_bot.text.file_name import shown

DEFAULT_WIDTH = 80
_NARROWEST = 40

_UNSAFE = (
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\u115f\u1160\u3164\uffa0\ud800-\udfff\U000e0000-\U000e0fff]"
    "|(?<=[!-~])[\u200c\u200d]|[\u200c\u200d](?=[!-~])"
)
"""Controls, bidi marks, line separators, letters and format characters that are not seen, halves of surrogate pairs.

A joiner is left where it belongs, between letters of other scripts and in emoji; next to a Latin letter it only hides.
"""

_LINK_TERMINALS = frozenset({"iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "Tabby", "rio"})


def disarm(text: str) -> str:
    r"""Return text that a terminal, a log and a reader take for what it is: ``\u202e`` stands for that character.

    Whatever moves the cursor, turns the reading direction, ends a line or cannot be seen becomes an escape.
    """
    return text if text.isascii() and text.isprintable() else re.sub(_UNSAFE, _escape, text)


def _escape(match: re.Match[str]) -> str:
    byte_of_a_name = shown(match[0])
    if byte_of_a_name != match[0]:
        return byte_of_a_name
    code = ord(match[0])
    return f"\\u{code:04x}" if code <= 0xFFFF else f"\\U{code:08x}"


def _disarm_lines(text: str) -> str:
    return "\n".join("\t".join(map(disarm, line.split("\t"))) for line in text.split("\n"))


def say(text: str) -> None:
    """Print lines of text to standard output, disarmed."""
    write(_disarm_lines(text) + "\n")


def warn(text: str) -> None:
    """Print lines of text to standard error, disarmed."""
    write(_disarm_lines(text) + "\n", sys.stderr)


class ReaderGone(Exception):
    """What reads our output has ended, as ``head`` does."""


class OutputLost(ReviewBotError):
    """A standard stream cannot be written."""


def write(text: str, stream: TextIO | None = None) -> None:
    """Print a finished report, to standard output by default; what the stream's encoding lacks becomes an escape.

    Raises ReaderGone and OutputLost.
    """
    stream = sys.stdout if stream is None else stream
    with _named_errors(stream):
        try:
            stream.write(text)
        except UnicodeEncodeError:
            encoding = stream.encoding or "ascii"
            stream.write(text.encode(encoding, "backslashreplace").decode(encoding))


def flush() -> None:
    """Write out what is still held back of standard output. Raises ReaderGone and OutputLost."""
    with _named_errors(sys.stdout):
        sys.stdout.flush()


@contextmanager
def _named_errors(stream: TextIO) -> Iterator[None]:
    try:
        yield
    except BrokenPipeError as error:
        raise ReaderGone from error
    except OSError as error:
        name = "standard error" if stream is sys.stderr else "standard output"
        raise OutputLost(f"could not write to {name}: {error.strerror or error}") from error


class Terminal(NamedTuple):
    """What the reader's screen can do: its width in cells, colour, and links (OSC 8)."""

    width: int = DEFAULT_WIDTH
    colour: bool = False
    links: bool = False


PLAIN = Terminal()


def find_terminal(environment: Mapping[str, str] = os.environ, stream: TextIO | None = None) -> Terminal:
    """Return what a stream, standard output by default, can show.

    ``NO_COLOR`` wins over ``FORCE_COLOR``, which wins over ``CLICOLOR_FORCE``, ``TERM=dumb`` and a stream that is not a
    terminal.
    """
    stream = sys.stdout if stream is None else stream
    terminal = stream.isatty()
    capable = terminal and environment.get("TERM", "") != "dumb"
    colour = capable or environment.get("CLICOLOR_FORCE", "") not in {"", "0"}
    if environment.get("FORCE_COLOR", ""):
        colour = environment["FORCE_COLOR"].lower() not in {"0", "false"}
    if environment.get("NO_COLOR", ""):
        colour = False
    return Terminal(_width(environment, stream), colour, capable and _shows_links(environment))


def _width(environment: Mapping[str, str], stream: TextIO) -> int:
    columns = environment.get("COLUMNS", "")
    if columns.isascii() and columns.isdigit() and int(columns):
        return max(int(columns), _NARROWEST)
    try:
        found = os.get_terminal_size(stream.fileno()).columns if stream.isatty() else 0
    except (OSError, ValueError):
        found = 0
    return max(found, _NARROWEST) if found else DEFAULT_WIDTH


def _shows_links(environment: Mapping[str, str]) -> bool:
    if environment.get("CI"):
        return False
    version = environment.get("VTE_VERSION", "")
    return (
        environment.get("TERM_PROGRAM") in _LINK_TERMINALS
        or (version.isascii() and version.isdigit() and int(version) >= 5000)
        or any(name in environment for name in ("KITTY_WINDOW_ID", "KONSOLE_VERSION", "WT_SESSION"))
    )


class Span(NamedTuple):
    """A piece of a line: disarmed text, a style in rich's words (``bold red``), and a link (https) or nothing."""

    text: str
    style: str = ""
    link: str = ""


def paint(lines: Iterable[Sequence[Span]], terminal: Terminal) -> str:
    """Return lines as text for a terminal. Spans are never read as markup."""
    shown = []
    for line in lines:
        parts = [_painted(span, terminal) for span in line]
        shown.append("".join(parts) if terminal.colour else "".join(parts).rstrip(" "))
    return "\n".join(shown) + "\n"


def _painted(span: Span, terminal: Terminal) -> str:
    text = span.text
    if terminal.colour and span.style:
        from rich.color import ColorSystem
        from rich.style import Style

        # Sixteen colours are the ones that people choose to be readable on their background.
        text = Style.parse(span.style).render(text, color_system=ColorSystem.STANDARD)
    if terminal.links and span.link:
        text = f"\x1b]8;;{span.link}\x1b\\{text}\x1b]8;;\x1b\\"
    return text


def cells(text: str) -> int:
    """Return how many cells a text takes on a screen: East Asian wide letters take two, combining marks none."""
    if text.isascii():
        return len(text)
    from unicodedata import category, east_asian_width

    return sum(
        0 if category(char) in {"Mn", "Me", "Cf"} else 2 if east_asian_width(char) in {"W", "F"} else 1 for char in text
    )


class LateProgress:
    """A progress bar for work that is mostly quick: it comes after half a second, if standard error is a terminal.

    ``begin`` takes the number of steps, ``done`` how many have ended, ``end`` takes the bar away.
    """

    PATIENCE = 0.5
    """Seconds; a shorter review shows no bar, and does not import what draws it."""

    INTERVAL = 0.1

    def __init__(self, title: str) -> None:
        self._title, self._total = title, 0
        self._bar: progress | None = None
        self._show: Callable[[int], None] = lambda _steps: None
        self._next = 0.0

    def begin(self, total: int) -> None:
        """Start to wait."""
        self._total = total
        self._next = time.monotonic() + self.PATIENCE

    def done(self, count: int) -> None:
        """Show how far the work is, at most ten times a second."""
        now = time.monotonic()
        if now < self._next or count >= self._total:
            return
        self._next = now + self.INTERVAL
        if self._bar is None:
            self._bar = progress(self._title, self._total)
            self._show = self._bar.__enter__()
        self._show(count)

    def end(self) -> None:
        """Take the bar away."""
        if self._bar is not None:
            self._bar.__exit__()
            self._bar = None


class progress:  # noqa: N801  # read as a function: `with progress("Reviewing", 50) as done: done(3)`
    """A progress bar on standard error while a block runs, if that is a terminal.

    The block is given a function that takes the number of steps made. The bar is drawn by its calls alone, by no thread
    of its own, so that the block may fork.
    """

    def __init__(self, title: str, total: int) -> None:
        self._title, self._total = title, total
        self._bar: Any = None

    def __enter__(self) -> Callable[[int], None]:
        if not sys.stderr.isatty():
            return lambda _steps: None
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        bar: Any = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
            auto_refresh=False,
        )
        self._bar = bar
        bar.start()
        task = bar.add_task(self._title, total=self._total)
        bar.refresh()
        return lambda steps: bar.update(task, completed=steps, refresh=True)

    def __exit__(self, *_error: object) -> None:
        if self._bar is not None:
            self._bar.stop()
