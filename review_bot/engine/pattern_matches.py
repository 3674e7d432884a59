"""Finds what the pattern of a rule matches in one file, in its text or in what the change removed."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from review_bot.changes.imported_names import asks_for_imported, written_out
from review_bot.changes.rebound_modules import names_rebound
from review_bot.changes.source_file import SourceFile
from review_bot.changes.usual_spelling import UsualSpelling, respelled
from review_bot.engine import removed_code
from review_bot.engine.plan import NEW_NAMES
from review_bot.findings import Suggestion
from review_bot.rules import structural_pattern, text_pattern
from review_bot.rules.matchers import FileName, RemovedCode, RemovedLine, Structural, TextLine
from review_bot.rules.rule import Hit, Rule
from review_bot.rules.scope import language_of
from review_bot.text import file_name

Trees = dict[tuple[str, str], structural_pattern.Tree]
"""The syntax trees of one file, by language and by which of its texts they are of (``new``, ``old``, a spelling)."""


_CONTINUED = "\\"


def matches(rule: Rule, source: SourceFile, trees: Trees) -> Iterator[Hit]:
    """Yield what the pattern of a rule matches in a file; ``trees`` keeps what is parsed."""
    match rule.matcher:
        case Structural() as matcher:
            found = _structural(rule.message, matcher, source.text or "", trees, ("new", source.path))
            is_python = matcher.language == "python"
            yield from _of_python(rule, matcher, found, source, trees) if is_python else found
        case TextLine() as matcher:
            yield from _lines(matcher, source)
        case FileName(regex, unless):
            found_name = text_pattern.matches_name(regex, file_name.matched(source.path), unless)
            if found_name and source.change.status in NEW_NAMES:
                yield Hit(None, statement="")
        case RemovedLine() as matcher:
            yield from removed_code.lost_lines(matcher, source)
        case RemovedCode() as matcher:
            yield from _removed(rule.message, matcher, source, trees)


def _of_python(
    rule: Rule, matcher: Structural, found: Iterator[Hit], source: SourceFile, trees: Trees
) -> Iterator[Hit]:
    """Yield what a rule finds in Python, in any spelling.

    A built-in rule finds it where the names in it mean the modules they name; another one is taken at its word.
    """
    written = list(found)
    seen = {(hit.line, hit.column) for hit in written}
    tree = tree_of(trees, source.text or "", matcher.language, ("new", source.path))
    stars = tree.misread_stars if tree.may_hold(matcher.held) else ()
    elsewhere = (
        hit
        for name, spelling in _other_spellings(rule, source, stars)
        for hit in _in_spelling(rule.message, matcher, spelling, source, trees, (name, source.path), seen)
    )
    if not rule.builtin:
        yield from (*written, *elsewhere)
        return
    pattern = repr(matcher.config)
    for hit in (*written, *elsewhere):
        if hit.line is None or not names_rebound(source, _text_of(hit, source), (hit.line, hit.column or 1), pattern):
            yield hit


def _text_of(hit: Hit, source: SourceFile) -> str:
    """Return the code of a hit."""
    lines = source.lines[(hit.line or 1) - 1 : hit.end_line or hit.line]
    lines[-1:] = [line[: (hit.end_column or 0) - 1] for line in lines[-1:]]
    lines[:1] = [line[(hit.column or 1) - 1 :] for line in lines[:1]]
    return "\n".join(lines)


def _removed(
    message: str,
    matcher: RemovedCode,
    source: SourceFile,
    trees: Trees,
) -> Iterator[Hit]:
    old_text = source.old_text or ""
    old = tree_of(trees, old_text, matcher.language, ("old", source.path))
    new = tree_of(trees, source.text or "", matcher.language, ("new", source.path))
    worded = structural_pattern.template(message, None) if "$" in message else None
    for match in removed_code.lost_matches(matcher, source, old, new):
        yield _hit_of(match, old_text, worded)._replace(side="LEFT")


def _structural(
    message: str,
    matcher: Structural,
    text: str,
    trees: Trees,
    side_and_path: tuple[str, str],
) -> Iterator[Hit]:
    tree = tree_of(trees, text, matcher.language, side_and_path)
    transform = matcher.config.get("transform")
    worded = structural_pattern.template(message, transform) if "$" in message else None
    fix = structural_pattern.template(matcher.fix, transform) if matcher.fix is not None else None
    lines: list[str] | None = None
    seen: set[tuple[int, int, int]] = set()
    for match in tree.find(matcher.config, matcher.held):
        here = (match.line, match.column, match.end_line)
        if here in seen:
            continue  # f(1)(2)(3): calls of calls at one place are one observation
        seen.add(here)
        suggestion = None
        fixed = structural_pattern.expand_fix(fix, match, text) if fix is not None else None
        if fixed is not None:
            lines = text.split("\n") if lines is None else lines
            suggestion = _whole_lines(match, fixed, lines)
        yield _hit_of(match, text, worded)._replace(suggestion=suggestion)


def _other_spellings(rule: Rule, source: SourceFile, stars: Sequence[int]) -> Iterator[tuple[str, UsualSpelling]]:
    """Yield the texts that mean the same and that a rule may match more easily, each with a name.

    ``stars``: the places of those that ast-grep takes for a part of what is called.
    """
    cuts = source.unusual_parts
    if not rule.builtin:  # spaces and comments may matter to a rule of others, and continued lines to none
        cuts = [cut for cut in cuts if _CONTINUED in (source.text or "")[cut[0] : cut[1]]]
    if stars:
        cuts = sorted([*cuts, *((star, star + 1, " ") for star in stars)])
        yield "usual, without stars" if rule.builtin else "joined, without stars", respelled(source.text or "", cuts)
    elif cuts and not rule.builtin:
        yield "joined", respelled(source.text or "", cuts)
    elif source.usual_spelling is not None and rule.builtin:
        yield "usual", source.usual_spelling
    if not rule.builtin:
        return
    if asks_for_imported(source, rule.literals):
        yield "written out", written_out(source)


def _in_spelling(
    message: str,
    matcher: Structural,
    spelling: UsualSpelling,
    source: SourceFile,
    trees: Trees,
    side_and_path: tuple[str, str],
    seen: set[tuple[int | None, int | None]],
) -> Iterator[Hit]:
    """Yield what a rule finds only in another spelling of a text, at its places in the text as it is."""
    text = source.text or ""
    tree = tree_of(trees, spelling.text, matcher.language, side_and_path)
    worded = structural_pattern.template(message, matcher.config.get("transform")) if "$" in message else None
    starts: list[int] = []
    for match in tree.find(matcher.config, matcher.held):
        starts = starts or [0, *(newline.end() for newline in re.finditer("\n", text))]
        span = match.node.range()
        start = spelling.place(span.start.index)
        end = spelling.end(max(span.start.index, span.end.index - 1))
        line, end_line = bisect_right(starts, start), bisect_right(starts, end)
        column, end_column = start - starts[line - 1] + 1, end - starts[end_line - 1] + 1
        if (line, column) not in seen:
            seen.add((line, column))
            here = _hit_of(match, spelling.text, worded)
            yield here._replace(line=line, end_line=end_line, column=column, end_column=end_column)


def tree_of(trees: Trees, text: str, language: str, side_and_path: tuple[str, str]) -> structural_pattern.Tree:
    """Return the tree of one of the texts of a file, which is kept."""
    side, path = side_and_path
    if (language, side) not in trees:
        trees[language, side] = structural_pattern.Tree(text, language, language_of(path))
    return trees[language, side]


def _hit_of(match: structural_pattern.Match, text: str, message: structural_pattern.Template | None) -> Hit:
    return Hit(
        line=match.line,
        end_line=match.end_line,
        column=match.column,
        end_column=match.end_column,
        statement=match.statement,
        message=structural_pattern.expand_message(message, match, text) if message is not None else None,
    )


def _whole_lines(match: structural_pattern.Match, fixed: str, lines: list[str]) -> Suggestion:
    before = lines[match.line - 1][: match.column - 1]
    after = lines[match.end_line - 1][match.end_column - 1 :]
    return Suggestion(match.line, match.end_line, before + fixed + after)


def _lines(matcher: TextLine, source: SourceFile) -> Iterator[Hit]:
    unless = matcher.unless
    if "file" in unless and source.text is not None and text_pattern.search_whole(unless["file"], source.text):
        return
    joined = "\n".join(source.added.values())
    for line, start, end in text_pattern.search_lines(matcher.regex, source.added.items(), joined, unless):
        yield Hit(line, line, start + 1, end + 1)
