"""Prints the oldest and the newest interpreter of this machine that Review Bot supports, one path a line.

Where the newest supported version is not installed, Debian's is unpacked into FOLDER. What cannot be had is named on
standard error, and the next best is taken::

    python3 .ci/find_pythons.py FOLDER
"""

import glob
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
SYSTEM = "/usr/bin/python3"
PROBE = (
    "import ensurepip, sys, venv; v = sys.version_info; assert v.releaselevel == 'final'; print(*v[:3], sys.executable)"
)


def supported():
    """Return the supported versions, as pyproject.toml names them."""
    project = tomllib.loads((HERE.parent / "pyproject.toml").read_text())["project"]
    found = (re.fullmatch(r"Programming Language :: Python :: 3\.(\d+)", each) for each in project["classifiers"])
    return sorted((3, int(each[1])) for each in found if each)


def probe(candidate):
    """Return (version, path) of a released interpreter that can make a virtual environment, or None."""
    try:
        done = subprocess.run([candidate, "-c", PROBE], capture_output=True, text=True, check=False)
    except OSError:
        return None
    major, minor, patch, path = done.stdout.strip().split(" ", 3) if done.returncode == 0 else "0000"
    return ((int(major), int(minor), int(patch)), path) if path != "0" else None


def install(*packages):
    """Install packages of Debian, as root. Return whether they are there now."""
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    commands = (["update"], ["install", "--no-install-recommends", *packages])
    try:
        return os.geteuid() == 0 and all(
            subprocess.run(["apt-get", "-qq", *each], stdout=sys.stderr, env=environment, check=False).returncode == 0
            for each in commands
        )
    except OSError:
        return False


def unpack(version, folder):
    """Return (version, path) of Debian's own interpreter of a version, unpacked into a folder, or None."""
    if subprocess.run(["which", "patchelf"], capture_output=True, check=False).returncode and not install("patchelf"):
        return None
    done = subprocess.run([HERE / "unpack-python", version, folder], stdout=subprocess.PIPE, text=True, check=False)
    return probe(done.stdout.strip()) if done.returncode == 0 else None


def main():
    """Print the two paths."""
    versions = supported()
    if os.path.exists(SYSTEM) and probe(SYSTEM) is None and not install("python3-venv"):
        print(f"CI: {SYSTEM} has no venv, and python3-venv cannot be installed: left out", file=sys.stderr)
    candidates = [SYSTEM, sys.executable, *glob.glob(os.path.expanduser("~/.pyenv/versions/3.*/bin/python3"))]
    candidates += [f"python{major}.{minor}" for major, minor in versions]
    found = {each for each in map(probe, candidates) if each is not None and each[0][:2] in versions}
    print(min(found)[1], flush=True)  # whoever reads may go on while the newest is fetched
    newest = ".".join(map(str, versions[-1]))
    if max(found)[0][:2] != versions[-1]:
        unpacked = unpack(newest, sys.argv[1])
        if unpacked is None:
            print(f"CI: Python {newest} cannot be had here; the newest of this machine is taken", file=sys.stderr)
        else:
            found.add(unpacked)
    print(max(found)[1])


main()
