"""Makes a release of main, as far as a commit and tags go; ``.github/workflows/release.yml`` does the rest.

python3 image/release.py cut 0.2.0            name the entries below "Unreleased" after a version (for a pull request)
python3 image/release.py notes                print the release notes of the version that is checked out
python3 image/release.py commit sha256:0123   pin the image, commit that, and tag it v0.2.0 and v0; nothing is pushed
python3 image/release.py rehearse             do all of it in a temporary clone, and print what would be released

A release is a commit whose ``action.yml`` names the image by its digest; it differs from main in that line alone. The
tag of a version never moves. The tag of a major version (``v0``) moves with each release.
"""

from __future__ import annotations

import argparse
import datetime as dt
import re
import subprocess
import sys
import tempfile
from pathlib import Path

FROM_SOURCE = "  image: Dockerfile\n"
RELEASED = "  image: docker://ghcr.io/review-bot/review-bot@{digest}\n"
UNRELEASED = "## [Unreleased]\n"
# GitHub refuses longer bodies of releases: https://docs.github.com/en/rest/releases/releases (counted in code points)
MOST_NOTES = 125_000
IDENTITY = ("-c", "user.name=review-bot", "-c", "user.email=review-bot@users.noreply.github.com")


class ReleaseError(Exception):
    """Something that a release needs is not there; the text says what, in which file."""


def pin(action: str, digest: str) -> str:
    """Return the text of ``action.yml`` with the image named by digest. Raises ReleaseError if it cannot be."""
    if not re.fullmatch(r"sha256:[0-9a-f]{64}", digest):
        raise ReleaseError(f"{digest!r} is not the digest of an image (sha256: and 64 hexadecimal digits)")
    if action.count(FROM_SOURCE) != 1:
        raise ReleaseError("action.yml does not contain `image: Dockerfile` once; it may be pinned already")
    return action.replace(FROM_SOURCE, RELEASED.format(digest=digest))


def cut(changelog: str, version: str, day: dt.date) -> str:
    """Return the changelog with the unreleased entries under a heading of their version and day."""
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        raise ReleaseError(f"{version!r} is not a version of the form 1.2.3")
    if f"\n## [{version}]" in changelog:
        raise ReleaseError(f"CHANGELOG.md: version {version} has a section already; choose the next version")
    if not _section(changelog, "Unreleased"):
        raise ReleaseError('CHANGELOG.md: there is nothing below "Unreleased" to release')
    return changelog.replace(UNRELEASED, f"{UNRELEASED}\n## [{version}] - {day:%Y-%m-%d}\n", 1)


def notes(changelog: str, version: str) -> str:
    """Return the release notes: the version's section of the changelog. Raises ReleaseError if it has none."""
    text = _section(changelog, version)
    if not text:
        raise ReleaseError(f"CHANGELOG.md: version {version} has no section; run `image/release.py cut {version}`")
    if _section(changelog, "Unreleased"):
        raise ReleaseError(f'CHANGELOG.md: entries below "Unreleased" would not be in the notes of {version}')
    if len(text) > MOST_NOTES:
        raise ReleaseError(f"CHANGELOG.md: the section of {version} has over {MOST_NOTES:,} characters")
    return text


def major_tag(version: str) -> str:
    """Return the tag that moves with each release of a major version: ``v0`` for 0.1.0."""
    return f"v{version.partition('.')[0]}"


def _section(changelog: str, name: str) -> str:
    """Return what is below a second-level heading, without surrounding white space; nothing if there is no heading."""
    found = re.search(rf"^## \[{re.escape(name)}\].*\n(?P<text>(?:(?!## \[).*\n?)*)", changelog, re.MULTILINE)
    return found["text"].strip() if found else ""


