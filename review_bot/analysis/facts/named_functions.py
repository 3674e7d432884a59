"""Whether anything in a tree names a function of a file, public ones included."""

from __future__ import annotations

import ast
import re

from review_bot.analysis.facts.word_search import files_with
from review_bot.analysis.project.module_tree import MANIFESTS, module_tree, places_of
from review_bot.analysis.python.statements import is_function
from review_bot.changes.codebase import Snapshot, query
from review_bot.changes.node_index import nodes_of, walk


@query
def is_named_nowhere_else(side: Snapshot, path: str, function: str) -> bool:
    """Return whether nothing in a tree names a top-level function of a file, which may be public.

    Another file that has its name means another function if it defines one itself, or imports one from elsewhere.
    """
    word = re.compile(rf"\b{re.escape(function)}\b")
    if len(word.findall(side.text(path) or "")) > 1:
        return False
    if any(word.search(side.text(each) or "") for each in side.paths if each.endswith((".ipynb", *MANIFESTS))):
        return False
    return not any(_may_mean(function, path, each, side) for each in files_with(side, [function]) if each != path)


def _may_mean(function: str, path: str, user: str, side: Snapshot) -> bool:
    """Return whether a file that has the name of a function may mean the one of another file."""
    tree = side.tree(user)
    if tree is None or any(each.attr == function for each in nodes_of(tree, ast.Attribute)):
        return True
    if any(isinstance(each.value, str) and function in each.value for each in nodes_of(tree, ast.Constant)):
        return True
    imports = [each for each in nodes_of(tree, ast.ImportFrom) if any(one.name == function for one in each.names)]
    modules, stem = module_tree(side), path.rpartition("/")[2].removesuffix(".py")
    for each in imports:
        found = [modules.at(place) for place in places_of(each.module or "", each.level, user, modules)]
        if any(path in one.files for one in found):
            return True
        if (each.module or "").rpartition(".")[2] == stem and not any(one.kind == "module" for one in found):
            return True
    own = any(is_function(each) and each.name == function for each in walk(tree))
    return not imports and not own
