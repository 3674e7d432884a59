"""Path patterns match what ast-grep matches: each pattern is tried by us and by ``ast-grep scan`` over the same files."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from review_bot.text import globs
from review_bot.text.globs import compile_glob, matches_any
from tests.ast_grep import AST_GREP

PATHS = [
    "a.py",
    "ab.py",
    "src/a.py",
    "src/x/a.py",
    "src/x/y/test_a.py",
    "tests/conftest.py",
    "tests/deep/er/conftest.py",
    "conftest.py",
    "A.py",
    "SRC/b.py",
    "x,y.py",
    "brace{x}.py",
    "star*.py",
    "class[a].py",
    "caf\u00e9.py",
    "\u6587\u4ef6/m.py",
    "a-b.py",
    "a]b.py",
    ".hidden/a.py",
    "src.py",
    "srcx/a.py",
    "back\\slash.py",
]
GLOBS = [
    "*.py", "a.py", "./a.py", "**/a.py", "**", "**/", "*", "?.py", "??.py", "src/*", "src/**", "src/*.py", "src/**/*.py",
    "src/**/a.py", "src**", "src**/a.py", "**src/**", "src/***", "src/**x/a.py", "**/**/a.py", "src/**/**/a.py", "**/*",
    "/src/a.py", "src", "src/", "tests/**/conftest.py", "**/conftest.py", "{a,ab}.py", "{src,tests}/**", "{,src/}a.py",
    "{src/**,tests/**}", "{**/a.py,A.py}", "{**,x}", "{a,{ab,A}}.py", "{}a.py", "[a].py", "[!a].py", "[^a].py", "[A-a].py",
    "[]a]*.py", "[!]a]*.py", "a[]-]b.py", "a[-x]b.py", "a[x-]b.py", "a[+--]b.py", "x,y.py", "x[,]y.py", "brace\\{x\\}.py",
    "star\\*.py", "class\\[a\\].py", "caf?.py", "caf??.py", "caf\u00e9.py", "[\u00e0-\u00e9]af\u00e9.py", "caf[\u00e9]*.py", "\u6587*/*",
    "*\\\\*", "src/x/**/test_*.py", "**/.*/**", ".*", "*/*/*", "a*b*.py", "", "s?c/a.py", "src[/]a.py", "src?a.py",
]  # fmt: skip


def found_by_ast_grep(folder: Path, globs: list[tuple[str, bool]]) -> dict[str, set[str]]:
    documents = [
        {
            "id": str(number),
            "language": "python",
            "rule": {"kind": "module"},
            "files": [{"glob": glob, "caseInsensitive": True} if ignore_case else glob],
        }
        for number, (glob, ignore_case) in enumerate(globs)
    ]
    rules = folder / "rules.yml"
    rules.write_text("\n---\n".join(json.dumps(document) for document in documents))
    command = [AST_GREP, "scan", "-r", str(rules), "--json=stream", "--no-ignore", "hidden", "."]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    found: dict[str, set[str]] = {str(number): set() for number in range(len(globs))}
    for line in run.stdout.splitlines():
        match = json.loads(line)
        found[match["ruleId"]].add(match["file"].removeprefix("./"))
    return found


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tree")
    for path in PATHS:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text("x = 1\n")
    return folder


@pytest.mark.parametrize("ignore_case", [False, True])
def test_a_pattern_matches_the_same_paths_as_in_ast_grep(tree, ignore_case):
    theirs = found_by_ast_grep(tree, [(glob, ignore_case) for glob in GLOBS])

    ours = {
        str(number): {path for path in PATHS if matches_any([("(?i)" if ignore_case else "") + glob], path)}
        for number, glob in enumerate(GLOBS)
    }

    assert {GLOBS[int(n)]: paths for n, paths in ours.items()} == {GLOBS[int(n)]: p for n, p in theirs.items()}
    assert sum(bool(paths) for paths in ours.values()) > 50


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("a[b", "'[' without a ']'"),
        ("a{b", "'{' without a '}'"),
        ("a}b", "'}' without a '{'"),
        ("a[z-a]", "runs backwards"),
        ("a\\", "ends in a backslash"),
        ("{a,{b}", "'{' without a '}'"),
    ],
)
def test_a_broken_pattern_says_what_is_wrong_and_ast_grep_refuses_it_too(tmp_path, pattern, words):
    with pytest.raises(ValueError, match=re.escape(words)):
        compile_glob(pattern)

    (tmp_path / "a.py").write_text("x = 1\n")
    rule = {"id": "x", "language": "python", "rule": {"kind": "module"}, "files": [pattern]}
    (tmp_path / "r.yml").write_text(json.dumps(rule))
    assert subprocess.run([AST_GREP, "scan", "-r", "r.yml"], cwd=tmp_path, capture_output=True, check=False).returncode


def test_a_long_path_against_many_stars_takes_no_time():
    assert not matches_any(["*_*_*_*_*_*.py"], "_" * 4000)
    assert matches_any(["*_*_*_*_*_*.py"], "_" * 4000 + ".py")


@given(
    st.text(alphabet="ab*?/{},[]!-\\.\u00e9", max_size=12), st.text(alphabet="ab/.,-\u00e9\n", min_size=1, max_size=10)
)
def test_both_of_our_engines_give_one_answer(pattern, path):
    try:
        matches = compile_glob(pattern)
    except ValueError:
        return
    regex = globs._Translation(pattern).regex()
    encoded = path.encode()
    assert bool(matches(encoded)) == bool(globs._linear(regex, ignore_case=False)(encoded))


PLAIN = st.text("ab/.*", min_size=1, max_size=6)


@given(
    pattern=st.tuples(st.sampled_from(["", "*", "**/", "**/*", "./"]), PLAIN, st.sampled_from(["", "/**"])).map(
        "".join
    ),
    path=st.text("ab/.", max_size=10),
)
def test_the_usual_forms_match_what_their_regular_expression_matches(pattern, path):
    simple = globs.simple_matcher(pattern)
    if simple is not None:
        regex = globs._Translation(pattern).regex()
        assert bool(simple(path.encode())) == bool(re.fullmatch(regex, path.encode(), re.DOTALL))


@pytest.mark.parametrize(
    "pattern",
    ["a.py", "*.py", "**/conftest.py", "**/*.py", "tests/**", "**/tests/**", "**/*http*.py", "**/api_*", "**/a*/**"],
)
def test_the_usual_forms_need_no_regular_expression(pattern):
    assert globs.simple_matcher(pattern) is not None
