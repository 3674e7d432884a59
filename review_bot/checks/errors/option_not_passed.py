"""Two loads from the same repository of a model, of which one lacks an option that the function takes."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.flow import parameters
from review_bot.analysis.python.statements import last_name
from review_bot.analysis.python.syntax import hit_at, keyword, own_nodes, unpacks
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, FileCheck, without_options
from review_bot.rules.rule import Hit

_OPTIONS = ("trust_remote_code", "revision", "token", "use_auth_token", "cache_dir", "local_files_only")
_LOADING = frozenset({"from_pretrained", "from_config", "hf_hub_download", "snapshot_download", "load_dataset"})


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each load that lacks such an option. Raises CannotParse."""
    for function in source.functions:
        taken = [each for each in parameters(function) if each in _OPTIONS]
        if not taken:
            continue
        calls = [
            node
            for node in own_nodes(function.body)
            if isinstance(node, ast.Call) and last_name(node.func) in _LOADING and node.args and not unpacks(node)
        ]
        for option in taken:
            given = [each for each in calls if _is(keyword(each, option), option)]
            for call in calls:
                lacks = keyword(call, option) is None and not _has_files_alone(call)
                same = next((each for each in given if ast.dump(each.args[0]) == ast.dump(call.args[0])), None)
                if lacks and same is not None:
                    yield hit_at(source, call, values={"option": option, "line": str(same.lineno)})


def _is(node: ast.expr | None, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _has_files_alone(call: ast.Call) -> bool:
    """Return whether a call reads a configuration that never has code."""
    owner = last_name(call.func.value) if isinstance(call.func, ast.Attribute) else ""
    return owner in {"GenerationConfig", "PretrainedConfig", "PeftConfig"}


CHECK = FileCheck(without_options(examine), CheckTraits(literals=("def",)))
