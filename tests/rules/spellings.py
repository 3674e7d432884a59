"""Writes code otherwise so that it means the same: what a rule finds in one spelling, it should find in all."""

from __future__ import annotations

import ast
import io
import itertools
import re
import tokenize
from collections.abc import Callable, Iterator
from functools import lru_cache, partial

Token = tokenize.TokenInfo
_STRUCTURE = {
    tokenize.NEWLINE,
    tokenize.NL,
    tokenize.INDENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
    tokenize.COMMENT,
    tokenize.ENCODING,
}
_FIRST = getattr(tokenize, "FSTRING_START", -1), getattr(tokenize, "FSTRING_END", -1)


def variants(path: str, text: str, *, alone: bool = True) -> Iterator[tuple[str, str]]:
    """Yield (name, text) of each other spelling of a text that differs from it; a diff has only those of its lines.

    ``alone``: no other file of the example imports what this one defines, so that its code may be nested.
    """
    if not path.endswith((".py", ".pyi")):
        yield from _of_lines(path, text)
        return
    meaning = meaning_of(text)
    if meaning is None:
        return
    for name, write in SAME_TREE.items():
        written = write(text)
        if written is not None and written != text and meaning_of(written) == meaning:
            yield name, written
    for name, write in {**OTHER_TREE, **(NESTED if alone else {})}.items():
        written = write(text)
        if written is not None and written != text and _tree_of(written) is not None:
            yield name, written


def _of_lines(path: str, text: str) -> Iterator[tuple[str, str]]:
    """Yield the spellings of a text of any kind: line ends, a mark before it, spaces behind its lines."""
    lines = text.split("\n")
    if "\r" not in text:
        yield "CRLF", "\r\n".join(lines)
    if not path.endswith((".json", ".ipynb")):  # their readers refuse a mark
        yield "byte-order mark", "\ufeff" + text
    if not path.endswith((".md", ".rst", ".patch")):  # two spaces are a line break there
        yield "trailing spaces", "\n".join(f"{each}  " if each.strip() and each[-1] != "\\" else each for each in lines)


def in_diff(diff: str) -> Iterator[tuple[str, str]]:
    """Yield the spellings of a diff whose lines alone are known."""
    lines = diff.split("\n")
    body = [bool(each) and each[0] in "+- " and not each.startswith(("+++ ", "--- ")) for each in lines]
    yield "CRLF", "\n".join(f"{each}\r" if is_text else each for each, is_text in zip(lines, body, strict=True))


def meaning_of(text: str) -> str | None:
    """Return the syntax tree of a text in words; None if there is none."""
    tree = _tree_of(text)
    return None if tree is None else ast.dump(tree)


def _tree_of(text: str) -> ast.Module | None:
    try:
        return ast.parse(text.removeprefix("\ufeff").replace("\r\n", "\n"))
    except (SyntaxError, ValueError):
        return None


@lru_cache(maxsize=1)  # as below: one text is written in many spellings, one after another
def _tokens(text: str) -> list[tuple[Token, int, bool]]:
    """Return the tokens that are text, each with the depth of brackets around it and whether it is in an f-string."""
    found: list[tuple[Token, int, bool]] = []
    depth = strings = 0
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type in _STRUCTURE:
            continue
        if token.string in {")", "]", "}"} and token.type == tokenize.OP:
            depth -= 1
        found.append((token, depth, strings > 0))
        if token.string in {"(", "[", "{"} and token.type == tokenize.OP:
            depth += 1
        strings += (token.type == _FIRST[0]) - (token.type == _FIRST[1])
    return found


def _insert(text: str, choose: Callable[[Token, Token, int], str]) -> str | None:
    """Put what ``choose`` returns between each two tokens of one line, in place of the blanks there."""
    lines = text.split("\n")
    cuts: list[tuple[int, int, int, str]] = []
    try:
        tokens = _tokens(text)
    except (tokenize.TokenError, IndentationError):
        return None
    for (first, _, inside), (second, depth, also) in itertools.pairwise(tokens):
        between = choose(first, second, depth)
        if first.end[0] == second.start[0] and between and not (inside or also):
            cuts.append((first.end[0] - 1, first.end[1], second.start[1], between))
    for line, start, end, between in reversed(cuts):
        lines[line] = lines[line][:start] + between + lines[line][end:]
    return "\n".join(lines)


