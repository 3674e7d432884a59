"""A message or help text that asks users to pass an option which no parser of the tree declares.

Only options with a near relative among the declared ones count: others belong to other programs. Every other mention of
the name, such as the field of a dataclass that a parser is made from, counts as a declaration.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from difflib import get_close_matches

from review_bot.analysis.facts.word_search import files_with
from review_bot.analysis.python.statements import last_name
from review_bot.analysis.python.syntax import keyword
from review_bot.changes.codebase import Codebase, Snapshot, query
from review_bot.changes.node_index import nodes_of
from review_bot.changes.pull_request import PullRequest
from review_bot.changes.source_file import SourceFile
from review_bot.records import NamedTuple
from review_bot.rules.check import ChangeCheck, CheckTraits, without_options
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_OPTION = LazyRegex(r"(?<![\w/-])--([a-z][a-z\d]*(?:[-_][a-z\d]+)+)(?![\w*{<-]|\.\w)")
_QUOTED = LazyRegex(r"[\"'](--[A-Za-z][\w.-]*)[\"'/=]")
_SAYS = frozenset(
    {"debug", "info", "warning", "warn", "error", "exception", "critical", "print", "warning_once", "exit"}
)
_OF_PARSERS = frozenset({"add_argument", "option", "add_option", "Option"})
_OTHER_PROGRAM = LazyRegex(
    r"(?i)\b(?:pip3?|uv|conda|apt(?:-get)?|git|npm|docker|curl|wget|torchrun|deepspeed|accelerate|mpirun|srun|sbatch"
    r"|nvcc|cmake|make|ray|hf|huggingface-cli|modelscope|ffmpeg|nsys|pytest|vllm|sglang|trtexec|bash|sh|kubectl|gcc)\b"
    r"|python3? |\.py\b|\.sh\b|https?:"
)
"""What a text names if its options may be those of another program."""
_OTHER_CODE = (".rs", ".go", ".sh", ".cpp", ".cc", ".cu", ".js", ".ts", ".toml", ".yaml", ".yml", ".cfg")
_ALIKE = 0.8
"""How alike a declared option must be (a ratio)."""


class Named(NamedTuple):
    """An option that a text on an added line names; columns are not known."""

    option: str
    line: int


def gather(source: SourceFile) -> tuple[Named, ...] | None:
    """Return the options that messages and help texts on added lines name. Raises CannotParse."""
    if not any("--" in line for line in source.added.values()):
        return None
    found: dict[str, Named] = {}
    raised = {id(each.exc) for each in source.nodes(ast.Raise)}
    for call in source.nodes(ast.Call):
        for text in _texts(call, is_raised=id(call) in raised):
            whole = str(text.value)
            if text.lineno not in source.added and not source.any_added(text.lineno, text.end_lineno or text.lineno):
                continue
            if not _OTHER_PROGRAM.search(whole):
                for match in _OPTION.finditer(whole):
                    found.setdefault(match[0], Named(match[0], _line(match[0], text, source)))
    return tuple(each for each in found.values() if each.line in source.added) or None


def _texts(call: ast.Call, *, is_raised: bool) -> Iterator[ast.Constant]:
    name = last_name(call.func)
    places: list[ast.expr | None] = []
    if name in _OF_PARSERS:
        places = [keyword(call, "help")]
    elif name in _SAYS or is_raised:
        places = list(call.args)
    for place in places:
        if place is not None:
            yield from (each for each in nodes_of(place, ast.Constant) if isinstance(each.value, str))


def _line(option: str, text: ast.Constant, source: SourceFile) -> int:
    """Return the line of a text that holds an option; implicit concatenation spreads it over several."""
    lines = range(text.lineno, (text.end_lineno or text.lineno) + 1)
    return next((line for line in lines if option in source.lines[line - 1]), text.lineno)


def relate(facts: Mapping[str, tuple[Named, ...]], _change: PullRequest, codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit for each option that nothing declares and that is nearly the name of one that is declared."""
    side = codebase.head
    for path, named in sorted(facts.items()):
        for each in named:
            name = each.option[2:].replace("-", "_")
            bare = name.removeprefix("no_").removeprefix("disable_")
            if any(_is_known(side, form) for form in {name, bare}):
                continue
            near = _nearest(each.option, side)
            if near and not _is_in_other_code(side, name):
                yield Hit(each.line, values={"option": each.option, "near": near}, path=path, statement=each.option)


@query
def _declared(side: Snapshot) -> tuple[str, ...]:
    """Return the options that files with a parser write as strings of their own."""
    found: set[str] = set()
    for path in files_with(side, _OF_PARSERS, ".py"):
        tree = side.tree(path)
        if tree is not None and any(last_name(call.func) in _OF_PARSERS for call in nodes_of(tree, ast.Call)):
            found.update(_QUOTED.findall(side.text(path) or ""))
    return tuple(sorted(found))


def _is_known(side: Snapshot, name: str) -> bool:
    """Return whether an option of this name is declared, in any spelling, or is the beginning of one, or a name."""
    if any(_plain(each).startswith(name) or _plain(each).endswith(f".{name}") for each in _declared(side)):
        return True
    own = re.compile(rf"(?<!-)\b{re.escape(name)}\b")
    return any(own.search(side.text(path) or "") for path in files_with(side, [name]))


def _nearest(option: str, side: Snapshot) -> str:
    """Return the declared option that is most like one, by its whole name or by that behind its last dot."""
    names = {_plain(each): each for each in _declared(side)}
    names |= {_plain(each).rpartition(".")[2]: each for each in _declared(side) if "." in each}
    near = get_close_matches(_plain(option), sorted(names), 1, _ALIKE)
    return names[near[0]] if near else ""


def _plain(option: str) -> str:
    return option.removeprefix("--").replace("-", "_")


def _is_in_other_code(side: Snapshot, name: str) -> bool:
    spellings = (name, name.replace("_", "-"))
    paths = (path for path in sorted(side.paths) if path.endswith(_OTHER_CODE))
    return any(spelling in (side.text(path) or "") for path in paths for spelling in spellings)


CHECK = ChangeCheck(without_options(gather), without_options(relate), CheckTraits(literals=("-",)))
