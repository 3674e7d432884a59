"""Added operations on objects that the code makes, compared with what Python does with them."""

from __future__ import annotations

import pytest

from tests.rule_cases import findings_of

RULE = "errors/unsupported-operation"
PLAIN = "class Box:\n    def __init__(self, size=1):\n        self.size = size\n\n\n"


@pytest.mark.parametrize(
    "line",
    [
        "with Box() as box: pass",
        "for each in Box(): pass",
        "print(Box()[0])",
        "box = Box(); box[0] = 1",
        "len(Box())",
        "print(1 in Box())",
        "box = Box(); box()",
        "a, b = Box()",
        "print([each for each in Box()])",
        "print(*Box())",
        "next(Box())",
        "list(Box())",
    ],
)
def test_an_operation_that_fails_is_an_error(line: str) -> None:
    code = f"{PLAIN}def run():\n    {line}\n"
    with pytest.raises((TypeError, AttributeError)):
        exec(f"{code}\n\nrun()\n", {})
    assert [each.severity for each in findings_of(RULE, code)] == ["error"]


@pytest.mark.parametrize(
    ("head", "line"),
    [
        (
            "from typing import TypedDict\n\n\nclass Box(TypedDict, total=False):\n    a: int\n",
            "box = Box(a=1); print(box['a'])",
        ),
        ("from typing import NamedTuple\n\n\nclass Box(NamedTuple):\n    a: int\n    b: int\n", "a, b = Box(1, 2)"),
        (
            "from collections import namedtuple\n\n\nclass Box(namedtuple('B', 'a b')):\n    pass\n",
            "print(Box(1, 2)[0])",
        ),
        ("class Box(dict):\n    pass\n", "box = Box(); box['a'] = 1; print(len(box), *box)"),
        ("class Box(list):\n    pass\n", "print(len(Box()), 1 in Box())"),
        ("class Box(str):\n    pass\n", "print(Box('a')[0])"),
        ("class Box(Exception):\n    pass\n", "print(Box('a').args[0])"),
        (
            "from enum import Enum\n\n\nclass Box(Enum):\n    A = 1\n",
            "print([each for each in Box], len(Box), 1 in [Box(1)])",
        ),
        ("from threading import Lock\n\n\ndef Box():\n    return Lock()\n", "with Box(): pass"),
        ("import contextlib\n\n\n@contextlib.contextmanager\ndef Box():\n    yield 1\n", "with Box(): pass"),
        ("class A:\n    def __len__(self):\n        return 0\n\n\nclass Box(A):\n    pass\n", "len(Box())"),
        ("class Box:\n    pass\n\n\nBox.__len__ = lambda self: 1\n", "len(Box())"),
        ("class Box:\n    def __getitem__(self, at):\n        raise IndexError\n", "print(*Box(), 1 in Box())"),
        (
            "class Meta(type):\n    def __call__(cls):\n        return []\n\n\nclass Box(metaclass=Meta):\n    pass\n",
            "len(Box())",
        ),
        ("class Box:\n    def __new__(cls):\n        return []\n", "len(Box())"),
        ("class Box:\n    __len__ = lambda self: 1\n", "len(Box())"),
        (PLAIN, "try:\n        len(Box())\n    except TypeError:\n        pass"),
        (PLAIN, "if hasattr(Box, '__len__'): len(Box())"),
        (PLAIN, "box = Box(); box = []; len(box)"),
        (PLAIN, "print(str(Box()), bool(Box()), Box() == 1, hash(Box()))"),
    ],
)
def test_an_operation_that_may_succeed_is_left_alone(head: str, line: str) -> None:
    code = f"{head}\n\ndef run():\n    {line}\n"
    exec(f"{code}\n\nrun()\n", {"__name__": "case"})
    assert findings_of(RULE, code) == []


@pytest.mark.parametrize(
    ("line", "count"),
    [
        ("box = await made()\n    return box.size", 0),
        ("async with Box() as box:\n        return box", 1),
        ("async for each in Box():\n        return each", 1),
        ("await Box()", 1),
        ("return [each async for each in Box()]", 1),
    ],
)
def test_what_a_coroutine_gives_is_awaited_first(line: str, count: int) -> None:
    code = f"{PLAIN}async def made():\n    return Box()\n\n\nasync def run():\n    {line}\n"
    assert len(findings_of(RULE, code)) == count


def test_a_class_with_a_base_from_elsewhere_and_lines_of_the_base_are_left_alone() -> None:
    elsewhere = "from lib import Base\n\n\nclass Box(Base):\n    pass\n\n\ndef run():\n    len(Box())\n"
    assert findings_of(RULE, elsewhere) == []
    code = f"{PLAIN}def run():\n    len(Box())\n"
    assert findings_of(RULE, {"a.py": f"{code}    return 1\n"}, {"a.py": code}) == []


