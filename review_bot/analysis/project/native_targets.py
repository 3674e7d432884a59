"""What the files of CMake and make build: modules for Python, and where they put them."""

from __future__ import annotations

import re

from review_bot.analysis.project.native_modules import OF_C, defines_module
from review_bot.changes.codebase import Snapshot
from review_bot.text.lazy_regex import LazyRegex

MODULE_FOR_PYTHON = r"\b(?:[Pp]ython\d?_add_library|pybind11_add_module|nanobind_add_module)\s*\(\s*"
"""A command of CMake that makes a module for Python, up to its name."""
_SET = LazyRegex(r"\bset\(\s*(\w+)\s+(\w+)\s*\)")
_VARIABLE = LazyRegex(r"\$\{(\w+)\}")


def makes_module(text: str, stem: str) -> bool:
    """Return whether a CMake file makes a module for Python of this name, and leaves to others where it is put.

    A script or the build of a wheel copies it into the package then.
    """
    name = re.escape(stem)
    if re.search(rf"\binstall\s*\(\s*TARGETS\s[^()]*?\b{name}\b", text):
        return False
    return re.search(rf"{MODULE_FOR_PYTHON}{name}\s", text) is not None


def names_extension(text: str, stem: str) -> bool:
    """Return whether a CMake file makes a module for Python, and gives its name to the macro of its source.

    ::

        target_compile_definitions(_ext PRIVATE TORCH_EXTENSION_NAME=_ext)
    """
    name = re.escape(stem)
    made = re.search(rf"{MODULE_FOR_PYTHON}{name}\s", text)
    return made is not None and re.search(rf"\bTORCH_EXTENSION_NAME={name}\b", text) is not None


def defines_by_macro(path: str, side: Snapshot) -> bool:
    """Return whether a source in C below the folder of a build file defines a module for Python."""
    start = path[: path.rfind("/") + 1]
    sources = (each for each in sorted(side.paths) if each.startswith(start) and OF_C.search(each))
    return any(defines_module(side.text(each) or "") for each in sources)


def expanded(text: str) -> str:
    """Return the text of a CMake file with the variables that it sets once, to a single word."""
    values: dict[str, str] = {}
    for name, value in _SET.findall(text):
        values[name] = "" if name in values else value
    return _VARIABLE.sub(lambda found: values.get(found[1]) or found[0], text)


def is_beside(path: str, text: str, place: str) -> bool:
    """Return whether the CMake file in a package makes a module, ``pybind11_add_module(fast ...)``, to stay there."""
    folder, _, stem = place.rpartition("/")
    made = path.rpartition("/")[0] == folder and re.search(rf"{MODULE_FOR_PYTHON}{re.escape(stem)}\s", text)
    return bool(made) and re.search(rf"\binstall\s*\(\s*TARGETS\s[^()]*?\b{re.escape(stem)}\b", text) is None


def puts_there(text: str, place: str) -> bool:
    """Return whether a command of a CMake file names the library at the very place of a module.

    ::

        add_custom_command(... COMMAND cp $<TARGET_FILE:fast> ${PROJECT_SOURCE_DIR}/pkg/libfast.so)
        add_custom_command(... COMMAND cp $<TARGET_FILE:fast> ${BUILD_DIR}/pkg/$<TARGET_FILE_NAME:fast>)
    """
    there = re.compile(rf"/{re.escape(place)}\.so(?![\w.])")
    if any("COMMAND " in line and there.search(line) for line in text.splitlines()):
        return True
    folder, _, stem = place.rpartition("/")
    before, found, _ = text.partition(f"/{folder.rpartition('/')[2]}/$<TARGET_FILE_NAME:{stem}>")
    return bool(found) and "COMMAND " in before.rpartition("(")[2]


def installs(text: str, place: str) -> bool:
    """Return whether a CMake file makes a module for Python of this name, and installs it into the module's package.

    ::

        Python_add_library(fast MODULE ${SOURCES})      install(TARGETS fast LIBRARY DESTINATION pkg)
        set_target_properties(fast_py PROPERTIES OUTPUT_NAME fast)

    The settings of the wheel may name the package, and the file only ``.``.
    """
    folder, _, stem = place.rpartition("/")
    target = re.search(
        rf"\bset_target_properties\s*\(\s*(\w+)\s+PROPERTIES\s[^()]*?\bOUTPUT_NAME\s+\"?{re.escape(stem)}\"?[\s)]", text
    )
    name = re.escape(stem) if target is None else target[1]
    made = re.search(rf"{MODULE_FOR_PYTHON}{name}\s", text)
    return made is not None and any(
        each == "." or f"/{folder}".endswith(f"/{each.strip('/')}")
        for each in re.findall(rf"\binstall\s*\(\s*TARGETS\s[^()]*?\b{name}\b[^()]*?\bDESTINATION\s+([\w./-]+)", text)
    )


def is_rule_of_make(path: str, text: str, place: str, side: Snapshot) -> bool:
    """Return whether a Makefile has a rule for a module, from a file of the tree.

    ::

        pkg/core/bindings.py: bindings.py.in build.py
    """
    folder, _, name = path.rpartition("/")
    wanted = f"{place}.py".removeprefix(f"{folder}/" if folder else "")
    if name.lower() != "makefile" or (folder and not place.startswith(f"{folder}/")):
        return False
    rule = re.search(rf"(?m)^{re.escape(wanted)}[ \t]*:[ \t]*([^\n=]*)$", text)
    return rule is not None and any(f"{folder}/{each}".lstrip("/") in side.paths for each in rule[1].split())
