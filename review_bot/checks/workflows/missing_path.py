"""A path in a workflow that leads to nothing: in a filter of paths, ``hashFiles``, a local action, a script."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fnmatch import fnmatch
from typing import Any

from review_bot.analysis.project.path_mentions import folders_around
from review_bot.analysis.project.workflow_jobs import WorkflowJob, WorkflowJobs, read_jobs
from review_bot.changes.codebase import Codebase, Snapshot
from review_bot.changes.source_file import SourceFile
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check, each_fact
from review_bot.rules.rule import Hit
from review_bot.text.git_patterns import matches
from review_bot.text.lazy_regex import LazyRegex

_HASHED = LazyRegex(r"hashFiles\(([^()]*)\)")
_QUOTED = LazyRegex(r"'([^']+)'")
_PROGRAMS = (".py", ".sh")
_SCRIPT = LazyRegex(
    r"(?:^|[\s;&|(])(?:python3?|bash|sh|source|torchrun|pip3? install(?: -[\w-]+)* (?:-r|--requirement))\s+"
    r"([\w.][\w./-]*\.(?:py|sh|txt))(?=[\s;&|)]|$)"
)
_ELSEWHERE = LazyRegex(
    r"(?:^|[\s;&|(])(?:cd|pushd|git clone|git checkout|git fetch|tar|unzip|ssh"
    r"|docker(?:-compose| compose)?(?: -[\w-]+)* (?:exec|run)|podman (?:exec|run)|kubectl exec)\s"
)
"""Commands after which a relative path may mean a file that the repository does not hold, or one of elsewhere."""


_COPIES = LazyRegex(r"(?:^|[\s;&|(])(cp|mv|rsync|ln)((?:\s+[^\s;&|]+){2,})")
_RECURSIVE = LazyRegex(r"-[a-zA-Z]*[rRa][a-zA-Z]*|--recursive|--archive")
_BRINGS = LazyRegex(
    r"(?:^|[\s;&|(])(?:git (?:checkout|switch)(?! -[bBc]\b)|git (?:pull|reset|restore|clone|submodule|worktree)"
    r"|tar|unzip|7z|gh (?:release|run) download)(?!\w)"
    r"|(?:^|[\s;&|(])(?:wget|curl)\s(?:(?![\s;&|(](?:wget|curl)\s)[^|])*\$"
)
"""Commands of an earlier step that may leave files with names that the workflow does not show."""


_WRITES = LazyRegex(r"(?:>{1,2}|\s-o|\s--output(?:-file)?[\s=])\s*[\"']?([^\s\"';&|]+)")
"""A file that a command leaves: ``pip freeze > frozen.txt``."""
_LOCKS = LazyRegex(r"(?i)lock[^/]*$|(?:^|/)go\.sum$")
"""Files in which a program writes down what it has installed."""
_INSTALLS = LazyRegex(
    r"(?:^|[\s;&|(])(?:uv|poetry|pdm|pipenv|pip-compile|npm|yarn|pnpm|cargo|go|conda|mamba|pixi|bundle)\s"
)


class Named(NamedTuple):
    """A path in a workflow: its line, 1-based, the path or pattern, and how the workflow uses it."""

    line: int
    pattern: str
    use: str


def gather(source: SourceFile) -> tuple[Named, ...] | None:
    """Return the paths on added lines of a workflow or action. Raises CannotRead."""
    workflow = read_jobs(source)
    if workflow is None:
        return None
    found = [*_filters(workflow), *_hashed(source, workflow)]
    defaults = _of(_of(workflow.data.get("defaults"), "run"), "working-directory")
    for job in workflow.jobs:
        found += _actions(job)
        found += _scripts(source, job) if defaults is None else ()
    return tuple(each for each in found if each.line in source.added) or None


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield a hit for each of them that matches nothing at the head."""
    names = [*sorted(codebase.head.paths)]
    folders = {folder for name in names for folder in folders_around(name)}
    for path, named in each_fact(facts):
        if not leads_somewhere(named.pattern, names, folders) and not _is_written(named.pattern, codebase.head):
            yield Hit(named.line, values={"place": named.pattern, "use": named.use}, path=path)


def _is_written(pattern: str, side: Snapshot) -> bool:
    """Return whether a program of the repository names a file of data, which it may write when a step runs it."""
    name = pattern.rpartition("/")[2]
    if "*" in name or name.endswith(_PROGRAMS):
        return False
    return any(name in (side.text(path) or "") for path in sorted(side.paths) if path.endswith(_PROGRAMS))


def _filters(workflow: WorkflowJobs) -> Iterator[Named]:
    triggers = workflow.root.inner.get("on")
    for event, node in triggers.inner.items() if triggers is not None else ():
        listed = node.inner.get("paths")
        for each in listed.inner.values() if listed is not None else ():
            if isinstance(each.data, str) and "${{" not in each.data and not each.data.startswith("!"):
                yield Named(each.line, each.data, f"the `paths` of `{event}` name it")


def _hashed(source: SourceFile, workflow: WorkflowJobs) -> Iterator[Named]:
    """Yield what goes into the keys of caches; a condition may ask for a file that an earlier step makes."""
    for job in workflow.jobs if "jobs" in workflow.data else ():
        if any(_has_others_files(each) for each in _checkouts(job)):
            continue
        made = [each.text for each in job.texts if each.path[-1:] == ("run",)]
        for place in job.texts:
            if place.path and place.path[-1] == "if":
                continue
            for call in _HASHED.finditer(place.text):
                patterns = _QUOTED.findall(call[1])
                if patterns and "," not in _QUOTED.sub("", call[1]) and not _may_be_made(patterns[0], made):
                    line = source.line_with(place.line, place.end, patterns[0])
                    yield Named(line, patterns[0], "`hashFiles` then returns an empty text, which never changes")


