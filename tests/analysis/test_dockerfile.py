import pytest

from review_bot.analysis.project.dockerfile import instructions, stage_names


def read(text: str) -> list[tuple[object, ...]]:
    return [tuple(each) for each in instructions(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("FROM a\nRUN b\n", [(1, 1, "FROM", "a", 1), (2, 2, "RUN", "b", 1)]),
        ("run a \\\n\n  # no\n  b\nRUN c\n", [(1, 4, "RUN", "a    b", 0), (5, 5, "RUN", "c", 0)]),
        ("RUN <<END\nCOPY x y\nEND\nRUN b\n", [(1, 3, "RUN", "<<END", 0), (4, 4, "RUN", "b", 0)]),
        ("# RUN a\n\nARG A=1\nFROM $A\n", [(3, 3, "ARG", "A=1", 0), (4, 4, "FROM", "$A", 1)]),
        ("# escape=`\nRUN a\n", []),
        ("RUN a \\", [(1, 1, "RUN", "a ", 0)]),
        ("", []),
    ],
)
def test_a_dockerfile_is_read_as_its_instructions(text, expected):
    assert read(text) == expected


def test_stages_have_a_base_and_a_name():
    found = instructions("FROM --platform=linux/amd64 Python:3.12 AS Build\nFROM build\n")

    assert stage_names(found) == {1: ("python:3.12", "build"), 2: ("build", "")}
