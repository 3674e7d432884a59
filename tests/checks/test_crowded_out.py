"""What a change adds, and how it names it, does not hide what was there before from rules that look at many files."""

from __future__ import annotations

import pytest

from tests.rule_cases import findings_of

PACKAGE = {"pkg/__init__.py": ""}
MANY = 450
"""More files than any such rule looks at for the sake of one change."""


def crowd(text: str) -> dict[str, str]:
    return {f"pkg/crowd_{number}.py": text for number in range(MANY)}


KIND = (
    "api/kind-changed",
    {
        "pkg/__init__.py": "from pkg.core import lookup\n",
        "pkg/core.py": "def lookup(a):\n    return a\n",
        "pkg/user.py": "from pkg import lookup\n\nlookup(1)\n",
    },
    {"pkg/core.py": "lookup = None\n"},
    "# core lookup\n",
)
CALL = (
    "api/caller-left-behind",
    PACKAGE
    | {
        "pkg/core.py": "class Cache:\n    def __init__(self, a):\n        self.a = a\n",
        "pkg/fast.py": "from pkg.core import Cache\n\n\nclass Fast(Cache):\n    pass\n",
        "pkg/user.py": "from pkg.fast import Fast\n\nFast(1)\n",
    },
    {"pkg/core.py": "class Cache:\n    def __init__(self, a, b):\n        self.a = a\n        self.b = b\n"},
    "from pkg.core import Cache\n\n\ndef make(Cache):\n    return Cache(1)\n",
)
RESULT = (
    "api/return-changed",
    {
        "pkg/__init__.py": "from pkg.core import split\n",
        "pkg/core.py": "def split(a):\n    return a, 1\n",
        "pkg/user.py": "import pkg\n\nhead, tail = pkg.split(1)\n",
    },
    {"pkg/core.py": "def split(a):\n    return a, 1, 2\n"},
    "from pkg.core import split\n\n\ndef halves(split):\n    head, tail = split(1)\n    return head, tail\n",
)


@pytest.mark.parametrize(("rule", "base", "head", "added"), [KIND, CALL, RESULT])
def test_files_that_a_change_adds_do_not_hide_a_use_that_was_there(
    rule: str, base: dict[str, str], head: dict[str, str], added: str
) -> None:
    assert [each.severity for each in findings_of(rule, head, base)] == ["error"]
    assert [each.severity for each in findings_of(rule, head | crowd(added), base)] == ["error"]


def test_a_use_that_a_change_adds_is_found_among_many_files() -> None:
    rule, base, head, _ = CALL
    user = base["pkg/user.py"]
    base = {path: text for path, text in base.items() if path != "pkg/user.py"} | crowd("from pkg.core import Cache\n")
    edited = {"pkg/z.py": "from pkg.fast import Fast\n\n\ndef one():\n    return Fast(1)\n"}

    assert [each.severity for each in findings_of(rule, head, base | {"pkg/z.py": user})] == ["error"]
    assert [each.severity for each in findings_of("api/call-misfit", head | edited, base)] == ["error"]


FRAME = "class Frame:\n    def __init__(self):\n        self.width = 1\n"
FIXED = """\
class Frame:
    def __init__(self):
        self._width = 1

    @property
    def width(self):
        return self._width
"""
USER = "from pkg.frame import Frame\n\n\ndef widen():\n    frame = Frame()\n    frame.width = 3\n    return frame\n"


@pytest.mark.parametrize("below", ["", "\n\nclass item(Frame):\n    pass\n"])
def test_a_class_whose_name_is_everywhere_does_not_hide_an_assignment(below: str) -> None:
    base = PACKAGE | crowd("item = 1\n") | {"pkg/frame.py": FRAME, "pkg/user.py": USER}
    found = findings_of("errors/read-only-attribute", {"pkg/frame.py": FIXED + below}, base)

    assert [each.severity for each in found] == ["error"]


def test_files_that_a_change_adds_do_not_make_a_lost_name_a_common_one() -> None:
    many = [f"part_{number}" for number in range(3_001)]
    fields = "".join(f"    {name} = 1\n" for name in many)
    base = PACKAGE | {
        "pkg/core.py": f"class Parts:\n{fields}\n\nclass Store:\n    def __init__(self):\n        self.rare = 1\n",
        "pkg/more.py": "".join(f"# {name}\n" for name in many),
        "pkg/other.py": "".join(f"# {name}\n" for name in many),
        "pkg/user.py": "from pkg.core import Store\n\n\ndef read():\n    store = Store()\n    return store.rare\n",
    }
    head = {"pkg/core.py": "class Parts:\n    pass\n\n\nclass Store:\n    pass\n"}

    assert [each.severity for each in findings_of("api/left-unset", head, base)] == ["error"]
    added = {f"pkg/added_{number}.py": "# rare\n" for number in range(3)}
    assert [each.severity for each in findings_of("api/left-unset", head | added, base)] == ["error"]


@pytest.mark.parametrize("name", ["reader", "reader_old"])
def test_a_file_that_is_used_is_no_copy_whatever_a_change_calls_it(name: str) -> None:
    reader = "from pkg.core import Store\n\n\ndef read():\n    store = Store()\n    return store.width\n"
    store = "class Store:\n    def __init__(self):\n        self.width = 1\n"
    use = f"from pkg.{name} import read\n\nread()\n"
    head: dict[str, str | None] = {"pkg/core.py": store.replace("width", "height")}
    before = PACKAGE | {"pkg/core.py": store}

    found = findings_of("api/left-unset", head, before | {f"pkg/{name}.py": reader, "pkg/main.py": use})
    assert [each.severity for each in found] == ["error"]

    head |= {f"pkg/{name}.py": reader, "pkg/main.py": use}
    found = findings_of("api/left-unset", head, before | {"pkg/main.py": ""})
    assert [each.severity for each in found] == ["error"]


@pytest.mark.parametrize("comment", ["", "# note\n", "# note \\\n", "import os  # note \\\n"])
@pytest.mark.parametrize("is_edited", [False, True])
def test_a_comment_hides_no_import(comment: str, is_edited: bool) -> None:
    core = "def load(path):\n    return path\n\n\ndef save(path):\n    return path\n"
    user = "from pkg.core import load\n\nload(1)\n"
    base = PACKAGE | {"pkg/core.py": core, "pkg/user.py": user if is_edited else comment + user}
    head = {"pkg/core.py": core.partition("\n\n\n")[2]} | ({"pkg/user.py": comment + user} if is_edited else {})

    assert [each.severity for each in findings_of("api/removed-name", head, base)] == ["error"]
