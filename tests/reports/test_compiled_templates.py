"""Compiled templates are kept beside their sources; whatever is wrong there, the text is right."""

import subprocess
import sys

import pytest
from jinja2 import Environment, FileSystemLoader

from review_bot.reports.compiled_templates import CompiledTemplates

SAY = "import sys\nfrom tests.reports.test_compiled_templates import rendered\nprint(rendered(sys.argv[1]))"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "a.j2").write_text("one {{ value }}")
    return tmp_path


def rendered(folder):
    environment = Environment(loader=FileSystemLoader(folder), bytecode_cache=CompiledTemplates(str(folder)))
    return environment.get_template("a.j2").render(value="two")


def kept(folder):
    return sorted((folder / "__pycache__").glob("*"))


@pytest.fixture(autouse=True)
def bytecode(monkeypatch):
    monkeypatch.setattr(sys, "dont_write_bytecode", False)


def test_the_second_time_it_is_there(folder):
    assert rendered(folder) == "one two"
    (path,) = kept(folder)
    before = path.stat().st_mtime_ns, path.read_bytes()
    assert rendered(folder) == "one two"
    assert (path.stat().st_mtime_ns, path.read_bytes()) == before


def test_another_process_reads_it(folder):
    rendered(folder)
    before = [path.stat().st_mtime_ns for path in kept(folder)]
    done = subprocess.run([sys.executable, "-c", SAY, folder], capture_output=True, text=True, check=True)
    assert done.stdout == "one two\n"
    assert [path.stat().st_mtime_ns for path in kept(folder)] == before


def test_a_template_that_changed_is_compiled_anew(folder):
    rendered(folder)
    (folder / "a.j2").write_text("three {{ value }}")
    assert rendered(folder) == "three two"


@pytest.mark.parametrize("broken", [b"", b"x" * 100, None])
def test_a_broken_file_is_replaced(folder, broken):
    rendered(folder)
    (path,) = kept(folder)
    whole = path.read_bytes()
    path.write_bytes(whole[:-5] if broken is None else broken)
    assert rendered(folder) == "one two"
    assert path.read_bytes() == whole


def test_where_nothing_can_be_written_nothing_is(folder):
    (folder / "__pycache__").write_text("a file where the folder should be")
    assert rendered(folder) == "one two"
    (folder / "__pycache__").unlink()
    sys.dont_write_bytecode = True
    assert rendered(folder) == "one two"
    assert not (folder / "__pycache__").exists()
