"""Attempts to have one text reviewed and another one run, by what decides how bytes are read or written."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.action import CLEAN, Action

WRITTEN = b"{1};import\x0cthis"
"""What a checkout holds. ``\\x0c`` is white space for Python and the same byte in the encoding below."""

ENCODING = "IBM1047"
FORMAT = "# $" + "Format:%nimport this$\n"
IDEOGRAPHS = b"import sys".decode("utf-16-le")
AS_MACRO = "[attr]x.csv working-tree-encoding=UTF-16LE\n*.py x.csv\n"
WITHOUT_BLANK = '"*.py"working-tree-encoding=UTF-16LE\n'
STRING = 'a = "$' + "Id:\"+'$\"; import sys#'\n"
QUOTE = 'VERSION = "$' + 'Format:%x22;import sys#$"\n'


def reviewed() -> str:
    """Return the text whose bytes in that encoding are these: one comment of odd letters."""
    done = subprocess.run(["iconv", "-f", ENCODING, "-t", "UTF-8"], input=WRITTEN, capture_output=True, check=True)
    return done.stdout.decode()


def checked_out(folder: Path, attributes: str, text: bytes, name: str = "a.py") -> bytes:
    """Return the bytes that git writes for a text."""

    def git(*arguments: str, given: bytes = b"") -> str:
        identity = ("-c", "user.name=ada", "-c", "user.email=ada@example.org")
        done = subprocess.run(["git", *identity, *arguments], cwd=folder, input=given, capture_output=True, check=True)
        return done.stdout.decode().strip()

    git("init", "-q")
    (folder / ".gitattributes").write_text(attributes)
    blob = git("hash-object", "-w", "--stdin", given=text)
    git("update-index", "--add", "--cacheinfo", f"100644,{blob},{name}")
    git("checkout-index", name)
    return (folder / name).read_bytes()


def test_git_writes_a_comment_as_code(tmp_path: Path):
    text = reviewed()
    assert text.startswith("#")
    assert "\n" not in text
    assert checked_out(tmp_path, f"*.py working-tree-encoding={ENCODING}\n", text.encode()) == WRITTEN


@pytest.mark.parametrize("attributes", [AS_MACRO, WITHOUT_BLANK])
def test_git_writes_ideographs_as_code(tmp_path: Path, attributes: str):
    assert checked_out(tmp_path, attributes, IDEOGRAPHS.encode()) == b"import sys"


def test_git_writes_a_string_as_code(tmp_path: Path):
    assert b'$"; import sys#' in checked_out(tmp_path, "*.py ident\n", STRING.encode())


def test_git_writes_a_comment_as_a_line_for_javascript(tmp_path: Path):
    text = "// \u00e2\u20ac\u00a8run()"
    written = checked_out(tmp_path, "*.js working-tree-encoding=cp1252\n", text.encode(), "a.js")
    assert written.decode() == "// \u2028run()"


@pytest.mark.parametrize(
    "change",
    [
        {".gitattributes": f"*.py working-tree-encoding={ENCODING}\n"},
        {"halcyon/.gitattributes": f"[attr]plain working-tree-encoding={ENCODING}\n*.py plain\n"},
        {".gitattributes": "*.py text working-tree-encoding=UTF-16LE\n"},
        {"requirements.txt": "# coding: utf-7\n# note +AAo-git+-https://example.org/x.git\n"},
        {"halcyon/steps.py": FORMAT},
        {"halcyon/steps.py": QUOTE},
        {"halcyon/steps.py": STRING},
        {".gitattributes": AS_MACRO},
        {".gitattributes": WITHOUT_BLANK},
        {".gitattributes": "*.js working-tree-encoding=cp1252\n"},
        {"requirements.txt": "# coding: latin-1\n# note \u00c5git+https://example.org/x.git\n"},
    ],
)
def test_what_makes_others_read_another_text_is_not_reviewed(action: Action, change: dict[str, str]):
    result = action.run(action.open(change))
    assert (result.code, result.outputs["verdict"]) == (3, "incomplete")
    assert {each["path"] for each in result.report()["unreviewed"]} == change.keys()


def test_attributes_that_come_by_a_rename_are_read(action: Action):
    text = f"*.py working-tree-encoding={ENCODING}\n"
    action.repository.commit({"notes.cfg": text})
    assert action.run(action.open({"notes.cfg": None, ".gitattributes": text})).code == 3


def test_what_the_base_declares_is_not_the_matter_of_the_change(action: Action):
    text = f"*.dat working-tree-encoding={ENCODING}\n"
    action.repository.commit({".gitattributes": text})
    assert action.run(action.open({".gitattributes": f"{text}*.png binary\n"})).code == 0


def test_attributes_and_versions_as_usual_are_reviewed(action: Action):
    usual = {
        ".gitattributes": "*.ps1 text working-tree-encoding=UTF-16LE-BOM eol=crlf\n_version.py export-subst\n",
        "halcyon/_version.py": '"""The version."""\n\nVERSION = "$' + 'Format:%d%h$"\n',
        "requirements.txt": "# -*- coding: utf-8 -*-\n",
    }
    assert action.run(action.open(usual)).code == 0


def test_a_line_that_pip_reads_in_the_declared_encoding_of_the_base_is_not_reviewed(action: Action):
    declared = "# coding: latin-1\n" + "# more\n" * 9
    action.repository.commit({"requirements.txt": declared})
    assert action.run(action.open({"requirements.txt": f"{declared}# note \u00c5six\n"})).code == 3
    assert action.run(action.open({"requirements.txt": f"{declared}six\n"})).code == 0


CACHE = CLEAN["halcyon/cache.py"].replace("Keeps blocks", "Keeps bl\u00f6cke")
WITHOUT = CACHE.replace("def lookup", "def find")
GUARD = (
    "id: guard-removed\nlanguage: python\nseverity: error\nmessage: A check of rights is gone.\n"
    "removed: {language: python, rule: {pattern: 'raise PermissionError($$$A)'}}\n"
)
OWN = {".github/review-bot/rules/guard.yml": GUARD}
DROP = '"""\u00c4."""\n\n\ndef drop(user: str) -> None:\n    """Drop."""\n    if not user:\n        raise PermissionError(user)\n'
OPEN = DROP.replace("raise PermissionError(user)", "print(user)")


@pytest.mark.parametrize("encoding", ["latin-1", "cp1252", "gbk"])
def test_what_a_change_takes_from_a_module_in_another_encoding_is_missed(action: Action, encoding: str):
    word = "\u5757" if encoding == "gbk" else "\u00f6"
    before = f"# coding: {encoding}\n{CACHE}".replace("\u00f6", word)
    action.repository.commit({"halcyon/cache.py": before.encode(encoding)})
    result = action.run(action.open({"halcyon/cache.py": WITHOUT}))
    assert (result.code, result.outputs["errors"]) == (1, "1")
    assert [each["rule"] for each in result.report()["findings"]] == ["api/removed-name"]


def test_an_importing_file_in_another_encoding_is_searched(action: Action):
    uses = "# coding: latin-1\n# \u00f6\nfrom halcyon.cache import lookup\n\nX = lookup(1)\n"
    action.repository.commit({"halcyon/uses.py": uses.encode("latin-1")})
    action.repository.commit({"tests/test_cache.py": None})
    assert action.run(action.open({"halcyon/cache.py": WITHOUT})).code == 1


@pytest.mark.parametrize("declaration", ["# coding: latin-1\n", ""])
def test_an_own_rule_on_removed_code_reads_a_base_that_is_no_utf_8(action: Action, declaration: str):
    action.repository.commit({**OWN})
    action.repository.commit({"halcyon/drop.py": f"{declaration}{DROP}".encode("latin-1")})
    result = action.run(action.open({"halcyon/drop.py": OPEN}))
    assert (result.code, result.report()["not_run"]) == (1, [])
