"""What the documents of a project mention: flags, settings, models.

A document is split into words only where it holds the name that is asked for: a project has far more documents than a
change has names.
"""

from __future__ import annotations

from functools import cached_property, lru_cache

from review_bot.changes.codebase import Snapshot, query
from review_bot.rules.scope import is_document, is_history, is_vendored
from review_bot.text.lazy_regex import LazyRegex

_DOCUMENT = LazyRegex(r"(?i)\.(?:adoc|ipynb)$|^docs?/.*\.(?:txt|inc|yaml|yml|sh|py)$")
_ASIDE = LazyRegex(r"(?i)(?:^|/)(?:\.[^/]+|tests?|archive)/|(?:^|/)changelog")
_PAGE = LazyRegex(r"(?i)\.(?:md|rst|mdx|adoc|ipynb)$")
_FENCED = LazyRegex(r"(?ms)^[ \t]*```.*?^[ \t]*```")
_PYTHON_FILE = LazyRegex(r"(?<![\w-])[\w-]+\.py\b")
_TOKEN = LazyRegex(r"--[A-Za-z][\w-]*|\w{3,}")
_SINGLE_DASH = LazyRegex(r"(?<![\w-])-[A-Za-z][\w-]{2,}")
"""A flag as usages write it that lists all with one dash: ``-aligned``."""
_CALL = LazyRegex(r"(?<!self)\.([A-Za-z]\w*)\(")
_INCLUDED = LazyRegex(
    r"(?:literalinclude::|include::|\{(?:literal)?include\}|--8<--)[ \t]*[\"']?(?:\.{0,2}/)*([^\s\"':]+)"
)
"""A file that a document shows: ``.. literalinclude:: ../../pkg/envs.py``, and ``{literalinclude} ...`` in MyST."""
_MADE_FROM_CODE = LazyRegex(r"(?i)argparse|sphinx[-_]click|mkdocs-click|automodule::|autodoc_pydantic|autoclass::")


@lru_cache(maxsize=1024)
def _tokens(text: str) -> frozenset[str]:
    """Return the words and flags of a document; the same one is asked for several names."""
    return frozenset([*_TOKEN.findall(text), *_SINGLE_DASH.findall(text)])


def _lists(option: str, text: str) -> bool:
    """Return whether a line of a usage describes a flag, with one dash or two: ``  -aligned    Faces are aligned``."""
    name = option.lstrip("-")
    for line in text.split("\n") if name in text else ():
        written, _, about = line.strip().replace("\t", "  ").partition("  ")
        first, *value = written.split()[:3] or [""]
        if first in {f"-{name}", f"--{name}"} and len(value) <= 1:
            about = about.strip()
            if about[:1].isalnum() and not about.endswith("\\"):
                return True
    return False


def _says_more_of(option: str, text: str) -> bool:
    """Return whether a line of a document holds a flag and something else."""
    lines = (line.strip(" -*`|>") for line in text.split("\n") if option in line)
    return option in _tokens(text) and any(line != option.lstrip("-") for line in lines)


def shows_call(text: str, method: str) -> bool:
    """Return whether a text calls the method on something else than the object itself (``engine.step(``)."""
    return f".{method}(" in text and method in _CALL.findall(text)


class Mentions:
    """The documents of one side, and which of them mention a name."""

    def __init__(self, side: Snapshot) -> None:
        self._side = side
        self._runs: dict[str, dict[str, set[str]]] = {}

    @cached_property
    def _texts(self) -> dict[str, str]:
        paths = (path for path in sorted(self._side.paths) if is_document(path) or _DOCUMENT.search(path))
        return {
            path: self._side.text(path) or "" for path in paths if not _ASIDE.search(path) and not is_vendored(path)
        }

    @cached_property
    def made_from_code(self) -> bool:
        """Whether documents are generated from the code, so that a word in no file may be on a page all the same."""
        return any(_MADE_FROM_CODE.search(text) for text in self._texts.values())

    def includes(self, path: str) -> bool:
        """Return whether a document shows a file, or a part of it, as it is."""
        shown = {found for text in self._texts.values() for found in _INCLUDED.findall(text)}
        return any(path == each or path.endswith(f"/{each}") for each in shown)

    @property
    def count(self) -> int:
        """The number of documents."""
        return len(self._texts)

    def shows_call(self, method: str) -> bool:
        """Return whether a document shows how to call a method."""
        return any(shows_call(text, method) for text in self._texts.values())

    def of(self, name: str) -> list[str]:
        """Return the documents that mention a name; a flag also counts under the name of its value."""
        found = self._with_token(name)
        if name.startswith("--"):
            written = name[2:]
            found += self._with_token(f"--{written.replace('-', '_')}")
            found += self._with_token(f"--{written.replace('_', '-')}")
            found += self._with_token(f"-{written}")
            value = written.replace("-", "_")
            found += self._with_token(value) if "_" in value else ()
        return found

    def of_script(self, script: str, option: str) -> list[str]:
        """Return the pages about a script that pass an option to it, or mention it outside of their commands.

        A line of a usage that describes it mentions it too. A page is about a script that it runs, and about one that
        is the only Python file it names, if no other file has the name or the script is in a folder below that of the
        document. Where no command runs the script, an option that is alone on its line is output of another program.
        """
        home, _, name = script.rpartition("/")
        same_name = sum(path == name or path.endswith(f"/{name}") for path in self._side.paths)
        found = []
        for path, text in self._texts.items():
            if not _PAGE.search(path) or name.removesuffix(".py") not in text or option.lstrip("-") not in text:
                continue
            folder = path.rpartition("/")[0]
            is_near = same_name == 1 or f"{home}/".startswith(f"{folder}/" if folder else "")
            passed = self._passed(path).get(script)
            if passed is not None:
                is_shown = option in passed or option in _tokens(_FENCED.sub("", text)) or _lists(option, text)
            else:
                is_shown = is_near and set(_PYTHON_FILE.findall(text)) == {name} and _says_more_of(option, text)
            if is_shown:
                found.append(path)
        return found

    def _passed(self, path: str) -> dict[str, set[str]]:
        """Return the options that the commands of a document pass, by script."""
        from review_bot.analysis.project.script_paths import script_path  # for changes to options of scripts alone
        from review_bot.analysis.project.script_runs import script_runs

        if path not in self._runs:
            passed: dict[str, set[str]] = {}
            for run in script_runs(self._texts[path].split("\n"), is_shell=False):
                script = script_path(run, path.rpartition("/")[0], self._side)
                if script is not None:
                    passed.setdefault(script.path, set()).update(each.option for each in run.passed)
            self._runs[path] = passed
        return self._runs[path]

    def in_history(self, name: str) -> bool:
        """Return whether a document about the past, such as a list of changes, mentions a name."""
        paths = (path for path in self._side.paths if path.endswith((".md", ".rst", ".txt")) and is_history(path))
        return any(name in (self._side.text(path) or "") for path in paths)

    def _with_token(self, token: str) -> list[str]:
        return [path for path, text in self._texts.items() if token in text and token in _tokens(text)]


@query
def mentions(side: Snapshot) -> Mentions:
    """Return what the documents of one side mention."""
    return Mentions(side)