def _blanks(first: Token, second: Token, _depth: int) -> str:
    if first.string == "@" or second.string == ";":
        return ""
    return "  " if second.string in {"(", "[", ".", ":", ",", "="} or first.string in {".", "(", "=", "["} else ""


def _continued(first: Token, second: Token, depth: int) -> str:
    if depth > 0 and second.string not in {")", "]", "}"}:
        return ""
    starts = first.string in {
        "from",
        "import",
        "except",
        "def",
        "class",
        "return",
        "raise",
        "assert",
        "with",
        "as",
        "async",
    }
    return " \\\n  " if starts or second.string in {".", "(", "import", "="} else ""


def _broken(first: Token, second: Token, depth: int) -> str:
    return "\n  " if depth > 0 and (first.string in {"(", "[", ",", "{"} or second.string in {")", "."}) else ""


def _commented_breaks(first: Token, _second: Token, depth: int) -> str:
    return "  # a note (of ours), with = signs\n  " if depth > 0 and first.string in {"(", "[", ","} else ""


@lru_cache(maxsize=1)
def _statements_of_blocks(text: str) -> list[ast.stmt]:
    """Return the simple statements of modules, functions and classes: a branch may be judged by all that it does."""
    kinds = (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    blocks = [node.body for node in ast.walk(ast.parse(text)) if isinstance(node, kinds)]
    places = {(each.lineno, each.col_offset) for block in blocks for each in block}
    return [each for each in _simple_statements(text) if (each.lineno, each.col_offset) in places]


@lru_cache(maxsize=1)
def _simple_statements(text: str) -> list[ast.stmt]:
    found = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.stmt) and not hasattr(node, "body")]
    return [
        node
        for node in found
        if not isinstance(node, ast.Match | ast.Try | ast.TryStar)
        and not (isinstance(node, ast.ImportFrom) and node.module == "__future__")
        and not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
    ]


def _after_semicolon(text: str) -> str:
    lines = text.split("\n")
    for node in _statements_of_blocks(text):
        line = lines[node.lineno - 1]
        start = len(line.encode()[: node.col_offset].decode())
        if not line[:start].strip():
            lines[node.lineno - 1] = line[:start] + "0; " + line[start:]
    return "\n".join(lines)


def _before_semicolon(text: str, *, more: str, branches: bool) -> str:
    lines = text.split("\n")
    for node in _simple_statements(text) if branches else _statements_of_blocks(text):
        last = (node.end_lineno or 1) - 1
        end = len(lines[last].encode()[: node.end_col_offset].decode())
        if not lines[last][end:].split("#")[0].strip():
            lines[last] = lines[last][:end] + more + lines[last][end:]
    return "\n".join(lines)


def _joined(text: str) -> str:
    """Join simple statements that follow each other at one depth by semicolons."""
    lines = text.split("\n")
    simple = {
        node.lineno - 1: (node.end_lineno or 1) - 1
        for node in _simple_statements(text)
        if not lines[node.lineno - 1][: node.col_offset].strip()
        and not re.search(r"#|\\$|\"\"\"|'''", lines[node.lineno - 1])
    }
    out: list[str] = []
    for number, line in enumerate(lines):
        indent = len(line) - len(line.lstrip())
        joins = number in simple and number - 1 in simple and simple[number - 1] == number - 1
        if joins and out and len(lines[number - 1]) - len(lines[number - 1].lstrip()) == indent:
            out[-1] += "; " + line.lstrip()
        else:
            out.append(line)
    return "\n".join(out)


