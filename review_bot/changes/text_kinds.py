r"""What a file's name promises: text, and where its readers end a line; or a binary format, and how that begins.

git, GitHub, tree-sitter and the rules end a line at ``\n`` alone, ``\r\n`` included. Some readers end it elsewhere too,
so that what looks like a comment holds a line of code for them::

    // note<U+2028>run()          JavaScript    U+000D, U+2028, U+2029
    # note<CR>import os           Python        U+000D
    # note<NEL>on: push           YAML 1.1      U+000D, U+0085, U+2028, U+2029
    # note<FF>git+https://host    pip           all that ``str.splitlines`` knows

Sources: https://docs.python.org/3/reference/lexical_analysis.html#physical-lines,
https://tc39.es/ecma262/#sec-line-terminators, https://yaml.org/spec/1.1/#id871136 (1.2 keeps U+000D alone),
https://toml.io/en/v1.0.0#spec, https://spec.commonmark.org/0.31.2/#line-ending, ``parse_requirements`` of pip,
section 6.3.1 of the C# standard, https://docs.soliditylang.org/en/latest/grammar.html.
"""

from __future__ import annotations

from functools import lru_cache

from review_bot.records import NamedTuple
from review_bot.text.lazy_regex import LazyRegex


class TextKind(NamedTuple):
    r"""A kind of text. ``reader``: who reads it; ``line_ends``: characters that end a line for it, ``\n`` aside.

    ``is_data``: nothing of it runs or configures anything.
    """

    reader: str
    line_ends: str
    is_data: bool = False

    @property
    def is_prose(self) -> bool:
        """Whether people read it, or programs as data alone."""
        return self.is_data or self.reader in {"Markdown", "docutils"}


_PYTHON = TextKind("Python", "\r")
_CODE = TextKind("some programs", "\r")
_DATA = TextKind("some programs", "", is_data=True)
_SPLITLINES = "\x0b\x0c\r\x1c\x1d\x1e\x85\u2028\u2029"

_SUFFIXES: tuple[tuple[TextKind, str], ...] = (
    (_PYTHON, "py py3 pyi pyw pyx pxd pxi bzl bazel build star"),
    (TextKind("JavaScript", "\r\u2028\u2029"), "cjs cts htm html js jsx mjs mts svelte ts tsx vue xhtml"),
    (TextKind("YAML", "\r\x85\u2028\u2029"), "yaml yml"),
    (TextKind("C#", "\r\x85\u2028\u2029"), "cs csx"),
    (TextKind("Solidity", "\x0b\x0c\r\u2028\u2029"), "sol"),
    (TextKind("docutils", _SPLITLINES), "rst"),
    (TextKind("TOML", "\r"), "toml"),
    (TextKind("Markdown", "\r"), "markdown md mdx"),
    (
        _CODE,
        (
            "adoc asm astro awk bash bash_profile bashrc bat bats c c++ cc cfg cgi clj cljs cmake cmd cnf command "
            "conf cpp css cu cuh cxx d dart dockerfile containerfile editorconfig ejs el elm env erb erl ex exs f "
            "f03 f08 f77 f90 f95 fcgi fish fs fsx gemspec gn gni go gql gradle graphql groovy h h++ haml hbs hcl "
            "hh hip hpp hrl hs hxx in inc inl ini ino ipp j2 java jinja jinja2 jl jsonnet just kdl ksh kt ktm kts "
            "less lhs lisp ll lua m m4 mak make metal mk ml mli mm mod nim nix nomad nsi pas php php3 php4 php5 "
            "phtml pl plist pm po pod pp prisma pro profile properties proto ps1 psd1 psm1 pug r rake rb rbw rego "
            "rkt rs ru s sass sbt sc scala scm scss service sh sql sv svh swift tcl tex tf tfvars thrift timer "
            "tmpl tmux tool tpl twig v vb vbs vhd vhdl vim wgsl workflow wsgi zig zsh"
        ),
    ),
    (
        _DATA,
        (
            "asc bib cert cff cer crt csr csv diff geojson gltf ipynb json json5 jsonc jsonl key lock log map "
            "ndjson patch pem pot pub srt sum svg text tsv txt vtt webmanifest xlf xliff xml xsd xsl xslt"
        ),
    ),
)
_BY_SUFFIX = {suffix: kind for kind, suffixes in _SUFFIXES for suffix in suffixes.split()}
_REQUIREMENTS = LazyRegex(r"(?s)(?=.*\.(?:txt|in)$).*(?:requirement|constraint)")
_REQUIREMENTS_FOLDER = LazyRegex(r"(?:^|/)requirement[^/]*/")
_IN_REQUIREMENTS = LazyRegex(r"[^.]*(?:\.txt|\.in)?")
_PIP = TextKind("pip", _SPLITLINES)
_ATTRIBUTES = TextKind("git", "\r")
_WITH_ENCODINGS = (_PYTHON, _PIP, _ATTRIBUTES)
"""What declares how bytes are read or written."""

_NAMES = LazyRegex(
    r"[^/]*(?:dockerfile|containerfile|makefile|jenkinsfile)[^/]*|(?:pip|gem|rake|proc|vagrant|just|brew|earth|tilt|pod|"
    r"fast|app)file|build|workspace|sconstruct|sconscript|codeowners|gradlew|configure|kconfig|cmakelists\.txt|"
    r"(?:license|licence|notice|copying|readme|changelog|changes|authors|contributing|version)|\..*"
)


