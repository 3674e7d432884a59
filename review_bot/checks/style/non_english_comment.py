"""Comments and docstrings in a script that the rest of the repository does not use."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from review_bot.analysis.python.statements import is_function, is_string, statements
from review_bot.changes.codebase import Codebase
from review_bot.changes.node_lines import last_line, lines_of
from review_bot.changes.python_parsing import python_text
from review_bot.changes.source_file import SourceFile
from review_bot.changes.usual_spelling import outside_code
from review_bot.changes.vocabulary import BEYOND_LATIN
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit, Options
from review_bot.rules.scope import is_library, is_python
from review_bot.text.lazy_regex import LazyRegex

_SCRIPTS = (
    (0x0400, 0x052F, "Cyrillic"),
    (0x05D0, 0x05EA, "Hebrew"),
    (0x0620, 0x064A, "Arabic"),
    (0x0671, 0x06D3, "Arabic"),
    (0x0904, 0x0939, "Devanagari"),
    (0x0E01, 0x0E3A, "Thai"),
    (0x1100, 0x11FF, "Korean"),
    (0x3041, 0x30FF, "Chinese or Japanese"),
    (0x3400, 0x4DBF, "Chinese or Japanese"),
    (0x4E00, 0x9FFF, "Chinese or Japanese"),
    (0xAC00, 0xD7A3, "Korean"),
    (0xF900, 0xFAFF, "Chinese or Japanese"),
    (0x20000, 0x3FFFF, "Chinese or Japanese"),
)
"""First and last code point of blocks of letters, and their script (Unicode, Blocks.txt)."""
_QUOTED = LazyRegex(
    r"``.*?``|`[^`]*`|\"[^\"]*\"|(?<!\w)[rRbBuUfF]?'[^']*'(?!\w)|https?://\S+|[\u201c\u2018][^\u201d\u2019]{0,500}[\u201d\u2019]"
    "|\u300c[^\u300d]{0,500}\u300d|\u300e[^\u300f]{0,500}\u300f|\u300a[^\u300b]{0,500}\u300b"
    r"|\b[Dd]efaults? to [^)]*|\b[Dd]efault[:=] *[^)]*"
)
_QUOTED_WITHIN = 3
"""Lines of code below a comment that it may quote."""
_ENGLISH = LazyRegex(r"[A-Za-z]{3,}")
_COMMENT = LazyRegex(r"(?:^|\s)#(.*)")
_WORK = (ast.For, ast.While)
"""Statements of a module's top level that only a script has, which its author alone runs."""

_OF_A_LANGUAGE = LazyRegex(
    r"(?i)(?:^|/)(?:ar|cmn|fa|he|hi|ja|jp|ko|kr|ru|th|uk|ur|yue|zh)/"
    r"|(?:^|[/_.-])(?:arabic|cantonese|chinese|hebrew|hindi|japanese|korean|mandarin|persian|russian|thai|ukrainian|urdu)(?=[/_.-])"
)
"""Paths of code for one language, whose examples are in it."""

_COPIED = frozenset({"_clean_caption", "clean_caption"})
"""Functions that many pipelines have from diffusers, which has them from DeepFloyd IF, with comments in Russian."""

_README = LazyRegex(r"(?i)(?:docs?/)?readme[._-](zh|cn|chinese|ja|jp|japanese|ko|kr|korean|ru)\b")
_TRANSLATED = {
    **dict.fromkeys(("zh", "cn", "chinese", "ja", "jp", "japanese"), "Chinese or Japanese"),
    **dict.fromkeys(("ko", "kr", "korean"), "Korean"),
    "ru": "Cyrillic",
}


def gather(source: SourceFile) -> dict[str, list[int]] | None:
    """Return the added lines with a comment in another script, by script. Raises CannotParse."""
    if source.text is None or _OF_A_LANGUAGE.search(source.path):
        return None
    found: dict[str, list[int]] = {}
    body = source.tree.body  # a file that cannot be parsed is unreviewed, whatever was added to it
    if all(map(str.isascii, source.added.values())) or any(isinstance(each, _WORK) for each in body):
        return None
    copied = [each for each in source.functions if each.name in _COPIED]
    for line, text, is_docstring in _prose(source):
        if any(each.lineno <= line <= last_line(each) for each in copied):
            continue
        script = _script(text) if line in source.added else None
        if script is None:
            continue
        if is_docstring or not _is_quoted(text, source.lines[line : line + _QUOTED_WITHIN]):
            found.setdefault(script, []).append(line)
    return {script: sorted(set(lines)) for script, lines in found.items()} or None