def _form_feeds(text: str) -> str | None:
    inside = _inside_strings(text)
    return (
        None
        if inside is None
        else "\n".join(
            line if number in inside or not line or line[0] in " \t" else "\f" + line
            for number, line in enumerate(text.split("\n"), 1)
        )
    )


@lru_cache(maxsize=1)
def _inside_strings(text: str) -> set[int] | None:
    """Return the lines that begin inside a string or behind a continuation."""
    found: set[int] = set()
    try:
        depth = 0
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.end[0] > token.start[0]:
                found.update(range(token.start[0] + 1, token.end[0] + 1))
            if token.type == tokenize.OP:
                depth += (token.string in "([{") - (token.string in ")]}")
    except (tokenize.TokenError, IndentationError):
        return None
    for number, line in enumerate(text.split("\n"), 1):
        if line.endswith("\\"):
            found.add(number + 1)
    return found


def _tabs(text: str) -> str | None:
    inside = _inside_strings(text)
    if inside is None:
        return None
    return "\n".join(
        line if number in inside else re.sub(r"^(?:    )+", lambda blank: "\t" * (len(blank[0]) // 4), line)
        for number, line in enumerate(text.split("\n"), 1)
    )


def _trailing_comments(text: str) -> str | None:
    lines = text.split("\n")
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type != tokenize.NEWLINE or not token.string:
                continue
            line = lines[token.start[0] - 1]
            if "#" not in line:
                lines[token.start[0] - 1] = line[: token.start[1]] + "  # as it was"
    except (tokenize.TokenError, IndentationError):
        return None
    return "\n".join(lines)


def _trailing_spaces(text: str) -> str | None:
    inside = _inside_strings(text)
    if inside is None:
        return None
    lines = text.split("\n")
    return "\n".join(
        f"{line} \t" if line.strip() and line[-1] != "\\" and number + 1 not in inside else line
        for number, line in enumerate(lines, 1)
    )


def _own_line_comments(text: str) -> str | None:
    inside = _inside_strings(text)
    if inside is None:
        return None
    lines: list[str] = []
    for number, line in enumerate(text.split("\n"), 1):
        if (
            number not in inside
            and line.strip()
            and not line.lstrip().startswith(("elif", "else", "except", "finally", ")", "#", "@"))
        ):
            lines.append(line[: len(line) - len(line.lstrip())] + "# a word about it")
        lines.append(line)
    return "\n".join(lines)


def _parenthesised(text: str) -> str:
    lines = text.split("\n")
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.ImportFrom) or node.end_lineno != node.lineno or node.module == "__future__":
            continue
        if node.names[0].name != "*":
            line = lines[node.lineno - 1]
            lines[node.lineno - 1] = re.sub(
                r"\bimport (?!\()([^#;]*?)(\s*(?:[#;].*)?)$", r"import (\n    \1,\n)\2", line
            )
    return "\n".join(lines)


def _bracketed(text: str) -> str:
    """Put brackets around each name that is read and each literal, outside of f-strings, docstrings and patterns."""
    tree = ast.parse(text)
    aside: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.JoinedStr, ast.pattern)):
            aside.update(ast.walk(node))
        elif isinstance(node, ast.Expr):
            aside.add(node.value)
    lines = text.split("\n")
    for node in sorted(_operands(tree), key=lambda each: (each.lineno, each.col_offset), reverse=True):
        if node not in aside and node.lineno == node.end_lineno:
            line = lines[node.lineno - 1].encode()
            start, end = node.col_offset, node.end_col_offset
            lines[node.lineno - 1] = b"".join([line[:start], b"(", line[start:end], b")", line[end:]]).decode()
    return "\n".join(lines)


def _operands(tree: ast.Module) -> list[ast.expr]:
    return [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) or (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load))
    ]


def _except_groups(text: str) -> str:
    return re.sub(r"(?m)^([ \t]*)except (?=[^*\n])", r"\1except* ", text)


def _nested(text: str, head: str) -> str | None:
    inside = _inside_strings(text)
    if inside is None or "__future__" in text or re.search(r"(?m)^from \S+ import \*", text):
        return None
    body = [
        "    " + line if line.strip() and number not in inside else line
        for number, line in enumerate(text.split("\n"), 1)
    ]
    return head + "\n" + "\n".join(body)


