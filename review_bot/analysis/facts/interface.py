"""What a module offers to others: its public definitions, how they are called, and what it exports by name.

Plain data, so that it can travel between processes and be compared between the two sides of a change.
"""

import ast
from collections.abc import Iterator

from review_bot.analysis.python.module_body import top_level_names
from review_bot.analysis.python.statements import is_function, positional_parameters, root_name, targets_of
from review_bot.changes.codebase import query
from review_bot.changes.source_file import SourceFile
from review_bot.records import NamedTuple
from review_bot.rules.scope import is_library


class Parameter(NamedTuple):
    """One parameter. ``kind``: ``positional`` (by place only), ``either``, ``keyword``, ``*`` or ``**``."""

    name: str
    kind: str
    required: bool


class Definition(NamedTuple):
    """A public function, class or method. ``name`` is qualified (``Class.method``); lines are 1-based.

    ``parameters`` are without ``self``; ``bases`` are a class's, as written. ``plain``: a function or method whose
    decorators leave its parameters as they are.
    """

    name: str
    kind: str
    line: int
    body_line: int
    parameters: tuple[Parameter, ...] = ()
    bases: tuple[str, ...] = ()
    plain: bool = True


class Interface(NamedTuple):
    """The definitions of a module by qualified name, ``__all__`` as name → line, and every name that it binds."""

    definitions: dict[str, Definition]
    exported: dict[str, int]
    names: frozenset[str]


_TRANSPARENT = frozenset(
    {"staticmethod", "classmethod", "abstractmethod", "override", "no_grad", "inference_mode", "torch", "abc", "final"}
)


@query
def both_interfaces(source: SourceFile) -> tuple[Interface, Interface] | None:
    """Return what a changed module offered and what it offers now.

    None if it is not public, has only one side, or still has all the definitions that it had, in their old form.
    """
    path = source.path
    if not path.endswith(".py") or not is_library(path) or source.old_text is None or source.text is None:
        return None
    folders = path.split("/")[:-1]
    stem = path.rpartition("/")[2].removesuffix(".py")
    if any(part.startswith("_") for part in folders) or (stem.startswith("_") and stem != "__init__"):
        return None
    old = source.known_old_tree
    return None if old is None else (interface_of(old), interface_of(source.tree))


def interface_of(tree: ast.Module) -> Interface:
    """Return what a module offers."""
    definitions = {each.name: each for each in _definitions(tree.body, "")}
    return Interface(definitions, _exported(tree.body), top_level_names(tree))


def _definitions(body: list[ast.stmt], prefix: str) -> Iterator[Definition]:
    for statement in body:
        if is_function(statement):
            name = statement.name
            if not name.startswith("_") or (prefix and name == "__init__"):
                yield _function(statement, prefix)
        elif isinstance(statement, ast.ClassDef) and not prefix and not statement.name.startswith("_"):
            bases = tuple(ast.unparse(base) for base in statement.bases)
            first = statement.body[0].lineno
            plain = not statement.decorator_list
            yield Definition(statement.name, "class", statement.lineno, first, bases=bases, plain=plain)
            yield from _definitions(statement.body, f"{statement.name}.")


def _function(function: ast.FunctionDef | ast.AsyncFunctionDef, prefix: str) -> Definition:
    decorators = {root_name(decorator) for decorator in function.decorator_list}
    parameters = parameters_of(function, skip_first=bool(prefix) and "staticmethod" not in decorators)
    kind = "method" if prefix else "function"
    plain = decorators <= _TRANSPARENT
    return Definition(prefix + function.name, kind, function.lineno, function.body[0].lineno, parameters, (), plain)


def parameters_of(
    function: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda, *, skip_first: bool
) -> tuple[Parameter, ...]:
    """Return the parameters of a function in their order. ``skip_first``: without ``self`` or ``cls``."""
    arguments = function.args
    positional = positional_parameters(function)
    optional = len(arguments.defaults)
    parameters = [
        Parameter(
            each.arg,
            "positional" if number < len(arguments.posonlyargs) else "either",
            number < len(positional) - optional,
        )
        for number, each in enumerate(positional)
    ]
    if skip_first:
        parameters = parameters[1:]
    if arguments.vararg is not None:
        parameters.append(Parameter(arguments.vararg.arg, "*", required=False))
    pairs = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    parameters += [Parameter(each.arg, "keyword", default is None) for each, default in pairs]
    if arguments.kwarg is not None:
        parameters.append(Parameter(arguments.kwarg.arg, "**", required=False))
    return tuple(parameters)


def _exported(body: list[ast.stmt]) -> dict[str, int]:
    for statement in body:
        value = statement.value if isinstance(statement, (ast.Assign, ast.AnnAssign)) else None
        targets = targets_of(statement)
        named = any(isinstance(target, ast.Name) and target.id == "__all__" for target in targets)
        if named and isinstance(value, (ast.List, ast.Tuple)):
            constants = [each for each in value.elts if isinstance(each, ast.Constant) and isinstance(each.value, str)]
            return {str(each.value): each.lineno for each in constants}
    return {}
