"""Run inside the image build: makes the base image smaller, moves our packages in, compiles every module and template.

What goes: installers and build tools, what of the standard library needs a display or is for its own tests, the
fake GitHub, documentation and translations of the system (licences stay). Then no ``.py`` may be without its
``.pyc``; those are of the kind that Python does not check against the source (PEP 552), so that they hold whatever
happens to the times of the files.
"""

from __future__ import annotations

import compileall
import py_compile
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

LIBRARY = Path(sysconfig.get_path("stdlib"))
PACKAGES = Path(sysconfig.get_path("purelib"))
PROGRAMS = Path(sysconfig.get_path("scripts"))

NOT_IN_LIBRARY = (
    "config-3*", "ensurepip", "idlelib", "lib2to3", "pydoc_data", "test", "tkinter", "turtle.py", "turtledemo",
    "venv", "lib-dynload/_test*", "lib-dynload/_tkinter*", "lib-dynload/_ctypes_test*", "lib-dynload/xx*",
)  # fmt: skip
NOT_IN_PACKAGES = ("pip", "pip-*", "setuptools*", "_distutils_hack", "distutils-precedence.pth", "wheel*")
NOT_OURS = ("*/tests", "*/test", "google/re2_test*", "**/*.pyi")
PROGRAMS_THAT_STAY = ("python3.14", "python3", "python")
NOT_IN_SYSTEM = (
    "root/.cache", "root/.local", "usr/share/doc/*/[!c]*", "usr/share/doc/*/changelog*", "usr/share/info/*",
    "usr/share/locale/*", "usr/share/man/*", "var/cache/*", "var/lib/apt/lists/*", "var/log/*",
)  # fmt: skip


def main(added: Path) -> int:
    """Do it all; return 1 if a module is left without its compiled form."""
    for pattern in NOT_IN_LIBRARY:
        remove(LIBRARY, pattern)
    for pattern in NOT_IN_PACKAGES:
        remove(PACKAGES, pattern)
    for pattern in NOT_OURS:
        remove(added, pattern)
    for pattern in NOT_IN_SYSTEM:
        remove(Path("/"), pattern)
    for program in PROGRAMS.iterdir():
        if program.name not in PROGRAMS_THAT_STAY:
            delete(program)
    remove(PROGRAMS.parent, "include")
    remove(PROGRAMS.parent, "share/man")
    remove(PROGRAMS.parent, "lib/*.a")
    shutil.copytree(added, PACKAGES, dirs_exist_ok=True)
    for cache in list(LIBRARY.rglob("__pycache__")):
        delete(cache)
    compileall.compile_dir(
        LIBRARY, quiet=2, maxlevels=50, workers=1, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH
    )
    return report() or templates() or probe()


def remove(folder: Path, pattern: str) -> None:
    """Delete what matches a pattern below a folder."""
    for path in list(folder.glob(pattern)):
        delete(path)


def delete(path: Path) -> None:
    """Delete a file, a link or a folder."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def report() -> int:
    """Say how many modules there are, and which are not compiled."""
    modules = [path for path in LIBRARY.rglob("*.py") if "__pycache__" not in path.parts]
    bare = [path for path in modules if not (path.parent / "__pycache__" / f"{path.stem}.cpython-312.pyc").is_file()]
    print(f"{len(modules)} modules, {len(bare)} of them not compiled", file=sys.stderr)
    for path in bare:
        print(f"not compiled: {path}", file=sys.stderr)
    return 1 if bare else 0


def templates() -> int:
    """Compile the templates of the reports where they will lie, and return 1 if one is left out."""
    code = (
        "from review_bot.reports import markdown\n"
        "from review_bot.reports.page import markup\n"
        "for made in (markdown.environment(), markup.environment()):\n"
        "    for name in made.list_templates(extensions=['j2']): made.get_template(name)\n"
    )
    done = subprocess.run([sys.executable, "-I", "-c", code], check=False, env={})
    reports = PACKAGES / "review_bot/reports"
    sources = list(reports.rglob("*.j2"))
    compiled = [path for name in ("templates", "page/templates") for path in (reports / name / "__pycache__").glob("*")]
    print(f"{len(sources)} templates, {len(compiled)} of them compiled", file=sys.stderr)
    return 1 if done.returncode or len(compiled) != len(sources) else 0


def probe() -> int:
    """Start Review Bot as the image does and return 1 if it fails, or compiles anything that it imports."""
    command = [sys.executable, "-I", "-v", "-m", "review_bot", "--version"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    origins = re.findall(r"^# code object from '(.*)'$", done.stderr, re.MULTILINE)
    compiled_now = [path for path in origins if not path.endswith(".pyc")]
    print(
        f"{done.stdout.strip()}: {len(origins)} modules read, {len(compiled_now)} of them compiled at start-up",
        file=sys.stderr,
    )
    return 1 if done.returncode or not origins or compiled_now else 0


if __name__ == "__main__":
    raise SystemExit(main(Path(sys.argv[1])))
