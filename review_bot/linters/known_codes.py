"""Which codes linters report by default. Codes are ruff's; those of others are translated."""

from collections.abc import Mapping

RUFF_DEFAULTS = (
    *("E4", "E7", "E9", "F"),
    *("ASYNC210", "ASYNC221", "ASYNC251", "B006", "B010", "B012", "B017", "B019", "B904"),
    *("S102", "SIM115", "T100", "TRY002"),
)
"""Where nothing is selected. The first row is the default set up to 0.15
(https://docs.astral.sh/ruff/rules/); the rest is what 0.17 adds among the codes that our rules mirror (its
``--show-settings``). Which version a repository runs is not known, so both count.
"""

FLAKE8_DEFAULTS = ("E", "F", "W", "C90")
"""Where nothing is selected (https://flake8.pycqa.org/en/latest/user/options.html#cmdoption-flake8-select)."""

FLAKE8_PLUGINS: Mapping[str, str] = {
    "flake8-async": "ASYNC",
    "flake8-bandit": "S",
    "flake8-bugbear": "B",
    "flake8-debugger": "T10",
    "flake8-docstrings": "D",
    "flake8-eradicate": "ERA",
    "flake8-print": "T20",
    "flake8-pytest-style": "PT",
    "flake8-simplify": "SIM",
    "flake8-todos": "TD",
    "pep8-naming": "N",
    "torchfix": "TOR",
    "tryceratops": "TRY",
}
"""Distribution of a plugin → its codes."""

PYLINT_NAMES: Mapping[str, str] = {
    "bare-except": "E722",
    "broad-exception-raised": "TRY002",
    "consider-using-with": "SIM115",
    "dangerous-default-value": "B006",
    "eval-used": "S307",
    "exec-used": "S102",
    "fixme": "TD003",
    "forgotten-debug-statement": "T100",
    "lost-exception": "B012",
    "method-cache-max-size-none": "B019",
    "missing-timeout": "S113",
    "raise-missing-from": "B904",
    "trailing-whitespace": "W291",
    "unnecessary-lambda-assignment": "E731",
    "unreachable": "PLW0101",
    "wildcard-import": "F403",
}
"""Pylint's symbol → the code that finds the same (https://pylint.readthedocs.io/en/stable/user_guide/messages/)."""

BANDIT_CODES = ("S102", "S104", "S113", "S307", "S501", "S506", "S602", "S605")
"""What bandit reports among the codes that our rules mirror (https://bandit.readthedocs.io/en/latest/plugins/)."""

HOOKS: Mapping[str, tuple[str, tuple[str, ...], bool]] = {
    "bandit": ("bandit", BANDIT_CODES, False),
    "black": ("black", ("W291", "W293"), False),
    "debug-statements": ("debug-statements", ("T100",), False),
    "flake8": ("flake8", FLAKE8_DEFAULTS, False),
    "pylint": ("pylint", tuple(PYLINT_NAMES.values()), False),
    "python-check-blanket-noqa": ("python-check-blanket-noqa", ("PGH004",), False),
    "python-check-blanket-type-ignore": ("python-check-blanket-type-ignore", ("PGH003",), False),
    "python-no-eval": ("python-no-eval", ("S307",), False),
    "ruff": ("ruff", RUFF_DEFAULTS, False),
    "ruff-check": ("ruff", RUFF_DEFAULTS, False),
    "ruff-format": ("ruff-format", ("W291", "W293"), False),
    "trailing-whitespace": ("trailing-whitespace", ("W291", "W293"), True),
    "yapf": ("yapf", ("W291", "W293"), False),
}
"""Hook of pre-commit → linter, codes, and whether it reads every kind of file."""
