"""Attributes that a class no longer sets, among very many that it loses."""

import pytest

from tests.rule_cases import findings_of

RULE = "api/left-unset"
MANY = 301
LINES = "".join(f"        self.field_{number} = 1\n" for number in range(MANY))
POOL = "class Pool:\n    def __init__(self):\n        self.size = 1\n        self.last = 1\n"
TABLE = f"class Table:\n    def __init__(self):\n        self.name = 1\n{LINES}"
RUN = "from pkg.core import Pool\n\n\ndef run():\n    return Pool().size\n"
BASE = {"pkg/__init__.py": "", "pkg/core.py": POOL, "pkg/table.py": TABLE, "pkg/run.py": RUN}


@pytest.mark.parametrize("added", [{}, {"pkg/names.py": "NAMES = 'size'\n" + LINES.replace("        self.", "")}])
def test_other_names_that_go_keep_no_read_from_being_seen(added: dict[str, str]) -> None:
    change = {"pkg/core.py": POOL.replace("        self.size = 1\n", ""), "pkg/table.py": TABLE.removesuffix(LINES)}
    assert [(each.path, each.severity) for each in findings_of(RULE, change | added, BASE)] == [
        ("pkg/core.py", "error")
    ]


def test_a_common_name_that_goes_too_keeps_no_read_of_another_from_being_seen() -> None:
    others = {f"pkg/a{number}.py": "Table = 1\nprint(Table.name)\n" for number in range(MANY)}
    change = {
        "pkg/core.py": POOL.replace("        self.size = 1\n", ""),
        "pkg/table.py": "class Table:\n    last = 1\n",
    }
    found = findings_of(RULE, change, BASE | {"pkg/table.py": "class Table:\n    last = 1\n    name = 1\n"} | others)
    assert [(each.path, each.severity) for each in found] == [("pkg/core.py", "error")]
