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


KIND = "import enum\n\n\nclass Kind(enum.Enum):\n    TEXT = 1\n    SOUND = 2\n"
CLASS = "class Store:\n    size = 3\n\n    @staticmethod\n    def make(a):\n        return a\n"
FROM = "from pkg.core import Kind, Store\n\n\n"
CORE = f"{KIND}\n\n{CLASS}"
LESS = CORE.replace("    SOUND = 2\n", "").partition("\n\n    @staticmethod")[0] + "\n"


def severities(use: str, base: str = CORE, head: str = LESS) -> list[str]:
    """Return the severities of what a change of ``pkg/core.py`` leaves behind in another file."""
    tree = {"pkg/__init__.py": "", "pkg/core.py": base, "pkg/use.py": use}
    return [each.severity for each in findings_of(RULE, {"pkg/core.py": head}, tree)]


@pytest.mark.parametrize(
    "use",
    [
        f"{FROM}def run():\n    return Store.make(1)\n",
        f"{FROM}X = Store.make(1)\n",
        f"{FROM}X = {{Kind.SOUND: 1}}\n",
        f"{FROM}def run(kind=Kind.SOUND):\n    return kind\n",
        f"{FROM}def run(kind):\n    return isinstance(kind, Kind) and kind is Kind.SOUND\n",
        f"{FROM}@Store.make\ndef run():\n    return 1\n",
        f"{FROM}class Below(Store):\n    pass\n\n\nX = Below.make(1)\n",
        "import pkg.core\n\nX = pkg.core.Store.make(1)\n",
        f"{FROM}X = Store().make(1)\n",
        f"{FROM}class Below(Store):\n    @classmethod\n    def go(cls):\n        return cls.make(1)\n\n\nX = Below()\n",
        f"{FROM}store = Store()\nX = store.make(1)\n",
    ],
)
def test_what_code_reads_of_the_class_itself_or_outside_of_functions_is_an_error(use: str) -> None:
    assert severities(use) == ["error"]


ITEM = "\n    Item = int\n"
ADDS = "\n\ndef add(owner):\n    setattr(owner, 'ma' + 'ke', int)\n\n\nadd(Store)\n"


@pytest.mark.parametrize(
    ("use", "base", "head"),
    [
        (f"{FROM}def run(a: Store.Item):\n    return a\n", CORE + ITEM, CORE),
        (f"{FROM}def run():\n    a: Store.Item = 1\n    return a\n", CORE + ITEM, CORE),
        (f"{FROM}X = Store.make(1)\n", CORE + ADDS, LESS + ADDS),
        (f"{FROM}X = Store.mro()\n", CORE.replace("make(a)", "mro(a=1)"), LESS),
        (f"{FROM}register(Store)\nX = Store.make(1)\n", CORE, LESS),
    ],
)
def test_what_a_class_may_have_all_the_same_is_a_warning(use: str, base: str, head: str) -> None:
    assert severities(use, base, head) == ["warning"]


@pytest.mark.parametrize(
    "use",
    [
        f"{FROM}try:\n    X = Store.make(1)\nexcept AttributeError:\n    X = 1\n",
        f"{FROM}X = Store.make(1) if hasattr(Store, 'make') else 1\n",
        f"{FROM}def run(Store):\n    return Store.make(1)\n",
    ],
)
def test_a_read_of_a_class_that_may_fail_or_means_another_is_not_reported(use: str) -> None:
    assert severities(use) == []


ABOVE = "class Above:\n    def reset(self):\n        return 1\n\n\n"
OTHER = "class Other:\n    def stop(self):\n        return 1\n\n\n"
BELOW = "class Below{}:\n    def reset(self):\n        return super().reset()\n"