_KINDS = (
    "async def load(path):\n    return path, 1\n\n\n"
    "async def stream(path):\n    yield path\n\n\n"
    "def rows(path):\n    yield path\n\n\n"
    "def save(path):\n    print(path)\n\n\n"
    "def pair(path):\n    return path, 1\n\n\n"
    "def start(path):\n    return load(path)\n\n\n"
)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "line",
    [
        "a, b = load(1)",
        "print(load(1)[0])",
        "print([each for each in load(1)])",
        "with load(1): pass",
        "load(1).strip()",
        "pair = load(1); print(pair[0])",
        "text = load(1); text.strip()",
        "len(rows(1))",
        "print(rows(1)[0])",
        "rows(1).append(2)",
        "for each in stream(1): pass",
    ],
)
def test_what_a_coroutine_or_a_generator_does_not_support_is_an_error(line: str) -> None:
    code = f"{_KINDS}def run():\n    {line}\n"
    with pytest.raises((TypeError, AttributeError)):
        exec(f"{code}\n\nrun()\n", {})
    assert [each.severity for each in findings_of(RULE, code)] == ["error"]


@pytest.mark.parametrize(
    "line",
    [
        "await stream(1)",
        "await rows(1)",
        "async for each in load(1): pass",
        "await save(1)",
        "await pair(1)",
        "async with save(1): pass",
    ],
)
def test_what_they_do_not_support_in_a_coroutine_is_an_error(line: str) -> None:
    assert [each.severity for each in findings_of(RULE, f"{_KINDS}async def run():\n    {line}\n")] == ["error"]


@pytest.mark.parametrize(
    "line",
    [
        "a, b = await load(1)",
        "await start(1)",
        "print(pair(1)[0], len(pair(1)), pair(1).index(1))",
        "print((await load(1))[0])",
        "task = load(1); a, b = await task",
        "async for each in stream(1): pass",
        "print([each async for each in stream(1)])",
        "print(await anext(stream(1)))",
        "load(1).close()",
        "print(next(rows(1)), 1 in rows(1), *rows(1))",
        "a, b = rows(1)",
        "it = rows(1); it.send(None); it.close()",
        "it = load(1); it = await it; print(it[0])",
        "it = load(1); print(it[0] if isinstance(it, tuple) else await it)",
        "it = load(1)\n    if inspect.iscoroutine(it): return await it\n    return it[0]",
    ],
)
def test_what_they_do_support_is_left_alone(line: str) -> None:
    assert not findings_of(RULE, f"import inspect\n\n\n{_KINDS}async def run():\n    {line}\n")


@pytest.mark.parametrize(
    "decorator", ["@asynccontextmanager\n", "@wrapped\n", "@contextmanager\n", "@asyncio.coroutine\n"]
)
def test_a_decorator_may_change_what_a_call_gives(decorator: str) -> None:
    code = f"from lib import *\n\n\n{decorator}async def load(path):\n    yield path\n\n\ndef run():\n    with load(1): pass\n"
    assert not findings_of(RULE, code)


def test_an_override_may_give_something_else() -> None:
    code = (
        "class A:\n    async def load(self):\n        return 1\n\n    def run(self):\n        return self.load()[0]\n\n\n"
        "class B(A):\n    def load(self):\n        return [1]\n"
    )
    assert not findings_of(RULE, code)


def test_a_dropped_await_above_an_unchanged_use_is_reported() -> None:
    code = f"{_KINDS}async def run():\n    pair = await load(1)\n    return pair[0]\n"
    (found,) = findings_of(RULE, {"a.py": code.replace("await ", "")}, {"a.py": code})
    assert found.message == "This code looks into what `load` gives, which is a coroutine."


@pytest.mark.parametrize("line", ["with Trace(1) as trace: pass", "async with Trace(1): pass", "print(Trace(1).size)"])
def test_what_makes_an_object_does_not_give_what_its_constructor_returns(line: str) -> None:
    trace = (
        "class Trace:\n    def __init__(self, size):\n        self.size = size\n\n"
        "    def __enter__(self):\n        return self\n\n    def __exit__(self, *error):\n        print(error)\n\n"
        "    async def __aenter__(self):\n        return self\n\n"
        "    async def __aexit__(self, *error):\n        print(error)\n\n\n"
    )
    assert not findings_of(RULE, f"{trace}async def run():\n    {line}\n")


@pytest.mark.parametrize(
    "code",
    [
        "PAIRS = [\n    ('a', 1)\n    ('b', 2),\n]\n",
        "ROWS = [\n    [1, 2]\n    (3, 4),\n]\n",
        "def run():\n    return 'text'(1)\n",
        "SIZES = {'a': 1}('a')\n",
    ],
)
@pytest.mark.filterwarnings("ignore")
def test_a_call_of_what_is_written_out_is_an_error(code: str) -> None:
    with pytest.raises(TypeError):
        exec(f"{code}\nrun()\n", {})
    assert [each.severity for each in findings_of(RULE, code)] == ["error"]


@pytest.mark.parametrize(
    "code",
    [
        "PAIRS = [\n    ('a', 1),\n    ('b', 2),\n]\n",
        "X = (lambda: 1)()\n",
        "X = [len][0]('a')\n",
        "X = ('a'\n     'b')\n",
        "import pytest\n\n\ndef test_a():\n    with pytest.raises(TypeError):\n        'a'(1)\n",
        "try:\n    'a'(1)\nexcept TypeError:\n    pass\n",
    ],
)
@pytest.mark.filterwarnings("ignore")
def test_what_calls_no_literal_is_left_alone(code: str) -> None:
    assert not findings_of(RULE, code)
