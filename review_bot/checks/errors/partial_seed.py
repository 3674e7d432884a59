"""A seed that is set for one of the two random generators of a script, which draws from the other one."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.statements import last_name
from review_bot.analysis.python.syntax import class_at, full_name, hit_at, imported_names
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_DRAWS = {
    "random": frozenset({
        "choice", "choices", "expovariate", "gauss", "getrandbits", "normalvariate", "randint", "random", "randrange",
        "sample", "shuffle", "uniform",
    }),
    "numpy.random": frozenset({
        "beta", "choice", "exponential", "gamma", "normal", "permutation", "poisson", "rand", "randint", "randn",
        "random", "shuffle", "standard_normal", "uniform",
    }),
}  # fmt: skip
"""The modules that keep a generator for the whole process, and the functions that draw from it."""
_SEEDS_ALL = LazyRegex(r"(?i)seed")


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the first draw from the generator without a seed. Raises CannotParse."""
    names = imported_names(source.tree)
    seeded: dict[str, ast.Call] = {}
    drawn: dict[str, ast.Call] = {}
    for call in source.nodes(ast.Call):
        module, _, name = (full_name(call.func, names) or "").rpartition(".")
        if module in _DRAWS and name == "seed":
            seeded.setdefault(module, call)
        elif module in _DRAWS and name in _DRAWS[module]:
            drawn.setdefault(module, call)
        elif module != "torch" and _SEEDS_ALL.search(last_name(call.func)) and not module.startswith("torch."):
            return  # a function that may seed both
    if len(seeded) != 1 or not _is_chosen(*seeded.values()):
        return
    ((other, seed),) = seeded.items()
    owner = class_at(seed.lineno, source.tree)
    for module, call in drawn.items():
        if module not in seeded and (not owner or class_at(call.lineno, source.tree) == owner):
            values = {"module": module, "other": other, "line": str(seed.lineno)}
            yield hit_at(source, call, values=values, related=(Related(source.path, seed.lineno, "the seed"),))


def _is_chosen(seed: ast.Call) -> bool:
    """Return whether the seed is a value from elsewhere."""
    return bool(seed.args) and not isinstance(seed.args[0], ast.Constant)


CHECK = file_check(examine, CheckTraits(literals=("random seed",)))