def _may_be_made(pattern: str, commands: list[str]) -> bool:
    """Return whether commands of a job may leave a file that matches a pattern."""
    name = pattern.rpartition("/")[2]
    text = "\n".join(commands)
    if any(fnmatch(each.rpartition("/")[2], name) for each in _WRITES.findall(text)):
        return True
    return (_LOCKS.search(pattern) is not None and _INSTALLS.search(text) is not None) or _BRINGS.search(
        text
    ) is not None


def _actions(job: WorkflowJob) -> Iterator[Named]:
    folders = [f"{each}/" for each in _checked_out(job)]
    if any("repository" in each and "path" not in each for each in _checkouts(job)):
        return
    for place in job.texts:
        if place.path and place.path[-1] == "uses" and place.text.startswith("./") and "${{" not in place.text:
            if any(place.text[2:].startswith(each) for each in folders):
                continue
            yield Named(place.line, place.text[2:].partition("@")[0], "this step uses it as an action")


def _checked_out(job: WorkflowJob) -> Iterator[str]:
    """Yield the folders into which a job checks out repositories."""
    for options in _checkouts(job):
        if isinstance(folder := options.get("path"), str):
            yield folder.removeprefix("./").strip("/")


def _checkouts(job: WorkflowJob) -> list[dict[str, Any]]:
    """Return the options of each checkout of a job."""
    steps = job.node.inner.get("steps")
    found = (each.data for each in (steps.inner.values() if steps is not None else ()))
    options = (_of(each, "with") for each in found if "checkout" in str(_of(each, "uses")))
    return [each if isinstance(each, dict) else {} for each in options]


def _has_others_files(options: dict[str, Any]) -> bool:
    """Return whether a checkout brings files that the tree does not have, or brings them to another place."""
    return any(key in options for key in ("repository", "path", "ref")) or options.get("submodules", False) is not False


def _scripts(source: SourceFile, job: WorkflowJob) -> Iterator[Named]:
    """Yield the scripts that steps run at the root of a plain checkout of this repository."""
    texts = "\n".join(each.text for each in job.texts)
    if not _is_plain_checkout(job) or any("working-directory" in each.path for each in job.texts):
        return
    earlier: list[str] = []
    for place in job.texts:
        if place.path[-1:] == ("uses",) and "download-artifact" in place.text:
            return
        if place.path[-1:] != ("run",):
            continue
        lines = place.text.split("\n")
        for number, line in enumerate(lines):
            if _ELSEWHERE.search(line):
                break
            for match in _SCRIPT.finditer(line):
                name = match[1].rpartition("/")[2]
                if texts.count(name) > 1 or line.lstrip().startswith("#"):
                    continue  # a step may make it
                if not any(_may_bring(each, match[1]) for each in (*earlier, *lines[:number])):
                    yield Named(source.line_with(place.line, place.end, match[1]), match[1], "this step runs it")
        earlier += lines


def _may_bring(line: str, script: str) -> bool:
    """Return whether a command may leave a script where a later one runs it, under a name that the line does not hold.

    ::

        cp -r ci/scripts/* .      git checkout $REF      tar xf sources.tar
    """
    if line.lstrip().startswith("#"):
        return False
    folder, _, name = script.removeprefix("./").rpartition("/")
    for match in _COPIES.finditer(line):
        words = match[2].split()
        *sources, target = [each for each in words if not each.startswith("-")] or [""]
        target = target.strip("\"'").removeprefix("./").strip("/")
        if target not in {"", "."} and "$" not in target and not f"{folder}/".startswith(f"{target}/"):
            continue
        whole = any(_RECURSIVE.fullmatch(each) for each in words) or match[1] in {"mv", "ln"}
        if any("$" in each or fnmatch(name, each.rpartition("/")[2]) for each in sources) or (whole and folder):
            return True
    return _BRINGS.search(line) is not None


def _is_plain_checkout(job: WorkflowJob) -> bool:
    found = _checkouts(job)
    return len(found) == 1 and not _has_others_files(found[0]) and "sparse-checkout" not in found[0]


def _of(data: Any, key: str) -> Any:
    return data.get(key) if isinstance(data, dict) else None


def leads_somewhere(pattern: str, names: list[str], folders: set[str]) -> bool:
    """Return whether a path or pattern of GitHub's matches a file. Source: "Filter pattern cheat sheet"."""
    pattern = pattern.removeprefix("./").rstrip("/")
    if not pattern or pattern in folders or pattern.startswith(("/", "~", "../")):
        return True
    if any(sign in pattern for sign in ("${", "?", "[", "+", "\\")):
        return True  # rare signs, which mean something else to GitHub than to git
    if "*" not in pattern:
        return pattern in names
    segments = tuple(_segments(pattern))
    return any(matches(segments, tuple(name.split("/"))) for name in names)


def _segments(pattern: str) -> Iterator[str]:
    """Yield the parts of a pattern between slashes; two stars within a part may match slashes as well."""
    for part in pattern.split("/"):
        if "**" not in part or part == "**":
            yield part
            continue
        yield "**"
        yield part.replace("**", "*")
        if part.endswith("**"):
            yield "**?"


CHECK = change_check(gather, relate, CheckTraits(literals=("paths", "hashFiles", "uses", "run")))
