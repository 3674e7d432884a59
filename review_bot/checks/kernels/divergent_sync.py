"""``__syncthreads()`` where not every thread of the block comes by.

Source: CUDA C++ Programming Guide, "Synchronization Functions": allowed in conditional code only if the condition is
the same for the whole block, "otherwise the code execution is likely to hang or produce unintended side effects".
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from review_bot.analysis.cpp.code_text import Block, CodeText
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit, Options

_SYNC = re.compile(r"\b__syncthreads\s*\(")
_IF = re.compile(r"(?:else\s+)?if\s*(?:constexpr\s*)?\((?P<test>.*)\)$")
_FOR = re.compile(r"for\s*\((?P<first>[^;]*);(?P<test>[^;]*);(?P<step>.*)\)$")
_OWN = re.compile(r"\bthreadIdx\s*\.\s*[xyz]\b")
_NAMED = re.compile(
    r"[;{}]\s*(?:const\s+)?(?:unsigned(?:\s+int)?|int|auto|u?int32_t|size_t)\s+(?:const\s+)?(\w+)\s*=\s*threadIdx\.x\s*;"
)
_COMPARED = re.compile(r"[<>]|[!=]=")
_PADDED = re.compile(r"(?i)pad|align|round|ceil|iter|turns|\*")


def examine(source: SourceFile, options: Options) -> Iterator[Hit]:
    """Yield each barrier in a branch (``options["in"] == "branch"``) or a loop that differs from thread to thread."""
    look = _branch if options["in"] == "branch" else _loop
    text = source.text or ""
    code = CodeText(text)
    named = [(name.end(), name[1]) for name in _NAMED.finditer(code.code)]
    for match in _SYNC.finditer(code.code):
        body = code.function_around(match.start())
        if body is None:
            continue
        own = {name for end, name in named if body.start < end <= match.start()}
        for block in code.around(match.start()):
            if block.start <= body.start:
                break
            if look(block, own, code.code[body.start : block.start]) and not _is_met_by_others(block, code):
                line, place = code.line(match.start()), code.line(block.start)
                yield Hit(
                    line,
                    column=code.column(match.start()),
                    values={"at": str(place)},
                    related=(Related(source.path, place, f"the {'condition' if look is _branch else 'loop'}"),),
                )
                break


def _branch(block: Block, own: set[str], _before: str) -> bool:
    """Return whether a block is a branch that is taken by the index of the thread."""
    match = _IF.match(block.header)
    if match is None:
        return False
    test = match["test"]
    return _is_own(test, own) and _COMPARED.search(test) is not None and "blockDim" not in test


def _is_met_by_others(block: Block, code: CodeText) -> bool:
    """Return whether the threads that do not take a branch wait as often, in its ``else``."""
    other = next((each for each in code.blocks if each.start > block.end), None)
    if other is None or code.code[block.end + 1 : other.start].strip() != "else":
        return False
    waits, others = (len(_SYNC.findall(code.code, each.start, each.end)) for each in (block, other))
    return waits == others


def _loop(block: Block, own: set[str], before: str) -> bool:
    """Return whether a block is a loop that begins at the index of the thread, up to a bound that nothing rounds up."""
    match = _FOR.match(block.header)
    if match is None or "+=" not in match["step"] or not _is_own(match["first"].partition("=")[2], own):
        return False
    bound = match["test"].replace("<=", "<").partition("<")[2].strip()
    set_to = re.search(rf"\b{re.escape(bound)}\s*=([^;]{{0,1000}});", before) if re.fullmatch(r"\w+", bound) else None
    return bool(bound) and not _PADDED.search(bound + (set_to[1] if set_to else ""))


def _is_own(expression: str, own: set[str]) -> bool:
    """Return whether an expression names the index of the thread in its block, whole or by a name of its own."""
    return _OWN.search(expression) is not None or any(re.search(rf"\b{name}\b", expression) for name in own)


CHECK = file_check(examine, CheckTraits(literals=("__syncthreads threadIdx",)))
