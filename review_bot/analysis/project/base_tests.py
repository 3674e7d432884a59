"""The tests that a repository has at the base of a change, and what they leave untested."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from review_bot.analysis.project.added_tests import has_test_name, may_hold_tests
from review_bot.changes.codebase import Codebase, query
from review_bot.rules.scope import is_library, is_python, is_test, language_of
from review_bot.text.lazy_regex import LazyRegex

_WORD = LazyRegex(r"\w+")
_IMPORT = LazyRegex(r"(?m)^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+)?import[ \t]+(\([^)]{0,4000}\)|[^\n#]*)")
_FEWEST_MODULES = 10
"""From how many modules on the share that tests import says something."""
_OTHERS = frozenset({"bash", "cpp", "yaml"})
"""Languages in which tests are written or configured too."""
_LONG = 6
"""Letters of a name that a test is hardly called after by chance."""
_FEWEST = 3
_MATURE = 60
"""From how many modules on a repository's folders without tests are its habit, and not its youth."""
_TESTED = 4
"""Of how many modules of a kind one is tested, at least, where the repository tests that kind."""
_SAYS_NO_KIND = frozenset({"", "utils", "util", "helpers", "helper", "common", "base", "ops", "functions"})


def test_naming(names: Collection[str], codebase: Codebase) -> str:
    """Return the path of the base's test file that mentions some names most often, with helpers of tests last."""

    def mentions(path: str) -> tuple[bool, int]:
        words = _WORD.findall(codebase.base.text(path) or "")
        return any(word in names for word in words) and has_test_name(path), sum(word in names for word in words)

    return max(_test_paths(codebase), key=mentions, default="")


def _test_paths(codebase: Codebase) -> list[str]:
    return sorted(path for path in codebase.base.paths if is_python(path) and may_hold_tests(path))


def import_share(tests: Iterable[str], paths: Iterable[str]) -> float:
    """Return the share of the library's modules that tests import, by the last part of their names; 1 for very few.

    Where it is small the tests run the whole from outside, or a part: then the author of a change to the rest has no
    test to follow.
    """
    imported: set[str] = set()
    for text in tests:
        for module, names in _IMPORT.findall(text):
            imported.add(module.rpartition(".")[2])
            imported.update(_WORD.findall(names))
    modules = [path.rpartition("/")[2].removesuffix(".py") for path in paths if is_python(path) and is_library(path)]
    modules = [each for each in modules if each != "__init__"]
    if len(modules) < _FEWEST_MODULES:
        return 1.0
    return sum(each in imported for each in modules) / len(modules)


class BaseTests:
    """The texts of the base's files of tests, fixtures among them, and the words in them.

    ``others``: the texts of what is written in other languages near them, such as a script that runs them.
    """

    def __init__(self, texts: Iterable[str], others: Iterable[str], paths: Collection[str]) -> None:
        self.texts = tuple(texts)
        self.words = frozenset[str]().union(*map(_WORD.findall, self.texts), *map(_WORD.findall, others))
        self._stems: dict[str, set[str]] = {}
        for path in paths:
            folder, _, name = path.rpartition("/")
            if name.endswith(".py") and name != "__init__.py" and not is_test(path):
                self._stems.setdefault(folder, set()).add(name.removesuffix(".py"))
        self._modules = sum(map(len, self._stems.values()))

    def in_names_of_tests(self, names: Iterable[str]) -> frozenset[str]:
        """Return those of some names that a test is called after: ``test_load_all``, ``TestLoadAll``."""
        tests = [_plain(each) for each in self.words if each[:4].lower() == "test"]
        return frozenset(
            name
            for name in names
            if len(name) >= _LONG and any(each.startswith(f"test{_plain(name)}") for each in tests)
        )

    def leave_out(self, path: str) -> bool:
        """Return whether a repository tests nothing of the kind of a module: ``transformer_c.py`` next to others.

        Its kind is a series (modules of a folder that share the first or the last word of their names, as ports of
        models and platforms do), or its folder in a repository that has many. Tests name neither its folder nor a
        quarter of the other modules of its kind.
        """
        folder, _, name = path.rpartition("/")
        stem = name.removesuffix(".py")
        others = self._stems.get(folder, set()) - {stem}
        kinds = [others - _SAYS_NO_KIND] if self._modules >= _MATURE else []
        for position in (0, -1):
            kind = stem.split("_")[position]
            if kind not in _SAYS_NO_KIND:
                kinds.append({each for each in others if each.split("_")[position] == kind})
        if any(len(kind) >= _FEWEST and len(kind & self.words) * _TESTED < len(kind) for kind in kinds):
            return folder.removeprefix("src/").replace("/", ".") not in "\n".join(self.texts)
        return False


def _plain(name: str) -> str:
    return name.replace("_", "").lower()


@query
def base_tests(codebase: Codebase) -> BaseTests:
    """Return the tests of the base."""
    base = codebase.base
    texts = (base.text(path) or "" for path in _test_paths(codebase))
    others = (base.text(path) or "" for path in sorted(base.paths) if language_of(path) in _OTHERS and is_test(path))
    return BaseTests(texts, others, base.paths)
