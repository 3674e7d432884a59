"""Small Python files from a seed: statements of the rules' bad examples and imports, in many spellings."""

from __future__ import annotations

import ast
import io
import keyword
import random
import re
import textwrap
import tokenize
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from review_bot.configuration import rule_registry
from review_bot.rules.examples import make_case
from tests.rules.spellings import SAME_TREE

LEAST_LINES, MOST_LINES = 5, 25
_LONGEST_STATEMENT = 8
_IMPORTED = ("torch", "triton", "numpy", "os", "subprocess", "time", "pickle", "yaml", "asyncio", "requests")
_REQUIRED = _IMPORTED[:3]

_IMPORTS = (
    "import {0}",
    "import {0} as _{1}",
    "import {1}, {0}",
    "import {0}.nn as nn, sys",
    "from {0} import load",
    "from {0} import load as read, run",
    "from {0}.nn import Module",
    "from {0} import *",
    "from {0} import (load,\n    run as go,  # a note\n)",
    "if 1: import {0}",
    "if 1:\n    import {0}",
    "try:\n    import {0}\nexcept ImportError:\n    {0} = None",
    "def lazily(): from {0} import load; return load",
    "class Lazy:\n    def use(self):\n        import {0}\n        return {0}",
    "x = 1; import {0}; y = 2",
    "import \\\n    {0}",
    "from \\\n    {0} \\\n    import load",
    "from  {0}  import(load)",
    "from {1} import {0}",
    "import\t{0}",
    "from .{1} import {0}",
    "{0} = __import__('{0}')",
    "import importlib\n{0} = importlib.import_module('{0}')",
)
_NOISE = (
    "# a note: import torch, eval(x), é 你好",
    "#\tTODO",
    "label = 'caf\\xe9' \"\\u4f60\" '\\N{BULLET}'",
    "raw = r'\\x41\\n' b'\\x00'",
    'text = """one\n  two # three\n"""',
    "größe = 名前 = 1",
    "'…'",
    "pass;",
    "lambda: (yield)",
    "words = ['im' 'port', \"to\" 'rch', 'ev\\x61l']",
    "\f",
    "",
)
_FRAMES = (
    "{}",
    "{}",
    "def outer(self, x, *args, **kwargs):\n    {}",
    "async def outer(x):\n    {}",
    "class Outer:\n    {}",
    "class Outer(Base):\n    def forward(self, x):\n        {}",
    "try:\n    {}\nexcept Exception:\n    pass",
    "try:\n    x = 1\nexcept (OSError, ValueError) as error:\n    {}",
    "try:\n    x = 1\nfinally:\n    {}",
    "for i in range(3):\n    {}",
    "while True:\n    {}",
    "with open(x) as stream:\n    {}",
    "if x:\n    {}\nelse:\n    y = 1",
    "match x:\n    case 1:\n        {}",
    "@decorator\ndef test_outer():\n    {}",
)


class GeneratedFile(NamedTuple):
    """A new text, and the old text of the change that leads to it; None: the file is new."""

    path: str
    text: str
    old_text: str | None


def generated_file(seed: int, number: int) -> GeneratedFile:
    """Return file ``number`` of a seed, always the same."""
    chance = random.Random(f"{seed}:{number}")
    text = _composed(chance)
    for _ in range(3):
        if _is_python(text) or chance.random() < 0.1:  # a few stay broken
            break
        text = _composed(chance)
    if chance.random() < 0.35:
        text = _with_tokens(text, chance, _in_other_letters if chance.random() < 0.5 else _in_other_string)
    for _ in range(chance.choice((0, 0, 1, 1, 2))):
        text = _respelled(text, chance)
    path = f"tests/test_module{number}.py" if chance.random() < 0.25 else f"package/module{number}.py"
    old_text = None if chance.random() < 0.5 else _before(text, chance)
    return GeneratedFile(path, text, None if old_text == text else old_text)


def _is_python(text: str) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError):
        return False
    return True


def _composed(chance: random.Random) -> str:
    blocks: list[str] = []
    wanted, lines = chance.randint(LEAST_LINES, MOST_LINES), 0
    if chance.random() < 0.15:
        blocks.append("from __future__ import annotations")
    while lines < wanted:
        block = _block(chance)
        if lines and lines + block.count("\n") + 1 > MOST_LINES:
            break
        blocks.append(block)
        lines += block.count("\n") + 1
    return "\n".join([*blocks, *[""] * (LEAST_LINES - lines), ""])


def _block(chance: random.Random) -> str:
    kind = chance.random()
    if kind < 0.25:
        modules = _REQUIRED if chance.random() < 0.7 else _IMPORTED
        return chance.choice(_IMPORTS).format(chance.choice(modules), chance.choice(_IMPORTED))
    if kind < 0.35:
        return chance.choice(_NOISE)
    if kind < 0.4:
        return chance.choice(lines_of_text_rules())
    body = "\n".join(chance.choice(statements()) for _ in range(chance.choice((1, 1, 2))))
    frame = chance.choice(_FRAMES)
    depth = re.search(r"(?m)^( *)\{\}", frame)
    return frame.replace("{}", body.replace("\n", "\n" + (depth[1] if depth else "")))


