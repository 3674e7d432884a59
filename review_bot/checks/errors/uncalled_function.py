"""A function used as a condition without being called: it is always true."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.statements import attributes_of_self, is_function
from review_bot.analysis.python.syntax import bound_name, classes, dotted, full_name, hit_at, imported_names
from review_bot.changes.node_index import walk
from review_bot.changes.node_lines import start_of
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit

_FUNCTIONS = frozenset({
    "torch.cuda.is_available", "torch.cuda.is_bf16_supported", "torch.cuda.is_initialized", "torch.xpu.is_available",
    "torch.npu.is_available", "torch.mps.is_available", "torch.backends.mps.is_available",
    "torch.distributed.is_available", "torch.distributed.is_initialized", "torch.distributed.is_nccl_available",
    "torch.distributed.is_mpi_available", "torch.is_grad_enabled", "torch.is_inference_mode_enabled",
    "torch.compiler.is_compiling", "torch.jit.is_scripting", "torch.jit.is_tracing",
    "os.path.exists", "os.path.isabs", "os.path.isdir", "os.path.isfile", "os.path.islink",
})  # fmt: skip
"""Functions that answer a question, by what they stand for after the file's imports."""


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each condition that is the name of a function. Raises CannotParse."""
    for condition in uncalled(source):
        yield hit_at(source, condition, values={"name": dotted(condition) or ""})


def uncalled(source: SourceFile) -> Iterator[ast.Name | ast.Attribute]:
    """Yield each condition that the file itself shows to be the name of a function. Raises CannotParse."""
    found = {id(each): each for each in conditions(source) if isinstance(each, (ast.Name, ast.Attribute))}
    ordered = sorted(found.values(), key=start_of)
    if not ordered:
        return
    imports = imported_names(source.tree)
    functions = {each.name for each in source.tree.body if is_function(each)}
    defined = {each.name for each in source.functions}
    plain: frozenset[str] | None = None
    methods: dict[int, str] | None = None
    for condition in ordered:
        written = dotted(condition) or ""
        wrong = "." in written and full_name(condition, imports) in _FUNCTIONS
        if not wrong and written in functions:
            plain = _plain_functions(source) if plain is None else plain
            wrong = written in plain
        elif not wrong and written.startswith("self.") and written[5:] in defined:
            if methods is None:
                methods = {id(node): name for owner in classes(source.tree) for node, name in _own_methods(owner)}
            wrong = id(condition) in methods
        if wrong:
            yield condition


def conditions(source: SourceFile) -> Iterator[ast.expr]:
    """Yield the parts of each condition of a file, without their negations. Raises CannotParse."""
    tests = [node.test for node in source.nodes(ast.If)]
    tests += [node.test for node in source.nodes(ast.While)]
    tests += [node.test for node in source.nodes(ast.IfExp)]
    tests += [node.test for node in source.nodes(ast.Assert)]
    for test in tests:
        yield from _parts(test)
    yield from (node.operand for node in source.nodes(ast.UnaryOp) if isinstance(node.op, ast.Not))
    yield from (value for node in source.nodes(ast.BoolOp) for value in node.values[:-1])  # the last is a result


def _parts(test: ast.expr) -> Iterator[ast.expr]:
    """Yield what a condition is made of: ``a and not b`` → ``a``, ``b``."""
    if isinstance(test, ast.BoolOp):
        for value in test.values:
            yield from _parts(value)
    elif isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        yield from _parts(test.operand)
    else:
        yield test


def _plain_functions(source: SourceFile) -> frozenset[str]:
    """Return the functions of the module whose name means nothing else anywhere in the file."""
    counts: dict[str, int] = {}
    for statement in source.tree.body:
        if is_function(statement) and not statement.decorator_list:
            counts[statement.name] = counts.get(statement.name, 0) + 1
    if not counts:
        return frozenset()
    others = {argument.arg for argument in source.nodes(ast.arg)}
    others |= {bound_name(alias) for alias in source.nodes(ast.alias)}
    others |= {function.name for function in source.functions if function not in source.tree.body}
    others |= {node.id for node in source.nodes(ast.Name) if _is_set(node)}
    return frozenset(name for name, count in counts.items() if count == 1 and name not in others)


def _is_set(node: ast.Name) -> bool:
    return isinstance(node.ctx, (ast.Store, ast.Del))


def _own_methods(owner: ast.ClassDef) -> Iterator[tuple[ast.AST, str]]:
    """Yield each ``self.method`` in a class that names one of its plain methods, never set to anything else."""
    names = {each.name for each in owner.body if is_function(each) and not each.decorator_list}
    if not names:
        return
    uses = [node for node in walk(owner) if isinstance(node, ast.Attribute) and node.attr in names]
    names -= {node.attr for node in uses if isinstance(node.ctx, (ast.Store, ast.Del))}
    names -= {
        node.target.id for node in owner.body if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name)
    }
    names -= {
        each.id
        for node in owner.body
        if isinstance(node, ast.Assign)
        for each in node.targets
        if isinstance(each, ast.Name)
    }
    for node in attributes_of_self(owner):
        if node.attr in names:
            yield node, node.attr


CHECK = file_check(examine, CheckTraits(literals=("if", "while", "assert", "not", "and")))
