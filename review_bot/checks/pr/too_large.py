"""A change that adds more lines than a reviewer can hold, and parts of it that do not need each other.

Two changed files belong together if an added import in one means the other, or if one names a function or class that
only the other adds, through however many files. What hangs together is a part; a test, a script and a page go with the
code that they name, and tests alone make no part. Only added lines are read.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping

from review_bot.analysis.project.added_code import code_lines
from review_bot.changes.codebase import Codebase
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit, Options
from review_bot.rules.scope import is_library, is_python, is_test
from review_bot.text.lazy_regex import LazyRegex
from review_bot.text.listing import count, first_of

_IMPORT = LazyRegex(r"[ \t]*(?:from[ ]+([\w.]+)[ ]+import[ ]+(.*)|import[ ]+(.+))")
_WORD = LazyRegex(r"\w+")
_DEFINITION = LazyRegex(r"(?:async[ ]+def|def|class)[ ]+([A-Za-z]\w{4,})")
_DOCUMENTS = (".md", ".mdx", ".markdown", ".rst")
_MOST_PARTS = 5
_MUCH_PROSE = 500
"""Lines of documentation from which it could be a change of its own; less goes with what it describes."""


class Facts(NamedTuple):
    """Of one file, counted in added lines: all, those neither blank nor a comment, and those that are code.

    ``modules``: those that its added imports name, with slashes. ``defines``: the functions and classes that it adds.
    """

    lines: int
    written: int
    code: int
    modules: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()


class Part(NamedTuple):
    """Files that can go by themselves."""

    name: str
    files: tuple[str, ...]
    lines: int


def gather(source: SourceFile) -> Facts | None:
    """Count the added lines of a file, and read its added imports and definitions."""
    added = source.added.values()
    if not added:
        return None
    written = sum(bool(text.strip()) and not text.lstrip().startswith(("#", "//")) for text in added)
    code = sum(1 for _ in code_lines(source.change))
    if not is_python(source.path):
        return Facts(len(added), written, code)
    defines = tuple(match[1] for text in added if (match := _DEFINITION.match(text)))
    return Facts(len(added), written, code, tuple(_modules(list(added), source.path)), defines)


def relate(facts: Mapping[str, Facts], codebase: Codebase, options: Options) -> Iterator[Hit]:
    """Yield one hit if the files add ``lines`` together, documents aside; ``part``: the lines that make a part."""
    if sum(each.written for path, each in facts.items() if not path.endswith(_DOCUMENTS)) < options["lines"]:
        return
    words = {
        file.path: frozenset(_WORD.findall("\n".join(text for _, text in file.added_lines())))
        for file in codebase.change.files
        if file.path in facts
    }
    parts = [part for part in parts_of(facts, words) if part.lines >= options["part"]]
    split = ""
    if len(parts) > 1:
        named = first_of((f"{each.name} ({each.lines:,} lines)" for each in parts), _MOST_PARTS)
        split = f". By their added imports and names, these parts do not depend on each other: {named}"
    related = tuple(
        Related(path, None, f"part {number}: {part.name}")
        for number, part in enumerate(parts[:_MOST_PARTS] if split else [], 1)
        for path in part.files[:_MOST_PARTS]
    )
    code = sum(each.code for each in facts.values())
    values = {
        "added": f"{sum(each.lines for each in facts.values()):,}",
        "files": count(len(facts), "file"),
        "code": f"{code:,} of them are code" if code else "none are code",
        "split": split,
    }
    yield Hit(None, values=values, related=related)


def parts_of(facts: Mapping[str, Facts], words: Mapping[str, frozenset[str]]) -> list[Part]:
    """Return the parts of a change, the largest first; ``words``: what is on the added lines of each file."""
    joined = [path for path in sorted(facts) if is_python(path) or path.endswith(_DOCUMENTS)]
    joined = [path for path in joined if not path.endswith("/__init__.py")]  # it hands on names, and ties all together
    group = {path: path for path in joined}

    def root(path: str) -> str:
        while group[path] != path:
            group[path] = group[group[path]]
            path = group[path]
        return path

    for path, other in (*_importing(joined, facts), *_naming(joined, facts, words)):
        group[root(path)] = root(other)
    members: dict[str, list[str]] = {}
    for path in joined:
        members.setdefault(root(path), []).append(path)
    parts = [
        _part(files, facts)
        for files in members.values()
        if any(is_python(each) and not is_test(each) for each in files)
    ]
    prose = [path for files in members.values() if not any(map(is_python, files)) for path in files]
    written = sum(facts[path].lines for path in prose)
    if written >= _MUCH_PROSE:
        parts.append(Part("the documentation", tuple(prose), written))
    return sorted(_merged(parts), key=lambda part: (-part.lines, part.name))


def _importing(paths: list[str], facts: Mapping[str, Facts]) -> Iterator[tuple[str, str]]:
    """Yield (a file, one whose module it imports); a module is known by each ending of its path: ``a/b``, ``b``."""
    homes: dict[str, list[str]] = {}
    for path in filter(is_python, paths):
        ending = path.removesuffix(".py")
        while ending:
            homes.setdefault(ending, []).append(path)
            ending = ending.partition("/")[2]
    for path in paths:
        for module in facts[path].modules:
            yield from ((path, other) for other in homes.get(module, ()) if other != path)


def _naming(
    paths: list[str], facts: Mapping[str, Facts], words: Mapping[str, frozenset[str]]
) -> Iterator[tuple[str, str]]:
    """Yield (a file, one that adds a class which the file names, or that alone adds a function which it names)."""
    homes: dict[str, set[str]] = {}
    for path in paths:
        for name in facts[path].defines:
            homes.setdefault(name, set()).add(path)
    # Many files have a ``parse_args``; a class of the same name may replace the other.
    telling = {name: sorted(places) for name, places in homes.items() if len(places) == 1 or name[0].isupper()}
    for path in paths:
        for name in words.get(path, frozenset()) & telling.keys():
            yield from ((path, home) for home in telling[name] if path != home)


def _merged(parts: list[Part]) -> list[Part]:
    """Put small parts of one name together."""
    by_name: dict[str, list[Part]] = {}
    for part in parts:
        by_name.setdefault(part.name, []).append(part)
    return [
        Part(name, tuple(path for part in same for path in part.files), sum(part.lines for part in same))
        for name, same in by_name.items()
    ]


def _part(files: list[str], facts: Mapping[str, Facts]) -> Part:
    code = [path for path in files if is_library(path)] or [path for path in files if is_python(path)]
    folders = Counter({path: facts[path].lines for path in code})
    main = max(folders, key=folders.__getitem__)
    shown = main if len(code) == 1 else main.rpartition("/")[0] or main
    return Part(f"`{shown}`", tuple(sorted(files)), sum(facts[path].lines for path in files))


def _modules(lines: list[str], path: str) -> Iterator[str]:
    """Yield the modules that import lines name: ``a.b`` as ``a/b``, a relative one from the root."""
    folders = path.split("/")[:-1]
    for line in lines:
        match = _IMPORT.match(line)
        if match is None:
            continue
        if match[3] is not None:
            yield from (name.split(" as ")[0].strip().replace(".", "/") for name in match[3].split(","))
            continue
        dots = len(match[1]) - len(match[1].lstrip("."))
        above = folders[: len(folders) - dots + 1] if dots else []
        module = "/".join([*above, *match[1].lstrip(".").split(".")]).strip("/")
        yield module
        yield from (f"{module}/{name}".strip("/") for name in _WORD.findall(re.sub(r"#.*| as \w+", "", match[2])))


CHECK = change_check(gather, relate, CheckTraits(literals=None, reads_text=False, on_lines=False))
