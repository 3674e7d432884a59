"""The words of a name such as ``is_full`` or ``isFull``, and the forms in which a sentence writes them."""

from __future__ import annotations

from review_bot.text.lazy_regex import LazyRegex

_WORD = LazyRegex(r"[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+|\d+")


def words_in(text: str) -> list[str]:
    """Return the words of a name or a sentence, in lower case."""
    return [each.lower() for each in _WORD.findall(text)]


def difference(one: list[str], other: list[str]) -> tuple[list[str], list[str]]:
    """Return what two names hold between their common first and last words."""
    first = next((at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), 0)
    one, other = one[first:], other[first:]
    while one and other and one[-1] == other[-1]:
        one, other = one[:-1], other[:-1]
    return one, other


def forms_of(word: str) -> set[str]:
    """Return a word as a sentence may write it."""
    stem = word.removesuffix("e")
    return {word, f"{word}s", f"{word}es", f"{stem}ed", f"{stem}ing", word.removesuffix("s")}
