"""Where the default of ``getattr`` is never used because the class declares the field with None."""

from __future__ import annotations

import pytest

from tests.rule_cases import findings_of

RULE = "errors/getattr-default-on-none"
ENTRY = "class Entry(Struct):\n    data: bytes\n    tensor_dtype: str | None = None\n"
BASE = {"pkg/__init__.py": "", "pkg/entry.py": ENTRY}


def count(body: str, head: str = "from pkg.entry import Entry\n", base: dict[str, str] = BASE) -> int:
    return len(findings_of(RULE, {"pkg/use.py": f"{head}\n\ndef use(entry: Entry):\n{body}"}, base))


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("    return np.dtype(getattr(entry, 'tensor_dtype', 'float32'))\n", 1),
        ("    return np.dtype(getattr(entry, 'tensor_dtype', DEFAULT))\n", 1),
        ("    return getattr(entry, 'tensor_dtype', None)\n", 0),
        ("    return getattr(entry, 'tensor_dtype', '')\n", 0),
        ("    return getattr(entry, 'tensor_dtype', make())\n", 0),
        ("    return getattr(entry, 'data', b'x')\n", 0),
        ("    return getattr(entry, name, 'float32')\n", 0),
        ("    return getattr(entry, 'tensor_dtype', 'float32') or 'float32'\n", 0),
        ("    if getattr(entry, 'tensor_dtype', 'float32') == 'float16':\n        pass\n", 0),
        ("    kind = getattr(entry, 'tensor_dtype', 'float32')\n    return kind if kind else 'a'\n", 0),
        ("    kind = getattr(entry, 'tensor_dtype', 'float32')\n    assert kind is not None\n", 0),
        ("    entry = other(entry)\n    return getattr(entry, 'data', 'float32')\n", 0),
    ],
)
def test_calls_on_an_annotated_parameter(body: str, expected: int) -> None:
    assert count(body) == expected


USE = "    for entry in others:\n        return np.dtype(getattr(entry, 'tensor_dtype', 'float32'))\n"


@pytest.mark.parametrize(
    ("base", "expected"),
    [
        ({}, 1),
        ({"pkg/other.py": "class Other:\n    tensor_dtype: str = 'a'\n"}, 0),
        ({"pkg/other.py": "def fill(x):\n    x.tensor_dtype = 'a'\n"}, 0),
        ({"pkg/other.py": "def same(x):\n    return x.tensor_dtype == 'a'\n"}, 1),
        ({"tests/test_entry.py": "class Fake:\n    tensor_dtype: str = 'a'\n"}, 1),
        ({"pkg/entry.py": ENTRY.replace("= None", "= 'float16'")}, 0),
    ],
)
def test_without_an_annotation_one_class_alone_may_have_the_field(base: dict[str, str], expected: int) -> None:
    assert count(USE, base={**BASE, **base}) == expected


def test_the_file_must_import_from_the_module_of_that_class() -> None:
    assert count(USE, head="from other import Entry\n") == 0


def test_without_an_annotation_the_object_is_called_after_the_class() -> None:
    assert count(USE.replace("entry", "hf_entry")) == 0
