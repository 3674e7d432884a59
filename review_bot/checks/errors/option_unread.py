"""A command-line option that the change adds and whose value nothing reads.

A file whose arguments never leave it is judged alone; of any other, every mention of the name in the tree's Python
counts as a reader, one that is put together too (``getattr(args, f"rows_{split}")``). Handing all arguments on at once
(``vars(args)``) keeps this silent, as does a library that is given them (``make_decoder(self.args)``), or the function
which declares the options: ``Engine(extra_args_provider=add_options)``.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from review_bot.analysis.facts.composed_reads import read_by_composed_name
from review_bot.analysis.facts.named_functions import is_named_nowhere_else
from review_bot.analysis.facts.word_search import files_with, words_held
from review_bot.analysis.project.module_tree import module_tree, places_of
from review_bot.analysis.python.composed_names import reads_by_composed_name
from review_bot.analysis.python.name_words import words_in
from review_bot.analysis.python.namespaces import destinations, reads_of_arguments
from review_bot.analysis.python.option_destination import destination
from review_bot.analysis.python.parsed_options import gives_parser_away, stays_in_file
from review_bot.analysis.python.statements import assigned_values, is_function, last_name
from review_bot.analysis.python.syntax import (
    argument_values,
    class_at,
    dotted,
    full_name,
    imported_names,
    is_name,
    keyword,
    reads_same,
)
from review_bot.changes.codebase import Codebase
from review_bot.changes.node_index import nodes_of
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check, each_fact
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_STORES = frozenset({"store", "store_true", "store_false", "store_const", "append", "append_const", "extend", "count"})
_OF_ARGPARSE = frozenset(
    {"action", "nargs", "const", "default", "type", "choices", "required", "help", "metavar", "dest", "deprecated"}
)
"""Keywords of ``ArgumentParser.add_argument``."""
_HANDS_ON = LazyRegex(
    r"\bvars\(|\b__dict__\b|_get_kwargs|asdict\(|from_cli_args\(|parse_args_into_dataclasses|\blocals\("
)
_SAID = LazyRegex(
    r"(?i)SUPPRESS|deprecat|ignored?\b|unused|not used|no longer|compat|no-?op\b|placeholder|reserved|legacy"
)
_OF_LAUNCHERS = frozenset({"local_rank", "deepspeed", "deepspeed_config", "node_rank", "world_size", "help", "version"})
"""Options that a launcher passes, or a library reads from the namespace."""

_OF_CONFIGURATIONS = LazyRegex(r"^jsonargparse\b|\.Lightning(?:CLI|ArgumentParser)$")
"""What hands options to the parameters of classes."""
_MAKES_PARSER = LazyRegex(r"(?i)pars|group|arg")
"""Functions and classes whose results take options, by their names."""
_RECORDERS = frozenset({"mlflow", "rich", "torch", "wandb", "yaml"})
"""Packages that at most record all options."""
_CALLED_AS_ARGUMENTS = frozenset(
    {"arg", "args", "arguments", "cfg", "conf", "config", "flags", "hparams", "namespace", "opt", "options", "opts"}
)
"""Words in the names of what holds parsed arguments."""
_DEEPEST_IN_MODULE = 2
"""Names behind that of a module, of a method for example."""
_MOST_OPTIONS = 8
_FEWEST_BESIDE = 2
"""Scripts of one folder that take an option, from which on it belongs to their common command line."""
_MOST_BESIDE = 60


class Option(NamedTuple):
    """An option. ``dest`` is its attribute; ``alone``: what is parsed never leaves the file.

    ``callees``: the full names of what is given the function that declares the option, or all of what is parsed.
    ``was_read``: the removed line that read it, in the old text; 0: the option is new. ``within``: the function that
    declares it for a parser which it is given, or empty.
    """

    flag: str
    dest: str
    line: int
    alone: bool
    callees: tuple[str, ...] = ()
    was_read: int = 0
    within: str = ""


def gather(source: SourceFile) -> tuple[Option, ...] | None:
    """Return the added options that the file itself does not read. Raises CannotParse."""
    return _unread([each for each in _options(source) if each.line in source.added], source)


def lost_options(source: SourceFile) -> tuple[Option, ...] | None:
    """Return the options that a removed line of the file read, and nothing in it does any more. Raises CannotParse."""
    lost = _lost_reads(source)
    options = (each for each in (_options(source) if lost else ()) if each.line not in source.added)
    return _unread([each._replace(was_read=lost[each.dest]) for each in options if each.dest in lost], source)


def _options(source: SourceFile) -> Iterator[Option]:
    if source.text is None:
        return  # deleted
    if any(_OF_CONFIGURATIONS.search(each) for each in imported_names(source.tree).values()):
        return
    if any(dotted(target) == "sys.argv" for target, _ in assigned_values(source.tree)):
        return  # what is on the command line goes to something else, such as Hydra
    others = _other_objects(source.tree)
    yield from filter(None, (_option(call, others) for call in source.nodes(ast.Call)))


def _unread(found: list[Option], source: SourceFile) -> tuple[Option, ...] | None:
    if not found:
        return None
    read = _read(source.tree)
    named = _names_of_defaults(source.tree, read)
    found = [each for each in found if each.dest not in read and each.line not in named]
    found = [each for each in found if not reads_by_composed_name(source.tree, each.dest)]
    if not found or len(found) > _MOST_OPTIONS:
        return None  # so many are read by something else
    defined = destinations(source.tree)
    if defined is not None and any(each.attr not in defined for each in reads_of_arguments(source.tree)):
        return None  # it reads one under a name that no option has, and fails there: another rule reports that
    if defined is None:
        # An option that is put together may be any attribute; but one read under another name is meant for this option.
        taken = {each.dest for each in _options(source)}
        misspelt = {_last_word(each.attr) for each in reads_of_arguments(source.tree) if each.attr not in taken}
        found = [each for each in found if _last_word(each.dest) not in misspelt]
    alone = stays_in_file(source.tree)
    if not alone and gives_parser_away(source.tree):
        return None
    if not alone and _HANDS_ON.search(source.text or ""):
        return None
    given = _given_to(source)
    hold = {*_parsed(source.tree), *_holders(source)}
    around = {each.line: {_function_around(each.line, source), *hold} for each in found}
    return tuple(
        each._replace(
            alone=alone,
            callees=tuple(sorted({callee for place, callee in given if place in around[each.line]})),
            within=_function_around(each.line, source),
        )
        for each in found
    )


def _last_word(name: str) -> str:
    """Return the last word of a name, or the name itself if it holds none, such as ``_``."""
    return [name, *words_in(name)][-1]


def _given_to(source: SourceFile) -> list[tuple[str, str]]:
    """Return the places that calls of imported names are given, each with the full name of the called one.

    A method of ``super()`` is one of each base of the class around it.
    """
    imported = imported_names(source.tree)
    called: list[tuple[ast.Call, str]] = []
    for call in source.nodes(ast.Call):
        if (dotted(call.func) or "").partition(".")[0] in imported:
            called.append((call, full_name(call.func, imported) or ""))
        elif isinstance(call.func, ast.Attribute) and last_name(call.func.value) == "super":
            called += [(call, base) for base in _bases_around(call, source, imported)]
    return [
        (place, callee)
        for call, callee in called
        if callee.partition(".")[0] not in sys.stdlib_module_names | _RECORDERS
        for value in argument_values(call)
        if (place := dotted(value)) is not None
    ]


def _bases_around(call: ast.Call, source: SourceFile, imported: Mapping[str, str]) -> Iterator[str]:
    """Yield the full names of the imported bases of the class around a call."""
    around = class_at(call.lineno, source.tree)
    for base in (base for each in source.nodes(ast.ClassDef) if each.name == around for base in each.bases):
        if (dotted(base) or "").partition(".")[0] in imported:
            yield full_name(base, imported) or ""


def _holders(source: SourceFile) -> set[str]:
    """Return the places that are called as parsed arguments are, and of which the file reads one of its options."""
    taken = {each.dest for each in _options(source)}
    read = (dotted(each.value) for each in source.nodes(ast.Attribute) if each.attr in taken)
    return {place for place in read if place and not _CALLED_AS_ARGUMENTS.isdisjoint(words_in(place))}


def _parsed(tree: ast.Module) -> Iterator[str]:
    """Yield the names of what a command line is parsed to."""
    for assign in nodes_of(tree, ast.Assign):
        if isinstance(assign.value, ast.Call) and last_name(assign.value.func) in {"parse_args", "parse_known_args"}:
            target = assign.targets[0]
            first = target.elts[0] if isinstance(target, ast.Tuple) else target
            if isinstance(first, ast.Name):
                yield first.id


def _function_around(line: int, source: SourceFile) -> str:
    """Return the function that declares an option of a parser which it was given; an empty text of one of its own."""
    around = source.functions_around(line)
    makes = any(last_name(call.func) == "ArgumentParser" for each in around for call in nodes_of(each, ast.Call))
    return "" if makes or not around else around[-1].name


def _lost_reads(source: SourceFile) -> dict[str, int]:
    """Return the attributes that removed lines read of anything but ``self``, each with its first such line."""
    old_tree = source.known_old_tree if source.removed else None
    lost: dict[str, int] = {}
    for node in nodes_of(old_tree, ast.Attribute) if old_tree else ():
        if node.lineno in source.removed and isinstance(node.ctx, ast.Load) and not is_name(node.value, "self"):
            lost.setdefault(node.attr, node.lineno)
    return lost


def _other_objects(tree: ast.Module) -> set[str]:
    """Return the places that hold what is made by calls that make no parser, such as the options of a browser."""
    made = [
        (each.targets, last_name(each.value.func))
        for each in nodes_of(tree, ast.Assign)
        if isinstance(each.value, ast.Call)
    ]
    targets = (target for found, maker in made if not _MAKES_PARSER.search(maker) for target in found)
    return {place for target in targets if (place := dotted(target)) is not None}


def _option(call: ast.Call, others: set[str]) -> Option | None:
    """Return the option that a call of ``add_argument`` declares, if its value is simply stored; not of ``others``."""
    function = call.func
    if not isinstance(function, ast.Attribute) or function.attr != "add_argument" or dotted(function.value) in others:
        return None
    action, name = keyword(call, "action"), destination(call)
    if any(each.arg not in _OF_ARGPARSE for each in call.keywords):
        return None  # what takes other keywords stores the value in its own way
    if action is not None and not (isinstance(action, ast.Constant) and action.value in _STORES):
        return None
    flags = [each.value for each in call.args if isinstance(each, ast.Constant) and isinstance(each.value, str)]
    flag = next((each for each in flags if each.startswith("--")), None)
    if flag is None or "=" in flag or len(flags) != len(call.args) or _SAID.search(ast.unparse(call)):
        return None
    if _takes_only_default(call):
        return None
    return None if name is None or name in _OF_LAUNCHERS else Option(flag, name, call.lineno, alone=False)


def _takes_only_default(call: ast.Call) -> bool:
    """Return whether an option takes one value only, which it has without it too: it misleads no one."""
    choices, default = keyword(call, "choices"), keyword(call, "default")
    if not isinstance(choices, (ast.List, ast.Tuple, ast.Set)) or len(choices.elts) != 1 or default is None:
        return False
    return reads_same(choices.elts[0], default)


def _read(tree: ast.Module) -> set[str]:
    """Return the names that a file reads as attributes, or writes as strings outside ``add_argument``."""
    found = {each.attr for each in nodes_of(tree, ast.Attribute)}
    found |= {each.arg for each in nodes_of(tree, ast.keyword) if each.arg}
    declared = {
        id(constant)
        for call in nodes_of(tree, ast.Call)
        if last_name(call.func) == "add_argument"
        for constant in nodes_of(call, ast.Constant)
    }
    strings = (
        each for each in nodes_of(tree, ast.Constant) if isinstance(each.value, str) and id(each) not in declared
    )
    return found | {str(each.value) for each in strings}


def _names_of_defaults(tree: ast.Module, read: set[str]) -> set[int]:
    """Return the lines of the switches of exclusive groups in which another option is read.

    A switch that nothing reads is the name of what happens without the others.
    """
    groups = {
        target.id
        for each in nodes_of(tree, ast.Assign)
        if isinstance(each.value, ast.Call) and last_name(each.value.func) == "add_mutually_exclusive_group"
        for target in each.targets
        if isinstance(target, ast.Name)
    }
    lines: dict[str, set[int]] = {}
    others: set[str] = set()
    for call in nodes_of(tree, ast.Call) if groups else ():
        group = dotted(call.func.value) if isinstance(call.func, ast.Attribute) else None
        if group not in groups or last_name(call.func) != "add_argument":
            continue
        action = keyword(call, "action")
        if isinstance(action, ast.Constant) and action.value == "store_true":
            lines.setdefault(group, set()).add(call.lineno)
        names = {str(each.value).lstrip("-").replace("-", "_") for each in call.args if isinstance(each, ast.Constant)}
        if not names.isdisjoint(read):
            others.add(group)
    return {line for group in others for line in lines.get(group, ())}


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit on each option whose name no other place of the tree mentions."""
    unsure = {each.dest for found in facts.values() for each in found if not each.alone}
    used: set[str] = set()
    for path, held in words_held(codebase.head, unsure).items() if unsure else ():
        declared = {each.dest for each in facts.get(path, ())}
        used |= held - declared
    used |= read_by_composed_name(codebase.head, unsure - used)
    for path, each in each_fact(facts):
        if not all(_is_of_tree(callee, path, codebase) for callee in each.callees):
            continue
        if _is_not_declared(each, path, codebase):
            continue
        if (each.alone or each.dest not in used) and not _is_asked_of_all(each, path, codebase):
            yield _hit(each, path)


