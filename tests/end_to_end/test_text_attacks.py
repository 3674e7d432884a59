"""Attempts to get text past the rules: called binary, called a pointer, or read differently by those who run it."""

from __future__ import annotations

import io
import json
import sqlite3
import struct
import tarfile
import wave
import zipfile
import zlib
from pathlib import Path

import pytest

from tests.action import Action, Result
from tests.end_to_end.test_attacks import BAD

SECRET = "ghp_" + "QwErTyUiOpAsDfGhJkLzXcVbNmQwErTyUiOp"
NAMES = (
    ".env", "a.json", "a.txt", "a.cfg", "a.ini", "a.ts", "a.tsx", "a.jsx", "a.mjs", "a.html", "a.css", "a.cxx", "a.hip",
    "a.ipynb", "a.py3", "a.rb", "a.lua", "a.sql", "a.proto", "a.ps1", "a.tf", "a.php", "a.kt", "a.cmake", "Makefile",
    "a.pem", "Dockerfile", "deploy/Dockerfile.gpu", "requirements.txt", ".npmrc", "LICENSE", "a.unheard-of", "noname",
)  # fmt: skip
UNDECODABLE = "not UTF-8; not every rule could be tried on it"


def unreviewed(result: Result) -> dict[str, str]:
    """Return the reasons of each file, joined: a reader may add its own to ours."""
    reasons: dict[str, str] = {}
    for each in result.report()["unreviewed"]:
        reasons[each["path"]] = f"{reasons.get(each['path'], '')} {each['reason']}".strip()
    return reasons


def found(result: Result, rule: str) -> set[tuple[str, int]]:
    return {(each["path"], each["line"]) for each in result.report()["findings"] if each["rule"] == rule}


@pytest.mark.parametrize("bytes_before", [b"\0\0", b"\0" * 300, b"\0\0\xff", b"\0\0\xff\xfe\xfd\1\2\3" * 3])
def test_nul_bytes_make_no_binary_of_a_text(action: Action, bytes_before: bytes):
    names = [name for name in NAMES if name not in {"a.unheard-of", "noname"} or b"\1" not in bytes_before]
    text = b"# " + bytes_before + f"\ntoken = '{SECRET}'\n".encode()
    result = action.run(action.open(dict.fromkeys(names, text)))
    assert (result.code, result.outputs["verdict"]) == (3, "incomplete")
    assert found(result, "security/hardcoded-secret") == {(name, 2) for name in names}
    assert set(unreviewed(result)) == set(names)
    assert result.report()["no_text"] == []
    reason = UNDECODABLE if b"\xff" in bytes_before else "line 1 contains a NUL byte, so git and GitHub do not show"
    assert all(reason in each for each in unreviewed(result).values())


DISGUISED = (
    "import torch\n\nstate = ｔｏｒｃｈ.load(path)\n",
    "import yaml\n\nsettings = yaml.𝐥𝐨𝐚𝐝(text)\n",
    "from subprocess import ｒｕｎ\n",
    "class A:\n    def ｆorward(self):\n        pass\n",
    "value = ℯval(text)\n",
    'print(f"{𝐞𝐯𝐚𝐥(text)}")\n',
    "run(text, ｓhell=True)\n",
    "x = 'a'; torch﹍load = 1\n",
)


@pytest.mark.parametrize("code", DISGUISED)
def test_a_name_in_other_letters_than_python_reads_is_unreviewed(action: Action, code: str):
    result = action.run(action.open({"halcyon/a.py": f'"""Area in m²."""\n\n{code}'}))
    assert (result.code, result.outputs["verdict"]) == (3, "incomplete")
    assert "characters that Python reads as the name" in unreviewed(result)["halcyon/a.py"]


def test_letters_in_strings_comments_and_names_of_other_scripts_are_read(action: Action):
    code = (
        '"""Area in m²; Ｗｉｄｅ."""\n\n# n² and ﬁles\nunit = "m²"\nlabel = f"{unit} x²{unit}"\n'
        'größe = 1\nµ = 2\nalpha_β = "{ＡＢＣ}"\n'
    )
    assert unreviewed(action.run(action.open({"halcyon/a.py": code}))) == {}


