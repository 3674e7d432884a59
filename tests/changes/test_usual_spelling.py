"""Python text in its usual spelling, and the way back to the text as it is."""

from __future__ import annotations

import ast

import pytest

from review_bot.changes.usual_spelling import UsualSpelling, needless_brackets, respelled, unusual_parts, unusual_spaces
from tests.growth import SUPERLINEAR, growth


def usual_spelling(text: str) -> UsualSpelling | None:
    cuts = unusual_spaces(text)
    return respelled(text, cuts) if cuts else None


@pytest.mark.parametrize(
    ("text", "usual"),
    [
        ("torch . load ( path )\n", "torch.load(path)\n"),
        ("torch \\\n  .load(path)\n", "torch.load(path)\n"),
        ("torch \\\r\n  .load(path)\r\n", "torch.load(path)\r\n"),
        ("f(  # a note\n    a)\n", "f(\n    a)\n"),
        ("f(a = 1, b =2, c= 3)\n", "f(a=1, b=2, c=3)\n"),
        ("(x\n  .load(\n  ))\n", "(x.load())\n"),
        ("if x :\n    return (1)\n", "if x:\n    return (1)\n"),
        ("except \\\n Exception :\n", "except Exception:\n"),
        ("from .. \\\n  a import b\n", "from ..a import b\n"),
        ("x = [ 1 ] [ 0 ]\n", "x = [1][0]\n"),
    ],
)
def test_spaces_and_continuations_go(text, usual):
    spelled = usual_spelling(text)
    assert spelled is not None
    assert spelled.text == usual
    for index, char in enumerate(spelled.text):
        if not char.isspace():
            assert text[spelled.place(index)] == char


@pytest.mark.parametrize(
    "text",
    [
        "x = f(a, b)[0].c\n",
        "x = 'a . b ( c'  # torch . load (x)\n",
        "from . import a\nfrom .. import b\n",
        "def f(a: int = 1, *, b=2) -> int:\n    return (a) if (b) else [1]\n",
        "print(a == b, c <= d)\nx[1 : 2]\n",
        'x = """\ntorch . load (\n"""\n',
        "f(\n    a,\n    b,\n)\n",
    ],
)
def test_what_is_usual_stays_as_it_is(text):
    assert usual_spelling(text) is None


CODE = """from . a import b
class C ( B ) :
    def f ( self , x : int = 1 , * , y = 2 ) -> int :
        with open ( x ) as f , g [ 1 ] . h ( y = 3 ) :
            return self . x . y ( * x , ** y ) [ 0 ] ( 1 ) . z if ( x ) else - 1 . real
        return x [ 1 : 2 , ... ] @ { "ab" : lambda x : x . y }
"""


@pytest.mark.parametrize(
    "text",
    [CODE, CODE.replace(" . ", " \\\n . "), CODE.replace("( ", "(  # a ( note\n  ")],
    ids=["spaces", "lines", "notes"],
)
def test_the_usual_spelling_means_the_same(text):
    spelled = usual_spelling(text)
    assert spelled is not None
    assert ast.dump(ast.parse(spelled.text)) == ast.dump(ast.parse(text))


@pytest.mark.parametrize(
    "unit", ['"""', '\\"""', "'", "( ", " (", " .", "\\\n", " \\\n", "# ", "(\n", "a = ", "(a = ", "\n ."]
)
def test_a_hostile_text_costs_linear_time(unit):
    assert growth(lambda size: usual_spelling("(" + unit * size)) < SUPERLINEAR


def without_brackets(text: str) -> str:
    return respelled(text, unusual_parts(text)).text


@pytest.mark.parametrize(
    ("text", "usual"),
    [
        ("(torch).load(x)\n", "torch.load(x)\n"),
        ("x = 1\n(torch).load(path, x=(None))\n", "x = 1\ntorch.load(path, x=None)\n"),
        ("f( ( ( a.b ) ) , ('x') )\n", "f(a.b, 'x')\n"),
        ("x = (1) if(a)else(b)\n", "x = 1 if a else b\n"),
        ("f(\n    a=(\n        True\n    ),\n)\n", "f(\n    a=\n        True,\n)\n"),
        ("def f(x):\n    return(x)\n", "def f(x):\n    return x\n"),
        ("x = \\\n    (y)\n", "x = y\n"),
        ("from m import (a)\n", "from m import a\n"),
    ],
)
def test_brackets_around_one_operand_go(text, usual):
    assert "".join(without_brackets(text).split()) == "".join(usual.split())
    assert ast.dump(ast.parse(without_brackets(text))) == ast.dump(ast.parse(text))


@pytest.mark.parametrize(
    "text",
    [
        "f(a)(b)[(c)](d)\n",
        "f((a), (b,), (c, d), (yield), (not e), ('x' 'y'))\n",
        "x = (1).real + ((1)).imag\n",
        "x = 0\n(y): int = 1\n",
        "x = (\n    y\n)\n",
        "x = [f  # a note,\n    (y)]\n",
        "x = f \\\n    (y)\n",
        "x = f \\\r\n    (y)\r\n",
        "x = [f\n    (y)]\n",
        "x = '(y)'  # (y)\n",
        "print (x)\nmatch (y)\n",
        "match (y):\n    case (1): pass\n",
        "class C(B):\n    def f(self): ...\n",
        "x = f'{(y)}' 'z'\n",
    ],
)
def test_brackets_that_mean_something_stay(text):
    assert ast.dump(ast.parse(without_brackets(text))) == ast.dump(ast.parse(text))


@pytest.mark.parametrize("unit", ["(", "(a)", "((a)", "(a)(", "(\n", "( ", "'a'(", "(a) \\\n"])
def test_brackets_of_a_hostile_text_cost_linear_time(unit):
    assert growth(lambda size: needless_brackets("(" + unit * size + ")" * size)) < SUPERLINEAR
