"""Two loads from the same repository of a model, of which one lacks an option that the function takes."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.function_pairs import plain
from review_bot.analysis.python.statements import Function, last_name, own_parameters
from review_bot.analysis.python.syntax import hit_at, is_name, names_in, own_nodes, structure, unpacks
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_OPTIONS = ("trust_remote_code", "revision", "token", "use_auth_token", "cache_dir", "local_files_only")
_TOKENS = ("access_token", "hf_token", "auth_token", "token", "use_auth_token")
"""Names under which a function takes what the loading functions call ``token``, and called ``use_auth_token``."""
_RUNS_CODE = frozenset({"from_pretrained", "from_config"})
"""Methods of the ``Auto`` classes that take ``trust_remote_code``; the other loading functions only fetch files."""
_LOADING = frozenset({
    "from_pretrained", "from_config", "hf_hub_download", "snapshot_download", "load_dataset", "cached_file",
    "find_adapter_config_file",
})  # fmt: skip


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each load that lacks such an option. Raises CannotParse."""
    for function in source.functions:
        taken = [each for each in own_parameters(function) if each in {*_OPTIONS, *_TOKENS}]
        if not taken:
            continue
        every = [each for each in own_nodes(function.body) if isinstance(each, ast.Call) and each.args]
        calls = [each for each in every if last_name(each.func) in _LOADING]
        for option in taken:
            keywords = {option, "token", "use_auth_token"} if option in _TOKENS else {option}
            given = [each for each in (every if option in _TOKENS else calls) if _passes(each, keywords, option)]
            first: dict[str, ast.Call] = {}
            for each in given:
                first.setdefault(structure(each.args[0]), each)
            for call in calls if first and not _is_asked(function, option) else ():
                if unpacks(call) or (option == "trust_remote_code" and not _runs_code(call)):
                    continue
                if option != "trust_remote_code" and last_name(call.func) == "from_config":
                    continue  # it fetches nothing
                lacks = keywords.isdisjoint(each.arg for each in call.keywords) and not _has_files_alone(call)
                same = first.get(structure(call.args[0]))
                if lacks and same is not None and same is not call:
                    related = (Related(source.path, same.lineno, f"passes `{option}`"),)
                    values = {"option": option, "line": str(same.lineno), "source": plain(call.args[0])}
                    yield hit_at(source, call, values=values, related=related)


def _passes(call: ast.Call, keywords: set[str], option: str) -> bool:
    """Return whether a call gets the option, under one of these keywords or, as a token, by place."""
    if any(each.arg in keywords and is_name(each.value, option) for each in call.keywords):
        return True
    return option in _TOKENS and any(is_name(each, option) for each in call.args[1:])


def _is_asked(function: Function, option: str) -> bool:
    """Return whether the function tests the option: one of its loads is for the case that there is none."""
    tests = (each.test for each in own_nodes(function.body) if isinstance(each, (ast.If, ast.IfExp)))
    return any(option in names_in(test) for test in tests)


def _runs_code(call: ast.Call) -> bool:
    """Return whether a call runs code of the model's repository: a class that is named in the program has its own."""
    if last_name(call.func) == "load_dataset":
        return True
    owner = last_name(call.func.value) if isinstance(call.func, ast.Attribute) else ""
    return last_name(call.func) in _RUNS_CODE and owner.lstrip("_").startswith("Auto")


def _has_files_alone(call: ast.Call) -> bool:
    """Return whether a call reads a configuration that never has code."""
    owner = last_name(call.func.value) if isinstance(call.func, ast.Attribute) else ""
    return owner in {"GenerationConfig", "PretrainedConfig", "PeftConfig"}


CHECK = file_check(examine, CheckTraits(literals=("def",)))