@cache
def statements() -> tuple[str, ...]:
    """Return the statements of the bad examples, of at most eight lines each, without their indentation."""
    found: dict[str, None] = {}
    for text in _example_texts():
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError):
            continue
        lines = text.split("\n")
        for node in ast.walk(tree):
            if isinstance(node, ast.stmt) and (node.end_lineno or 0) - node.lineno < _LONGEST_STATEMENT:
                first = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", ()))])
                found[textwrap.dedent("\n".join(lines[first - 1 : node.end_lineno])).strip()] = None
    return tuple(found)


@cache
def lines_of_text_rules() -> tuple[str, ...]:
    """Return the lines of the bad examples of rules about text; what is not Python is in a string."""
    cases = [
        make_case(page.rule, example)
        for page in rule_registry.builtin_pages()
        if page.rule.kind == "text"
        for example in page.documentation["bad"]
    ]
    lines = [
        line for case in cases for file in case.pull_request.files for _, line in file.added_lines() if line.strip()
    ]
    return tuple(dict.fromkeys(each if _is_python(each) else f'"""\n{each}\n"""' for each in map(str.strip, lines)))


def _example_texts() -> Iterator[str]:
    for page in rule_registry.builtin_pages():
        for example in page.documentation["bad"]:
            case = make_case(page.rule, example)
            for number, file in enumerate(case.pull_request.files):
                for side in (case.new, case.old):
                    text = side.get(number)
                    if file.path.endswith(".py") and text:
                        yield text


def _before(text: str, chance: random.Random) -> str:
    """Return a text without some lines of another, or with another line in their place."""
    share = chance.choice((0.1, 0.3, 0.7))
    lines: list[str] = []
    for line in text.split("\n"):
        if chance.random() >= share:
            lines.append(line)
        elif chance.random() < 0.3:
            lines.append("was = 1")
    return "\n".join(lines)


def _respelled(text: str, chance: random.Random) -> str:
    write = SAME_TREE[chance.choice(list(SAME_TREE))]
    try:
        return write(text) or text
    except (SyntaxError, ValueError):
        return text


def _with_tokens(text: str, chance: random.Random, write: Callable[[str, random.Random], str | None]) -> str:
    """Write up to four tokens of a text otherwise."""
    try:
        tokens = [each for each in tokenize.generate_tokens(io.StringIO(text).readline) if each.start[0] == each.end[0]]
    except (tokenize.TokenError, SyntaxError):
        return text
    spots = [each for each in tokens if each.type in {tokenize.NAME, tokenize.STRING}]
    lines = text.split("\n")
    changed = 0
    for token in sorted(chance.sample(spots, min(len(spots), 12)), key=lambda each: each.start, reverse=True):
        written = write(token.string, chance)
        if written is not None and changed < 4:
            changed += 1
            row, start, end = token.start[0] - 1, token.start[1], token.end[1]
            lines[row] = lines[row][:start] + written + lines[row][end:]
    return "\n".join(lines)


def _in_other_letters(token: str, chance: random.Random) -> str | None:
    """Return a name with letters that Python reads as those of ASCII: fullwidth or mathematical ones."""
    if not re.fullmatch(r"[^\W\d]\w*", token) or keyword.iskeyword(token):
        return None
    place = chance.choice([number for number, letter in enumerate(token)])
    return token[:place] + _OTHER_LETTERS[chance.randrange(2)].get(token[place], token[place]) + token[place + 1 :]


_OTHER_LETTERS: tuple[Mapping[str, str], ...] = (
    {
        chr(code): chr(code + 0xFEE0)
        for code in range(ord("!"), ord("~") + 1)
        if chr(code).isalpha() or chr(code) == "_"
    },
    {chr(ord("a") + number): chr(0x1D41A + number) for number in range(26)},
)


def _in_other_string(token: str, chance: random.Random) -> str | None:
    """Return a string with an escape sequence for one of its letters, or in two pieces."""
    if not re.fullmatch(r"""(["'])[\w ./:-]+\1""", token):
        return None
    quote, body = token[0], token[1:-1]
    place = chance.randrange(len(body))
    before, letter, after = body[:place], body[place], body[place + 1 :]
    if chance.random() < 0.3:
        return f"{quote}{before}{quote} {quote}{letter}{after}{quote}"
    code = ord(letter)
    forms: list[Any] = [f"\\u{code:04x}", f"\\U{code:08x}"]
    forms += [f"\\x{code:02x}", f"\\{code:03o}"] if code < 0x80 else []
    return f"{quote}{before}{chance.choice(forms)}{after}{quote}"
