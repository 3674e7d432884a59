"""``trust_remote_code=True`` written into a call, in a repository whose convention that is not."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from typing import Any

from review_bot.analysis.facts.word_search import files_with
from review_bot.analysis.python.statements import last_name
from review_bot.analysis.python.syntax import dotted, hit_at, is_literal, keyword
from review_bot.changes.codebase import Codebase
from review_bot.changes.pull_request import PullRequest
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import ChangeCheck, CheckTraits, without_options
from review_bot.rules.rule import Hit
from review_bot.rules.scope import is_set_aside

_SWITCH = "trust_remote_code"
_HARD_CODED = re.compile(rf"\b{_SWITCH}[ \t]*=[ \t]*True\b")
_CONVENTION = 3
"""Files of the base that hard-code it: from here on the project has decided, and one more row changes nothing."""
_READS_JSON = re.compile(r"(?<!Auto)Config$")
"""Classes that read a JSON file and never load code."""


def gather(source: SourceFile) -> tuple[Hit, ...] | None:
    """Return the arguments on added lines of one file. Raises CannotParse."""
    found: list[Hit] = []
    for call in source.nodes(ast.Call):
        for argument in call.keywords:
            if argument.arg != _SWITCH or argument.lineno not in source.added:
                continue
            if not is_literal(argument.value, True) or is_literal(keyword(call, "local_files_only"), True):
                continue
            owner = call.func.value if isinstance(call.func, ast.Attribute) else None
            if owner is None or dotted(owner) is None or not _READS_JSON.search(last_name(owner)):
                found.append(hit_at(source, argument))
    return tuple(found) or None


def relate(facts: Mapping[str, Any], _pull_request: PullRequest, codebase: Codebase) -> Iterator[Hit]:
    """Yield the arguments, unless so many files of the base have them that it is the project's way."""
    texts = (codebase.base.text(path) or "" for path in files_with(codebase.base, [_SWITCH]) if not is_set_aside(path))
    if sum(bool(_HARD_CODED.search(text)) for text in texts) >= _CONVENTION:
        return
    for path, hits in sorted(facts.items()):
        for hit in hits:
            yield hit._replace(path=path)


CHECK = ChangeCheck(without_options(gather), without_options(relate), CheckTraits(literals=(_SWITCH,)))
