"""``trust_remote_code=True`` written into a call, in a repository whose convention that is not.

A class that the repository defines, or a concrete one of transformers, is the code that runs: ``from_pretrained`` of
``PreTrainedModel`` and ``PreTrainedTokenizerBase`` drops the argument, and only the ``Auto`` classes read it. A
``revision`` that is the hash of a commit names the very code that runs, and one that is looked up was chosen as well.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.word_search import files_with
from review_bot.analysis.project.module_tree import module_tree, places_of
from review_bot.analysis.python.conditions import constants_of
from review_bot.analysis.python.statements import choices_of, last_name
from review_bot.analysis.python.syntax import dotted, hit_at, is_literal, keyword, own_nodes
from review_bot.changes.codebase import Codebase
from review_bot.changes.node_index import nodes_of
from review_bot.changes.source_file import SourceFile
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check, each_fact
from review_bot.rules.rule import Hit
from review_bot.rules.scope import is_set_aside

_SWITCH = "trust_remote_code"
_HARD_CODED = re.compile(rf"\b{_SWITCH}[ \t]*=[ \t]*True\b")
_OF_A_DATASET = (
    "`trust_remote_code=True` is hard-coded here, so code from the dataset's repository can run without the user's"
    " consent."
)
_LOADS_DATA = frozenset({"get_dataset_config_names", "get_dataset_split_names", "load_dataset", "load_dataset_builder"})
"""Functions of datasets, which others may be given as well: ``partial(load_dataset, ...)``."""
_COMMIT = re.compile(r"[0-9a-f]{40}\Z")
_CONVENTION = 3
"""Files of the base that hard-code it: from here on the project has decided, and one more row changes nothing."""
_READS_JSON = re.compile(r"(?<!Auto)Config$")
"""Classes that read a JSON file and never load code."""


class Trust(NamedTuple):
    """An argument, from which module its class is imported (None: not known), and whether a script fixes the model."""

    hit: Hit
    module: str | None
    level: int
    is_fixed: bool


def gather(source: SourceFile) -> tuple[Trust, ...] | None:
    """Return the arguments on added lines of one file. Raises CannotParse."""
    found: list[Trust] = []
    at_top = {each for each in own_nodes(source.tree.body) if isinstance(each, ast.Call)}
    asking = [each for each in choices_of(source.tree) if "trust" in ast.unparse(each.test)]  # the user decides there
    for call in source.nodes(ast.Call):
        for argument in call.keywords:
            if argument.arg != _SWITCH or argument.lineno not in source.added:
                continue
            if not is_literal(argument.value, True) or is_literal(keyword(call, "local_files_only"), True):
                continue
            if any(call in nodes_of(each, ast.Call) for each in asking):
                continue
            revision = keyword(call, "revision")
            if revision is not None and not _may_change(revision):
                continue
            owner = call.func.value if isinstance(call.func, ast.Attribute) else None
            name = "" if owner is None or dotted(owner) is None else last_name(owner)
            if not _READS_JSON.search(name) and name not in {each.name for each in source.nodes(ast.ClassDef)}:
                module, level = _origin(owner, source)
                if module != "transformers" or name.startswith("Auto"):
                    is_fixed = call in at_top and _is_named(call, source)
                    given = [each for each in call.args if not isinstance(each, ast.Call)]
                    called = {last_name(each) for each in (call.func, *given)}
                    message = None if called.isdisjoint(_LOADS_DATA) else _OF_A_DATASET
                    found.append(Trust(hit_at(source, argument, message=message), module, level, is_fixed))
    return tuple(found) or None


def _is_named(call: ast.Call, source: SourceFile) -> bool:
    """Return whether the file itself names the model that a call loads."""
    given = call.args[0] if call.args else keyword(call, "pretrained_model_name_or_path")
    return isinstance(given, ast.Constant) or (isinstance(given, ast.Name) and given.id in constants_of(source.tree))


def _may_change(revision: ast.expr) -> bool:
    """Return whether a revision is a branch, a tag or none; one that is looked up is one that was chosen."""
    return isinstance(revision, ast.Constant) and not _COMMIT.match(str(revision.value))


def _origin(owner: ast.expr | None, source: SourceFile) -> tuple[str | None, int]:
    """Return the module from which a file imports the class of that name, and the dots before it."""
    name = owner.id if isinstance(owner, ast.Name) else ""
    for node in source.nodes(ast.ImportFrom) if name else ():
        if any((alias.asname or alias.name) == name for alias in node.names):
            return node.module or "", node.level
    return None, 0


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield the arguments, unless so many files of the base have them that it is the project's way."""
    texts = (codebase.base.text(path) or "" for path in files_with(codebase.base, [_SWITCH]) if not is_set_aside(path))
    if sum(bool(_HARD_CODED.search(text)) for text in texts) >= _CONVENTION:
        return
    tree = module_tree(codebase.head)
    for path, each in each_fact(facts):
        if each.is_fixed and f"{path.rpartition('/')[0]}/__init__.py".lstrip("/") not in codebase.head.paths:
            continue  # this script is for the model that it names
        if each.module is None or not (
            each.level or places_of(each.module, 0, path, tree) or tree.anywhere(each.module)
        ):
            yield each.hit._replace(path=path)


CHECK = change_check(gather, relate, CheckTraits(literals=(_SWITCH,), tree_excuses=True))
