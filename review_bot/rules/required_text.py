r"""Finds regular expressions that a text must match for an ast-grep rule to match in it, so that few texts are parsed.

::

    pattern: torch.cuda.synchronize($$$A)            torch␣\.␣cuda␣\.␣synchronize␣\(
    {kind: call, has: {field: function, regex: ^f$}} f␣\(
    {kind: raise_statement, regex: ^raise \w+$}      raise \w+, then a comment, ``;`` or the end of the line
    any: [{regex: a+}, {regex: b+}]                  a+|b+

␣ stands for all that may be between two tokens. The text of a node is a part of the text of the file: what an
expression of the rule finds in the node, the same expression without its anchors finds in the file. RE2 reads a text
once, whereas ast-grep parses it, compiles the rule for it and visits each node. ``required_literals`` answers the same
question for words, which many rules share and which are asked for first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

from review_bot.records import NamedTuple
from review_bot.rules import text_pattern
from review_bot.rules.required_literals import constrained_variables, literal_text
from review_bot.text.lazy_regex import LazyRegex

_MOST = 2
"""Expressions that are kept of one rule, the most selective first; each is compiled when it is first needed."""

_DEEPEST = 6
_MOST_CHOICES = 4

_GAP = r"(?:[^!-~]|\\|#[^\n]*\n)*"
"""What may be between two tokens: blanks, line ends, continuations and comments."""

_ANCHORS = frozenset({"^", "$", r"\b", r"\B", r"\A", r"\z"})
_BEYOND_ASCII = r"\x{80}-\x{10FFFF}"
_CLASSES = {r"\w": r"\w", r"\d": r"\d", r"\s": r"\s\x0b"}
"""Classes that hold more in Rust than in RE2, and how RE2 spells what they hold of ASCII."""

_FOREIGN = LazyRegex(r"\[[^\]]*\[(?!:)|&&|--|~~|\(\?[a-zA-Z-]*[mxuUR]|\(\?<|\\[bB]\{|\\[<>pPuU]|\{,|\[\^[^\]]*\\[WDS]")
"""What RE2 reads otherwise than Rust, and ``(?m)``, with which an anchor is not at an end."""

_PIECE = LazyRegex(
    r"\\(?:x\{[^}]*\}|x[0-9A-Fa-f]{2}|.)|\[\^?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\])*\]"
    r"|\((?:\?(?:P<\w+>|[a-z]*:|[a-z]+\)))?|\{\d+,?\d*\}|.",
    re.DOTALL,
)
_TOKEN = LazyRegex(
    r"(?P<name>[^\W\d]\w*)|\$(?P<variable>[A-Z][A-Z0-9_]*)|(?P<sign>[.()])|(?P<blank>\s+)|\$+\w*|\d\w*|."
)

_UNFOLDED = LazyRegex("[A-JL-RT-Za-jl-rt-z_]")
"""A letter that no letter beyond ASCII is the capital of, or the small one."""

_STATEMENTS = frozenset(
    {
        *("assert_statement", "delete_statement", "expression_statement", "global_statement", "import_statement"),
        *("import_from_statement", "nonlocal_statement", "raise_statement", "return_statement"),
    }
)
"""Python statements that fill a line, up to a ``;`` or a comment."""

_BEFORE_OPERAND = frozenset({"assert", "await", "del", "raise", "return"})
"""Python keywords directly behind which their operand begins."""


class _Edges(NamedTuple):
    """What ``^`` and ``$`` in an expression about a node mean in the text around the node."""

    start: str = ""
    end: str = ""


_ANYWHERE = _Edges()
_WHOLE_STATEMENT = _Edges(r"(?:\A|[\n;:])[^!-~\n]*", r"(?:[^!-~\n]|\\\r?\n)*(?:[;#\n]|\z)")
_CALLED = _Edges("", _GAP + r"\(")
_DEFINED = _Edges(r"(?:def|class)" + _GAP, r"(?:[^0-9A-Za-z_]|\z)")


class _Scene(NamedTuple):
    """The context of the part of a rule that is examined; ``kind``: what the enclosing rule says of the same node."""

    language: str
    utils: Mapping[str, Any]
    constraints: Mapping[str, Any]
    kind: str = ""
    edges: _Edges = _ANYWHERE


def of_structural(config: Mapping[str, Any], language: str) -> tuple[str, ...]:
    """Return expressions (RE2) that a text must all match for an ast-grep rule to match in it."""
    scene = _Scene(language, config.get("utils") or {}, config.get("constraints") or {})
    kept: list[str] = []
    for each in sorted(_of_rule(config.get("rule"), scene, 0), key=_selectivity, reverse=True):
        if not any(each in other for other in kept):
            kept.append(each)
    return tuple(kept[:_MOST])


def _of_rule(rule: Any, scene: _Scene, depth: int) -> list[str]:
    if depth > _DEEPEST or not isinstance(rule, Mapping):
        return []
    kind = rule.get("kind", scene.kind)
    same = scene._replace(kind=kind)
    if scene.language == "python" and kind in _STATEMENTS:
        same = same._replace(edges=_WHOLE_STATEMENT)
    found: list[str] = []
    for key, value in rule.items():
        if key == "pattern":
            found += _of_pattern(value, scene)
            for name in constrained_variables(value):
                found += _of_rule(scene.constraints.get(name), _other_node(scene), depth + 1)
        elif key == "regex" and isinstance(value, str):
            found += _expression(value, scene.language, same.edges)
        elif key == "any" and isinstance(value, list):
            found += _either([_of_rule(each, same, depth + 1) for each in value])
        elif key == "all" and isinstance(value, list):
            found += [each for part in value for each in _of_rule(part, same, depth + 1)]
        elif key in {"has", "inside", "precedes", "follows"} and isinstance(value, Mapping):
            found += _of_rule(value, _other_node(scene)._replace(edges=_edges_of_field(key, value, same)), depth + 1)
        elif key == "matches" and isinstance(value, str):
            found += _of_rule(scene.utils.get(value), same, depth + 1)
    return found


def _other_node(scene: _Scene) -> _Scene:
    return scene._replace(kind="", edges=_ANYWHERE)


def _edges_of_field(relation: str, rule: Mapping[str, Any], scene: _Scene) -> _Edges:
    """Return what surrounds the node that a field of a Python node holds."""
    if scene.language != "python" or relation != "has" or "stopBy" in rule:
        return _ANYWHERE
    if rule.get("field") == "function":
        return _CALLED
    is_definition = scene.kind in {"function_definition", "class_definition"}
    return _DEFINED if is_definition and rule.get("field") == "name" else _ANYWHERE


def _either(branches: list[list[str]]) -> list[str]:
    """Return what holds if one of the branches holds."""
    if not branches or not all(branches):
        return []
    best = [sorted(each, key=_selectivity, reverse=True)[:2] for each in branches]
    if 2 ** sum(len(each) > 1 for each in best) > _MOST_CHOICES:
        best = [each[:1] for each in best]
    return [_alternation(dict.fromkeys(choice)) for choice in product(*best)]


def _alternation(expressions: Mapping[str, None]) -> str:
    return next(iter(expressions)) if len(expressions) == 1 else "|".join(f"(?:{each})" for each in expressions)


def _selectivity(expression: str) -> tuple[int, int]:
    """Return how many letters the shortest alternative has, and how short the whole is."""
    for edge in (*_WHOLE_STATEMENT, *_CALLED, *_DEFINED):
        expression = expression.replace(edge, "__")
    letters = _fewest_letters(_pieces(expression.replace(_GAP, "")))
    return letters, -len(expression)


def _pieces(regex: str) -> Iterator[str]:
    return (piece[0] for piece in _PIECE.finditer(regex))


def _fewest_letters(pieces: Iterator[str]) -> int:
    """Return the letters of the shortest alternative of a group, of which the pieces behind its bracket are given."""
    alternatives, atoms = [], [0]
    for piece in pieces:
        if piece == ")":
            break
        if piece == "|":
            alternatives.append(sum(atoms))
            atoms = [0]
        elif piece in {"?", "*"} or piece.startswith("{0"):
            atoms[-1] = 0
        elif piece[0] == "(" and piece[-1] != ")":
            atoms.append(_fewest_letters(pieces))
        else:
            atoms.append(int(piece == "_" or piece.isalnum() or (piece[0] == "\\" and not piece[1].isalpha())))
    return min([*alternatives, sum(atoms)])


def _expression(regex: str, language: str, edges: _Edges = _ANYWHERE) -> list[str]:
    """Return an expression about a node as it is about a text; none if it would match every text."""
    if _FOREIGN.search(regex):
        return []
    pieces = list(_pieces(regex))
    found = "".join(_translated(pieces, number, language, edges) for number in range(len(pieces)))
    try:
        return [] if text_pattern.search(found, "") else [found]
    except text_pattern.RegexError:
        return []


def _translated(pieces: list[str], number: int, language: str, edges: _Edges) -> str:
    piece = pieces[number]
    if piece == r"\b" and language == "python" and _is_at_word(pieces, number):
        return piece
    if piece in _ANCHORS:
        return {"^": edges.start, "$": edges.end}.get(piece, "")
    if piece in _CLASSES:
        return f"[{_CLASSES[piece]}{_BEYOND_ASCII}]"
    if piece[0] == "[" and piece[1] != "^" and any(each in piece for each in _CLASSES):
        return piece[:-1].replace(r"\s", r"\s\x0b") + _BEYOND_ASCII + "]"
    return "(?:" if piece == "(" or piece.startswith("(?P<") else piece


def _is_at_word(pieces: list[str], number: int) -> bool:
    r"""Return whether an ASCII letter follows a ``\b``, or precedes it: then RE2 sees each boundary that Rust sees.

    A Python name begins and ends a word in the text too. Behind an optional letter the boundary may be of another.
    """
    following = pieces[number + 1 : number + 3]
    if following and _UNFOLDED.fullmatch(following[0]) and following[1:2] not in (["?"], ["*"], ["{"]):
        return True
    return number > 0 and _UNFOLDED.fullmatch(pieces[number - 1]) is not None


def _of_pattern(pattern: Any, scene: _Scene) -> list[str]:
    """Return what the tokens of a pattern that must follow one another look like in a text."""
    text = literal_text(pattern)
    if text is None or scene.language != "python":
        return []
    runs = [run for run in _runs(re.split("['\"`]", text)[0], scene) if len(run) > 1]
    return [(r"\b" if re.match("[A-Za-z_]", run[0]) else "") + _GAP.join(run) for run in runs]


def _runs(text: str, scene: _Scene) -> Iterator[list[str]]:
    """Yield the expressions of tokens between which nothing but a gap can be."""
    run: list[str] = []
    before = ""
    for token in _TOKEN.finditer(text):
        if token["blank"]:
            continue
        expression = token["name"]
        if token["variable"]:
            expression = _of_variable(scene.constraints.get(token["variable"]), scene)
        elif token["sign"] and (token[0] != ")" or before == "("):
            expression = "\\" + token[0]
        follows = token["sign"] or before in {".", "("} or before in _BEFORE_OPERAND
        if expression is None or not follows:
            yield run
            run = []
        run += [expression] if expression else []
        before = token[0]
    yield run


def _of_variable(constraint: Any, scene: _Scene) -> str | None:
    """Return what a meta-variable holds, if its constraint says so from the first letter to the last."""
    regex = constraint.get("regex") if isinstance(constraint, Mapping) else None
    if not isinstance(regex, str) or not regex.startswith("^") or not regex.endswith("$"):
        return None
    inner = regex[1:-1]
    found = _expression(inner, scene.language) if _is_closed(inner) else []
    return f"(?:{found[0]})" if found else None


def _is_closed(regex: str) -> bool:
    """Return whether an expression has no anchor and no alternative of its own, outside of groups."""
    depth = 0
    for piece in _pieces(regex):
        depth += (piece[0] == "(" and piece[-1] != ")") - (piece == ")")
        if piece in _ANCHORS or (piece == "|" and depth == 0):
            return False
    return True