@pytest.mark.parametrize(
    ("bases", "rest", "expected"),
    [
        ("", "\n\nBelow().reset()\n", ["error"]),
        ("(Other)", "\n\nBelow().reset()\n", ["error"]),
        ("", "", ["warning"]),
        ("", "\n\nclass Both(Below, Above):\n    pass\n\n\nBoth().reset()\n", []),
        ("(Library)", "\n\nBelow().reset()\n", []),
        ("(metaclass=Kind)", "\n\nBelow().reset()\n", []),
    ],
)
def test_what_super_lacks_once_the_base_class_is_gone_is_reported(bases: str, rest: str, expected: list[str]) -> None:
    base = {"pkg/__init__.py": "", "pkg/core.py": f"{ABOVE}{OTHER}{BELOW.format('(Above)')}{rest}"}
    head = {"pkg/core.py": f"{ABOVE}{OTHER}{BELOW.format(bases)}{rest}"}
    assert [each.severity for each in findings_of(RULE, head, base)] == expected


def test_what_super_never_had_is_left_alone() -> None:
    base = {"pkg/__init__.py": "", "pkg/core.py": f"{OTHER}{BELOW.format('(Other)')}\n\nBelow().reset()\n"}
    head = {"pkg/core.py": f"{OTHER}{BELOW.format('')}\n\nBelow().reset()\n"}
    assert findings_of(RULE, head, base) == []


SIZED = "class Sized:\n    def __init__(self, size):\n        self.size = size\n\n\n"
MADE = "class Pool{}:\n    def __init__(self, size):\n        super().__init__({})\n        self.last = size\n{}"


@pytest.mark.parametrize(
    ("old", "new", "given", "rest", "expected"),
    [
        ("(Sized)", "", "size", "\n\nPool(1)\n", ["error"]),
        ("(Library)", "", "size=size", "\n\nPool(1)\n", ["error"]),
        ("(Sized)", "", "size", "", ["warning"]),
        ("(Sized)", "", "", "\n\nPool(1)\n", []),
        ("(Sized)", "", "*size", "\n\nPool(1)\n", []),
        ("(Sized)", "(Library)", "size", "\n\nPool(1)\n", []),
        ("(Sized)", "", "size", "\n\nclass Both(Pool, Sized):\n    pass\n\n\nBoth(1)\n", []),
        ("(object)", "", "size", "\n\nPool(1)\n", []),
    ],
)
def test_arguments_for_the_base_class_that_is_gone_are_reported(
    old: str, new: str, given: str, rest: str, expected: list[str]
) -> None:
    base = {"pkg/__init__.py": "", "pkg/core.py": SIZED + MADE.format(old, given, rest)}
    found = findings_of(RULE, {"pkg/core.py": SIZED + MADE.format(new, given, rest)}, base)
    assert [each.severity for each in found if "super().__init__()" in each.message] == expected


KINDS = "import enum\nimport dataclasses\nfrom typing import NamedTuple\n\n\n"
ENUM = f"{KINDS}class Kind(enum.Enum):\n    A = 1\n    GONE = 2\n"
DATA = f"{KINDS}@dataclasses.dataclass\nclass Box:\n    size: int = 1\n    GONE: int = 2\n"
TUPLE = f"{KINDS}class Box(NamedTuple):\n    size: int = 1\n    GONE: int = 2\n"


@pytest.mark.parametrize(
    ("code", "use", "severity"),
    [
        (ENUM, "def run():\n    return Kind['GONE']", "error"),
        (ENUM, "X = Kind['GONE'].value", "error"),
        (DATA, "def run():\n    box = Box()\n    return dataclasses.replace(box, GONE=1)", "error"),
        (DATA, "def run(box: Box):\n    return dataclasses.replace(box, size=1, GONE=1)", "error"),
        (TUPLE, "def run():\n    return Box()._replace(GONE=1)", "error"),
        (
            DATA,
            "class Other:\n    GONE = 1\n\n\ndef run(box: Box):\n    return dataclasses.replace(box, GONE=1)",
            "warning",
        ),
        (ENUM, "def run():\n    return Kind['A']", None),
        (ENUM, "def run():\n    try:\n        return Kind['GONE']\n    except KeyError:\n        return Kind.A", None),
        (ENUM, "Kind = {'GONE': 1}\nX = Kind['GONE']", None),
        (ENUM, "def run(Kind):\n    return Kind['GONE']", None),
        (DATA, "def run():\n    return 'a'.replace(GONE=1)", None),
        (DATA, "def run(box):\n    return dataclasses.replace(box, GONE=1)", None),
        (DATA, "def run():\n    box = Box()\n    box = other(box)\n    return dataclasses.replace(box, GONE=1)", None),
        (DATA, "from lib import replace\n\n\ndef run():\n    return replace(Box(), GONE=1)", None),
        (DATA.replace("    size", "    GONES: int = 0\n    size"), "X = dataclasses.replace(Box(), size=1)", None),
    ],
)
def test_a_member_or_field_that_a_string_or_keyword_names(code: str, use: str, severity: str | None) -> None:
    names = "Kind" if "Kind" in code else "Box"
    run = f"import dataclasses\n\nfrom pkg.kinds import {names}\n\n\n{use}\n"
    base = {"pkg/__init__.py": "", "pkg/kinds.py": code, "pkg/run.py": run}
    head = "\n".join(line for line in code.split("\n") if "GONE" not in line.split(":")[0].split(" =")[0].split())
    found = findings_of(RULE, {"pkg/kinds.py": head}, base)
    assert [each.severity for each in found] == [severity] * (severity is not None)


