"""Reads which codes the linters of a repository answer for, from the files that configure them.

A linter answers for a code that it reports, and for one that its configuration names to leave it out: that is a
decision of the team, and no place for a comment of ours. That it is configured is enough: whether CI runs it is not
asked. Only files at the root of the repository are read, and no ``extend`` is followed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from review_bot.errors import ConfigError
from review_bot.linters.known_codes import (
    BANDIT_CODES,
    FLAKE8_DEFAULTS,
    FLAKE8_PLUGINS,
    HOOKS,
    PYLINT_NAMES,
    RUFF_DEFAULTS,
)
from review_bot.records import NamedTuple
from review_bot.text.globs import compile_glob, matches_any
from review_bot.text.lazy_regex import LazyRegex

PYPROJECT, PRE_COMMIT = "pyproject.toml", ".pre-commit-config.yaml"
RUFF_FILES = (".ruff.toml", "ruff.toml")
FLAKE8_FILES = ("setup.cfg", "tox.ini", ".flake8")
PYLINT_FILE = ".pylintrc"

FILES = (PYPROJECT, *RUFF_FILES, *FLAKE8_FILES, PYLINT_FILE, PRE_COMMIT)
"""Every file that is read."""

_RUFF_KEYS = ("select", "extend-select", "ignore", "extend-ignore")
_FLAKE8_KEYS = ("select", "extend-select", "enable-extensions", "ignore", "extend-ignore")
_CODE = LazyRegex(r"[A-Z]+[0-9]*")
_HOOK = LazyRegex(r"^\s*(?:-\s*)?id:\s*[\"']?([\w.-]+)")
_ALL_OFF = LazyRegex(r"disable\s*=[\[\"'\s]*all\b")
_HOOK_CODES = LazyRegex(r"--(?:extend-)?(?:select|ignore)[=\s,\"'-]+([A-Z][A-Z0-9, ]*)")


class Claim(NamedTuple):
    """Codes, or their beginnings, that a linter answers for; ``paths``: only in files that match, () for all Python.

    ``all_files``: it reads every kind of file. ``exempts``: its configuration leaves these files out of these codes.
    """

    linter: str
    file: str
    codes: tuple[str, ...]
    paths: tuple[str, ...] = ()
    all_files: bool = False
    exempts: bool = False

    def covers(self, codes: Iterable[str], path: str) -> bool:
        """Return whether the linter answers for one of the codes in a file."""
        if not (self.all_files or path.endswith((".py", ".pyi"))):
            return False
        if self.paths and not matches_any(self.paths, path):
            return False
        return any(_begins(code, claimed) for claimed in self.codes for code in codes)


class Claims(NamedTuple):
    """All that linters answer for, and why a file could not be used, by its path."""

    found: tuple[Claim, ...] = ()
    problems: tuple[tuple[str, str], ...] = ()

    def covering(self, codes: Iterable[str], path: str) -> Claim | None:
        """Return the first claim to one of the codes in a file."""
        wanted = tuple(codes)
        return next((claim for claim in self.found if claim.covers(wanted, path)), None)

    def exempting(self, codes: Iterable[str], path: str) -> Claim | None:
        """Return the first claim that leaves a file out of one of the codes, by a pattern and the code itself."""
        wanted = tuple(codes)
        exact = (claim for claim in self.found if claim.exempts and not set(wanted).isdisjoint(claim.codes))
        return next((claim for claim in exact if claim.covers(wanted, path)), None)


def read_claims(read: Callable[[str], str | None]) -> Claims:
    """Read every configuration file. ``read`` returns the text of one, or None; it may raise ConfigError."""
    texts: dict[str, str] = {}
    problems: list[tuple[str, str]] = []
    for path in FILES:
        try:
            text = read(path)
        except ConfigError as error:
            problems.append((path, error.message))
        else:
            if text is not None:
                texts[path] = text
    claims: list[Claim] = []
    for reader in (_of_ruff_and_pyproject, _of_ini_files, _of_hooks):
        for each in reader(texts):
            if isinstance(each, Claim):
                claims.append(each)
            else:
                problems.append(each)
    return Claims(tuple(claims), tuple(problems))


def _begins(code: str, claimed: str) -> bool:
    """Return whether a code falls under what a configuration names: ``S602`` under ``S``, ``S6`` and ``ALL``.

    A prefix of letters alone names one linter: ``C`` is not ``COM``, and ``T`` is not ``TRY``.
    """
    if claimed == "ALL":
        return True
    return code.startswith(claimed) and not (claimed.isalpha() and code[len(claimed) :][:1].isalpha())


def _of_ruff_and_pyproject(texts: Mapping[str, str]) -> Iterator[Claim | tuple[str, str]]:
    """Yield what ruff, pylint and bandit answer for; ruff reads one file, ``.ruff.toml`` first."""
    if texts.keys().isdisjoint((*RUFF_FILES, PYPROJECT)):
        return
    import tomllib

    ruff_seen = False
    for path in (*RUFF_FILES, PYPROJECT):
        if path not in texts:
            continue
        try:
            data = tomllib.loads(texts[path])
        except (ValueError, RecursionError) as error:
            yield path, f"it cannot be read as TOML: {error}"
            continue
        tools = _table(data, "tool") if path == PYPROJECT else {"ruff": data}
        if "ruff" in tools and not ruff_seen:
            ruff_seen = True
            yield from _of_ruff(_table(tools, "ruff"), path)
        if "pylint" in tools:
            yield from _of_pylint(texts[path], path)
        if "bandit" in tools:
            yield Claim("bandit", path, BANDIT_CODES)


def _of_ruff(table: Mapping[str, Any], path: str) -> Iterator[Claim]:
    """Yield what ruff covers; the keys may be in ``lint`` or, in old versions, next to it."""
    lint = {**table, **_table(table, "lint")}
    codes = [code for key in _RUFF_KEYS for code in _texts(lint.get(key))]
    if not isinstance(lint.get("select"), list):
        codes += RUFF_DEFAULTS
    yield Claim("ruff", path, tuple(codes))
    for key in ("per-file-ignores", "extend-per-file-ignores"):
        for pattern, ignored in _table(lint, key).items():
            # One that begins with "!" means everywhere else, which is too wide to be a decision.
            if _is_pattern(pattern) and not pattern.startswith("!"):
                yield Claim("ruff", path, _texts(ignored), _both_ways(pattern), exempts=True)


def _is_pattern(pattern: str) -> bool:
    try:
        compile_glob(pattern)
    except ValueError:
        return False
    return bool(pattern)


def _both_ways(pattern: str) -> tuple[str, ...]:
    """Return patterns for what ruff compares with the name of a file and with its whole path."""
    return (pattern,) if "/" in pattern else (pattern, f"**/{pattern}")


def _of_ini_files(texts: Mapping[str, str]) -> Iterator[Claim | tuple[str, str]]:
    """Yield what flake8 and pylint answer for."""
    if texts.keys().isdisjoint((*FLAKE8_FILES, PYLINT_FILE)):
        return
    import configparser

    for path in (*FLAKE8_FILES, PYLINT_FILE):
        if path not in texts:
            continue
        if path == PYLINT_FILE:
            yield from _of_pylint(texts[path], path)
            continue
        parser = configparser.RawConfigParser(strict=False, allow_no_value=True)
        try:
            parser.read_string(texts[path])
        except configparser.Error as error:
            yield path, f"it cannot be read: {error.message.splitlines()[0]}"
            continue
        if parser.has_section("flake8"):
            options = dict(parser.items("flake8"))
            codes = [code for key in _FLAKE8_KEYS for code in _CODE.findall(_option(options, key))]
            if not _option(options, "select"):
                codes += FLAKE8_DEFAULTS
            yield Claim("flake8", path, tuple(codes))
        if any(section.startswith("pylint") for section in parser.sections()):
            yield from _of_pylint(texts[path], path)


def _of_pylint(text: str, path: str) -> Iterator[Claim]:
    """Yield what pylint answers for: all that it has, unless everything is switched off but a few names."""
    whole = not _ALL_OFF.search(text)
    names = tuple(code for name, code in PYLINT_NAMES.items() if whole or name in text)
    yield Claim("pylint", path, names)


def _of_hooks(texts: Mapping[str, str]) -> Iterator[Claim | tuple[str, str]]:
    """Yield what the hooks of pre-commit answer for, read line by line: aliases and tags of YAML do not matter here."""
    hook, linter = "", ""
    configured = any("ruff" in texts.get(path, "") for path in (PYPROJECT, *RUFF_FILES))
    for written in texts.get(PRE_COMMIT, "").splitlines():
        line = written.partition(" #")[0]
        if line.lstrip().startswith("#"):
            continue
        if match := _HOOK.match(line):
            hook = match[1]
            linter, codes, all_files = HOOKS.get(hook, ("", (), False))
            if linter == "ruff" and configured:
                codes = ()
            if codes:
                yield Claim(linter, PRE_COMMIT, codes, all_files=all_files)
        elif linter == "flake8" and (plugins := [c for name, c in FLAKE8_PLUGINS.items() if name in line]):
            yield Claim("flake8", PRE_COMMIT, tuple(plugins))
        if linter and (match := _HOOK_CODES.search(line)):
            yield Claim(linter, PRE_COMMIT, tuple(_CODE.findall(match[1])))


def _table(data: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    found = data.get(key)
    return found if isinstance(found, dict) else {}


def _texts(value: Any) -> tuple[str, ...]:
    return tuple(each for each in value if isinstance(each, str)) if isinstance(value, list) else ()


def _option(options: Mapping[str, str | None], key: str) -> str:
    """Return an option of flake8, whose names may be written with ``-`` and with ``_``."""
    return options.get(key) or options.get(key.replace("-", "_")) or ""