def test_a_name_in_other_letters_that_the_change_leaves_alone_is_not_its_matter(action: Action):
    action.repository.commit({"halcyon/a.py": '"""A."""\n\nℓ = 1\n'})
    assert unreviewed(action.run(action.open({"halcyon/a.py": '"""A."""\n\nℓ = 1\nb = 2\n'}))) == {}


def test_nul_bytes_hide_no_unpinned_requirement(action: Action):
    line = "halcyon-core @ git+https://example.com/halcyon.git\n"
    result = action.run(action.open({"requirements.txt": f"# \0\0\n{line}"}))
    assert (result.code, set(unreviewed(result))) == (3, {"requirements.txt"})
    assert found(result, "deps/vcs-without-commit") == {("requirements.txt", 2)}


def test_nul_bytes_that_a_modification_brings_are_seen(action: Action):
    action.repository.commit({"a.txt": "one\ntwo\n"})
    result = action.run(action.open({"a.txt": f"one\n\0\0\0\0\n{SECRET}\ntwo\n"}))
    assert (result.code, set(unreviewed(result))) == (3, {"a.txt"})
    assert found(result, "security/hardcoded-secret") == {("a.txt", 3)}


def test_a_text_with_nul_bytes_that_is_deleted_needs_no_review(action: Action):
    old: dict[str, str | bytes | None] = {"a.txt": "\0\0\none\n", "b.py": b"\0\xff = 1\n"}
    action.repository.commit(old)
    result = action.run(action.open({"a.txt": None, "b.py": None}))
    assert (result.code, unreviewed(result)) == (0, {})


PNG = b"\x89PNG\r\n\x1a\n" + b"".join(
    struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    for kind, data in [
        (b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)),
        (b"IDAT", zlib.compress(b"\0\0")),
        (b"IEND", b""),
    ]
)


def _zip(compression: int) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", compression) as archive:
        archive.writestr("notes.txt", "only letters " * 100)
    return stream.getvalue()


def _tar() -> bytes:
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        data = b"only letters\n" * 100
        info = tarfile.TarInfo("notes.txt")
        info.size = len(data)
        archive.addfile(info, io.BytesIO(data))
    return stream.getvalue()


