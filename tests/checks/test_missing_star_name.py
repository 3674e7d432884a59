"""Uses of names that no star import of the repository provides."""

from __future__ import annotations

import pytest

from tests.rule_cases import findings_of

RULE = "api/missing-star-name"
TREE = {"pkg/__init__.py": "", "pkg/core.py": "SIZE = 1\n_LIMIT = 2\n", "pkg/other.py": "WIDTH = 1\n"}


def reported(code: str, **base: str) -> list[int | None]:
    """Return the lines of a new file of the package that are reported."""
    more = {f"pkg/{name}.py": text for name, text in base.items()}
    return [each.line for each in findings_of(RULE, {"pkg/run.py": code}, TREE | more)]


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        ("from pkg.core import *\nprint(SIZES)\n", [2]),
        ("from .core import *\nfrom .other import *\nprint(SIZE, WIDTH, HEIGHT)\n", [3]),
        ("from .core import *\nprint(_LIMIT)\n", [2]),
        ("from .core import *\ndef f(q):\n    return q.view(SIZE, shape[-1])\n", [3]),
        ("from .core import *\ndef f():\n    print(wide)\n    return wide\ndef g():\n    return wide\n", [3, 6]),
    ],
)
def test_what_no_star_import_provides_is_reported(code: str, lines: list[int]) -> None:
    assert reported(code) == lines


@pytest.mark.parametrize(
    "code",
    [
        "from .core import *\nprint(SIZE, len, __name__)\n",
        "from .core import *\nfrom elsewhere import *\nprint(SIZES)\n",
        "from .core import *\nfrom .gone import *\nprint(SIZES)\n",
        "from .core import *\nfrom os import path as SIZES\nprint(SIZES)\n",
        "from .core import *\ntry:\n    SIZES\nexcept NameError:\n    pass\n",
        "from .core import *\nglobals()['SIZES'] = 1\nprint(SIZES)\n",
        "from .core import *\nprint(other)\n",  # a module of the tree, which the import of a package may bring
        "import sys\nsys.modules['pkg.core'] = 1\nfrom pkg.core import *\nprint(SIZES)\n",
        "print(SIZES)\n",  # for errors/undefined-name
    ],
)
def test_what_may_be_provided_is_left_alone(code: str) -> None:
    assert reported(code) == []


@pytest.mark.parametrize(
    ("core", "lines"),
    [
        ("__all__ = ['SIZE']\nSIZE = SIZES = 1\n", [2]),
        ("__all__ = ['SIZE']\n__all__ += ['SIZES']\nSIZE = SIZES = 1\n", []),
        ("from .deep import *\n", []),
        ("from elsewhere import *\n", []),
        ("def __getattr__(name): ...\n", []),
        ("try:\n    from fast import SIZES\nexcept ImportError:\n    pass\n", []),
    ],
)
def test_the_module_decides_what_a_star_brings(core: str, lines: list[int]) -> None:
    assert reported("from .core import *\nprint(SIZES)\n", core=core, deep="SIZES = 1\n") == lines


def test_the_message_names_the_modules() -> None:
    code = "from pkg.core import *\nfrom .other import *\n\nprint(SIZES)\n"
    (finding,) = findings_of(RULE, {"pkg/run.py": code}, TREE)

    assert (
        finding.message
        == "`SIZES` is neither defined in this file nor brought by its star imports of `pkg.core` and `pkg.other`."
    )
    assert (finding.severity, finding.line, finding.column, finding.end_column) == ("warning", 4, 7, 12)


def test_what_only_the_change_opens_is_doubtful() -> None:
    head = {"pkg/core.py": "SIZE = 1\nglobals()[input()] = 2\n", "pkg/run.py": "from .core import *\n\nprint(SIZES)\n"}
    (finding,) = findings_of(RULE, head, TREE)

    assert finding.message.endswith("star imports of `pkg.core`; only an assignment at run time could provide it.")
