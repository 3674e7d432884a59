"""The names that objects of a class have, through the bases that the tree contains.

::

    class A(Base):                 Members({"step", "size", ...those of Base}, closed=True)
        def step(self): ...
        def __init__(self): self.size = 1
    class B(Outside): ...          closed=False: its base may have any name
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from review_bot.analysis.facts.call_targets import call_targets
from review_bot.analysis.facts.class_bodies import written_slots
from review_bot.analysis.facts.classes import subclasses
from review_bot.analysis.facts.fact import facts_of_file
from review_bot.analysis.facts.kept_classes import gives_class_back
from review_bot.analysis.facts.named_tuple_init import (
    NAMES_OF_TUPLES,
    is_named_tuple,
    listed_fields,
    named_tuple_init,
    tuple_classes,
)
from review_bot.analysis.facts.runs import Symbol
from review_bot.analysis.facts.word_search import files_with
from review_bot.analysis.python.statements import (
    Function,
    decorator_names,
    functions_of,
    is_definition,
    is_function,
    last_name,
    targets_of,
)
from review_bot.analysis.python.syntax import bound_name, dotted, full_name, imported_names, keyword, text_of
from review_bot.changes.codebase import Snapshot, query
from review_bot.changes.node_index import nodes_of, walk
from review_bot.records import NamedTuple
from review_bot.text.lazy_regex import LazyRegex

_OPENERS = frozenset({"setattr", "vars", "locals", "globals", "exec", "eval"})
_OPEN_NAMES = frozenset({"__getattr__", "__getattribute__", "__dict__", "__class__", "__slots__", "__new__"})
_REGISTERS = frozenset({"register_buffer", "register_parameter", "register_module", "add_module"})
_TAKES_NAMES = frozenset({"ConfigDict", "SimpleNamespace", "__init__", "register_to_config", "update"})
"""Calls whose keyword arguments may become attributes."""
_MAKES_OBJECTS = LazyRegex(r"^_*[A-Z]|(?i:mock|fake|stub|patch|namespace|setattr|type)")
"""Names of what may make an object with the attributes that it is given as keyword arguments, or set one by name."""
_ABSTRACT = frozenset({"abstractmethod", "abstractproperty", "abstractclassmethod", "abstractstaticmethod"})
_PLAIN_DECORATORS = frozenset({"dataclass", "final", "runtime_checkable", "total_ordering", "unique"})
_PLAIN_BASES = frozenset({
    "object", "abc.ABC", "typing.Generic", "typing.Protocol", "typing_extensions.Generic", "typing_extensions.Protocol",
})  # fmt: skip
_ENUMS = frozenset(f"enum.{name}" for name in ("Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"))
_KEEPS_MORE = frozenset({"allow", "extra", "Extra"})
"""What a model of pydantic says if it keeps fields that it does not declare."""
_OF_OBJECTS = frozenset(dir(object)) | {"__annotations__", "__dict__", "__name__", "__slots__"}
_OF_ENUMS = frozenset({"name", "value", "__members__"}) | frozenset(dir(str)) | frozenset(dir(int))
_OF_DECORATORS = frozenset({"", "dataclasses", "enum", "functools", "typing", "typing_extensions"})
"""The modules of these decorators, as they are written."""
_OF_DATACLASSES = frozenset({"__dataclass_fields__", "__post_init__"})
_MODULE_NAMES = (
    "T_destination add_module append apply bfloat16 buffers call_super_init children compile cpu cuda double "
    "dump_patches eval extra_repr float forward get_buffer get_extra_state get_parameter get_submodule half ipu "
    "load_state_dict modules mtia named_buffers named_children named_modules named_parameters parameters "
    "register_backward_hook register_buffer register_forward_hook register_forward_pre_hook "
    "register_full_backward_hook register_full_backward_pre_hook register_load_state_dict_post_hook "
    "register_load_state_dict_pre_hook register_module register_parameter register_state_dict_post_hook "
    "register_state_dict_pre_hook requires_grad_ set_extra_state set_submodule share_memory state_dict to to_empty "
    "train training type xpu zero_grad "
    "_apply _backward_hooks _backward_pre_hooks _buffers _call_impl _compiled_call_impl _forward_hooks "
    "_forward_pre_hooks _get_backward_hooks _get_name _is_full_backward_hook _load_from_state_dict "
    "_load_state_dict_post_hooks _load_state_dict_pre_hooks _modules _named_members _non_persistent_buffers_set "
    "_parameters _register_load_state_dict_pre_hook _register_state_dict_hook _replicate_for_data_parallel "
    "_save_to_state_dict _slow_forward _state_dict_hooks _state_dict_pre_hooks _version _wrapped_call_impl"
)
_MLX_NAMES = (
    "apply_to_modules clear copy filter_and_map freeze fromkeys get is_module items keys leaf_modules load_weights "
    "named_modules pop popitem save_weights set_dtype setdefault state trainable_parameter_filter trainable_parameters "
    "unfreeze update update_modules valid_child_filter valid_parameter_filter values"
)
NAMES_OF_MODULES = frozenset(_MODULE_NAMES.split())
"""Names of ``torch.nn.Module``; https://docs.pytorch.org/docs/stable/generated/torch.nn.Module.html."""
NAMES_OF_MLX = frozenset(_MLX_NAMES.split())
"""Names of ``mlx.nn.Module``, which is a dict, that the other does not have;
https://ml-explore.github.io/mlx/build/html/python/nn/module.html."""


