"""``SUGGESTED_FIXES.md`` and ``fixes.patch``: of a real repository, and of hostile text."""

from __future__ import annotations

import pytest

from review_bot.findings import Examination, Fix, Fixes, SkippedFix, Suggestion
from review_bot.reports import fixes_patch, suggested_fixes
from tests.command import run_command
from tests.git_repository import GitRepository
from tests.reviews import changed, finding, review_of

CODE = '''"""Runs."""

import os

import numpy as np
import torch


def load(data: bytes) -> torch.Tensor:
    """Load."""
    return torch.from_numpy(np.frombuffer(data, dtype=np.float32))


def run(x):
    """Run."""
    try:
        rows = os.fspath(x)
    except Exception:
        pass'''


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    repository = GitRepository(tmp_path_factory.mktemp("fixes") / "repo")
    repository.commit({"pkg/__init__.py": ""}, "one")
    repository.git("checkout", "--quiet", "-b", "work")
    repository.commit({"pkg/run.py": CODE})
    folder = repository.folder.parent / "out"
    run_command(["review", "-C", repository.folder, "main..work", "--export", folder])
    return repository, {path.name: path.read_text() for path in folder.iterdir()}


def test_the_patch_applies_to_a_checkout_of_the_head(exported):
    repository, files = exported
    repository.git("apply", "--check", "-", given=files["fixes.patch"].encode())


def test_a_fix_of_another_line_names_it():
    found = finding(path="a.py", line=1, end_line=1, suggestion=Suggestion(3, 3, ""))
    fix = Fix("a.py", found.rule, (found.fingerprint,), Suggestion(3, 3, ""))
    review = review_of([changed("a.py", "@@ -0,0 +1,3 @@\n+import os\n+\n+import os\n")], Examination((found,)))
    text = suggested_fixes.render(review._replace(fixes=Fixes((fix,), ())))
    assert "\n\nSuggestion, on line 3:\n\n```diff\n-import os\n```" in text


def test_the_document_tells_what_is_certain_then_what_to_do(exported):
    _, files = exported
    text = files["SUGGESTED_FIXES.md"]
    assert "2 verified fixes" in text
    order = ["## Automatic fixes", "git apply fixes.patch", "-    return torch.from_numpy(np.frombuffer(data, dtype=np.float32))", "### Minor fixes",
             "`style/eof-newline`", "## Manual fixes", "Exception swallowed", "Warning · 15 min", "**Instead.**",
             "> 18 |     except Exception:"]  # fmt: skip
    places = [text.find(each) for each in order]
    assert -1 not in places, dict(zip(order, places, strict=True))
    assert places == sorted(places)


BODY = "@@ -0,0 +1,2 @@\n+[click](https://evil.example) ``` @all <img>\n+b\n"
HOSTILE = finding(
    path="a`b\n](x).py", line=1, end_line=1, message="<script>", title="@everyone", suggestion=Suggestion(1, 1, "c")
)


def reviewed(**facts):
    file = changed(HOSTILE.path, BODY, status="added", old_path=None)
    return review_of([file], Examination(findings=(HOSTILE,)))._replace(**facts)


def test_hostile_text_is_code_or_escaped():
    fix = Fix(HOSTILE.path, HOSTILE.rule, (HOSTILE.fingerprint,), Suggestion(1, 1, "c"))
    for fixes in (Fixes((fix,)), Fixes((), (SkippedFix(fix, "because"),)), Fixes(), None):
        text = suggested_fixes.render(reviewed(fixes=fixes))
        outside = "".join(part for number, part in enumerate(text.split("````")) if number % 2 == 0)
        for bad in ("<script>", "<img>", "@everyone", "](x)", "](https"):
            assert bad not in outside.replace("a`b\\u000a](x).py", "")


def test_without_proof_it_says_so():
    assert "Fixes were not verified in this run" in suggested_fixes.render(reviewed(fixes=None))
    assert "No verified fixes" in suggested_fixes.render(reviewed(fixes=Fixes()))
    assert fixes_patch.render(reviewed(fixes=Fixes())) == ""


def test_much_is_cut_to_its_size():
    many = [finding(line=n, end_line=n, message=f"No {n}. " + "x" * 900, rule=f"own/r{n}") for n in range(1, 400)]
    body = "@@ -0,0 +1,400 @@\n" + "+x\n" * 400
    text = suggested_fixes.render(review_of([changed("engine/run.py", body)], Examination(findings=tuple(many))))
    assert len(text.encode()) <= suggested_fixes.LONGEST
    assert "more rules reported findings" in text
