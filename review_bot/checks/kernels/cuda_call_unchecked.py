"""CUDA runtime calls whose error code is not checked, in a file that has a macro for it and uses it elsewhere.

Source: CUDA Runtime API, "Error handling": each call returns ``cudaError_t``; it may be the error of a launch before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from review_bot.analysis.cpp.code_text import CodeText
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

LITERALS = ("cuda", "nccl", "cublas")

_CALL = re.compile(
    r"(?:^|[;{}])[^\S\n]*(?P<call>(?P<name>cuda(?:Malloc|Memcpy|Memset|Stream(?:Create|Synchronize|WaitEvent)|EventCreate|EventRecord"
    r"|FuncSetAttribute|HostAlloc|DeviceSynchronize|DeviceEnablePeerAccess|Ipc\w|LaunchKernel|SetDevice)\w*"
    r"|nccl(?:CommInit|AllReduce|AllGather|ReduceScatter|Send|Recv|Broadcast|GetUniqueId)\w*"
    r"|cublas(?:Create|Gemm|Lt(?=\w*Matmul))\w*)\s*\()",
    re.MULTILINE,
)
_CHECKED = re.compile(
    r"\b(?!if\b|while\b|return\b)"
    r"(?=\w*?(?:CHECK|Check|check|CUDACALL|SAFE_CALL|CUDA_CALL|CUDA_ERROR|gpuErrchk|ThrowIf|THROW))(?P<macro>\w+)"
    r"\s*\(\s*(?P<library>cuda|nccl|cublas)[A-Z]\w*\s*\("
)


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each call that is alone as a statement, where the same file checks others with a macro."""
    text = source.text or ""
    if not any(literal in text for literal in LITERALS):
        return
    code = CodeText(text)
    checks = {each["library"]: each for each in reversed([*_CHECKED.finditer(code.code)])}
    for match in _CALL.finditer(code.code) if checks else ():
        checked = checks.get(next(each for each in LITERALS if match["name"].startswith(each)))
        if checked is None:
            continue  # the macro is for the errors of another library
        end = code.closing(match.end() - 1)
        if code.code[end + 1 : end + 40].lstrip()[:1] != ";" or _is_cleanup(code, match.start("call")):
            continue
        start = match.start("call")
        yield Hit(
            code.line(start),
            end_line=code.line(end),
            column=code.column(start),
            values={"name": match["name"], "macro": checked["macro"], "example": str(code.line(checked.start()))},
        )


def _is_cleanup(code: CodeText, offset: int) -> bool:
    """Return whether an offset lies in a destructor or in a clean-up function, where no one can act on an error."""
    return any(
        re.search(r"~\w+\s*\(|\b(?=\w*?(?i:destroy|clean_?up|release|teardown|free))\w+\s*\(", b.header)
        for b in code.around(offset)
    )


CHECK = file_check(examine, CheckTraits(literals=LITERALS))
