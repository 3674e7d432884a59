"""The pytest commands of a repository: in CI files, shell scripts and the settings of task runners.

::

    .buildkite/pipeline.yml    pytest -s -v tests/e2e/test_serve.py     TestCommand(..., ("tests/e2e/test_serve.py",))
    Makefile                   pytest $(ARGS)                           tests that no one can read from the text
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from fnmatch import fnmatchcase

from review_bot.analysis.project.path_mentions import folders_around
from review_bot.changes.codebase import Snapshot, query
from review_bot.records import NamedTuple
from review_bot.rules.scope import is_test
from review_bot.text.lazy_regex import LazyRegex

_CI = LazyRegex(
    r"(?i)^(?:\.github/workflows/[^/]+\.ya?ml|\.(?:buildkite|circleci|gitlab|azure-pipelines)/.*\.(?:ya?ml|j2)"
    r"|\.?(?:ci|jenkins)/.*|(?:.*/)?(?:\.gitlab-ci|\.travis|azure-pipelines[^/]*|cloudbuild)\.ya?ml"
    r"|(?:.*/)?(?:jenkinsfile[^/]*|[^/]*\.groovy))$"
)
_MAY_FOLLOW = LazyRegex(
    r"(?i)(?:\.(?:sh|bash|mk)|(?:^|/)(?:makefile|gnumakefile|justfile|taskfile\.ya?ml|tox\.ini|setup\.cfg|noxfile\.py"
    r"|dodo\.py|tasks\.py|pyproject\.toml|pixi\.toml|dockerfile[^/]*|[^/]*\.dockerfile|docker-compose[^/]*"
    r"|action\.ya?ml|\.pre-commit-config\.yaml))$|^\.github/"
)
"""Files that a CI file may lead to: by their names, or by that of the tool which reads them."""
_READERS = (
    *(("makefile", "make"), ("gnumakefile", "make"), ("justfile", "just"), ("taskfile", "task"), ("tox.ini", "tox")),
    *(("noxfile.py", "nox"), ("tasks.py", "invoke"), ("dodo.py", "doit"), (".pre-commit-config.yaml", "pre-commit")),
    *(("pyproject.toml", tool) for tool in ("hatch", "pdm", "poe", "tox", "rye", "task", "pixi")),
)
_COMMAND = LazyRegex(r"(?:^|[\s\"'`;&|(\[/@=])(?:pytest|py\.test)(?=[\s\"'`;&|)\]]|$)")
_NO_COMMAND = LazyRegex(
    r"(?i)(?:^|\s)#(?:\s|$)|\binstall\b|\badd\b|\bpip\b|\becho\b|\blog\b|\bname:|\blabel:|\bkey:|\bdescription\b|\bdesc:"
    r"|\bimport\b|\bimportorskip\b|\brequire\w*\b|\bdeps\b|\bdependenc\w+|\brm\b|\bmkdir\b|\bln\b|\bwhich\b"
    r"|\bcommand -v\b|\bprintf\b|\bpkill\b|>="
)
"""What is before the word where it is no command: a package, a title, a text that is shown."""
_OF_REQUIREMENT = LazyRegex(r"[\"']\s*(?:,|\]|$)")
_SCRIPT_TABLES = LazyRegex(r"\[tool\.(?:hatch|pdm|poe|tox|rye|taskipy|pixi|nox|poethepoet)\b")
_SEPARATORS = LazyRegex(r"[\s\"'`,()\[\]]+")
_VALUE = LazyRegex(r"""(?<![\w-])-{1,2}[A-Za-z][\w-]{0,80}[= ]\s{0,20}(?:"[^"]*"|'[^']*')""")
_EXPRESSION = LazyRegex(r"\$\{\{\s{0,20}([\w.]{1,200})[^}]{0,200}\}\}")
_VARIABLE = LazyRegex(r"\$\{[^}]{0,200}\}|\$\([^)]{0,200}\)|\$\w+|\{\{[^}]{0,200}\}\}|\{\w{1,200}\}")
_OPTION = LazyRegex(r"(?<![\w-])(--[\w-]+)(?![\w)-])")
"""An option that is passed; one before a parenthesis is an arm that reads it."""
_SHELL = (".sh", ".bash")
_FUNCTION = LazyRegex(r"(?:function\s+)?(\w+)\s*\(\)")
_CONDITION = LazyRegex(r"\s*if\s.*?\$\{?(\w+)")
_ARM = LazyRegex(r"\s*(--[\w-]+)(?:\||\))")
_ENDS = frozenset({";", "&&", "||", "|", ">", ">>", "2>&1", "#", "&", "then", "do"})
_OF_OPTIONS = LazyRegex(r"(?i)\$[({]*\s*[\w.]*(?:opt|flag|cov|verbos|param|report)[\w.]*\s*[)}]*")
"""A variable that is called after options; another may hold the tests."""
_RUNNER = LazyRegex(
    r"(?i)unittest discover|bazel (?:test|run)|\bnosetests\b|\bpython[\d.]{0,8} +\S{0,90}(?:run|suite|all)\S{0,90}\.py"
    r"|uses: *[\w.-]+/[\w.-]+/\.github/workflows/[\w.-]*tests?[\w.-]*@"
)
"""What runs tests that the text does not name."""
_CASE = LazyRegex(r"::.*")