@pytest.mark.parametrize(
    ("decorator", "body", "count"),
    [
        ("@register", "    TABLE[cls.__name__] = cls\n    return cls\n", 1),
        ("@register", "    cls.rows = 1\n    return cls\n", 0),
        ("@register", "    return wrapped(cls)\n", 0),
        ("@other", "    return cls\n", 0),
    ],
)
def test_a_decorator_of_the_tree_that_returns_the_class_is_seen_through(decorator: str, body: str, count: int) -> None:
    engine = (
        f"from pkg.table import register\nfrom lib import other\n\n\n{decorator}\nclass Engine:\n"
        "    def __init__(self):\n        self.size = 1\n        self.rows = 2\n\n"
        "    def show(self):\n        return self.rows\n"
    )
    base = {
        "pkg/__init__.py": "",
        "pkg/table.py": f"TABLE = {{}}\n\n\ndef register(cls):\n{body}",
        "pkg/engine.py": engine,
    }
    head = {"pkg/engine.py": engine.replace("        self.rows = 2\n", "")}
    assert len(findings_of(RULE, head, base)) == count
    more = f"{engine}\n    def more(self):\n        return self.missing\n"
    assert len(findings_of("errors/unset-attribute", {"pkg/engine.py": more}, base)) == count
    use = "from pkg.engine import Engine\n\n\ndef run():\n    engine = Engine()\n    return engine.missing\n"
    assert len(findings_of("errors/unknown-attribute", {"pkg/use.py": use}, base)) == count


_WITH_CLASS = "class Model:\n    class Settings:\n        size = 1\n\n    def run(self):\n        return 1\n"


@pytest.mark.parametrize(
    "use", ["X = Model.Settings()", "X = Model.Settings.size", "def f():\n    return Model.Settings"]
)
@pytest.mark.parametrize("new", ["class Config:\n        size = 1\n\n    ", ""])
def test_a_class_in_a_class_that_goes_and_is_still_read_is_an_error(use: str, new: str) -> None:
    head = {"pkg/core.py": _WITH_CLASS.replace("class Settings:\n        size = 1\n\n    ", new)}
    base = {"pkg/__init__.py": "", "pkg/core.py": _WITH_CLASS, "pkg/run.py": f"from pkg.core import Model\n\n{use}\n"}
    (found,) = findings_of(RULE, head, base)
    assert found.severity == "error"
    assert "removes the class" in found.message


@pytest.mark.parametrize(
    "new",
    [
        "Settings = make('Settings')\n\n    ",
        "from pkg.settings import Settings\n\n    ",
        "class Settings(dict):\n        pass\n\n    ",
        "def Settings(self):\n        return 1\n\n    ",
    ],
)
def test_what_takes_the_place_of_a_class_in_a_class_is_left_alone(new: str) -> None:
    head = {"pkg/core.py": _WITH_CLASS.replace("class Settings:\n        size = 1\n\n    ", new)}
    base = {
        "pkg/__init__.py": "",
        "pkg/core.py": _WITH_CLASS,
        "pkg/run.py": "from pkg.core import Model\n\nX = Model.Settings\n",
    }
    assert not findings_of(RULE, head, base)
