"""The sentences on what stands around a change: other pull requests that it meets. Plain text, not yet escaped."""

from __future__ import annotations

from review_bot.review.review import Review
from review_bot.review.surroundings import Neighbour


def neighbour_sentences(review: Review) -> tuple[str, ...]:
    """Return what other open pull requests have to do with this one, what it needs first; none if nobody looked.

    Names and places stand between single backticks.
    """
    neighbours = review.surroundings.neighbours
    if neighbours is None:
        return ()
    ranked = sorted(neighbours.found, key=lambda each: (not each.relation.startswith("adds-"), each.number))
    told = [neighbour_sentence(each) for each in ranked]
    if neighbours.order:
        order = ", ".join("this one" if number == 0 else f"#{number}" for number in neighbours.order)
        told.append(f"An order to merge them that breaks nothing: {order}.")
    if told or neighbours.limits:
        told.append(f"Compared with {neighbours.looked_at} of {neighbours.known} open pull requests.")
    return (*told, *neighbours.limits)


def neighbour_sentence(neighbour: Neighbour) -> str:
    """Return how another open pull request meets this one."""
    them = f"#{neighbour.number} (`{_quoted(neighbour.title)}`)"
    subject, here = _quoted(neighbour.subject), _place(neighbour.path, neighbour.line)
    there = _place(neighbour.their_path, neighbour.their_line)
    if neighbour.relation == "adds-module":
        return f"{them} adds the module `{subject}` ({there}), which {here} imports: merge that one first."
    if neighbour.relation == "adds-name":
        return f"{them} adds the name `{subject}` ({there}), which {here} imports: merge that one first."
    if neighbour.relation == "same-function":
        return f"{them} changes `{subject}` as well, at {there}; here it is at {here}."
    return f"{them} removes `{subject}` ({there}), which {here} uses."


def _place(path: str, line: int | None) -> str:
    return f"`{_quoted(path if line is None else f'{path}:{line}')}`"


def _quoted(text: str) -> str:
    """Return text that can stand between single backticks."""
    return text.replace("`", "'")
