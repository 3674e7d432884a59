"""A change that adds more lines than a reviewer can hold, and parts of it that do not need each other.

Two changed files belong together if an added import in one means the other, through however many files. What hangs
together is a part; tests go with the code that they import. Only added lines are read.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from review_bot.changes.pull_request import PullRequest
from review_bot.changes.repository import Repository
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.late_pattern import LatePattern
from review_bot.rules.rule import Hit, Options
from review_bot.rules.scope import is_python, is_test

LITERALS: tuple[str, ...] | None = None
READS_OLD = False
READS_TEXT = False

_IMPORT = LatePattern(r"[ \t]*(?:from[ ]+(\.*[\w.]*)[ ]+import[ ]+(.*)|import[ ]+(.+))")
_WORD = LatePattern(r"\w+")
_PROSE = (".md", ".rst", ".txt")
_MOST_PARTS = 5
_MUCH_PROSE = 500
"""Lines of documentation from which it could be a change of its own; less goes with what it describes."""


class Facts(NamedTuple):
    """Of one file: its added lines that are code, and the modules that its added imports name, with slashes."""

    lines: int
    modules: tuple[str, ...]


class Part(NamedTuple):
    """Files that can go by themselves."""

    name: str
    files: tuple[str, ...]
    lines: int


def gather(source: SourceFile, _options: Options) -> Facts | None:
    """Count the added lines of a file that are neither blank nor a comment, and read its added imports."""
    code = [text for text in source.added.values() if text.strip() and not text.lstrip().startswith(("#", "//"))]
    modules = tuple(_modules(code, source.path)) if is_python(source.path) else ()
    return Facts(len(code), modules) if code else None


def relate(
    facts: Mapping[str, Facts], _pull_request: PullRequest, _repository: Repository, options: Options
) -> Iterator[Hit]:
    """Yield one hit if the files add ``lines`` together; ``part``: the lines from which a part is worth naming."""
    added = sum(each.lines for each in facts.values())
    if added < options["lines"]:
        return
    parts = [part for part in parts_of(facts) if part.lines >= options["part"]]
    split = ""
    if len(parts) > 1:
        named = [f"{each.name} ({each.lines:,} lines)" for each in parts[:_MOST_PARTS]]
        more = f" and {len(parts) - _MOST_PARTS} more" if len(parts) > _MOST_PARTS else ""
        split = f". These parts add no import of one another: {', '.join(named)}{more}"
    related = tuple(
        Related(path, None, f"part {number}: {part.name}")
        for number, part in enumerate(parts[:_MOST_PARTS] if split else [], 1)
        for path in part.files[:_MOST_PARTS]
    )
    yield Hit(None, values={"added": f"{added:,}", "files": str(len(facts)), "split": split}, related=related)


def parts_of(facts: Mapping[str, Facts]) -> list[Part]:
    """Return the parts of a change, the largest first."""
    code = [path for path in sorted(facts) if is_python(path)]
    group = {path: path for path in code}

    def root(path: str) -> str:
        while group[path] != path:
            path = group[path]
        return path

    stems = {path: path.removesuffix(".py").removesuffix("/__init__") for path in code}
    for path in code:
        if path.endswith("/__init__.py"):
            continue  # it hands on what stands beside it, and would tie everything together
        for module in facts[path].modules:
            for other, stem in stems.items():
                if other != path and not other.endswith("/__init__.py") and f"/{stem}".endswith(f"/{module}"):
                    group[root(path)] = root(other)
    members: dict[str, list[str]] = {}
    for path in code:
        if not path.endswith("/__init__.py"):
            members.setdefault(root(path), []).append(path)
    parts = [_part(files, facts) for files in members.values()]
    rest = [path for path in sorted(facts) if not is_python(path)]
    prose = [path for path in rest if path.endswith(_PROSE) or path.startswith("docs/")]
    written = sum(facts[path].lines for path in prose)
    if written >= _MUCH_PROSE:
        parts.append(Part("the documentation", tuple(prose), written))
    return sorted(_merged(parts), key=lambda part: (-part.lines, part.name))


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
    code = [path for path in files if not is_test(path)] or files
    folders = Counter({path: facts[path].lines for path in code})
    main = folders.most_common(1)[0][0]
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
