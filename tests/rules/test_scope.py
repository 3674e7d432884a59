from __future__ import annotations

import pytest

from review_bot.rules.scope import is_document, is_test, is_vendored, release_of


@pytest.mark.parametrize(
    "path",
    [
        "tests/engine/run.py",
        "unit_tests/server/run.py",
        "integration-tests/fixtures/service.py",
        "autotest/tools/run.py",
        "python/e2e_test/run.py",
        "engine/test_run.py",
        "engine/run_test.py",
        "engine/conftest.py",
        "engine/unit_tests.py",
        "engine/tests.py",
        "engine/unittest_run.py",
    ],
)
def test_a_path_that_holds_tests(path: str) -> None:
    assert is_test(path)


@pytest.mark.parametrize("path", ["engine/latest/run.py", "contest/run.py", "engine/testing.py", "tester/run.py"])
def test_a_path_that_does_not(path: str) -> None:
    assert not is_test(path)


def test_folders_with_others_sources() -> None:
    assert all(map(is_vendored, ["third_party/a/b.py", "pkg/_vendor/b.py", "Third-Party/b.md", "a/3rdparty/b.cu"]))
    assert not any(map(is_vendored, ["vendor.py", "vendor_api/b.py", "pkg/third.py"]))


def test_documents() -> None:
    assert all(map(is_document, ["README.md", "docs/a.RST", "b.mdx", "c.markdown"]))
    assert not any(map(is_document, ["md", "a.md.py", "a.txt"]))


@pytest.mark.parametrize(
    ("path", "folder"),
    [
        ("site/versions/v0.5.9/pages/serve.mdx", "v0.5.9"),
        ("versioned_docs/version-2/serve.md", "version-2"),
        ("versioned_docs/version-kiwi/serve.md", "version-kiwi"),
        ("docs/version-1.2/serve.md", "version-1.2"),
        ("docs/0.4.x/serve.md", "0.4.x"),
        ("docs/v1.0rc2/serve.md", "v1.0rc2"),
        ("docs/latest/serve.md", ""),
        ("engine/v1/run.py", ""),
        ("models/llama3.1/run.py", ""),
        ("docs/v0.5.9.md", ""),
        ("versioned_docs/serve.md", ""),
    ],
)
def test_the_folder_of_a_release(path: str, folder: str) -> None:
    assert release_of(path) == folder
