"""What the change removes for good, and documents that still name it: a function, class, constant or variable.

Only names of two words or more are looked for, since documents use single words as English. A name without an
underscore may be one of the field, such as ``MobileNetV2``, so it counts only where it is written as code. The name
must be gone from all code of the tree: what another module still defines, imports or looks up is not missed by readers,
and neither is what the document defines itself in an example. Fixtures of a test file serve that file alone. An
environment variable must begin with the package's name, since another library may read any other; scripts and
configuration files that set it count as documents.
"""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterator, Mapping

from review_bot.analysis.facts.word_search import files_with
from review_bot.analysis.project.wording import MOST_RELATED, names_in_words, places_in_words
from review_bot.analysis.python.statements import is_function, last_name, targets_of
from review_bot.changes.codebase import Codebase, Snapshot
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check, each_fact
from review_bot.rules.rule import Hit
from review_bot.rules.scope import is_document, is_history, is_of_another_release, is_test, is_vendored
from review_bot.text.lazy_regex import LazyRegex

_CONSTANT = LazyRegex(r"[A-Z][A-Z\d]*_[A-Z\d_]+")
_VARIABLE = LazyRegex(r"[\"']([A-Z][A-Z\d]*(?:_[A-Z\d]+)+)[\"']")
_AROUND_PACKAGES = frozenset({"src", "python", "lib", "libs", "packages", "py"})
_OF_WORDS = LazyRegex(r"[A-Za-z\d]_[A-Za-z\d]|[a-z\d][A-Z]")
_SHORTEST = 8
_MOST_NAMES = 300
_OTHER_CODE = LazyRegex(
    r"(?i)\.(?:c|cc|cpp|cu|cuh|cxx|go|h|hpp|java|jinja2?|js|json|jsx|mjs|mm|proto|rb|rs|sh|swift|toml|ts|tsx|ya?ml)$"
)
_ENVIRONMENT = LazyRegex(r"environ|getenv|env_prefix")
_SETS = LazyRegex(r"(?i)\.(?:sh|bash|env|ya?ml|toml|cfg|ini)$|(?:^|/)(?:[^/]*\.)?Dockerfile[^/]*$")
_ASIDE = LazyRegex(
    r"(?i)(?:^|/)(?:adr|rfcs?|proposals?|papers?|releases?)/|(?:^|[/_.-])(?:dev)?logs?(?:[/_.-])|HISTORY|CHANGE"
    r"|release[_-]?(?:notes?|v?\d)|whats?[_-]?new|migrat|roadmap"
)
_DEFINITION = LazyRegex(r"([ \t]*)(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)")
_FENCE = LazyRegex(r"^\s*(?:```|~~~)")
_CODE_LINE = LazyRegex(r"^(?:\t| {4}|\s*(?:>>>|\$|\.\. |from |import ))")
_BEFORE_CODE, _AFTER_CODE = frozenset("`.'\"~[:="), frozenset("`('\"[=]")
"""Signs next to a name that is written as code."""
_JOINED = frozenset("-/\\")
"""Signs next to a part of a longer word or of a path."""
_FILE_SUFFIX = LazyRegex(
    r"\.(?:bin|ckpt|cfg|csv|gguf|gif|h5|html?|ini|ipynb|jpe?g|json|jsonl|log|md|mp4|npy|npz|onnx|pdf|pickle|pkl|png|pth?"
    r"|pyi?|rst|safetensors|sh|svg|tar|tgz|toml|txt|whl|ya?ml|zip)\b(?![(.])"
)
_OF_THE_PAST = LazyRegex(
    r"(?i)\b(?:remov|renam|deprecat|replac|obsolete|legacy|former|previous|no longer|(?:old|used to|was|were|until)\b)"
)
"""Words of a line about how things were, or about how to move on."""


class Removed(NamedTuple):
    """A name that is gone from a file, and its line at the base. ``read``: a variable that the file read."""

    name: str
    line: int
    read: bool


def gather(source: SourceFile) -> tuple[Removed, ...] | None:
    """Return the names of the top level, and the environment variables of its own, that a file loses."""
    if source.change.path.endswith(".pyi"):
        return None
    folders = source.change.base_path.split("/")[:-1]
    package = next((each for each in folders if each not in _AROUND_PACKAGES), "")
    own = f"{package.upper()}_" if package else "\0"
    found: dict[str, Removed] = {}
    if not source.removed or (tree := source.known_old_tree) is None:
        return None
    path = source.change.base_path
    for name, line in _defined(tree, alone=is_test(path) and not path.endswith("conftest.py")):
        gone = next((each for each in (line, line + 1) if name in source.removed.get(each, "")), None)
        if gone is not None and len(name) >= _SHORTEST and _OF_WORDS.search(name):
            found.setdefault(name, Removed(name, gone, read=False))
    for line, text in source.removed.items():
        for name in _VARIABLE.findall(text):
            if name.startswith(own):
                found.setdefault(name, Removed(name, line, read=True))
    kept = frozenset[str]() if source.text is None else source.vocabulary.words
    return tuple(each for name, each in sorted(found.items()) if name not in kept) or None


