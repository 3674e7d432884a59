"""The names that hold a library of native code, whose functions may be called anything and write to what they get."""

from __future__ import annotations

import ast

from review_bot.analysis.python.statements import last_name
from review_bot.analysis.python.syntax import dotted
from review_bot.changes.node_index import nodes_of

_LOADING = frozenset({"CDLL", "LoadLibrary", "OleDLL", "PyDLL", "WinDLL", "dlopen", "load_inline", "load_library"})
"""What ``ctypes``, ``cffi`` and ``torch.utils.cpp_extension`` load a library with."""


def native_libraries(tree: ast.Module) -> frozenset[str]:
    """Return the names and attributes that a file assigns such a library to, as they are written."""
    return frozenset(
        name
        for assign in nodes_of(tree, ast.Assign)
        if isinstance(assign.value, ast.Call) and last_name(assign.value.func) in _LOADING
        for target in assign.targets
        if (name := dotted(target)) is not None
    )
