"""A continued line of a Dockerfile whose next line begins an instruction, which becomes part of the command."""

from __future__ import annotations

from collections.abc import Iterator

from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_BEGINS = LazyRegex(
    r"(?:FROM|RUN|CMD|LABEL|EXPOSE|ENV|ADD|COPY|ENTRYPOINT|VOLUME|USER|WORKDIR|ARG|ONBUILD|STOPSIGNAL|HEALTHCHECK|SHELL)\s"
)


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the continued line, or the instruction if only that was added."""
    for number, line in enumerate(source.lines, 1):
        if not line.rstrip().endswith("\\") or line.lstrip().startswith("#"):
            continue
        rest = enumerate(source.lines[number:], number + 1)
        follows = next(((n, each) for n, each in rest if each.strip() and not each.lstrip().startswith("#")), None)
        if follows is not None and _BEGINS.match(follows[1]) and not _checks_health(line, follows[1]):
            where = number if number in source.added else follows[0]
            word = follows[1].split()[0]
            yield Hit(where, values={"word": word, "line": str(follows[0]), "before": str(number)})


def _checks_health(line: str, following: str) -> bool:
    """Return whether two lines are one instruction: ``HEALTHCHECK [OPTIONS] CMD command``."""
    return line.lstrip().startswith("HEALTHCHECK") and following.startswith("CMD")


CHECK = file_check(examine, CheckTraits(literals=("FROM", "RUN")))