def _is_fixture(definition: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> bool:
    return any(last_name(each) == "fixture" for each in definition.decorator_list)


def _defined(tree: ast.Module, *, alone: bool) -> Iterator[tuple[str, int]]:
    """Yield the public functions, classes and constants of a module's top level, with their lines.

    ``alone``: those of a file of tests, whose fixtures no other file gets.
    """
    for each in tree.body:
        if is_function(each) or isinstance(each, ast.ClassDef):
            if not each.name.startswith("_") and not (alone and _is_fixture(each)):
                yield each.name, each.lineno
        elif isinstance(each, (ast.Assign, ast.AnnAssign)):
            for target in targets_of(each):
                if isinstance(target, ast.Name) and _CONSTANT.fullmatch(target.id):
                    yield target.id, each.lineno


def relate(facts: Mapping[str, tuple[Removed, ...]], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit for each file on the first of the removed names that documents still have."""
    gone = {each.name: (path, each) for path, each in each_fact(facts)}
    if not gone or len(gone) > _MOST_NAMES:
        return
    of_files: dict[tuple[str, bool], dict[str, list[Related]]] = {}
    for name, named in sorted(_named({name: each for name, (_, each) in gone.items()}, codebase).items()):
        path, each = gone[name]
        places = [place for place in named if not is_of_another_release(place.path, path)]
        if places and not files_with(codebase.head, [name]) and not _is_read(each, codebase):
            of_files.setdefault((path, each.read), {})[name] = places
    for (path, read), found in sorted(of_files.items()):
        users = sorted({each for places in found.values() for each in places})
        where, alone = places_in_words(users)
        values = {
            "users": where,
            "verb": "names" if alone else "name",
            "names": names_in_words(found),
            "does": "reads" if read else "defines or uses",
        }
        yield Hit(
            min(gone[name][1].line for name in found), side="LEFT", path=path, values=values,
            related=tuple(users[:MOST_RELATED]), statement=f"documents {' '.join(sorted(found))}",
        )  # fmt: skip


def _named(names: Mapping[str, Removed], codebase: Codebase) -> dict[str, list[Related]]:
    """Return the lines of documents that name something, and did so before the change."""
    added = codebase.change.added_numbers()
    word = re.compile(rf"\b(?:{'|'.join(sorted(names))})\b")
    variables = frozenset(name for name, each in names.items() if each.read)
    found: dict[str, list[Related]] = {}
    for file in sorted(codebase.head.paths):
        wanted = frozenset(names) if is_document(file) else variables if _SETS.search(file) else frozenset()
        if not wanted or _ASIDE.search(file) or is_history(file) or is_vendored(file):
            continue
        text = codebase.head.text(file) or ""
        wanted = frozenset(name for name in wanted if name in text and not _is_defined_in(text, name))
        if not wanted:
            continue
        in_code = False
        for number, line in enumerate(text.split("\n"), 1):
            in_code ^= _FENCE.search(line) is not None
            if number in added.get(file, ()) or _OF_THE_PAST.search(line):
                continue
            shown_as_code = in_code or _CODE_LINE.search(line) is not None
            for name in wanted & {
                each[0] for each in word.finditer(line) if not _is_part(each) and (shown_as_code or _is_code(each))
            }:
                found.setdefault(name, []).append(Related(file, number, f"names `{name}`"))
    return found


def _is_defined_in(text: str, name: str) -> bool:
    """Return whether an example of a document defines a function or class itself, with a body.

    ::

        @pytest.fixture
        def create_rows():
            return Rows(8)
    """
    lines = text.split("\n")
    for number, line in enumerate(lines):
        header = _DEFINITION.match(line)
        if not header or header[2] != name:
            continue
        behind = itertools.dropwhile(lambda each: not each.rstrip().endswith(":"), lines[number:])
        body = next((each for each in itertools.islice(behind, 1, None) if each.strip()), "")
        if len(body) - len(body.lstrip()) > len(header[1]) and not body.lstrip().startswith("..."):
            return True
    return False


def _is_part(found: re.Match[str]) -> bool:
    """Return whether a word of a line is a part of a longer one, of a path or of the name of a file."""
    line, start, end = found.string, found.start(), found.end()
    before, after = line[start - 1 : start], line[end : end + 1]
    if before in {"$", "{"}:
        return False  # a variable, which may begin a path
    of_address = before == "@" and line[start - 2 : start - 1].isalnum()
    return of_address or before in _JOINED or after in {"@", *_JOINED} or _FILE_SUFFIX.match(line, end) is not None


def _is_code(name: re.Match[str]) -> bool:
    """Return whether a name in a line is no word of the text: it has an underscore, or is next to a sign of code."""
    line, start, end = name.string, name.start(), name.end()
    return "_" in name[0] or line[start - 1 : start] in _BEFORE_CODE or line[end : end + 1] in _AFTER_CODE


def _is_read(name: Removed, codebase: Codebase) -> bool:
    return _in_other_code(name, codebase) or (name.read and _by_prefix(name.name, codebase.head))


def _by_prefix(variable: str, side: Snapshot) -> bool:
    """Return whether Python code that reads the environment writes out how the name of a variable begins.

    ::

        {key: value for key, value in os.environ.items() if key.startswith("HALCYON")}
        class Settings(BaseSettings): model_config = SettingsConfigDict(env_prefix="HALCYON_")
    """
    first = variable.partition("_")[0]
    begins = re.compile(rf"[\"']{first}(?:_[A-Z\d_]*)?[\"'{{]")
    texts = (side.text(path) or "" for path in files_with(side, [first, f"{first}_"], ".py"))
    return any(
        _ENVIRONMENT.search(text) and any(variable.startswith(each[0][1:-1]) for each in begins.finditer(text))
        for text in texts
    )


def _in_other_code(name: Removed, codebase: Codebase) -> bool:
    """Return whether code of another language, or a configuration file, holds a name; a variable may be set there."""
    reader = LazyRegex(rf"\$\{{?{name.name}\b|env\.{name.name}\b")
    for path in codebase.head.paths:
        if _OTHER_CODE.search(path) or (name.read and _SETS.search(path)):
            text = codebase.head.text(path) or ""
            if name.name in text and not (name.read and _SETS.search(path) and not reader.search(text)):
                return True
    return False


CHECK = change_check(gather, relate, CheckTraits(literals=("def", "class", "_"), reads_old=True, on_lines=False))
