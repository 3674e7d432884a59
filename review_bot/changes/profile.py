"""What is counted in the lines that a change adds to one file; plain numbers, which may come from another process."""

from review_bot.records import NamedTuple


class TriggerMatch(NamedTuple):
    """How many lines a trigger of the focus map (by its index) matches in a file.

    ``line``: the first of them that is not an import, else the first, at the head; None if all added lines count.
    ``names``: of a construct that a card asks about, what the groups of the expression matched in that line.
    """

    trigger: int
    lines: int
    line: int | None
    names: tuple[tuple[str, str], ...] = ()


class FileProfile(NamedTuple):
    """Counts of one changed file (by its index in the pull request).

    ``code_lines`` and ``test_lines``: added lines of Python, not blank and no comment, in what users run and in tests.
    ``definitions``: added public modules, classes and functions, of which ``documented`` have a docstring. ``slots``:
    parameters and return values of added functions, of which ``annotated`` have a type hint. Both only for what users
    run, only where the whole text was available, and without the stubs that ``@overload`` decorates.
    """

    file: int
    code_lines: int = 0
    test_lines: int = 0
    documented: int = 0
    definitions: int = 0
    annotated: int = 0
    slots: int = 0
    matches: tuple[TriggerMatch, ...] = ()
