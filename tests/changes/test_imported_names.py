"""Imported names, written out as what they stand for."""

from __future__ import annotations

import pytest

from review_bot.changes.imported_names import written_out
from review_bot.changes.pull_request import ChangedFile
from review_bot.changes.source_file import SourceFile


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("from subprocess import run\nrun(a)\n", "from subprocess import run\nsubprocess.run(a)\n", id="absolute"),
        pytest.param("from .jobs import run\nrun(a)\n", "from .jobs import run\nrun(a)\n", id="relative"),
        pytest.param("from . import jobs as j\nj.run(a)\n", "from . import jobs as j\nj.run(a)\n", id="relative module"),
        pytest.param("import b as c\nfrom . import c\nc(a)\n", "import b as c\nfrom . import c\nc(a)\n", id="both"),
    ],
)  # fmt: skip
def test_a_name_is_written_out_if_absolute_imports_alone_bind_it(text, expected):
    source = SourceFile(ChangedFile("a.py", None, "added", "text"), text, None)
    assert written_out(source).text == expected
