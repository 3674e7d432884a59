"""The indentation that the lines of a text share."""

from __future__ import annotations

from os.path import commonprefix


def dedented(text: str) -> str:
    """Return a text without the indentation that its lines share; lines of blanks become empty.

    ``textwrap.dedent`` returns the same, and takes far longer to import than most texts take to dedent.
    """
    lines = [line if line.strip(" \t") else "" for line in text.split("\n")]
    indents = [line[: len(line) - len(line.lstrip(" \t"))] for line in lines if line]
    shared = commonprefix(indents)  # noqa: RUF071  # of characters, as these are no paths
    return "\n".join(line.removeprefix(shared) for line in lines)