_MODEL_NAMES = (
    "Config construct copy dict from_orm json model_computed_fields model_config model_construct model_copy model_dump "
    "model_dump_json model_extra model_fields model_fields_set model_json_schema model_parametrized_name "
    "model_post_init model_rebuild model_validate model_validate_json model_validate_strings parse_file parse_obj "
    "parse_raw schema schema_json update_forward_refs validate __fields__ __fields_set__"
)
_OF_MODELS = frozenset(_MODEL_NAMES.split())
"""Names of ``pydantic.BaseModel``; https://docs.pydantic.dev/latest/api/base_model/."""


_MOST_ABOVE = 100
"""Classes above one up to which its names are collected."""


class Members(NamedTuple):
    """Names of a class and its bases. ``closed``: objects have no other, unless something outside the class sets it.

    ``shown``: the same of a class that may have abstract methods too, whose objects are those of classes below it.
    """

    names: frozenset[str]
    closed: bool
    shown: bool


class OwnMembers(NamedTuple):
    """What a class gives its objects without its decorators. ``line`` and ``name`` identify it in its file.

    ``abstract``: its abstract methods. ``implemented``: what else its body binds.
    """

    name: str
    line: int
    names: frozenset[str]
    closed: bool
    abstract: frozenset[str]
    implemented: frozenset[str]


_TELLING: frozenset[type[ast.AST]] = frozenset({
    ast.AsyncFunctionDef, ast.Attribute, ast.Call, ast.ClassDef, ast.Constant, ast.FunctionDef, ast.Import,
    ast.ImportFrom, ast.Name,
})  # fmt: skip
"""Nodes from which names are taken; others need no look."""


@facts_of_file
def own_members(tree: ast.Module) -> tuple[OwnMembers, ...]:
    """Return what each class of a file binds, sets on any object, or writes as a string."""
    return tuple(_own(each) for each in (*nodes_of(tree, ast.ClassDef), *tuple_classes(tree)))


def _is_plain(decorator: ast.expr) -> bool:
    """Return whether a decorator adds no name: one of the standard library; flax adds ``replace``."""
    written = dotted(decorator.func if isinstance(decorator, ast.Call) else decorator) or ""
    module, _, name = written.rpartition(".")
    return name in _PLAIN_DECORATORS and module in _OF_DECORATORS


def _own(owner: ast.ClassDef) -> OwnMembers:
    names: set[str] = set()
    closed = all(each.arg == "metaclass" and last_name(each.value) == "ABCMeta" for each in owner.keywords)
    opens = _OPEN_NAMES if written_slots(owner) is None else _OPEN_NAMES - {"__slots__"}
    local = {id(each) for method in functions_of(owner) for each in nodes_of(method, ast.Name)}
    for node in walk(owner):
        if node.__class__ not in _TELLING:
            continue
        if isinstance(node, ast.Attribute):
            closed = closed and node.attr not in _OPEN_NAMES
            if not isinstance(node.ctx, ast.Load):
                names.add(node.attr)
        elif isinstance(node, ast.Name):
            if not isinstance(node.ctx, ast.Load):
                names.update([node.id] if id(node) not in local else [])
                closed = closed and node.id not in opens
        elif is_definition(node):
            names.add(node.name)
            closed = closed and (node is owner or node.name not in _OPEN_NAMES)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            names.update(map(bound_name, node.names))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            names.add(node.value)
        elif isinstance(node, ast.Call):
            closed = closed and not _names_by_code(node)
            names |= listed_fields(node)
            if last_name(node.func) in _TAKES_NAMES:
                names.update(each.arg for each in node.keywords if each.arg is not None)
    abstract = frozenset(each.name for each in functions_of(owner) if _is_abstract(each))
    implemented = frozenset(_implemented(owner))
    return OwnMembers(owner.name, owner.lineno, frozenset(names), closed, abstract, implemented)


def _implemented(owner: ast.ClassDef) -> Iterator[str]:
    """Yield the names that a class body binds to anything but an abstract method; an annotation alone binds none."""
    for statement in owner.body:
        if is_function(statement) and not _is_abstract(statement):
            yield statement.name
        elif not isinstance(statement, ast.AnnAssign) or statement.value is not None:
            yield from (each.id for each in targets_of(statement) if isinstance(each, ast.Name))


def _is_abstract(method: Function) -> bool:
    return not _ABSTRACT.isdisjoint(decorator_names(method))


def _names_by_code(call: ast.Call) -> bool:
    """Return whether a call may set attributes whose names are not written in it."""
    name = last_name(call.func)
    if name in _OPENERS and isinstance(call.func, ast.Name):
        written = name == "setattr" and len(call.args) > 1 and isinstance(call.args[1], ast.Constant)
        return not written
    if name not in _REGISTERS:
        return False
    first = call.args[0] if call.args else None
    return text_of(first) is None