class Checkout:
    """A working tree of the repository."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def version(self) -> str:
        """The version of the package. Raises ReleaseError if its file does not say it."""
        found = re.search(r'^VERSION = "(.*)"$', self.read("review_bot/version.py"), re.MULTILINE)
        if found is None:
            raise ReleaseError('review_bot/version.py: there is no line `VERSION = "..."`')
        return found[1]

    def cut(self, version: str, day: dt.date) -> None:
        """Write the version into the changelog and the package."""
        changelog = cut(self.read("CHANGELOG.md"), version, day)
        package = self.read("review_bot/version.py").replace(f'VERSION = "{self.version}"', f'VERSION = "{version}"')
        self._write("CHANGELOG.md", changelog)
        self._write("review_bot/version.py", package)

    def notes(self) -> str:
        """Return the release notes of the package's version. Raises ReleaseError if it has none."""
        return notes(self.read("CHANGELOG.md"), self.version)

    def commit(self, digest: str) -> tuple[str, str]:
        """Pin the image, commit that, and set the tags of the version and of its major version; return them.

        Raises ReleaseError if the version has no notes, if its tag exists, or if other changes are in the tree.
        """
        self.notes()
        version, major = f"v{self.version}", major_tag(self.version)
        if self.git("status", "--porcelain", "--untracked-files=no"):
            raise ReleaseError("the working tree has changes; a release is made of a commit")
        if self.git("tag", "--list", version):
            raise ReleaseError(f"the tag {version} exists; a released version never changes")
        self._write("action.yml", pin(self.read("action.yml"), digest))
        if (changed := self.git("diff", "--numstat")) != "1\t1\taction.yml":
            raise ReleaseError(f"a release differs from main in one line of action.yml, not in: {changed}")
        self.git(*IDENTITY, "commit", "--quiet", "--message", f"Release {self.version}", "action.yml")
        self.git("tag", version)
        self.git("tag", "--force", major)
        return version, major

    def git(self, *arguments: str) -> str:
        """Run git here, and return what it printed without the last line end. Raises ReleaseError if it fails."""
        done = subprocess.run(["git", "-C", self.folder, *arguments], capture_output=True, text=True, check=False)
        if done.returncode:
            raise ReleaseError(f"`git {' '.join(arguments)}` failed: {done.stderr.strip()}")
        return done.stdout.strip()

    def read(self, path: str) -> str:
        """Return the text of a file, named from the top folder."""
        return (self.folder / path).read_text(encoding="utf-8")

    def _write(self, path: str, text: str) -> None:
        (self.folder / path).write_text(text, encoding="utf-8")


def rehearse(source: Checkout, digest: str, day: dt.date) -> str:
    """Release the commit that is checked out, in a temporary clone; return what was made, as text for a person."""
    with tempfile.TemporaryDirectory() as folder:
        source.git("clone", "--quiet", "--no-hardlinks", str(source.folder.resolve()), folder)
        clone = Checkout(Path(folder))
        start = clone.git("rev-parse", "HEAD")
        if _section(clone.read("CHANGELOG.md"), "Unreleased"):
            clone.cut(clone.version, day)
            clone.git(*IDENTITY, "commit", "--quiet", "--all", "--message", f"Prepare {clone.version}")
        text, (version, major) = clone.notes(), clone.commit(digest)
        at = clone.git("rev-parse", f"{version}^{{commit}}")
        if clone.git("rev-parse", f"{major}^{{commit}}") != at:
            raise ReleaseError(f"{major} and {version} name different commits")
        return (
            f"{version} and {major} would name {at}.\n"
            f"From {start} it differs in:\n{clone.git('diff', '--stat', start, version)}\n"
            f"action.yml:\n{clone.git('diff', '--unified=0', f'{version}~', version, '--', 'action.yml')}\n\n"
            f"The notes ({len(text.split()):,} words) begin:\n\n" + "\n".join(text.splitlines()[:12])
        )


def main() -> int:
    """Run one command, and return the exit code: 1 if something that a release needs is not there."""
    parser = argparse.ArgumentParser(description="Makes a release of main, as far as a commit and tags go.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("cut").add_argument("version")
    commands.add_parser("notes")
    commands.add_parser("commit").add_argument("digest")
    commands.add_parser("rehearse").add_argument("--digest", default="sha256:" + 64 * "0")
    given = parser.parse_args()
    checkout = Checkout(Path(__file__).resolve().parent.parent)
    today = dt.datetime.now(tz=dt.UTC).date()
    try:
        match given.command:
            case "cut":
                checkout.cut(given.version, today)
            case "notes":
                print(checkout.notes())
            case "commit":
                print(*checkout.commit(given.digest))
            case _:
                print(rehearse(checkout, given.digest, today))
    except ReleaseError as error:
        print(f"release: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
