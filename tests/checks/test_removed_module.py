"""A module that goes while others still import it: said once, where it went, and only if nothing could replace it."""

from __future__ import annotations

import pytest

from review_bot.changes.pull_request import ChangedFile, PullRequest
from review_bot.changes.repository import closed
from review_bot.rules.examples import Case
from tests.rule_cases import findings_in, findings_of

RULE = "api/removed-module"
BASE = {"pkg/__init__.py": "", "pkg/sub/__init__.py": "", "pkg/sub/old.py": "X = 1\n"}


def said(importer: str, path: str = "pkg/run.py", **head: str | None) -> list[str]:
    """Return what is said when ``pkg/sub/old.py`` goes and one file imports it."""
    found = findings_of(RULE, {"pkg/sub/old.py": None} | head, BASE | {path: importer})
    return [finding.message for finding in found]


@pytest.mark.parametrize(
    "importer",
    [
        "import pkg.sub.old\n",
        "from pkg.sub.old import X\n",
        "from pkg.sub import old\n",
        "from .sub import old as o\n",
        "from .sub.old import X\n",
        "def run():\n    from pkg.sub.old import X\n\n    return X\n",
    ],
)
def test_every_form_of_import_is_seen(importer: str) -> None:
    (message,) = said(importer)
    line = importer[: importer.index("old")].count("\n") + 1
    assert message == f"`pkg/run.py:{line}` still imports `pkg.sub.old`, which this change removes."


@pytest.mark.parametrize(
    "importer",
    [
        "from elsewhere.sub.old import X\n",
        "try:\n    from pkg.sub.old import X\nexcept ImportError:\n    X = None\n",
        "import sys\nsys.modules['pkg.sub.old'] = fake\nfrom pkg.sub.old import X\n",
        "import pytest\nold = pytest.importorskip('pkg.sub.old')\n",
        "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from pkg.sub.old import X\n",
    ],
)
def test_an_import_that_may_work_or_may_fail_is_left_alone(importer: str) -> None:
    assert said(importer) == []


def test_the_importers_are_counted_and_listed_on_the_file_that_went() -> None:
    users = {"pkg/a.py": "from .sub.old import X\n", "tests/test_a.py": "\nfrom pkg.sub.old import X\n"}

    (finding,) = findings_of(RULE, {"pkg/sub/old.py": None}, BASE | users)

    assert (finding.path, finding.line, finding.placement) == ("pkg/sub/old.py", None, "file")
    assert finding.message == "`pkg/a.py:1` and at least 1 more still import `pkg.sub.old`, which this change removes."
    assert finding.severity == "error"
    assert [(place.path, place.line) for place in finding.related] == [("pkg/a.py", 1), ("tests/test_a.py", 2)]


def test_an_import_on_an_added_line_is_the_matter_of_another_rule() -> None:
    found = findings_of(RULE, {"pkg/sub/old.py": None, "pkg/run.py": "from pkg.sub.old import X\n"}, BASE)
    assert found == []


def test_a_file_that_is_renamed_as_it_is_counts_too() -> None:
    head = {"pkg/__init__.py": "", "pkg/new.py": "X = 1\n", "pkg/run.py": "from pkg.old import X\n"}
    base = {"pkg/__init__.py": "", "pkg/old.py": "X = 1\n", "pkg/run.py": "from pkg.old import X\n"}
    change = ChangedFile("pkg/new.py", "pkg/old.py", "renamed", "text", old_mode="100644", new_mode="100644")

    found = findings_in(RULE, Case(PullRequest((change,)), {}, {}, closed(head, base, head, base)))

    assert [(each.path, each.placement) for each in found] == [("pkg/new.py", "file")]
    assert found[0].message == "`pkg/run.py:1` still imports `pkg.old`, which this change removes."


def test_many_modules_are_one_comment() -> None:
    modules = {f"pkg/m{number}.py": "X = 1\n" for number in range(5)}
    users = {f"tests/test_m{number}.py": f"from pkg.m{number} import X\n" for number in range(5)}

    (finding,) = findings_of(RULE, dict.fromkeys(modules), {"pkg/__init__.py": ""} | modules | users)

    assert finding.message == (
        "`tests/test_m0.py:1` and at least 4 more still import `pkg.m0` and at least 4 more modules, which this change removes."
    )
    assert len(finding.related) == 5


FINDER = """\
import sys


class Finder:
    def find_spec(self, name, path=None, target=None):
        return None


if not any(isinstance(each, Finder) for each in sys.meta_path):
    sys.meta_path.insert(0, Finder())
"""


@pytest.mark.parametrize("place", ["pkg/__init__.py", "pkg/sub/__init__.py"])
def test_a_finder_that_the_change_puts_above_the_module_may_provide_it(place: str) -> None:
    base = BASE | {"pkg/run.py": "from pkg.sub.old import X\n"}

    (finding,) = findings_of(RULE, {"pkg/sub/old.py": None, place: FINDER}, base)
    (other,) = findings_of(RULE, {"pkg/sub/old.py": None, "pkg/other.py": FINDER}, base)

    assert (finding.severity, other.severity) == ("warning", "error")
    assert finding.message.endswith("; only a finder in `sys.meta_path` could provide it.")


@pytest.mark.parametrize(
    "text",
    [
        "import sys\n\nprint(sys.meta_path)\n",
        "import sys\n\nsys.meta_path.insert(0, object())\n",
        FINDER.replace("find_spec", "other"),
        FINDER.replace("if not any(isinstance(each, Finder) for each in sys.meta_path):", "def _install():"),
        FINDER.replace("if not any(isinstance(each, Finder) for each in sys.meta_path):", "if False:"),
    ],
)
def test_what_installs_no_finder_excuses_nothing(text: str) -> None:
    base = BASE | {"pkg/run.py": "from pkg.sub.old import X\n"}

    (finding,) = findings_of(RULE, {"pkg/sub/old.py": None, "pkg/__init__.py": text}, base)

    assert finding.severity == "error"


def test_a_source_below_a_package_does_not_replace_its_own_file() -> None:
    base = BASE | {
        "pkg/ops/__init__.py": "def run():\n    return 1\n",
        "pkg/ops/csrc/ops.cpp": "PYBIND11_MODULE(ops, m) {}\n",
        "pkg/use.py": "from pkg.ops import run\n",
    }

    (finding,) = findings_of(RULE, {"pkg/ops/__init__.py": None}, base)
    assert finding.severity == "error"
