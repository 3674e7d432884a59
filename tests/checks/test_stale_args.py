from __future__ import annotations

from tests.rule_cases import findings_of

RULE = "docs/stale-args"
DOCSTRING = '    """Scale an image.\n\n    Args:\n        image: The image.\n        factor: How much.\n    """\n'
BODY = "    x = 1\n    y = 2\n    z = 3\n    return image\n"


def _text(signature: str, docstring: str = DOCSTRING, body: str = BODY) -> dict[str, str]:
    return {"package/a.py": f"import os\n\n\ndef scale(\n{signature}):\n{docstring}{body}"}


def test_it_fires_when_only_the_signature_changed() -> None:
    before = _text("    image,\n    factor,\n")

    (finding,) = findings_of(RULE, _text("    image,\n    ratio,\n"), before)
    assert finding.message == "The docstring describes `factor`, but `scale` has no parameter of that name."
    assert finding.line == 12

    (finding,) = findings_of(RULE, _text("    image,\n"), before)
    assert finding.line == 11


def test_an_old_docstring_is_left_alone_when_only_the_body_changed() -> None:
    before = _text("    image,\n")

    assert findings_of(RULE, _text("    image,\n", body=BODY.replace("3", "4")), before) == []


def test_a_mistake_of_the_base_is_left_alone_when_another_parameter_is_annotated() -> None:
    before = _text("    image,\n    size,\n")

    assert findings_of(RULE, _text("    image,\n    size: int,\n"), before) == []
    indented = DOCSTRING.replace("factor: How much.", "factor: How much, at most.")
    assert findings_of(RULE, _text("    image,\n    size: int,\n", indented), before) == []


def test_a_mistake_of_the_base_is_left_alone_when_its_function_is_renamed() -> None:
    before = _text("    image,\n")
    renamed = {path: text.replace("scale", "resize") for path, text in before.items()}

    assert findings_of(RULE, renamed, before) == []


def test_an_entry_that_the_change_adds_is_reported_although_another_class_had_the_same_mistake() -> None:
    method = "    def scale(self, image):\n" + DOCSTRING.replace("\n    ", "\n        ").replace(
        '    "', '        "', 1
    )
    before = {"package/a.py": f"class A:\n{method}        return image\n"}
    after = {"package/a.py": f"{before['package/a.py']}\n\nclass B:\n{method}        return image + 1\n"}

    (finding,) = findings_of(RULE, after, before)

    assert finding.line == 18
    assert finding.message == "The docstring describes `factor`, but `scale` has no parameter of that name."


def test_continuation_lines_and_other_sections_are_not_entries() -> None:
    docstring = (
        '    """Scale an image.\n\n    Args:\n        image: The image, with\n            ratio: of sides\n\n'
        '            mode: of colours\n\n    Note:\n        speed: it is slow\n    """\n'
    )

    assert findings_of(RULE, _text("    image,\n", docstring)) == []


def test_several_names_on_one_line_of_numpy_style() -> None:
    docstring = (
        '    """Scale an image.\n\n    Parameters\n    ----------\n    image, picture : Image\n        What.\n\n'
        '    Returns\n    -------\n    result : Image\n    """\n'
    )

    (finding,) = findings_of(RULE, _text("    image,\n", docstring))

    assert "`picture`" in finding.message
