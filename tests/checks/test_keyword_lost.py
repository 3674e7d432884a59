"""Keywords that a function takes by a ``**kwargs`` which it never reads."""

from __future__ import annotations

import pytest

from tests.growth import SUPERLINEAR, growth
from tests.rule_cases import findings_of

RULE = "api/keyword-lost"
CALL = "from .load import load\n\n\ndef run(path, device):\n    return load(path, device={})\n"
READER = "from abc import ABC\n\n\nclass Reader(ABC):\n    def feed_text(self, text, **kwargs):\n        raise NotImplementedError\n"
SERVE = "def serve(reader, text):\n    return reader.feed_text(text, last=True)\n"


def said(load: str, value: str = "device") -> list[str]:
    """Return what is said of a new call; ``load``: the function that it runs."""
    base = {"pkg/__init__.py": "", "pkg/load.py": load}
    return [finding.message for finding in findings_of(RULE, {"pkg/run.py": CALL.format(value)}, base)]


def said_of_methods(*classes: str) -> list[str]:
    """Return what is said of a new call of a method of the interface, which some classes define too."""
    base = {"pkg/__init__.py": "", "pkg/readers.py": "\n\n".join((READER, *classes))}
    return [finding.message for finding in findings_of(RULE, {"pkg/serve.py": SERVE}, base)]


def test_what_no_line_of_the_function_reads_is_lost() -> None:
    assert said("def load(path, **options):\n    return open(path)\n") == [
        "This call passes `device`, which `load` takes only by `**options` and never reads."
    ]


@pytest.mark.parametrize(
    "load",
    [
        "def load(path, device=None, **options):\n    return open(path)\n",
        "def load(path, **options):\n    return open(path, **options)\n",
        "def load(path, **options):\n    return open(path, locals())\n",
        "def load(path, **_):\n    return open(path)\n",
        "def load(path, **options):  # options are ignored\n    return open(path)\n",
        "def load(path, **options):\n    raise NotImplementedError\n",
        "def load(path, **options):\n    return None\n",
        "def load(path):\n    return open(path)\n",
        "if FAST:\n    def load(path, **options):\n        return open(path)\n",
        "@wrapped\ndef load(path, **options):\n    return open(path)\n",
    ],
)
def test_what_is_read_or_dropped_on_purpose_is_not(load: str) -> None:
    assert said(load) == []


def test_none_is_not_lost() -> None:
    assert said("def load(path, **options):\n    return open(path)\n", "None") == []


def test_all_methods_of_an_interface_have_to_lose_it() -> None:
    loses = "class {}(Reader):\n    def feed_text(self, text, **kwargs):\n        return text\n"
    reads = "class Last(Reader):\n    def feed_text(self, text, **kwargs):\n        return text, kwargs\n"
    outside = (
        "from lib import Base\n\n\nclass Last(Base):\n    def feed_text(self, text, **kwargs):\n        return text\n"
    )
    assert said_of_methods(loses.format("A"), loses.format("B")) == [
        "This call passes `last`, which all 2 definitions of `feed_text` take only by `**kwargs` and never read."
    ]
    assert said_of_methods(loses.format("A"), reads) == []
    assert said_of_methods(loses.format("A"), outside) == []
    assert said_of_methods() == []


def test_many_calls_of_many_functions_need_linear_time() -> None:
    def examine(count: int) -> None:
        functions = "".join(f"def load_{each}(path, **rest):\n    return path\n\n\n" for each in range(count))
        calls = "".join(
            f"    load_{each}(path, device=path)\n    x.load_{each}(path, device=path)\n" for each in range(count)
        )
        assert findings_of(RULE, {"pkg/run.py": f"{READER}\n\n{functions}def run(path, x):\n{calls}"})

    assert growth(examine, 30) < SUPERLINEAR


def test_a_parameter_that_is_spelled_almost_alike_is_the_advice() -> None:
    base = {
        "pkg/__init__.py": "",
        "pkg/load.py": "def load(path, Device_=None, **options):\n    return open(path, Device_)\n",
    }
    (finding,) = findings_of(RULE, {"pkg/run.py": CALL.format("device")}, base)
    advice = "Pass `Device_` instead of `device`, if that parameter is meant; else remove the argument."
    assert finding.instead == advice
