"""Our rules compared with the linters whose codes they mirror, over files that those linters are tested with.

::

    python -m bench.linters FOLDER... [--flake8 PATH] [--list RULE]

For each rule with ``metadata.mirrors``: places that both see, that we alone see, and that they alone see. A file whose
name holds one of the mirrored codes (``B006_1.py``) is compared for that code alone, any other file for all of them.
Ruff comes from this environment; flake8 with TorchFix from the path that is given (``pip install torchfix``), else its
codes are left out. Nothing of the compared files is kept.

Two places are the same where they lie within ``NEAR`` lines: linters differ in which line of a statement they name.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from review_bot import pipeline
from review_bot.configuration import rule_registry
from review_bot.forges.diff_text import DiffText
from review_bot.rules.rule import Rule

NEAR = 3
_CODE = re.compile(r"(?<![A-Z])[A-Z]{1,5}[0-9]{3,4}(?![0-9])")

Places = dict[str, set[tuple[str, int]]]
"""Code or rule → (path, line)."""


class Counts(NamedTuple):
    """How many places both sides see, we alone, and they alone; ``ours`` and ``theirs`` hold those that differ."""

    both: int
    ours: list[tuple[str, int]]
    theirs: list[tuple[str, int]]


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m bench.linters", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folders", nargs="+", type=Path, metavar="FOLDER", help="Python files to compare over")
    parser.add_argument("--flake8", metavar="PATH", help="a flake8 that has TorchFix installed")
    parser.add_argument("--list", metavar="RULE", help="also print where the two sides of this rule differ")
    options = parser.parse_args()
    rules = [rule for rule in rule_registry.builtin_rulebook().rules if rule.mirrors]
    with tempfile.TemporaryDirectory() as name:
        copy = Path(name).resolve()
        own = _copy(options.folders, copy, {code for rule in rules for code in rule.mirrors})
        files = len(list(copy.rglob("*.py")))
        theirs = _ruff(copy, {code for rule in rules for code in rule.mirrors})
        known = {"TOR"} if options.flake8 else set()
        if options.flake8:
            theirs |= _flake8(options.flake8, copy)
        known |= _codes_of_ruff()
        seen = _ours(copy, rules)
        rows = [
            (rule, _compare(rule, seen.get(rule.id, set()), theirs, own))
            for rule in rules
            if any(code in known or code[:3] in known for code in rule.mirrors)
        ]
        _print(rows, files, without=[rule for rule in rules if all(rule is not row[0] for row in rows)])
        for rule, counts in rows:
            if rule.id == options.list:
                _list(copy, counts)
    return 0


def _copy(folders: Iterable[Path], target: Path, codes: set[str]) -> dict[str, frozenset[str]]:
    """Copy files that both sides can read, and return the mirrored codes in their names, by path of the copy.

    The copies lie in one folder with a plain name, so that none looks like a test or a script.
    """
    own: dict[str, frozenset[str]] = {}
    for at, folder in enumerate(folders):
        for path in sorted(folder.rglob("*.py")):
            data = path.read_bytes()
            if b"\r" in data or b"\f" in data or not data.strip():
                continue
            try:
                data.decode("utf-8")
            except UnicodeDecodeError:
                continue
            name = f"compared/{at}_" + path.relative_to(folder).as_posix().replace("/", "_").replace("test", "t_st")
            (target / name).parent.mkdir(exist_ok=True)
            shutil.copyfile(path, target / name)
            if named := codes.intersection(_CODE.findall(path.name)):
                own[name] = frozenset(named)
    return own


def _ours(copy: Path, rules: list[Rule]) -> Places:
    """Run the rules over each file as if it were new, in every part of a repository."""
    everywhere = [rule._replace(scope="all", files=(), ignores=(), mirror=False) for rule in rules]
    rulebook = rule_registry.builtin_rulebook()._replace(rules=tuple(everywhere))
    places: Places = {}
    for path in sorted(copy.rglob("*.py")):
        name = path.relative_to(copy).as_posix()
        source = DiffText(_as_new(name, path.read_text(encoding="utf-8")).encode("utf-8"), source=str(copy))
        for finding in pipeline.run_review(source, pipeline.ReviewRequest(rulebook)).findings:
            if finding.line is not None:
                places.setdefault(finding.rule, set()).add((name, finding.line))
    return places


def _as_new(name: str, text: str) -> str:
    """Return the diff that adds a file."""
    lines = text.split("\n")
    end = "\\ No newline at end of file\n" if lines[-1] else ""
    lines = lines if lines[-1] else lines[:-1]
    body = "".join(f"+{line}\n" for line in lines)
    return (
        f"diff --git a/{name} b/{name}\nnew file mode 100644\n--- /dev/null\n+++ b/{name}\n"
        f"@@ -0,0 +1,{len(lines)} @@\n{body}{end}"
    )


def _codes_of_ruff() -> set[str]:
    answer = subprocess.run([*_RUFF, "rule", "--all", "--output-format", "json"], capture_output=True, check=True)
    return {str(rule["code"]) for rule in json.loads(answer.stdout)}


_RUFF = (sys.executable, "-m", "ruff")


def _ruff(copy: Path, codes: set[str]) -> Places:
    known = _codes_of_ruff()
    chosen = ",".join(sorted(code for code in codes if any(each.startswith(code) for each in known)))
    command = [*_RUFF, "check", "--isolated", "--preview", "--no-cache", "--exit-zero", "--output-format", "json"]
    answer = subprocess.run([*command, "--select", chosen, str(copy)], capture_output=True, check=True)
    places: Places = {}
    for found in json.loads(answer.stdout):
        name = Path(found["filename"]).relative_to(copy).as_posix()
        places.setdefault(str(found["code"]), set()).add((name, int(found["location"]["row"])))
    return places


def _flake8(flake8: str, copy: Path) -> Places:
    # TOR4 and TOR9 are off unless they are named.
    command = [flake8, "--isolated", "--select", "TOR0,TOR1,TOR2,TOR4,TOR9", "--format", "%(path)s\t%(row)d\t%(code)s"]
    answer = subprocess.run([*command, "compared"], capture_output=True, text=True, check=False, cwd=copy)
    if answer.returncode not in {0, 1}:
        raise SystemExit(f"{flake8} failed: {answer.stderr.strip()}")
    places: Places = {}
    for line in answer.stdout.splitlines():
        name, row, code = line.split("\t")
        places.setdefault(code, set()).add((name, int(row)))
    return places


def _compare(rule: Rule, ours: set[tuple[str, int]], theirs: Places, own: Mapping[str, frozenset[str]]) -> Counts:
    """Pair places that lie near each other, from the top of each file down."""

    def belongs(name: str) -> bool:
        return name not in own or not own[name].isdisjoint(rule.mirrors)

    seen = sorted({place for place in ours if belongs(place[0])})
    left = sorted(
        {p for code, places in theirs.items() if code.startswith(rule.mirrors) for p in places if belongs(p[0])}
    )
    alone: list[tuple[str, int]] = []
    for name, line in seen:
        near = [place for place in left if place[0] == name and abs(place[1] - line) <= NEAR]
        if near:
            left.remove(min(near, key=lambda place: abs(place[1] - line)))  # used at once
        else:
            alone.append((name, line))
    return Counts(len(seen) - len(alone), alone, left)


def _print(rows: list[tuple[Rule, Counts]], files: int, *, without: list[Rule]) -> None:
    width = max(len(rule.id) for rule, _ in rows)
    sys.stdout.write(f"{files} files\n\n{'rule':<{width}}  {'both':>5} {'ours':>5} {'theirs':>6}  codes\n")
    for rule, counts in rows:
        if counts.both or counts.ours or counts.theirs:
            numbers = f"{counts.both:>5} {len(counts.ours):>5} {len(counts.theirs):>6}"
            sys.stdout.write(f"{rule.id:<{width}}  {numbers}  {' '.join(rule.mirrors)}\n")
    if without:
        sys.stdout.write(f"\nnot compared, as no linter here has their codes: {', '.join(r.id for r in without)}\n")


def _list(copy: Path, counts: Counts) -> None:
    for title, places in (("ours alone", counts.ours), ("theirs alone", counts.theirs)):
        sys.stdout.write(f"\n{title}\n")
        for name, line in places:
            text = (copy / name).read_text(encoding="utf-8").split("\n")[line - 1]
            sys.stdout.write(f"  {name}:{line}  {text.strip()}\n")


if __name__ == "__main__":
    sys.exit(main())
