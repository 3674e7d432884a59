"""A credential that a change holds stands in no document of its dossier, wherever else the change repeats it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from review_bot.cli import main
from tests.git_repository import GitRepository

TOKEN = "hf_" + "QwErTyUiOpAsDfGhJkLzXcVbNmQwErTyUi"  # made up
KEY = ["\x4dIIEowIBAAKCAQEAq7Rk2wZ9sLd0fXv3JtUcYb8HnPmQeWg5TiBoCxDa6SuVyKhj"]
KEY += [f"Zx{number:02}abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ01234567" for number in range(5)]
OLD = f'"""A."""\nOLD = "{TOKEN}"\nX = 1\n'
NEW = f'"""A."""\nOLD = "{TOKEN}"\nimport os\nX = 1  \n' + "\n" * 12 + f'NEW = "{TOKEN}"\n'
PEM = ["-----BEGIN RSA PRIVATE KEY-----", *KEY, "-----END RSA PRIVATE KEY-----"]


@pytest.mark.parametrize("quoted", ["{}", '    "{}\\n"'])
def test_no_document_repeats_a_credential(tmp_path, monkeypatch, capsys, quoted):
    repository = GitRepository(tmp_path)
    repository.commit({"a.py": OLD})
    repository.git("checkout", "-q", "-b", "feature")
    key = "\n".join(quoted.format(line) for line in PEM)
    around = ("KEY = (\n", ")") if quoted != "{}" else ('KEY = """\n', '"""')
    key_file = f'"""K."""\nimport os\n{around[0]}{key}\n{around[1]}\nimport sys\nY = 2  \n'
    repository.commit({"a.py": NEW, "key.py": key_file, "b.py": '"""B."""\n\nimport os\n\nZ = 1  \n'})
    monkeypatch.chdir(tmp_path)
    assert main(["review", "main..feature", "--export", "out"]) == 1
    assert main(["brief", "main..feature"]) == 0
    assert main(["fix", "--dry-run", "main..feature"]) == 0
    texts = {name: Path("out", name).read_text() for name in sorted(os.listdir("out"))}
    texts["printed"] = "".join(capsys.readouterr())
    assert [(name, word) for name, text in texts.items() for word in (TOKEN, *KEY) if word in text] == []
    assert "+Z = 1\n" in texts["fixes.patch"], "what stands apart is fixed all the same"
