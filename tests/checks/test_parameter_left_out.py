"""New parameters that a docstring lacks which describes all the others."""

from __future__ import annotations

from tests.rule_cases import findings_of

RULE = "docs/parameter-left-out"
GOOGLE = '''    """Encode frames.

    Args:
        frames: of shape (time, height, width, 3).
        codec: its name in FFmpeg.
    """
'''
NUMPY = '''    """Encode frames.

    Parameters
    ----------
    frames : Tensor
        of shape (time, height, width, 3)
    codec : str
    """
'''


def messages(docstring: str, before: str, after: str) -> list[str]:
    """Return what is reported where the parameters of a documented function change."""
    base, head = (f"def encode({each}):\n{docstring}    return frames\n" for each in (before, after))
    return [each.message for each in findings_of(RULE, {"pkg/video.py": head}, {"pkg/video.py": base})]


def test_every_style_is_read_and_new_parameters_are_named_together() -> None:
    expected = "The docstring of `encode` describes 2 other parameters, but not `fps` and `size`, which"
    for docstring in (GOOGLE, NUMPY):
        (message,) = messages(docstring, "frames, codec", "frames, codec, fps=16, *, size=None")
        assert message.startswith(expected)


def test_a_parameter_that_the_change_adds_and_describes_counts_too() -> None:
    described = GOOGLE.replace('    """\n', '        fps: of the video.\n    """\n')
    base = f"def encode(frames, codec):\n{GOOGLE}    return frames\n"
    head = f"def encode(frames, codec, fps=16, size=None):\n{described}    return frames\n"
    [finding] = findings_of(RULE, {"pkg/video.py": head}, {"pkg/video.py": base})

    assert finding.message.startswith("The docstring of `encode` describes 3 other parameters, but not `size`, which")


def test_a_docstring_that_was_incomplete_is_left_alone() -> None:
    assert messages(GOOGLE, "frames, codec, quality", "frames, codec, quality, fps=16") == []
    assert messages('    """Encode `frames` with `codec`."""\n', "frames, codec", "frames, codec, fps=16") == []


def test_renamed_private_and_mentioned_parameters_are_left_alone() -> None:
    assert messages(GOOGLE, "frames, codec", "frames, codec_name") == []
    assert messages(GOOGLE, "frames, codec", "frames, codec, _fps=16") == []
    mentioned = GOOGLE.replace("in FFmpeg.", "in FFmpeg; see fps.")
    assert messages(mentioned, "frames, codec", "frames, codec, fps=16") == []


def test_an_added_function_is_left_alone() -> None:
    head = {"pkg/video.py": f"def encode(frames, codec, fps):\n{GOOGLE}    return frames\n"}
    assert findings_of(RULE, head, {"pkg/video.py": "LIMIT = 4\n"}) == []


def test_the_rest_of_the_arguments_counts_where_it_is_described() -> None:
    described = GOOGLE.replace("in FFmpeg.\n", "in FFmpeg.\n\n        **options: passed on to it.\n")

    (message,) = messages(described, "frames, codec, **options", "frames, codec, fps=16, **options")
    (shorter,) = messages(GOOGLE, "frames, codec, **options", "frames, codec, fps=16, **options")

    assert "describes 3 other parameters, but not `fps`," in message
    assert "describes 2 other parameters, but not `fps`," in shorter
