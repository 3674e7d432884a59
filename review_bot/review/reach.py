"""How much of a change the rules can judge: which files have rules for their language, and which have none."""

from __future__ import annotations

from review_bot.records import NamedTuple

OTHER_LANGUAGE = "other"
"""The language of a file of which neither name nor suffix is known."""

DOCKERFILE = "Dockerfile"
"""The language of Dockerfiles and Containerfiles."""


class LanguageReach(NamedTuple):
    """Changed text files of one language for which there are rules; ``rules``: how many ran on one of them."""

    language: str
    files: int
    rules: int


class FileWithoutRules(NamedTuple):
    """A changed text file in a language without rules: only rules for any text looked at it."""

    path: str
    language: str


class Reach(NamedTuple):
    """Languages with rules, most files first, and the files without, by path.

    ``data_files``: JSON, CSV, plain text and lock files on which only rules for any text ran. Files that are ignored,
    unreviewed or without text are in none of them.
    """

    languages: tuple[LanguageReach, ...] = ()
    without_rules: tuple[FileWithoutRules, ...] = ()
    data_files: tuple[str, ...] = ()


def files_of(language: str, number: int, *, more: bool = False) -> str:
    """Return ``5 Python files``, or with ``more`` ``5 more Python files``; "5 other files" are always others."""
    noun = language if language == DOCKERFILE else f"{language} file"
    first = "more " if more and language != OTHER_LANGUAGE else ""
    return f"{number} {first}{noun}{'' if number == 1 else 's'}"
