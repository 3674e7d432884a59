"""Arguments to one command to an exit code; the only error handler.

====  ==================================================================
0     the gate passes
1     the gate fails on findings
2     the command line, a configuration or a rule is wrong
3     the review could not be completed
130   interrupted (SIGINT); 143 ended by SIGTERM, 129 by SIGHUP
141   what reads the output has ended, such as ``head``
====  ==================================================================
"""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module
from types import FrameType
from typing import Any, NoReturn

from review_bot.errors import Interrupted, ReviewBotError
from review_bot.text import console
from review_bot.text.near_names import did_you_mean
from review_bot.version import VERSION

COMMANDS: dict[str, str] = {
    "review": "review a branch, a range, the working tree, a diff or a pull request",
    "brief": "print the review as one short text, for a busy reader or a coding agent",
    "explain": "print one finding in full, with the steps that lead to it",
    "action": "run the GitHub Action: review, post, gate",
    "fix": "apply the verified fixes to the working tree",
    "rules": "list, show and test rules",
    "config": "check the configuration, or print its schema",
    "init": "write a configuration for this repository, and a workflow",
    "replay": "run the rules over the merged pull requests of a clone",
}
"""The commands, each in the module of its name under ``review_bot/commands/``."""

_EXAMPLES = """examples:
  review-bot review                          the branch that you are about to push
  review-bot review main src/engine.py       compared with a revision; only findings in these files or folders
  review-bot review v1.0..v1.1               any range of commits
  review-bot review --staged                 what you are about to commit
  git diff | review-bot review --diff -      any diff
  review-bot review --pr owner/name#19       a pull request on GitHub; nothing is posted
  review-bot review --export DIR             the whole dossier: SUMMARY.md, report.html, fixes.patch and more
  review-bot fix --dry-run                   the verified fixes, as a patch
  review-bot explain 00112233aabbccdd        one finding, with what places hold at each step that leads to it
  review-bot brief --limit 3000              the review on one page, for a busy reader or a coding agent
  review-bot rules show errors/bare-except   why a rule exists and how to fix what it reports
"""


def run_process(run: Callable[[], int] | None = None) -> NoReturn:
    """Be the process: run one command, or ``run`` in its place, and leave with its exit code.

    The interpreter is not taken down module by module, which costs as much as many a check. Nothing waits for that:
    files are closed where they are written, and children are waited for.

    A command is one short run, in which the garbage collector would only walk syntax trees: it is off, and a command
    that reviews many changes turns it on.
    """
    if run is None:
        gc.disable()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) != signal.SIG_IGN:  # as under nohup
            signal.signal(number, _interrupt)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # where the caller ignores it, no child can be waited for
    try:
        code = main() if run is None else guarded(run)
    except SystemExit as ended:  # argparse, after it has printed help or an error
        code = ended.code if isinstance(ended.code, int) else 0
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(code)


def _interrupt(number: int, _frame: FrameType | None) -> NoReturn:
    raise Interrupted(number)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return the exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    return guarded(lambda: _run(given))


def guarded(run: Callable[[], int]) -> int:
    """Return the exit code of ``run``; an error becomes a sentence on standard error and its exit code."""
    _open_streams()
    try:
        try:
            code = run()
            console.flush()
            return code
        except (Exception, KeyboardInterrupt) as error:  # the last place where a traceback can become a sentence
            if isinstance(error, console.ReaderGone):
                raise
            sentence, code = _ending(error)
            console.warn(f"review-bot: {sentence}")
            return code
    except console.ReaderGone:
        # Nothing more can be printed. The exit code is that of a program which SIGPIPE ended, as a shell reports it.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 128 + signal.SIGPIPE
    except console.OutputLost as lost:
        return lost.exit_code  # standard error is lost too


def _ending(error: BaseException) -> tuple[str, int]:
    """Return what to say about an error, and the exit code."""
    if isinstance(error, ReviewBotError):
        return str(error), error.exit_code
    if isinstance(error, KeyboardInterrupt):
        return "interrupted", 128 + (error.number if isinstance(error, Interrupted) else signal.SIGINT)
    if isinstance(error, MemoryError):
        return "not enough memory for this review; review the change in parts", 3
    names = sys.getfilesystemencoding()
    if isinstance(error, UnicodeEncodeError) and names != "utf-8" and error.encoding == names:
        return f"this locale has no letter for a file name ({names}); set PYTHONUTF8=1", 3
    if isinstance(error, OSError):
        place = f"{error.filename}: " if error.filename else ""
        return f"{place}{error.strerror or error}; the review could not be completed", 3
    return _defect(error), 3


def _open_streams() -> None:
    """Give the streams that the caller has closed an end, so that nothing fails for want of them."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115  # open to the end of the run


def _defect(error: BaseException) -> str:
    """Return a sentence about an error that was not expected, with the place in our code where it happened."""
    place = "an unknown place"
    trace = error.__traceback__
    while trace is not None:
        name = trace.tb_frame.f_code.co_filename
        if "review_bot" in name:
            place = f"{os.path.basename(name)}:{trace.tb_lineno}"
        trace = trace.tb_next
    words = str(error)[:200] or "no message"
    return (
        f"this is a bug in Review Bot ({type(error).__name__} in {place}: {words}); "
        "please report it with the command that you ran"
    )


def _run(given: list[str]) -> int:
    if given[:1] in (["--version"], ["-V"]):
        console.say(f"review-bot {VERSION}")
        return 0
    import argparse  # a version needs no parser

    from review_bot.commands.parser import CommandParser

    def formatter(prog: str) -> argparse.HelpFormatter:
        # Its own way to find the width imports half of the archive formats.
        return argparse.RawDescriptionHelpFormatter(prog, width=console.find_terminal().width - 2)

    name = next((argument for argument in given if not argument.startswith("-")), None)
    parser = CommandParser(
        prog="review-bot",
        description="Reviews pull requests the way a demanding ML-systems expert does, without a language model.",
        epilog=_EXAMPLES,
        formatter_class=formatter,
    )
    parser.add_argument("-V", "--version", action="version", version=f"review-bot {VERSION}")
    # The name of the program is given, since to find it argparse would set up all that prints help.
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands", prog="review-bot")
    command: Any = None
    known = {name: COMMANDS[name]} if name in COMMANDS else COMMANDS
    for each, summary in known.items():
        child = commands.add_parser(
            each, help=summary, description=summary[0].upper() + summary[1:] + ".", formatter_class=formatter
        )
        if each == name:
            command = import_module(f"review_bot.commands.{each}")
            command.add_arguments(child)
    if name is not None and name not in COMMANDS:
        parser.error(f"unknown command {name!r}{did_you_mean(name, COMMANDS)}")
    options = parser.parse_args(given)
    if options.command is None:
        parser.print_help()
        return 2
    code: int = command.run(options)
    return code
