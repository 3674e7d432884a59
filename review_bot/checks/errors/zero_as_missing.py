"""A seed, token id or device index that is tested by its truth value, so that zero counts as not given.

::

    pad = tokenizer.pad_token_id or tokenizer.eos_token_id     # the id 0 is replaced as well
    if args.seed:                                              # the seed 0 seeds nothing
    scale = request.guidance_scale or self.guidance_scale      # a scale of 0.0 is replaced as well
    node = worker.worker_index or -1                           # the first worker has no node
    best = max(found, key=lambda each: each.score or -inf)     # the score 0.0 counts as the worst
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from review_bot.analysis.python.option_destination import destination
from review_bot.analysis.python.statements import choices_of, defaults_of, last_name, named_parameters
from review_bot.analysis.python.syntax import dotted, hit_at, is_literal, keyword, own_nodes, reads_same, text_of
from review_bot.changes.node_index import nodes_of, walk
from review_bot.changes.source_file import SourceFile
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_IDS = re.compile(r"(?:.*_)?(?:pad|eos|bos|unk|mask|sep|cls)_(?:token_)?id$")
_SEEDS = re.compile(r"(?:(?:base|data|global|manual|noise|generator|sampling|torch|shuffle|initial)_)?seed$")
_DEVICES = re.compile(r"(?:gpu_id|device_id|device_index)$")
_AMOUNTS = re.compile(r"(?:.*_)?(?:guidance|cfg)_scale$|temperature$|strength$")
"""Amounts of which only the replacement by another one is reported: ``if temperature:`` often means "not greedy"."""
_INDICES = re.compile(r"(?:.*_)?(?:index|idx|rank)$")
"""Numbers that may count from zero, reported where a number below zero replaces them: ``worker_index or -1``."""
_COUNTED = re.compile(r"(?:.*_)?(?:index|idx)$|(?:(?:local|global|node|process|[a-z]{2})_)?rank$")
"""Those that surely do, unlike the rank of a matrix or of a result."""
_LIKE_NONE = "like None"
"""What is said of a zero that may be no valid value: some servers refuse a temperature of zero."""


_OF_TEXTS = frozenset({"encode", "endswith", "lower", "split", "startswith", "strip", "upper"})


class _Test(NamedTuple):
    """A place whose truth value is taken. ``other`` is what replaces it, None in a condition."""

    place: ast.expr
    other: ast.expr | None
    around: ast.AST


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the first test of each such place in a function. Raises CannotParse."""
    seen: set[tuple[int, str]] = set()
    owners = _owners(source)
    keys = _sort_keys(source)
    bounded = _above_zero(source) | _zero_if_not_given(source)
    texts = _texts(source)
    for test in _tests(source.tree):
        kind = _kind(test)
        if kind is None or _is_harmless(test) or (id(test.around) in keys and _is_index(test)):
            continue
        name = ast.unparse(test.place)
        owner = owners.get(id(test.place))
        key = (id(owner), name)
        last = name.rpartition(".")[2]
        if key in seen or _is_no_number(name, owner) or last in bounded or last in texts:
            continue
        seen.add(key)
        yield hit_at(source, test.place, values={"name": name, "effect": _effect(test.other), "kind": kind})


def _above_zero(source: SourceFile) -> set[str]:
    """Return the fields of models that pydantic refuses if they are zero: ``Field(ge=0.1)``, ``Field(gt=0)``."""
    found: set[str] = set()
    for each in source.nodes(ast.AnnAssign):
        if isinstance(each.value, ast.Call) and isinstance(each.target, ast.Name):
            least = keyword(each.value, "ge")
            positive = isinstance(least, ast.Constant) and isinstance(least.value, (int, float)) and least.value > 0
            if positive or keyword(each.value, "gt") is not None:
                found.add(each.target.id)
    return found


