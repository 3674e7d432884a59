"""Whether an ast-grep rule for Python looks no further than the statement of the module that holds its match.

Such a rule finds the same in a function, class or other statement at the top of a file wherever else the file changes.
What may look further is a rule about the module itself, about what comes before or after a statement or comment, or one
whose ``inside`` may mean the module. When in doubt, a rule does.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_AT_TOP = ("_statement", "_definition")
_AT_TOP_TOO = frozenset({"", "ERROR", "comment", "module"})
"""Kinds of nodes that the module may hold directly: those that end so, and these. Expressions are inside of them."""


def is_local(config: Mapping[str, Any]) -> bool:
    """Return whether the matches of a rule in one statement of the module follow from the text of that statement."""
    rule = config.get("rule")
    parts = (rule, *(config.get("constraints") or {}).values())
    return not config.get("utils") and _is_below_module(rule) and all(map(_stays, parts))


def _is_below_module(rule: Any) -> bool:
    """Return whether a rule cannot match the module itself."""
    if not isinstance(rule, Mapping):
        return False
    kind, pattern = rule.get("kind"), rule.get("pattern")
    return (
        (isinstance(kind, str) and kind not in {"ERROR", "module"})
        or (isinstance(pattern, str) and not pattern.replace("_", "").lstrip("$").isalnum())
        or any(map(_is_below_module, rule.get("all", ())))
        or ("any" in rule and all(map(_is_below_module, rule["any"])))
    )


def _stays(rule: Any, *, at_top: bool = True) -> bool:
    """Return whether a rule looks at nothing outside of the statement; ``at_top``: the module may hold its node."""
    if not isinstance(rule, Mapping):
        return False
    kind = rule.get("kind", "")
    at_top = at_top and (kind in _AT_TOP_TOO or kind.endswith(_AT_TOP))
    return all(_part_stays(key, value, at_top=at_top) for key, value in rule.items())


def _part_stays(key: str, value: Any, *, at_top: bool) -> bool:
    if key in {"all", "any"}:
        return all(_stays(each, at_top=at_top) for each in value)
    if key == "not":
        return _stays(value, at_top=at_top)
    if key == "nthChild":
        return not at_top and (not isinstance(value, Mapping) or "ofRule" not in value)
    if key in {"follows", "has", "inside", "precedes"}:
        if (key == "inside" and not _is_below_module(value)) or (key in {"follows", "precedes"} and at_top):
            return False
        parts = {name: part for name, part in value.items() if name not in {"field", "stopBy"}}
        stop = value.get("stopBy", "")
        return _stays(parts, at_top=key == "inside") and (isinstance(stop, str) or _stays(stop))
    return key in {"kind", "pattern", "regex"} and isinstance(value, str)