def _wav() -> bytes:
    stream = io.BytesIO()
    with wave.open(stream, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(1)
        sound.setframerate(8000)
        sound.writeframes(b"\0" * 400)
    return stream.getvalue()


def _sqlite(folder: Path) -> bytes:
    place = folder / "made.sqlite"
    with sqlite3.connect(place) as base:
        base.execute("create table notes (text text)")
        base.execute("insert into notes values (?)", ["only letters " * 50])
    base.close()
    return place.read_bytes()


def _safetensors() -> bytes:
    header = json.dumps({"w": {"dtype": "F32", "shape": [64], "data_offsets": [0, 256]}}).encode()
    return struct.pack("<Q", len(header)) + header + b"\0" * 256


def _compiled() -> bytes:
    import importlib.util
    import marshal

    code = marshal.dumps(compile("NOTE = '" + "only letters " * 100 + "'\n", "a.py", "exec"))
    return importlib.util.MAGIC_NUMBER + b"\0" * 12 + code


def test_real_binary_files_have_no_text_and_are_not_red(action: Action, tmp_path: Path):
    import gzip
    import pickle
    from random import Random

    noise = Random(7).randbytes(4_000)
    weights = struct.pack("<500f", 0.0, *(Random(7).gauss(0, 1) for _ in range(499)))
    files: dict[str, bytes] = {
        "a.png": PNG,
        "a.gif": b"GIF89a\1\0\1\0\0\0\0,\0\0\0\0\1\0\1\0\0\2\0;",
        "a.jpg": b"\xff\xd8\xff\xe0\0\x10JFIF\0\1" + noise,
        "a.ico": b"\0\0\1\0\1\0\x10\x10\0\0\1\0\4\0(\1\0\0\x16\0\0\0" + b"\0" * 280,
        "a.bmp": b"BM" + struct.pack("<IHHI", 86, 0, 0, 54) + b"(\0\0\0\4\0\0\0\2\0\0\0\1\0\x18\0" + b"\0" * 56,
        "a.wav": _wav(),
        "a.mp4": b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom" + noise,
        "a.pdf": b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj <</Length 9>> stream\n\0\1\2\n" + b"text " * 400 + b"\nendstream\n",
        "a.zip": _zip(zipfile.ZIP_STORED),
        "a.whl": _zip(zipfile.ZIP_DEFLATED),
        "empty.zip": b"PK\5\6" + b"\0" * 18,
        "a.tar": _tar(),
        "a.tar.gz": gzip.compress(_tar(), mtime=0),
        "a.sqlite": _sqlite(tmp_path),
        "a.npy": b"\x93NUMPY\1\0v\0{'descr': '<i8', 'fortran_order': False, 'shape': (9,), }".ljust(127) + b"\n" + b"\0" * 72,
        "a.safetensors": _safetensors(),
        "a.gguf": b"GGUF\3\0\0\0" + b"\0" * 16 + b"general.name" * 40,
        "a.pkl": pickle.dumps({"note": "only letters " * 100}, protocol=4),
        "a.pyc": _compiled(),
        "a.wasm": b"\0asm\1\0\0\0",
        "a.so": b"\x7fELF\2\1\1" + b"\0" * 9 + noise,
        "a.ttf": b"\0\1\0\0\0\x0c\0\x80\0\3\0@" + noise,
        "a.woff2": b"wOF2\0\1\0\0" + noise,
        "a.mo": b"\xde\x12\4\x95" + b"\0" * 24 + b"only letters\0" * 40,
        ".DS_Store": b"\0\0\0\1Bud1\0\0\x10\0\0\0\x08\0" + "icon.png".encode("utf-16-be") * 40,
        "weights.bin": weights,
        "weights": weights,
        "zeros.dat": b"\0" * 4_000,
        "small.dat": b"\0\1\2\3" * 200,
        "model.onnx": b"\x08\7\x12\7pytorch:\x9a\1\n" + b"\x12\x04\x08\1\x10\2\x1a\0" * 40,
        "noise.xyz": b"\0" + noise,
    }  # fmt: skip
    result = action.run(action.open(dict(files)))
    assert unreviewed(result) == {}
    assert {each["path"]: each["kind"] for each in result.report()["no_text"]} == dict.fromkeys(files, "binary")
    assert result.code == 0


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("clean.sh", b"#!/bin/sh\nexport T=%s\n#".ljust(257, b"\0") + b"ustar\x0000" + b"\0" * 247),
        ("a.cfg", b"\x89PNG\r\n\x1a\n\0\0\ntoken = %s\n"),
        ("Dockerfile", b"# \x7fELF\2\1\1\0\0\xff\nENV API_TOKEN=%s\n"),
        ("tool.tar", b"# \0\0\nexport T=%s\n"),
        ("logo.png", b"# \0\0\nexport T=%s\n"),
    ],
)
def test_the_first_bytes_of_a_binary_format_make_none_of_a_text(action: Action, name: str, data: bytes):
    result = action.run(action.open({name: data.replace(b"%s", SECRET.encode())}))
    assert (result.code, set(unreviewed(result))) == (3, {name})
    assert {path for path, _ in found(result, "security/hardcoded-secret")} == {name}


OWN_RULE = """id: no-drop
severity: error
message: This drops a table.
files: ["migrations/*.dml"]
text: {regex: DROP}
metadata: {confidence: high, show: line}
"""


def test_bytes_that_are_no_text_are_red_where_an_own_rule_names_the_file(action: Action):
    action.repository.commit({".github/review-bot/rules/drop.yml": OWN_RULE})
    data = b"\0\1\2\3\xff" * 40 + b"\nDROP TABLE users;\n"
    result = action.run(action.open({"migrations/1.dml": data, "data/1.dml": data}))
    assert result.code == 3
    assert unreviewed(result) == {"migrations/1.dml": "not text, although rules read files with such a name"}


OID = "oid sha256:" + "4d" * 32
VERSION = "version https://git-lfs.github.com/spec/v1"