def _zero_if_not_given(source: SourceFile) -> set[str]:
    """Return the options, fields and parameters that are zero by default: there zero says that none was given."""
    options = [each for each in source.nodes(ast.Call) if last_name(each.func) == "add_argument"]
    defaults = [(destination(each), keyword(each, "default")) for each in options]
    defaults += [(last_name(each.target), each.value) for each in source.nodes(ast.AnnAssign)]
    defaults += [(each.arg, value) for function in source.functions for each, value in defaults_of(function)]
    return {name for name, value in defaults if name and isinstance(value, ast.Constant) and _is_zero(value.value)}


def _is_zero(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value == 0


def _texts(source: SourceFile) -> set[str]:
    """Return the last names of what is a text by what else the file does with it, as the serial number of a phone is.

    A method of texts is called on it, a column of a database holds it, or it is an element of a list with texts.
    """
    found: set[str] = set()
    for call in source.nodes(ast.Call):
        if isinstance(call.func, ast.Attribute) and call.func.attr in _OF_TEXTS:
            found.add(last_name(call.func.value))
    for each in source.nodes(ast.Assign):
        if isinstance(each.value, ast.Call) and last_name(each.value.func) in {"CharField", "TextField"}:
            found.update(map(last_name, each.targets))
    for shown in source.nodes(ast.List):
        if any(text_of(each) is not None for each in shown.elts):
            found.update(last_name(each) for each in shown.elts if isinstance(each, (ast.Name, ast.Attribute)))
    return found


def _sort_keys(source: SourceFile) -> set[int]:
    """Return the nodes of ``key=lambda x: ...``: an order of indices is the same if the first one is below zero."""
    keys = (each.value for call in source.nodes(ast.Call) for each in call.keywords if each.arg == "key")
    return {id(node) for key in keys if isinstance(key, ast.Lambda) for node in walk(key)}


def _effect(other: ast.expr | None) -> str:
    """Return what becomes of zero, in words."""
    if other is None:
        return "counts as missing"
    text = ast.unparse(other)
    return f"is replaced by `{text}`" if len(text) <= 40 else "is replaced by another value"


def _tests(tree: ast.Module) -> Iterator[_Test]:
    branches = choices_of(tree)
    conditions = {id(each.test) for each in [*branches, *nodes_of(tree, ast.While)]}
    conditions |= {id(part) for each in nodes_of(tree, ast.BoolOp) for part in each.values}
    conditions |= {id(each.operand) for each in nodes_of(tree, ast.UnaryOp)}
    for either in nodes_of(tree, ast.BoolOp):
        if isinstance(either.op, ast.Or) and id(either) not in conditions:
            for one, other in zip(either.values, either.values[1:], strict=False):
                yield _Test(one, other, either)
    for branch in branches:
        test = branch.test
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            test = test.operand
        replaces = isinstance(branch, ast.IfExp) and test is branch.test and reads_same(branch.body, test)
        yield _Test(test, branch.orelse if replaces and isinstance(branch, ast.IfExp) else None, branch)


def _kind(test: _Test) -> str | None:
    """Return what the place holds, in words; None for a place of which zero may well mean that it is missing."""
    name = _name(test.place)
    if _IDS.match(name):
        return "a valid token id"
    if _SEEDS.match(name) or _DEVICES.match(name):
        return "a valid seed" if _SEEDS.match(name) else "the first device"
    if test.other is None:
        return None
    if _is_below_all(test.other):
        return _LIKE_NONE
    if isinstance(test.other, ast.UnaryOp) and isinstance(test.other.op, ast.USub) and _INDICES.match(name):
        return "the first index" if _COUNTED.match(name) else _LIKE_NONE
    return _LIKE_NONE if _AMOUNTS.match(name) else None


def _is_index(test: _Test) -> bool:
    """Return whether a number below zero, other than minus infinity, replaces an index."""
    return test.other is not None and not _is_below_all(test.other) and _INDICES.match(_name(test.place)) is not None


def _is_below_all(other: ast.expr) -> bool:
    """Return whether a value is minus infinity, so that what it replaces is a number too."""
    if isinstance(other, ast.Call) and dotted(other.func) == "float" and len(other.args) == 1:
        return (text_of(other.args[0]) or "").lower() in {"-inf", "-infinity"}
    if not isinstance(other, ast.UnaryOp) or not isinstance(other.op, ast.USub):
        return False
    of_call = isinstance(other.operand, ast.Call) and ast.unparse(other.operand).lower().startswith("float('inf")
    return of_call or dotted(other.operand) in {"inf", "math.inf", "np.inf", "numpy.inf", "torch.inf"}


def _name(place: ast.expr) -> str:
    """Return the last name of a place, or the key that is looked up: ``seed`` of ``request.get("seed")``."""
    if not isinstance(place, ast.Call):
        return last_name(place) if dotted(place) is not None else ""
    called, arguments = last_name(place.func), place.args
    if called == "getattr":
        arguments = arguments[1:]
    elif called not in {"get", "pop"} or not isinstance(place.func, ast.Attribute):
        return ""
    absent = len(arguments) < 2 or is_literal(arguments[1], None)
    key = arguments[0] if arguments and absent else None
    return text_of(key) or ""


def _is_harmless(test: _Test) -> bool:
    """Return whether zero leads to the same as before, or the place holds a text or a list, or the test is a pair's."""
    if test.other is not None:
        zero = isinstance(test.other, ast.Constant) and test.other.value == 0
        return (
            zero
            or text_of(test.other) is not None
            or isinstance(test.other, (ast.Compare, ast.List, ast.Tuple, ast.Dict))
        )
    if isinstance(test.around, ast.If) and test.around.test is test.place and _replaces(test.around.body, test.place):
        return True  # it is the other values that are replaced
    parts = (test.around.body, test.around.orelse) if isinstance(test.around, (ast.If, ast.IfExp)) else ()
    nodes = [each for part in parts for each in own_nodes(part if isinstance(part, list) else [part])]
    return any(_takes_apart(each, test.place) for each in nodes)


def _replaces(body: list[ast.stmt], place: ast.expr) -> bool:
    stored = (target for each in body if isinstance(each, ast.Assign) for target in each.targets)
    return any(ast.unparse(target) == ast.unparse(place) for target in stored)


def _takes_apart(node: ast.AST, place: ast.expr) -> bool:
    """Return whether a node uses a place as a text or a list: ``int(seed)``, ``seed[0]``, ``seed.strip()``."""
    if isinstance(node, (ast.Subscript, ast.Attribute, ast.Starred)):
        return reads_same(node.value, place)
    if isinstance(node, (ast.For, ast.comprehension)):
        return reads_same(node.iter, place)
    return (
        isinstance(node, ast.Call)
        and last_name(node.func) in {"int", "len", "tuple", "list", "float"}
        and any(reads_same(each, place) for each in node.args)
    )


def _owners(source: SourceFile) -> dict[int, ast.FunctionDef | ast.AsyncFunctionDef]:
    """Return the innermost function around each name and attribute that is read."""
    found: dict[int, ast.FunctionDef | ast.AsyncFunctionDef] = {}
    for function in source.functions:
        for node in own_nodes(function.body):
            if isinstance(node, (ast.Name, ast.Attribute)):
                found[id(node)] = function
    return found


def _is_no_number(name: str, owner: ast.FunctionDef | ast.AsyncFunctionDef | None) -> bool:
    """Return whether a parameter is a flag, a text or a collection by its annotation or default."""
    if owner is None or "." in name:
        return False
    for each in named_parameters(owner):
        if each.arg == name and each.annotation is not None:
            return not re.search(r"\b(int|float|Any)\b", ast.unparse(each.annotation))
    return any(
        one.arg == name and isinstance(value, ast.Constant) and isinstance(value.value, (bool, str))
        for one, value in defaults_of(owner)
    )


_WORDS = ("seed", "_id", "guidance_scale", "temperature", "cfg_scale", "strength", "index", "idx", "rank", "inf")
CHECK = file_check(examine, CheckTraits(literals=_WORDS))
