"""Which function of a library a call runs, and what is no object of a library."""

from __future__ import annotations

import ast
import textwrap

import pytest

from review_bot.analysis.python.library_objects import LibraryObjects

HEAD = "import asyncio\nimport queue\nimport httpx\nfrom logging import getLogger\n"


def calls(code: str) -> list[str]:
    """Return the full names of the calls that have a contract, in the order of the text."""
    tree = ast.parse(HEAD + textwrap.dedent(code))
    found = LibraryObjects(tree, "engine/a.py").calls()
    return [each.name for each in sorted(found, key=lambda each: (each.node.lineno, each.node.col_offset))]


@pytest.mark.parametrize(
    ("code", "wanted"),
    [
        ("log = getLogger()\ndef f():\n    log.info('x')", ["logging.getLogger", "logging.Logger.info"]),
        ("def f(q: asyncio.Queue[int]):\n    q.put(1)", ["asyncio.Queue.put"]),
        ("def f(q: 'asyncio.Queue'):\n    q.put(1)", ["asyncio.Queue.put"]),
        (
            "async def f():\n    async with httpx.AsyncClient() as c:\n        c.get('')",
            ["httpx.AsyncClient", "httpx.AsyncClient.get"],
        ),
        ("q = None\nq = asyncio.Queue()\nq.get()", ["asyncio.Queue", "asyncio.Queue.get"]),
        ("try:\n    import httpx\nexcept ImportError:\n    httpx = None\nhttpx.get('')", ["httpx.get"]),
        (
            "class A:\n    def __init__(self):\n        self.q = asyncio.Queue()\n    def f(self):\n        self.q.get()",
            ["asyncio.Queue", "asyncio.Queue.get"],
        ),
        (
            "async def f():\n    p = await asyncio.create_subprocess_exec('x')\n    await p.wait()",
            ["asyncio.create_subprocess_exec", "asyncio.subprocess.Process.wait"],
        ),
    ],
)
def test_objects_are_known_by_what_makes_or_declares_them(code: str, wanted: list[str]) -> None:
    assert calls(code) == wanted


def test_a_coroutine_that_a_with_statement_enters_binds_no_coroutine() -> None:
    code = (
        "async def f(c: httpx.AsyncClient):\n    r = c.get('')\n    async with c.get('') as s:\n        return r, s\n"
    )
    tree = ast.parse(HEAD + code)
    objects = LibraryObjects(tree, "engine/a.py")
    names = [(node, scopes) for node, scopes in objects.nodes() if isinstance(node, ast.Name) and node.id in "rs"]
    assert {node.id: objects.type_of(node, scopes) for node, scopes in names} == {"r": "coroutine", "s": ""}


@pytest.mark.parametrize(
    "code",
    [
        "def f(httpx):\n    httpx.get('')",
        "def f():\n    asyncio = make()\n    asyncio.sleep(1)",
        "def f(q: asyncio.Queue):\n    q = other()\n    q.get()",
        "def f(q: asyncio.Queue | None):\n    q.get()",
        "def f(q):\n    q.get()",
        "for q in make():\n    q.get()",
        "class A:\n    q: asyncio.Queue\n    def f(self, q):\n        q.get()",
    ],
)
def test_what_may_be_something_else_is_unknown(code: str) -> None:
    assert calls(code) == []


@pytest.mark.parametrize(
    "code",
    [
        "def f(p):\n    q = asyncio.Queue()\n    if p:\n        q = queue.Queue()\n    q.get()",
        "q = asyncio.Queue()\nclass A:\n    def __init__(self, q):\n        self.q = q\n    def f(self):\n        self.q.get()",
        "class A:\n    def __init__(self):\n        self.q = asyncio.Queue()\nclass B:\n    def f(self):\n        self.q.get()",
        "class A:\n    q = asyncio.Queue()\n    def f(self):\n        q.get()",
        "q = asyncio.Queue()\ndef f():\n    def q(): pass\n    q.get()",
        "q = asyncio.Queue()\ndef f(p):\n    match p:\n        case {'q': q}:\n            q.get()",
        "a = asyncio.Queue()\nb = c\nc = b\nb.get()",
    ],
)
def test_a_name_of_two_objects_is_unknown(code: str) -> None:
    assert [each for each in calls(code) if each.endswith(".get")] == []
