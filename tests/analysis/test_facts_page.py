"""The example of docs/facts.md works, and what its table names exists."""

import re
from pathlib import Path
from typing import Any

import pytest

from review_bot.changes.codebase import Codebase
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import ChangeCheck
from review_bot.rules.examples import make_case
from tests.rule_cases import built_in

PAGE = Path("docs/facts.md").read_text(encoding="utf-8")
BASE = {"pkg/run.py": "def stop(run):\n    return run.steps\n", "pkg/run_state.py": "class Run:\n    pass\n"}
ASSIGNS = "def start(run):\n    run.steps = 1\n    return run\n"
READS_NOTHING = {"pkg/run.py": "def stop(run):\n    return run\n"}


def example() -> ChangeCheck[Any]:
    """Run the Python of the page and return its check."""
    (code,) = re.findall(r"^```python\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
    names: dict[str, Any] = {"__name__": "example"}
    exec(compile(code, "docs/facts.md", "exec"), names)
    check = names["CHECK"]
    assert isinstance(check, ChangeCheck)
    return check


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        ({"pkg/start.py": "def start(run):\n    return run\n"}, [("pkg/start.py", 2, "steps", ["pkg/run.py:2"])]),
        ({"pkg/start.py": "def start(run):\n    run.steps: int = 2\n    return run\n"}, []),
        ({"pkg/start.py": "def start(run):\n    setattr(run, 'steps', 2)\n    return run\n"}, []),
        ({"pkg/start.py": "def start(run):\n    return run\n", **READS_NOTHING}, []),
        ({"pkg/start.py": "def begin(run):\n    run.steps = 1\n    return run\n"}, []),
    ],
)
def test_the_example_reports_an_attribute_that_nothing_assigns_any_more(head, expected):
    check = example()
    case = make_case(built_in("api/removed-name"), {"base": BASE | {"pkg/start.py": ASSIGNS}, "head": head})
    codebase = Codebase(case.repository, case.pull_request)
    facts = {
        file.path: found
        for number, file in enumerate(case.pull_request.files)
        if (found := check.gather(SourceFile(file, case.new[number], case.old[number]), {})) is not None
    }
    hits = check.relate(facts, case.pull_request, codebase, {})
    shown = [(hit.path, hit.line, hit.values["name"], [f"{p.path}:{p.line}" for p in hit.related]) for hit in hits]
    assert shown == expected


def test_what_the_table_names_is_where_it_says():
    rows = re.findall(r"^\| [^|]+ \| (.+) \|$", PAGE, re.MULTILINE)
    module = ""
    checked = 0
    for row in rows:
        found = re.search(r" in `(review_bot/[\w/]+\.py)`", row)
        module = found[1] if found else module
        if found or "in the same module" in row:
            for name in re.findall(r"`(\w+)\b(?!/)", row.replace(found[0] if found else "", "")):
                assert re.search(rf"^(?:def|class) {name}\b", Path(module).read_text(encoding="utf-8"), re.MULTILINE), (
                    name
                )
                checked += 1
    assert checked > 12