def _is_of_tree(name: str, path: str, codebase: Codebase) -> bool:
    """Return whether the tree has the module of what a file imports by its full name: a function, class or method."""
    tree, parts = module_tree(codebase.head), name.split(".")
    modules = (".".join(parts[:count]) for count in range(len(parts), max(0, len(parts) - _DEEPEST_IN_MODULE - 1), -1))
    return any(tree.at(place).kind == "module" for each in modules for place in places_of(each, 0, path, tree))


def _is_not_declared(option: Option, path: str, codebase: Codebase) -> bool:
    """Return whether nothing calls the function that declares an option, so that no parser knows it.

    What a class inherits from may call a method of it, unless the file makes the parsers itself.
    """
    text, tree = codebase.head.text(path) or "", codebase.head.tree(path)
    if not option.within or tree is None:
        return False
    if "ArgumentParser(" in text and text.count(option.within) == 1:
        return files_with(codebase.head, [option.within]) == [path]
    plain = {each.name for each in tree.body if is_function(each) and not each.decorator_list}
    return option.within in plain and is_named_nowhere_else(codebase.head, path, option.within)


def _hit(option: Option, path: str) -> Hit:
    values = {"flag": option.flag, "dest": option.dest, "line": str(option.line)}
    if not option.was_read:
        return Hit(option.line, path=path, values=values, statement=option.flag)
    related = (Related(path, option.line, f"`{option.flag}`"),)
    return Hit(option.was_read, side="LEFT", path=path, values=values, related=related, statement=option.flag)


def _is_asked_of_all(option: Option, path: str, codebase: Codebase) -> bool:
    """Return whether other scripts of the folder took it before: what starts one of them passes it to each."""
    folder = path.rpartition("/")[0]
    declares = re.compile(rf"add_argument\(\s*[\"']{re.escape(option.flag)}[\"']")
    beside = [
        each for each in sorted(codebase.base.paths) if each.endswith(".py") and each.rpartition("/")[0] == folder
    ]
    others = (
        each for each in beside[:_MOST_BESIDE] if each != path and declares.search(codebase.base.text(each) or "")
    )
    return len([*islice(others, _FEWEST_BESIDE)]) == _FEWEST_BESIDE


CHECK = change_check(gather, relate, CheckTraits(literals=("add_argument",)))