def _plain_import_names(tree: ast.Module) -> list[str]:
    return [
        alias.name
        for node in tree.body
        if isinstance(node, ast.Import)
        for alias in node.names
        if alias.asname is None and "." not in alias.name
    ]


def _aliased(text: str) -> str | None:
    """Write ``import torch as _torch`` for ``import torch``, and the name in all its uses."""
    tree = ast.parse(text)
    names = _plain_import_names(tree)
    if not names or len(names) != len(set(names)):
        return None
    stored = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    cuts: list[tuple[int, int, int, str]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in names and node.id not in stored:
            cuts.append((node.lineno - 1, node.col_offset, node.end_col_offset or 0, f"_{node.id}"))
        elif isinstance(node, ast.alias) and node.name in names and node.asname is None:
            cuts.append((node.lineno - 1, node.col_offset, node.end_col_offset or 0, f"{node.name} as _{node.name}"))
    return _replaced(text, cuts)


def _from_imported(text: str) -> str | None:
    """Write ``from torch import load`` and ``load(...)`` for ``import torch`` and ``torch.load(...)``."""
    tree = ast.parse(text)
    names = _plain_import_names(tree)
    taken = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    taken |= {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    cuts: list[tuple[int, int, int, str]] = []
    wanted: dict[str, str] = {}
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in names):
            continue
        if isinstance(node.ctx, ast.Load) and node.attr not in taken and node.lineno == node.end_lineno:  # noqa: SIM102
            if wanted.setdefault(node.attr, node.value.id) == node.value.id:
                cuts.append((node.lineno - 1, node.col_offset, node.end_col_offset or 0, node.attr))
    if not cuts:
        return None
    written = _replaced(text, cuts)
    imports = "\n".join(f"from {module} import {name}" for name, module in sorted(wanted.items()))
    return f"{imports}\n{written}" if "__future__" not in text else None


def _replaced(text: str, cuts: list[tuple[int, int, int, str]]) -> str:
    lines = [line.encode() for line in text.split("\n")]
    for line, start, end, new in sorted(set(cuts), reverse=True):
        lines[line] = lines[line][:start] + new.encode() + lines[line][end:]
    return b"\n".join(lines).decode()


SAME_TREE: dict[str, Callable[[str], str | None]] = {
    "byte-order mark": lambda text: "\ufeff" + text,
    "CRLF": lambda text: text.replace("\r\n", "\n").replace("\n", "\r\n"),
    "form feeds": _form_feeds,
    "spaces between tokens": partial(_insert, choose=_blanks),
    "line continuation": partial(_insert, choose=_continued),
    "line breaks in brackets": partial(_insert, choose=_broken),
    "comments in brackets": partial(_insert, choose=_commented_breaks),
    "joined by semicolons": _joined,
    "trailing comments": _trailing_comments,
    "comments between lines": _own_line_comments,
    "tabs": _tabs,
    "a semicolon at the end": partial(_before_semicolon, more=";", branches=True),
    "trailing spaces": _trailing_spaces,
    "parenthesised imports": _parenthesised,
    "needless brackets": _bracketed,
}
"""Spellings with the same syntax tree."""

OTHER_TREE: dict[str, Callable[[str], str | None]] = {
    "after a statement": _after_semicolon,
    "before a statement": partial(_before_semicolon, more="; 0", branches=False),
    "except*": _except_groups,
    "import as": _aliased,
    "from import": _from_imported,
}
"""Spellings with another tree that mean the same to a rule."""

NESTED: dict[str, Callable[[str], str | None]] = {
    "inside if True": partial(_nested, head="if True:"),
    "inside a function": partial(_nested, head="def outer():"),
}
"""Spellings in which module-level code is code of a block."""

EXACT = frozenset({*SAME_TREE, "except*"})
"""Spellings that no rule of severity error or warning may miss."""