@lru_cache(maxsize=4096)
def text_kind(path: str) -> TextKind | None:
    """Return the kind of text that a path promises, or None: it may be anything."""
    name = path.rpartition("/")[2].lower()
    suffix = name.rpartition(".")[2] if "." in name else ""
    if suffix in _SIGNATURES:
        return None
    if _REQUIREMENTS.match(name) or (_IN_REQUIREMENTS.fullmatch(name) and _REQUIREMENTS_FOLDER.search(path.lower())):
        return _PIP
    if name == ".gitattributes":
        return _ATTRIBUTES
    kind = _BY_SUFFIX.get(suffix)
    if (kind is None or kind.is_data) and _NAMES.fullmatch(name):
        return _CODE
    return kind


def is_read_otherwise(old: str, new: str) -> bool:
    """Return whether a rename from ``old`` to ``new`` gives a text to readers who may understand it differently."""
    before, after = text_kind(old), text_kind(new)
    if after is None or before == after:
        return False
    return before is None or not set(after.line_ends) <= set(before.line_ends) or after in _WITH_ENCODINGS


def _signatures(*formats: tuple[str, tuple[tuple[int, bytes], ...]]) -> dict[str, tuple[tuple[int, bytes], ...]]:
    return {suffix: marks for suffixes, marks in formats for suffix in suffixes.split()}


_ZIP = ((0, b"PK\3\4"), (0, b"PK\5\6"), (0, b"PK\7\x08"))
_OBJECT = (
    (0, b"\x7fELF"), (0, b"MZ"), (0, b"\xcf\xfa\xed\xfe"), (0, b"\xce\xfa\xed\xfe"), (0, b"\xca\xfe\xba\xbe"),
    (0, b"\xfe\xed\xfa\xce"), (0, b"\xfe\xed\xfa\xcf"),
)  # fmt: skip
_FONT = ((0, b"\0\1\0\0"), (0, b"OTTO"), (0, b"true"), (0, b"ttcf"))
_TIFF = ((0, b"II*\0"), (0, b"MM\0*"))
_SIGNATURES = _signatures(
    ("png apng", ((0, b"\x89PNG\r\n\x1a\n"),)),
    ("jpg jpeg jfif", ((0, b"\xff\xd8\xff"),)),
    ("gif", ((0, b"GIF87a"), (0, b"GIF89a"))),
    ("bmp", ((0, b"BM"),)),
    ("ico", ((0, b"\0\0\1\0"),)),
    ("cur", ((0, b"\0\0\2\0"),)),
    ("tif tiff dng", _TIFF),
    ("webp wav avi", ((0, b"RIFF"),)),
    ("heic heif avif mp4 m4a m4v mov", ((4, b"ftyp"),)),
    ("psd", ((0, b"8BPS"),)),
    ("icns", ((0, b"icns"),)),
    ("ogg oga ogv opus", ((0, b"OggS"),)),
    ("flac", ((0, b"fLaC"),)),
    ("mp3", ((0, b"ID3"), (0, b"\xff\xfb"), (0, b"\xff\xf3"), (0, b"\xff\xf2"))),
    ("mkv webm", ((0, b"\x1a\x45\xdf\xa3"),)),
    ("pdf ai", ((0, b"%PDF-"),)),
    ("zip whl jar war egg apk aar npz docx xlsx pptx odt ods odp epub nupkg vsix xpi ckpt", _ZIP),
    ("pt pth", (*_ZIP, (0, b"\x80\2"))),
    ("pkl pickle joblib", tuple((0, bytes([0x80, protocol])) for protocol in range(2, 6))),
    ("gz tgz", ((0, b"\x1f\x8b"),)),
    ("bz2", ((0, b"BZh"),)),
    ("xz txz", ((0, b"\xfd7zXZ\0"),)),
    ("zst", ((0, b"\x28\xb5\x2f\xfd"),)),
    ("lz4", ((0, b"\x04\x22\x4d\x18"),)),
    ("7z", ((0, b"7z\xbc\xaf\x27\x1c"),)),
    ("rar", ((0, b"Rar!\x1a\7"),)),
    ("tar", ((257, b"ustar"),)),
    ("npy", ((0, b"\x93NUMPY"),)),
    ("safetensors", ((8, b"{"),)),
    ("gguf", ((0, b"GGUF"),)),
    ("h5 hdf5 keras", ((0, b"\x89HDF\r\n\x1a\n"), *_ZIP)),
    ("parquet", ((0, b"PAR1"),)),
    ("arrow feather", ((0, b"ARROW1"),)),
    ("sqlite sqlite3 db", ((0, b"SQLite format 3\0"),)),
    ("mat", ((0, b"MATLAB 5.0"), (0, b"\x89HDF"))),
    ("ttf otf ttc", _FONT),
    ("woff", ((0, b"wOFF"),)),
    ("woff2", ((0, b"wOF2"),)),
    ("eot", ((34, b"LP"),)),
    ("so dll exe dylib o elf pyd ko", _OBJECT),
    ("a lib", ((0, b"!<arch>\n"),)),
    ("class", ((0, b"\xca\xfe\xba\xbe"),)),
    ("pyc pyo", ((2, b"\r\n"),)),
    ("wasm", ((0, b"\0asm"),)),
    ("mo gmo", ((0, b"\xde\x12\4\x95"), (0, b"\x95\4\x12\xde"))),
    ("ds_store", ((4, b"Bud1"),)),
    ("xls doc ppt msi", ((0, b"\xd0\xcf\x11\xe0"),)),
)


def has_signature(path: str, data: bytes) -> bool:
    """Return whether a file is of the binary format that its suffix names: it begins as such a file does."""
    suffix = path.rpartition("/")[2].lower().rpartition(".")[2]
    return any(data.startswith(mark, offset) for offset, mark in _SIGNATURES.get(suffix, ()))


def names_binary(path: str) -> bool:
    """Return whether a path has the suffix of a binary format."""
    return path.rpartition("/")[2].lower().rpartition(".")[2] in _SIGNATURES
