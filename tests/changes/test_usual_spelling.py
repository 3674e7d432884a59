"""Python text in its usual spelling, and the way back to the text as it is."""

from __future__ import annotations

import ast

import pytest

from review_bot.changes.usual_spelling import UsualSpelling, respelled, unusual_spaces
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