def relate(facts: Mapping[str, Any], codebase: Codebase, options: Options) -> Iterator[Hit]:
    """Yield the lines of each file; with more than ``most_places`` of them one hit has them all."""
    used: dict[str, bool] = {}
    for path, by_script in sorted(facts.items()):
        for script, lines in by_script.items():
            if script not in used:
                used[script] = _is_used(script, codebase, options)
            if not used[script]:
                yield from _hits(path, script, lines, options["most_places"])


def _hits(path: str, script: str, lines: list[int], most_places: int) -> Iterator[Hit]:
    severity = None if is_library(path) else "hint"
    if len(lines) <= most_places:
        for first, last in _runs(lines):
            yield Hit(first, last, values={"script": script}, severity=severity, path=path)  # type: ignore[arg-type]
        return
    listed = ", ".join(f"{first} to {last}" if last > first else str(first) for first, last in _runs(lines))
    many = f"At least {len(lines)} lines of comments and docstrings"
    yield Hit(
        lines[0],
        severity=severity,  # type: ignore[arg-type]  # one of the four words
        related=tuple(Related(path, line, "also not in English") for line in lines[1:]),
        path=path,
        message=f"{many} are not in English ({script}): lines {listed}.",
    )


def _runs(lines: Iterable[int]) -> list[tuple[int, int]]:
    runs: list[tuple[int, int]] = []
    for line in lines:
        if runs and line == runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], line)
        else:
            runs.append((line, line))
    return runs


def _prose(source: SourceFile) -> Iterator[tuple[int, str, bool]]:
    """Yield (line, text) of each line of a comment or docstring that is not plain ASCII, and whether of the latter."""
    tree, code = source.tree, python_text(source.text or "")
    number, position = 1, 0
    for start, end in outside_code(code):
        comment = code[start:end].lstrip(" \t\f")
        if comment[0] == "#" and not comment.isascii():
            number += code.count("\n", position, start)
            position = start
            yield number, comment, False
    owners: list[ast.AST] = [tree, *statements(tree.body)]
    for owner in owners:
        if isinstance(owner, (ast.Module, ast.ClassDef)) or is_function(owner):
            body = owner.body
            if body and is_string(body[0]):
                for line in lines_of(body[0]):
                    text = source.lines[line - 1]
                    if not text.isascii():
                        yield line, text.replace('"""', "").replace("'''", ""), True


def _is_quoted(comment: str, after: Iterable[str]) -> bool:
    """Return whether the code below a comment has a text that the comment is about: all its foreign words."""
    code = [line for line in after if not line.lstrip().startswith("#")]
    words = [each for each in comment.split() if not each.isascii()]
    return all(any(word in line for line in code) for word in words)


def _script(text: str) -> str | None:
    """Return the script of at least two letters outside quotes and default values, and of most of the words."""
    if text.isascii():
        return None
    text = _QUOTED.sub(" ", text)
    letters = Counter(
        script
        for letter in text
        if not letter.isascii()
        for first, last, script in _SCRIPTS
        if first <= ord(letter) <= last
    )
    words = len(_ENGLISH.findall(text))
    return next((script for script, count in letters.most_common(1) if count > 1 and count >= words), None)


def _is_used(script: str, codebase: Codebase, options: Options) -> bool:
    """Return whether the base has more than a few comments in a script, or a README in it.

    Its comments are read from a spread of its Python files.
    """
    if any(_TRANSLATED.get(match[1].lower()) == script for match in map(_README.match, codebase.base.paths) if match):
        return True
    lines = [line for line in (codebase.base.text("README.md") or "").split("\n") if line.strip()]
    if 3 * sum(not line.isascii() and _script(line) == script for line in lines) > len(lines):
        return True
    paths = sorted(path for path in codebase.base.paths if is_python(path))
    step = -(-len(paths) // options["most_files"]) or 1
    total = other = 0
    for path in paths[::step]:
        text = codebase.base.text(path) or ""
        for line in text.split("\n"):
            if "#" in line and (comment := _COMMENT.search(line)):
                total += 1
                other += not line.isascii() and _script(comment[1]) == script
    return other * 1000 > total * int(options["most_per_thousand"])


CHECK = change_check(gather, relate, CheckTraits(literals=(BEYOND_LATIN,), works_without_tree=True, tree_excuses=True))