@pytest.mark.parametrize(
    "text",
    [
        f"{VERSION}\noid a:0\nsize 1; export T={SECRET}\n",
        f"{VERSION}\n{OID}\nsize 1; export T={SECRET}\n",
        f"{VERSION}\next-1-a || T={SECRET}\n{OID}\nsize 1\n",
        f"{VERSION}; export T={SECRET}\n{OID}\nsize 1\n",
        f"{VERSION}\n{OID}; export T={SECRET}\nsize 1\n",
        f"{VERSION}\n{OID}\nsize 1\nexport T={SECRET}\n",
        f"{VERSION}\n{OID}\nsize 1\n\n{SECRET}",
        f"{VERSION}\nsize 1\n{OID}\nexport T={SECRET}\n",
        f"{VERSION}\nextra {SECRET}\n{OID}\nsize 1\n",
        f"{VERSION}\r\n{OID}\r\nsize 1 {SECRET}\r\n",
        f"export T={SECRET}\n{VERSION}\n{OID}\nsize 1\n",
    ],
)
def test_what_only_begins_like_an_lfs_pointer_is_text(action: Action, text: str):
    result = action.run(action.open({"scripts/clean.sh": text}))
    assert (result.code, result.report()["no_text"]) == (1, [])
    assert {path for path, _ in found(result, "security/hardcoded-secret")} == {"scripts/clean.sh"}


def test_a_text_below_an_lfs_pointer_is_text(action: Action):
    pointer = f"{VERSION}\n{OID}\nsize 12\n"
    rest = "".join(f"echo {number}\n" for number in range(9))
    action.repository.commit({"a.txt": f"{pointer}{rest}", "b.bin": pointer})
    changes = {"a.txt": f"{pointer.replace('12', '13')}{rest}", "b.bin": pointer.replace("12", "13")}
    result = action.run(action.open(changes))
    assert (result.code, result.report()["no_text"]) == (0, [{"path": "b.bin", "kind": "lfs"}])


def test_code_that_is_kept_in_lfs_is_not_reviewed(action: Action):
    action.repository.commit({"halcyon/steps.py": '"""A."""\n', "data/rows.csv": "a,b\n"})
    pointer = f"{VERSION}\n{OID}\nsize 12\n"
    changes = {".gitattributes": "*.py filter=lfs\n", "halcyon/steps.py": pointer, "data/rows.csv": pointer}
    result = action.run(action.open(changes))
    assert (result.code, set(unreviewed(result))) == (3, {"halcyon/steps.py"})
    assert "its text is not in the repository" in unreviewed(result)["halcyon/steps.py"]


NEL, LS, PS = "\x85", "\u2028", "\u2029"


@pytest.mark.parametrize(
    ("path", "text", "name"),
    [
        ("halcyon/a.py", '"""A."""\n# a note\rimport os\n', "a lone carriage return (U+000D)"),
        ("halcyon/a.py", '"""A."""\n# a note\r\r\nimport os\n', "a lone carriage return (U+000D)"),
        ("halcyon/a.pyi", '"""A."""\n# a note\rimport os\n', "a lone carriage return (U+000D)"),
        ("web/a.js", "let a;\n// a note\rrun()\n", "a lone carriage return (U+000D)"),
        ("web/a.js", f"let a;\n// a note{LS}run()\n", "U+2028 (line separator)"),
        ("web/a.tsx", f"let a;\n// a note{PS}run()\n", "U+2029 (paragraph separator)"),
        ("web/a.vue", f"let a;\n// a note{PS}run()\n", "U+2029 (paragraph separator)"),
        ("a.cs", f"int a;\n// a note{NEL}Run();\n", "U+0085 (next line)"),
        (".github/workflows/a.yml", f"on: push\n# a note{NEL}permissions: write-all\n", "U+0085 (next line)"),
        (".github/workflows/a.yml", f"on: push\n# a note{LS}permissions: write-all\n", "U+2028 (line separator)"),
        ("stage.yaml", "on: push\n# a note\rpermissions: write-all\n", "a lone carriage return (U+000D)"),
        ("pyproject.toml", "[project]\n# a note\rname = 'x'\n", "a lone carriage return (U+000D)"),
        ("requirements.txt", "numpy==2.0\n# a note\x0cevil @ git+https://x\n", "a form feed (U+000C)"),
        ("requirements/dev.in", f"numpy==2.0\n# a note{NEL}evil\n", "U+0085 (next line)"),
        ("requirements-dev.txt", "numpy==2.0\n# a note\x1eevil\n", "U+001E"),
        ("Dockerfile", "FROM a\n# a note\rENV A=b\n", "a lone carriage return (U+000D)"),
        ("run.sh", "ls\n# a note\rrm\n", "a lone carriage return (U+000D)"),
        ("a.cu", "int a;\n// a note\rrun();\n", "a lone carriage return (U+000D)"),
        (".env", "A=1\n# a note\rB=2\n", "a lone carriage return (U+000D)"),
        ("README.md", "A\n\n[a]: b\r# c\n", "a lone carriage return (U+000D)"),
    ],
)
def test_a_line_that_ends_for_its_reader_alone_is_not_reviewed(action: Action, path: str, text: str, name: str):
    result = action.run(action.open({path: text}))
    assert (result.code, set(unreviewed(result))) == (3, {path})
    line = 3 if path == "README.md" else 2
    assert f"line {line} contains {name}, which ends a line for " in unreviewed(result)[path]


