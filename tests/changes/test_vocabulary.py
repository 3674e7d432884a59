"""Words of a text: what a filter before a parser may ask for."""

from __future__ import annotations

import ast
import keyword

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from review_bot.changes.vocabulary import Vocabulary, vocabulary_of, words
from tests.growth import SUPERLINEAR, growth


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("torch . load (x)", "load"),
        ("x = 1if y else 2", "if"),
        ("x = 1_000if y else 2", "if"),
        ("x = 0xfor y", "or"),
        ("x = 1.5jin y", "in"),
        ("print(1else 2)", "else"),
        ("\uff54\uff4f\uff52\uff43\uff48.load(x)", "torch"),
        ("\U0001d42d\U0001d428\U0001d42b\U0001d41c\U0001d421.load(x)", "torch"),
        ("f(weights\uff3fonly=False)", "weights_only"),
        ("x.to('\\x63uda')", "cuda"),
        ("x.to('\\143uda')", "cuda"),
        ("x.to('\\N{LATIN SMALL LETTER C}uda')", "cuda"),
        ("x.to('cu\\\nda')", "cuda"),
        ("x.to('cu' 'da')", "cuda"),
        ("x.to('cu''da')", "cuda"),
        ("x.to('c' 'u' \\\n 'da')", "cuda"),
        ("x.to('cu' f'da{index}')", "cuda"),
        ("x.to('c\\x75' r'da')", "cuda"),
        ('x.to(\'cu\' "" """da""")', "cuda"),
        ("x.to('cu'  # the back end\n  # of today\n  'da')", "cuda"),
        ("x.to(b'cu'\nb'da')", "cuda"),
        ("f('cu' 'da\" \"x')", "cuda"),
    ],
)
def test_a_word_is_found_however_it_is_written(text, word):
    assert Vocabulary(text).hold(((word,),))
    assert Vocabulary(text).hold((("~" + word[1:],),))
    assert Vocabulary(text).hold((("~~" + word,),))


def test_a_word_is_a_whole_one_and_a_part_is_not():
    text = Vocabulary("import torchvision\n")
    assert not text.hold((("torch",),))
    assert text.hold((("~torch",),))
    assert text.hold((("torch",), ("import",)))
    assert not text.hold((("torchvision", "torch"),))
    assert text.hold(None)


NAMES = st.text(
    st.sampled_from("abtorchluoad_1\u00b5\ufb01\uff54\uff3f\u1d62\u2118\u00b7\u0301\u00e9\U0001d42d"),
    min_size=1,
    max_size=6,
).filter(lambda name: name.isidentifier() and not keyword.iskeyword(name))
NUMBERS = st.sampled_from(["1", "0x1f", "1_0", "1e5", "1.", "2j", "0b1", "0o7"])


@settings(max_examples=400, deadline=None)
@given(NAMES, NAMES, NUMBERS, st.sampled_from(["if", "or", "and", "in", "is", "else"]))
def test_every_name_and_keyword_that_python_reads_is_a_word(first, second, number, between):
    middle = f"{between} {second} else 0" if between == "if" else f"{between} {second}"
    text = (
        f"{first}.{second} = {number}{middle}\n" if between != "else" else f"{first}.{second} = 1 if 2 else {second}\n"
    )
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return
    held = Vocabulary(text)
    for node in ast.walk(tree):
        for name in (getattr(node, "id", None), getattr(node, "attr", None)):
            assert name is None or held.hold(((name,),)), (text, name)
    assert held.hold(((between,),))


@pytest.mark.parametrize("text", ['["imp", "ort"]', '["i",\n "", "mp" ,\n "ort a\\n"]', '["\\u0069m", "p\\u006frt"]'])
def test_a_word_of_a_notebook_may_be_spread_over_strings_of_a_list(text):
    assert vocabulary_of("a.ipynb", text).hold((("import",),))
    assert not vocabulary_of("a.json", text).hold((("import",),))


@pytest.mark.parametrize("unit", ["1", "if", "\ufdfa", "\\x6", "\uff54", "a\u0301", "\\N{"])
def test_a_hostile_text_costs_linear_time(unit):
    assert growth(lambda size: Vocabulary(unit * size).hold((("torch",), ("~~cuda",))), 20_000) < SUPERLINEAR


@pytest.mark.parametrize("unit", ['", "', '",', '", ', '"imp",'])
def test_a_hostile_notebook_costs_linear_time(unit):
    assert growth(lambda size: vocabulary_of("a.ipynb", unit * size).hold((("torch",),)), 20_000) < SUPERLINEAR


def test_words_of_a_number_are_those_it_may_touch():
    assert words("0x1for") >= {"or", "for"}
    assert words("1 2 3") == set()


def test_where_strings_that_stand_side_by_side_cannot_be_parsed_nothing_is_filtered():
    assert Vocabulary("x = ('cu' 'da' if").hold((("anything",),))
    assert not Vocabulary("x = ('cu ' 'da')").hold((("cuda",),))