class TestCommand(NamedTuple):
    """A run of pytest in line ``line``, 1-based, of ``file``; ``paths`` are the files and folders that it names."""

    file: str
    line: int
    paths: tuple[str, ...]

    def runs(self, path: str) -> bool:
        """Return whether it may run a test file: it names the file or a folder around it, from any folder."""
        return any(_covers(each, path) for each in self.paths)


class TestCommands(NamedTuple):
    """The pytest commands of CI. ``are_known``: each names its tests, and nothing else seems to run tests.

    ``texts``: the text of each file that was read.
    """

    commands: tuple[TestCommand, ...]
    are_known: bool
    texts: tuple[str, ...]

    def run(self, path: str) -> bool:
        """Return whether one of them may run a test file."""
        return any(each.runs(path) for each in self.commands)

    def mention(self, path: str) -> bool:
        """Return whether one of the files names a test file, with or without its suffix, or its folder as a whole."""
        folder, _, name = path.rpartition("/")
        held = re.compile(rf"{re.escape(folder)}/?(?:[*\s\"'`,;)]|$)") if "/" in folder else None
        stem = name.removesuffix(".py")
        return any(stem in text or (held is not None and held.search(text)) for text in self.texts)


@query
def test_commands(side: Snapshot) -> TestCommands:
    """Return the pytest commands that the CI of a side runs, as far as its files show."""
    texts = _reached(
        {path: side.text(path) or "" for path in sorted(side.paths) if is_ci_file(path) or _MAY_FOLLOW.search(path)}
    )
    folders = {folder for path in side.paths if is_test(path) for folder in folders_around(path)}
    folders |= {each.rpartition("/")[2] for each in folders}
    options = {path: frozenset(_OPTION.findall(text)) for path, text in texts.items()}
    found: list[TestCommand] = []
    are_known = not any(map(_RUNNER.search, texts.values()))
    for path, text in texts.items():
        if path.endswith("pyproject.toml") and not _SCRIPT_TABLES.search(text):
            continue
        if "pytest" in text or "py.test" in text:
            passed = frozenset[str]().union(*(each for other, each in options.items() if other != path))
            found += _commands(path, text, folders, passed)
    return TestCommands(tuple(found), are_known and all(each.paths for each in found), tuple(texts.values()))


def is_ci_file(path: str) -> bool:
    """Return whether a path is that of a file with which CI begins."""
    return _CI.search(path) is not None


def _reached(texts: dict[str, str]) -> dict[str, str]:
    """Return the texts of CI files, and of those that they lead to."""
    found = {path: text for path, text in texts.items() if is_ci_file(path)}
    waiting = list(found.values())
    while waiting:
        text = waiting.pop()
        for path in texts.keys() - found.keys():
            name = path.rpartition("/")[2].lower()
            readers = [tool for file, tool in _READERS if name == file or name.startswith(f"{file}.")]
            if any(re.search(rf"\b{tool}\b", text) for tool in readers) or (not readers and name in text.lower()):
                found[path] = texts[path]
                waiting.append(texts[path])
    return dict(sorted(found.items()))


