"""A text without the indentation that its lines share is what ``textwrap`` returns."""

from textwrap import dedent

from hypothesis import given
from hypothesis import strategies as st

from review_bot.text.indentation import dedented


@given(st.text(alphabet=" \tab#\n", max_size=40))
def test_texts_are_dedented_as_by_textwrap(text: str) -> None:
    assert dedented(text) == dedent(text)
