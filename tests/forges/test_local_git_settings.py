"""No setting, variable or attribute of the user changes what is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.forges.local_reading import added, by_path, read, removed
from tests.git_repository import GitRepository

pytestmark = pytest.mark.usefixtures("no_user_settings")


SETTINGS = [
    "diff.noprefix=true",
    "diff.mnemonicPrefix=true",
    "color.ui=always",
    "color.diff=always",
    "diff.colorMoved=zebra",
    "diff.external=false",
    "diff.orderFile=order",
    "diff.renames=false",
    "diff.renames=copies",
    "diff.suppressBlankEmpty=true",
    "diff.algorithm=patience",
    "diff.context=0",
    "diff.interHunkContext=50",
    "diff.relative=true",
    "diff.indentHeuristic=false",
    "diff.wsErrorHighlight=all",
    "diff.ignoreSubmodules=all",
    "diff.submodule=log",
    "diff.dirstat=lines",
    "diff.autoRefreshIndex=false",
    "diff.driver.textconv=wc",
    "diff.driver.command=false",
    "diff.driver.binary=true",
    "diff.driver.xfuncname=^(.*)$",
    "interactive.diffFilter=false",
    "core.pager=false",
    "core.abbrev=4",
    "core.quotepath=true",
    "core.fsmonitor=false",
    "core.splitIndex=true",
    "core.untrackedCache=true",
    "log.showSignature=true",
    "status.showUntrackedFiles=no",
    "apply.whitespace=error",
]


@pytest.mark.parametrize("setting", SETTINGS)
def test_settings_of_the_user_change_nothing(
    repo: GitRepository, setting: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    body = "".join(f"line {n}\n" for n in range(30))
    repo.commit({"sub/a b.py": body + "\n\n", "sub/old.py": body.upper(), "ž.py": "1\n", "order": "z*\n"})
    repo.git("mv", "sub/old.py", "sub/moved.py")
    repo.write({".git/info/attributes": "*.py diff=driver\n"})
    repo.commit({"sub/a b.py": "new\n" + body + "\n\nend \n", "ž.py": "1\n2\n"})
    repo.write({"z.py": "1\n", "sub/a b.py": "new\n" + body + "\n\nother\n"})
    plain = read(repo, "HEAD~1", "HEAD"), read(repo, "HEAD~1")

    key, _, value = setting.partition("=")
    repo.git("config", key, value)
    monkeypatch.chdir(repo.folder / "sub")

    assert (read(repo, "HEAD~1", "HEAD", "."), read(repo, "HEAD~1", folder=".")) == plain
    assert by_path(plain[0])["sub/moved.py"].status == "renamed"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("GIT_EXTERNAL_DIFF", "false"),
        ("GIT_DIFF_OPTS", "--unified=0"),
        ("GIT_TRACE", "1"),
        ("GIT_TRACE2", "1"),
        ("GIT_LITERAL_PATHSPECS", "1"),
        ("GIT_ICASE_PATHSPECS", "1"),
        ("GIT_PAGER", "false"),
        ("GIT_CONFIG_PARAMETERS", "'diff.noprefix=true' 'diff.renames=false'"),
        ("LC_ALL", "de_DE.UTF-8"),
        ("GIT_ATTR_SOURCE", "HEAD"),
    ],
)
def test_variables_of_the_user_change_nothing(
    repo: GitRepository, name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.commit({"a.py": "1\n2\n3\n", ".gitattributes": "*.py -diff\n"})
    repo.commit({"a.py": "1\n2\n3\n4\n"})
    repo.write({"b.py": "1\n"})
    plain = read(repo, "HEAD~1")

    monkeypatch.setenv(name, value)

    assert read(repo, "HEAD~1") == plain
    assert {file.path for file in plain.files} == {"a.py", "b.py"}


@pytest.mark.parametrize("attribute", ["-diff", "binary", "diff=hidden", "-text", "linguist-generated -diff"])
def test_no_attribute_hides_source(repo: GitRepository, attribute: str) -> None:
    repo.git("config", "diff.hidden.binary", "true")
    repo.commit({".gitattributes": f"*.py {attribute}\n", "gone.py": "1\n", "old.py": "1\n2\n3\n4\n5\n6\n7\n"})
    repo.git("mv", "old.py", "moved.py")
    repo.commit({"a.py": "import os\n", "gone.py": None, "moved.py": "1\n2\n3\n4\n5\n6\n7\n8\n"})
    repo.write({"untracked.py": "import re\n"})

    for change in (read(repo, "HEAD~1", "HEAD"), read(repo, "HEAD~1")):
        assert added(change, "a.py") == [(1, "import os")]
        assert removed(change, "gone.py") == [(1, "1")]
        assert (by_path(change)["moved.py"].status, added(change, "moved.py")) == ("renamed", [(8, "8")])
        assert change.unreviewed == ()
    assert added(change, "untracked.py") == [(1, "import re")]


def test_attributes_of_the_user_do_not_hide_source(repo: GitRepository, tmp_path: Path) -> None:
    (tmp_path / "attributes").write_text("*.py -diff\n")
    repo.git("config", "core.attributesFile", str(tmp_path / "attributes"))
    repo.commit({"a.py": "1\n"})
    repo.commit({"a.py": "1\n2\n"})

    assert added(read(repo, "HEAD~1", "HEAD"), "a.py") == [(2, "2")]
