import pytest

from review_bot.text.listing import first_of


@pytest.mark.parametrize(
    ("texts", "separator", "expected"),
    [
        ([], ", ", ""),
        (["a"], ", ", "a"),
        (["a", "b"], ", ", "a, b"),
        (["a", "b", "c", "d"], ", ", "a, b and 2 more"),
        (["a", "b", "c"], "; ", "a; b; and 1 more"),
    ],
)
def test_the_first_texts_are_listed_and_the_others_counted(texts: list[str], separator: str, expected: str) -> None:
    assert first_of(texts, 2, separator) == expected
