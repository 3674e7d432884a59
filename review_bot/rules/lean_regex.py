r"""Makes the regular expressions of shipped structural rules cheap to compile.

ast-grep compiles a rule for every file that it is tried in, and a Unicode ``\w`` costs 250 microseconds each time,
more than the search itself; the ASCII class costs 15. In the shipped rules ``\w``, ``\d`` and ``\s`` therefore mean
ASCII, as in the code that they are about. A repository's own rules keep their meaning to the letter::

    ^(\w+\.)*prompt$    →    ^([0-9A-Za-z_]+\.)*prompt$
"""

from __future__ import annotations

from typing import Any

_MEMBERS = {"w": "0-9A-Za-z_", "d": "0-9", "s": r" \t\n\r\x0b\x0c"}


def lean(config: Any) -> Any:
    """Return a rule's search configuration with every ``regex`` in it made lean."""
    if isinstance(config, dict):
        return {
            key: lean_regex(value) if key == "regex" and isinstance(value, str) else lean(value)
            for key, value in config.items()
        }
    if isinstance(config, list | tuple):
        return [lean(each) for each in config]
    return config


def lean_regex(regex: str) -> str:
    r"""Return an expression in Rust's syntax with ASCII classes for ``\w``, ``\d``, ``\s`` and their negations."""
    out: list[str] = []
    depth = 0  # of brackets: Rust's classes nest
    position = 0
    while position < len(regex):
        char = regex[position]
        if char == "\\" and position + 1 < len(regex):
            following = regex[position + 1]
            position += 2
            members = _MEMBERS.get(following.lower())
            if members is None or (following.isupper() and depth):
                out.append(char + following)
            elif following.isupper():
                out.append(f"[^{members}]")
            else:
                out.append(members if depth else f"[{members}]")
            continue
        if char == "[":
            depth += 1
            out.append(char)
            position += 1
            if depth == 1 and regex[position : position + 1] == "^":
                out.append("^")
                position += 1
            if regex[position : position + 1] == "]":  # first in a class it is literal
                out.append("]")
                position += 1
            continue
        if char == "]" and depth:
            depth -= 1
        out.append(char)
        position += 1
    return "".join(out)
