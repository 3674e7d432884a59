from __future__ import annotations

from tests.rule_cases import findings_of

RULE = "errors/exclusive-fields"


def test_the_suggestion_is_the_check_itself() -> None:
    text = (
        'class Entry(msgspec.Struct):\n    """Exactly one of (data, items) is set."""\n\n'
        "    data: bytes | None = None\n    items: list | None = None\n"
    )

    (finding,) = findings_of(RULE, text)

    assert finding.suggestion is not None
    assert finding.suggestion.start_line == finding.suggestion.end_line == 5
    assert finding.suggestion.replacement == (
        "    items: list | None = None\n\n"
        "    def __post_init__(self) -> None:\n"
        "        if (self.data is None) == (self.items is None):\n"
        '            raise ValueError("set exactly one of data and items")'
    )


def test_words_with_more_than_one_reading_get_no_suggestion() -> None:
    text = (
        '@dataclass\nclass Entry:\n    """The fields path and url are mutually exclusive."""\n\n'
        "    path: str | None = None\n    url: str | None = None\n"
    )

    (finding,) = findings_of(RULE, text)

    assert finding.suggestion is None