def test_characters_that_end_no_line_for_their_reader_are_reviewed(action: Action):
    files = {
        "halcyon/text.py": f'"""Separators."""\n\nMARKS = "{LS}{PS}{NEL}"\n',
        "halcyon/form.py": '"""Feeds."""\n\x0c\nX = 1\n',
        "halcyon/dos.py": '"""Windows."""\r\n\r\nX = 1\r\n',
        "web/a.js": "let a;\r\n// a note\r\nrun()\r\n",
        "data/vocabulary.json": f'{{"{LS}": 1, "{NEL}": 2}}\n',
        "data/rows.csv": "a,b\rc,d\n",
        "notes.txt": f"one{NEL}two{LS}three\rfour\n",
        "pyproject.toml": f"# caf\xe9{NEL}{LS}\n[project]\nname = 'x'\n",
        "README.md": f"One{LS}two.\r\n",
    }
    result = action.run(action.open(files))
    assert (result.code, unreviewed(result)) == (0, {})


def test_a_character_on_a_line_that_was_there_makes_nothing_red(action: Action):
    old = "let a;\n// a note\rrun()\n" + "walk();\n" * 9
    action.repository.commit(
        {"web/a.js": old, "stage.yaml": f"a: 1\n# b{LS}c\n" + "".join(f"d{n}: 1\n" for n in range(9))}
    )
    changes = {
        "web/a.js": f"{old}more();\n",
        "stage.yaml": f"a: 2\n# b{LS}c\n" + "".join(f"d{n}: 1\n" for n in range(9)),
    }
    result = action.run(action.open(changes))
    assert (result.code, unreviewed(result)) == (0, {})


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        ("notes.txt", "halcyon/x.py", '# coding: utf-7\n"""A."""\n# note +AAo-import halcyon.outputs+AAo-\n'),
        ("notes.txt", "halcyon/x.py", '"""A."""\n# note\rimport halcyon.outputs\n'),
        ("notes.txt", "web/x.js", "// one\n// note\u2028run()\n"),
        ("notes.md", "web/x.ts", "// one\n// note\u2029run()\n"),
        ("run.sh", ".github/workflows/x.yaml", "on: push\n# note\x85permissions: write-all\n"),
        ("notes.txt", "requirements.txt", "numpy==2.0\n# note\x0cevil\n"),
        ("notes.txt", "run.sh", "ls\n# note\rrm\n"),
        ("web/x.js", "halcyon/x.py", "# coding: utf-7\n# one\n"),
    ],
)
@pytest.mark.parametrize("more", ["", "# the last line\n"])
def test_a_file_that_is_renamed_to_where_it_is_read_otherwise_is_not_reviewed(
    action: Action, old: str, new: str, text: str, more: str
):
    text += "# a line like others\n" * 12
    action.repository.commit({old: text})
    result = action.run(action.open({old: None, new: text + more}))
    assert (result.code, set(unreviewed(result))) == (3, {new})


def test_a_rename_among_readers_who_agree_is_reviewed(action: Action):
    text = "let a;\n// a note\rrun()\n"
    action.repository.commit({"web/a.js": text, "a.yaml": f"a: 1\n# b{LS}c\n"})
    result = action.run(
        action.open({"web/a.js": None, "web/b.jsx": text, "a.yaml": None, "b.yml": f"a: 1\n# b{LS}c\n"})
    )
    assert (result.code, unreviewed(result)) == (0, {})


