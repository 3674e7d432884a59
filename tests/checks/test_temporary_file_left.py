"""Temporary files that stay behind, and who else may remove them."""

from __future__ import annotations

import pytest

from tests.rule_cases import findings_of

RULE = "errors/temporary-file-left"
MADE = "import os, shutil, tempfile\n\n\ndef f(data, sink):\n    path = tempfile.mkdtemp()\n    write(data, path)\n"


def test_the_message_names_the_first_removal_after_the_file_was_made() -> None:
    code = (
        MADE
        + "    shutil.rmtree(path)\n    path = tempfile.mkdtemp()\n    write(data, path)\n    shutil.rmtree(path)\n"
    )
    assert [(each.line, each.message) for each in findings_of(RULE, code)] == [
        (5, "This makes a temporary folder, and it stays behind if anything raises before line 7 removes it."),
        (8, "This makes a temporary folder, and it stays behind if anything raises before line 10 removes it."),
    ]


@pytest.mark.parametrize(
    "rest",
    [
        "    return path\n",
        "    yield os.path.join(path, 'a')\n",
        "    sink.folder = path\n",
        "    sink['folder'] = path\n",
        "    sink.append(path)\n",
        "    return FileResponse(path)\n",
        "    return Loader(folder=path)\n",
        "    atexit.register(drop, path)\n",
        "    logger.info('Written to %s', path)\n",
        "    return lambda: open(path)\n",
        "    global path\n",
        "    pair = (data, path)\n    return pair\n",
        "    try:\n        read(path)\n    except OSError:\n        shutil.rmtree(path)\n",
    ],
)
def test_a_folder_that_something_else_may_remove_is_not_reported(rest: str) -> None:
    assert not findings_of(RULE, MADE + rest)


@pytest.mark.parametrize("rest", ["    return read(path)\n", "    inner = f'{path}/a'\n    read(inner)\n"])
def test_a_folder_that_is_only_read_is_reported(rest: str) -> None:
    (found,) = findings_of(RULE, MADE + rest)
    assert found.message == "This makes a temporary folder, and nothing in `f` removes it."
