"""Names whose definition a change removes from a module that still reads them."""

from __future__ import annotations

import pytest

from tests.rule_cases import findings_of

RULE = "errors/left-undefined"
READER = "\n\ndef load(name):\n    value = check(name)\n    return value\n"
TRIED = "def load(run):\n    try:\n        run()\n    except ValueError{}:\n        raise RuntimeError(f'no {{error}}') from None\n"
MATCHED = "def load(form):\n    match form:\n        case {}:\n            return rest\n    return None\n"


@pytest.mark.parametrize(
    ("base", "head"),
    [
        (f"def check(name):\n    return name\n{READER}", READER.lstrip()),
        (f"@cache\ndef check(name):\n    return name\n{READER}", READER.lstrip()),
        (f"async def check(name):\n    return name\n{READER}", READER.lstrip()),
        (f"def check(name):\n    return name\n{READER}", f"def examine(name):\n    return name\n{READER}"),
        (f"class check:\n    kind = 1\n{READER}", READER.lstrip()),
        (
            "def run(name):\n    def check(name):\n        return name\n\n    return check(name)\n",
            "def run(name):\n    return check(name)\n",
        ),
    ],
)
def test_a_function_that_goes_while_its_module_calls_it_is_reported(base: str, head: str) -> None:
    (found,) = findings_of(RULE, {"a.py": head}, {"a.py": base})
    assert found.message.startswith("This change removes what bound `check`")


@pytest.mark.parametrize("new", ["", " as problem"])
def test_the_name_of_an_error_that_its_handler_still_reads_is_reported(new: str) -> None:
    assert findings_of(RULE, {"a.py": TRIED.format(new)}, {"a.py": TRIED.format(" as error")})


@pytest.mark.parametrize(
    ("old", "new"), [("[_, *rest]", "[_, *others]"), ("[rest, 1]", "[_, 1]"), ("{1: 2, **rest}", "{1: 2}")]
)
def test_what_a_pattern_bound_is_reported(old: str, new: str) -> None:
    assert findings_of(RULE, {"a.py": MATCHED.format(new)}, {"a.py": MATCHED.format(old)})


def test_what_else_is_called_so_is_left_alone() -> None:
    method = "class Store:\n    def check(self, name):\n        return name\n"
    inner = "def run(name):\n    def check(name):\n        return name\n\n    return check(name)\n"
    missing = "class Store:\n    kind = 1\n"
    assert findings_of(RULE, {"a.py": missing + READER}, {"a.py": method + READER}) == []
    assert findings_of(RULE, {"a.py": "def run(name):\n    return name\n" + READER}, {"a.py": inner + READER}) == []


def test_a_function_that_an_import_or_a_class_replaces_is_left_alone() -> None:
    base = {"a.py": f"def check(name):\n    return name\n{READER}"}
    assert findings_of(RULE, {"a.py": f"from lib import check\n{READER}"}, base) == []
    assert findings_of(RULE, {"a.py": f"class check:\n    kind = 1\n{READER}"}, base) == []


@pytest.mark.parametrize(
    ("reader", "severity"),
    [
        ("\nprint(check(1))\n", "error"),
        (READER, "error"),
        ("\n@lib.replaced\ndef load():\n    return check(1)\n", "warning"),
        ("\nNAMES = ['check']\nprint(check(1))\n", "warning"),
    ],
)
def test_it_is_an_error_where_something_surely_reads_it(reader: str, severity: str) -> None:
    head, base = f"import lib\n{reader}", f"import lib\nfrom lib import check\n{reader}"
    [finding] = findings_of(RULE, {"a.py": head}, {"a.py": base})
    assert finding.severity == severity


def test_a_name_that_functions_only_change_is_reported() -> None:
    reader = "\n\ndef count():\n    global total\n    total += 1\n"
    (found,) = findings_of(RULE, {"a.py": f"LIMIT = 1\n{reader}"}, {"a.py": f"LIMIT = 1\ntotal = 0\n{reader}"})
    assert (found.severity, found.side) == ("error", "LEFT")


_SETTER = "    @width.setter\n    def width(self, value):\n        self.value = value\n"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (f"    @property\n    def width(self):\n        return self.value\n\n{_SETTER}", _SETTER),
        ("    size = 1\n    limit = size + 1\n    size = 2\n", "    limit = size + 1\n    size = 2\n"),
    ],
)
def test_what_a_body_of_a_class_still_reads_above_its_other_binding_is_reported(old: str, new: str) -> None:
    head, base = f"class A:\n    kind = 1\n{new}", f"class A:\n    kind = 1\n{old}"
    (found,) = findings_of(RULE, {"a.py": head}, {"a.py": base})
    assert found.severity == "error"


def test_what_a_body_of_a_class_reads_of_the_module_since_the_change_is_left_alone() -> None:
    base = {"a.py": "size = 3\n\n\nclass A:\n    size = 1\n    limit = size + 1\n    size = 2\n"}
    assert not findings_of(RULE, {"a.py": "size = 3\n\n\nclass A:\n    limit = size + 1\n    size = 2\n"}, base)