@query
def members(side: Snapshot, owner: Symbol) -> Members:
    """Return the names that objects of a top-level class have; of one below very many others not all are known."""
    names, closed = set[str](), True
    abstract, implemented = set[str](), set[str]()
    seen, waiting = {owner}, [owner]
    for each in waiting:
        given = _given_by(side, each)
        names |= given.names
        abstract |= given.abstract
        implemented |= given.implemented
        closed = closed and given.closed and {owner, each}.isdisjoint(given.bases) and len(waiting) <= _MOST_ABOVE
        if not closed:
            break
        waiting += [base for base in given.bases if base not in seen]
        seen.update(given.bases)
    if not _OF_MODELS.isdisjoint(names) and not _KEEPS_MORE.isdisjoint(names):
        closed = False
    is_concrete = abstract <= implemented and not _given_by(side, owner).abstract
    return Members(frozenset(names), closed and is_concrete, closed)


class _Given(NamedTuple):
    """What one class gives, with those of its bases that are of a library, and the others."""

    names: frozenset[str]
    closed: bool
    abstract: frozenset[str] = frozenset()
    implemented: frozenset[str] = frozenset()
    bases: tuple[Symbol, ...] = ()


@query
def _given_by(side: Snapshot, owner: Symbol) -> _Given:
    targets = call_targets(side)
    node, file = targets.class_of(owner), targets.file(owner.path)
    if node is None or file is None:
        return _Given(frozenset(), closed=False)
    own = next((each for each in own_members(file.tree) if each.line == node.lineno and each.name == node.name), None)
    if own is None:
        return _Given(frozenset(), closed=False)
    marks = [each for each in node.decorator_list if not _is_plain(each)]
    names, closed = set(own.names), own.closed and all(gives_class_back(targets, file, each) for each in marks)
    names |= _OF_OBJECTS | (_OF_DATACLASSES if node.decorator_list else frozenset())
    bases: dict[Symbol, None] = {}
    bases_left = node.bases
    if is_named_tuple(node, file.tree):
        made = named_tuple_init(node)
        closed = closed and made is not None
        names |= NAMES_OF_TUPLES.union(each.name for each in (() if made is None else made.parameters))
        bases_left = node.bases[1:]
    for base in bases_left:
        bare = base.value if isinstance(base, ast.Subscript) else base
        known = _known(full_name(bare, imported_names(file.tree)) or "")
        symbol = None if known is not None else targets.named_by(file, bare, ())
        if known is not None:
            names |= known
        elif symbol is None or targets.class_of(symbol) is None:
            closed = False
        else:
            bases[symbol] = None
    return _Given(frozenset(names), closed, own.abstract, own.implemented, tuple(bases))


def _known(base: str) -> frozenset[str] | None:
    """Return the names that a base of a library gives, by what its file imports, if it is one whose names are known."""
    if base in _PLAIN_BASES:
        return frozenset()
    if base == "torch.nn.Module":
        return NAMES_OF_MODULES
    if base == "pydantic.BaseModel":
        return _OF_MODELS
    return _OF_ENUMS if base in _ENUMS else None


@query
def lacks(side: Snapshot, owner: Symbol, name: str) -> bool:
    """Return whether neither a class, its bases nor the classes below it may have a name."""
    return _lack(side, owner, name, lambda each: each.closed)


@query
def lacks_if_concrete(side: Snapshot, owner: Symbol, name: str) -> bool:
    """Return the same of a class that may have abstract methods, with regard to the classes of the tree alone."""
    return _lack(side, owner, name, lambda each: each.shown)


def _lack(side: Snapshot, owner: Symbol, name: str, is_known: Callable[[Members], bool]) -> bool:
    here = members(side, owner)
    if not is_known(here) or name in here.names:
        return False
    below = [Symbol(each.path, each.definition.name) for each in subclasses(side, owner.name)]
    found = [members(side, each) for each in below if each != owner]
    return all(is_known(each) and name not in each.names for each in found)


def _names(call: ast.Call, name: str) -> bool:
    """Return whether a call passes a keyword argument or a text of this name."""
    return keyword(call, name) is not None or any(text_of(each) == name for each in call.args)


@query
def is_of_family_alone(side: Snapshot, owner: Symbol, name: str) -> bool:
    """Return whether no class of the tree but one, its bases and those below it has a name, nor anything is given it.

    What is annotated with the class and read or set by this name can then be no other object of the tree.
    """
    above = {each.name for each in call_targets(side).bases(owner) if each is not None}
    family = {owner.name, *above, *(each.definition.name for each in subclasses(side, owner.name))}
    for path in files_with(side, [name], ".py"):
        tree = side.tree(path)
        if tree is None or any(name in each.names and each.name not in family for each in own_members(tree)):
            return False
        calls = (call for call in nodes_of(tree, ast.Call) if last_name(call.func) not in family)
        if any(_MAKES_OBJECTS.search(last_name(call.func)) and _names(call, name) for call in calls):
            return False
    return True