def _commands(path: str, text: str, folders: set[str], passed: frozenset[str]) -> Iterator[TestCommand]:
    """Yield the commands of a file; one without paths may run any test."""
    lines = text.split("\n")
    number = 0
    while number < len(lines):
        first, line = number, lines[number]
        while line.rstrip().endswith("\\") and number + 1 < len(lines):
            number += 1
            line = f"{line.rstrip()[:-1]} {lines[number]}"
        number += 1
        for match in () if line.lstrip().startswith(("#", "//")) else _COMMAND.finditer(line):
            before, rest = line[: match.start()], line[match.end() :]
            is_requirement = (
                path.endswith(".toml") and _OF_REQUIREMENT.match(rest) and not before.rstrip().endswith("=")
            )
            if _NO_COMMAND.search(before) or is_requirement:
                continue
            if not path.endswith(_SHELL) or not _awaits_option(lines, first, passed):
                yield TestCommand(path, first + 1, _paths(rest, folders))


def _awaits_option(lines: list[str], at: int, passed: frozenset[str]) -> bool:
    """Return whether a line of a shell script runs only after an option that nothing passes to it.

    ::

        --quality) QUALITY=true ;;                    run_quality() {
        if [ "$QUALITY" = true ]; then run_quality        pytest tests
    """
    above = next((line for line in lines[at::-1] if line[:1] == "}" or _FUNCTION.match(line)), "")
    function = _FUNCTION.match(above)
    starts = [at]
    if function is not None:
        starts = [number for number, line in enumerate(lines) if re.match(rf"\s*{function[1]}\s*(?:;|$)", line)]
    return bool(starts) and all(_is_behind_option(lines, start, passed) for start in starts)


def _is_behind_option(lines: list[str], at: int, passed: frozenset[str]) -> bool:
    depth = len(lines[at]) - len(lines[at].lstrip())
    around = (line for line in lines[at::-1] if line.strip() and len(line) - len(line.lstrip()) < depth)
    condition = _CONDITION.match(next(around, ""))
    if condition is None:
        return False
    sets = re.compile(rf"\b{condition[1]}=")
    setting = [number for number, line in enumerate(lines) if sets.search(line)]
    arms = [_ARM.match(each) for number in setting for each in lines[max(0, number - 2) : number + 1]]
    options = {arm[1] for arm in arms if arm is not None}
    return len(setting) > 1 and len(options) == len(setting) - 1 and options.isdisjoint(passed)


def _paths(arguments: str, folders: set[str]) -> tuple[str, ...]:
    """Return the paths that a command names; none if it may run others as well."""
    found: list[str] = []
    arguments = _VALUE.sub(" ", _EXPRESSION.sub(r"${\1}", arguments))
    for word in _SEPARATORS.split(arguments.replace(";", " ; ")):
        if word in _ENDS or word.startswith("#"):
            break
        if not word or word.startswith("-") or _OF_OPTIONS.fullmatch(word):
            continue
        plain = _VARIABLE.sub("*", _CASE.sub("", word)).removeprefix("./").rstrip("/")
        if plain.startswith("*/"):
            plain = plain[1:]  # a folder that a variable names
        if plain in {"", ".", ".."} or plain.startswith(("*", "{", "%", "<", "$")):
            return ()
        if "/" in plain or plain.endswith(".py") or plain in folders:
            found.append(plain)
    return tuple(found)


def _covers(named: str, path: str) -> bool:
    """Return whether a path of a command may lead to a file."""
    parts = [part for part in named.split("/") if part not in {"", ".", ".."}]
    starts = range(len(parts)) if named.startswith(("/", "..")) else range(1)
    for start in starts:
        written = "/".join(parts[start:])
        if "*" in written or "?" in written:
            if fnmatchcase(f"/{path}", f"*/{written}") or fnmatchcase(f"/{path}", f"*/{written}/*"):
                return True
        elif f"/{path}".endswith(f"/{written}") or f"/{written}/" in f"/{path}":
            return True
    return False