@pytest.mark.parametrize("line", ["from halcyon.outputs import StepOutput", "import halcyon.outputs"])
def test_a_byte_order_mark_hides_no_import(action: Action, line: str):
    result = action.run(action.open({"halcyon/steps.py": f"\ufeff{line}\n"}))
    assert (result.code, result.outputs["errors"]) == (1, "1")
    assert found(result, "api/missing-module-import") == {("halcyon/steps.py", 1)}


def test_a_byte_order_mark_is_no_part_of_a_line(action: Action):
    """A line rule and a code rule name the same columns as without it, and other files see the text without it."""
    rules = {
        ".github/review-bot/rules/a.yml": OWN_RULE.replace("no-drop", "line").replace('files: ["migrations/*.dml"]\n', "")
        .replace("DROP", "^mark"),
        ".github/review-bot/rules/b.yml": "id: code\nlanguage: python\nseverity: error\nmessage: M.\n"
        "rule: {pattern: mark($A)}\nmetadata: {confidence: high, show: line}\n",
    }  # fmt: skip
    action.repository.commit(rules)
    result = action.run(action.open({"halcyon/a.py": "\ufeffmark(1)\n", "halcyon/b.py": "mark(1)\n"}))
    places = {
        (each["rule"], each["path"]): (each["line"], each["column"], each["end_column"])
        for each in result.report()["findings"]
        if each["rule"] in {"line", "code"}
    }
    assert places == {
        ("line", "halcyon/a.py"): (1, 1, 5), ("line", "halcyon/b.py"): (1, 1, 5),
        ("code", "halcyon/a.py"): (1, 1, 8), ("code", "halcyon/b.py"): (1, 1, 8),
    }  # fmt: skip


def test_attributes_of_the_change_make_nothing_generated_or_vendored(action: Action):
    attributes = "* -diff -text linguist-generated linguist-vendored linguist-documentation binary export-ignore\n"
    result = action.run(action.open({".gitattributes": attributes, "halcyon/steps.py": BAD, ".env": f"A={SECRET}\n"}))
    assert (result.code, result.outputs["errors"]) == (1, "2")
    assert unreviewed(result) == {}


@pytest.mark.parametrize("signs", [7, 9, 40])
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_markers_without_a_label_or_of_another_size_are_a_conflict(action: Action, signs: int, ends: str):
    lines = ["one", "<" * signs, "two", "|" * signs, "", "=" * signs, "three", ">" * signs, "four", ""]
    result = action.run(action.open({"data/names": ends.join(lines), "docs/a.md": ends.join(lines)}))
    assert result.code == 1
    assert found(result, "style/conflict-marker") == {
        (path, line) for path in ("data/names", "docs/a.md") for line in (2, 8)
    }


def test_lines_that_are_as_long_as_markers_are_no_titles(action: Action):
    text = "abcdefg\n<<<<<<<\nabcdefg\n=======\nabcdefg\n>>>>>>>\nabcdefg\n"
    result = action.run(action.open({"data/names": text}))
    assert (result.code, found(result, "style/conflict-marker")) == (1, {("data/names", 2), ("data/names", 6)})


def test_titles_and_quotes_are_no_conflict(action: Action):
    titles = "".join(f"{sign * 3}word\n{sign * 7}\n\ntext\n\n" for sign in "<=>|")
    quotes = "Title\n=======\n\n>>>>>>>> quoted\n\n>>>>>>>\n\n<<<<<<<<<<<<<<\n\n<<<<<<<<<<<<<<< x\n"
    result = action.run(action.open({"docs/a.rst": titles, "docs/b.md": quotes, "data/a.txt": quotes * 3}))
    assert (result.code, found(result, "style/conflict-marker")) == (0, set())


def test_a_secret_in_a_file_name_is_found(action: Action):
    names = [f"backup/{SECRET}", f"{SECRET}/a.py", f"token={SECRET}.txt"]
    result = action.run(action.open(dict.fromkeys([*names, "ghp_" + "x" * 36, f"my_{SECRET}_"], "x = 1\n")))
    reported = {each["path"] for each in result.report()["findings"] if each["rule"] == "security/secret-in-name"}
    assert (result.code, reported) == (1, set(names))
