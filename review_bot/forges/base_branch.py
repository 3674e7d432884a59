"""What a change of a clone grew from, where no base is given.

A clone that holds too little to know is refused: compared with itself, any change would look empty and pass.
"""

from __future__ import annotations

from review_bot.errors import UsageError
from review_bot.forges import git_process
from review_bot.records import NamedTuple

_USUAL = ("main", "master")
_MOST_NAMED = 3


class _Ref(NamedTuple):
    """A branch of this clone or of a remote: where it points, and the ref behind it if it is symbolic."""

    commit: str
    target: str


def default_branch(root: str) -> tuple[str, str]:
    """Return (revision, label): the remote's default branch, else ``main``, else ``master``, else ``HEAD``.

    ``origin`` comes before other remotes, which come in the order of their names.
    """
    return _default_branch(_refs(root))


def choose_base(root: str, head: str | None) -> tuple[str, str]:
    """Return (revision, label) of the base of a change whose head is ``head``, or the working tree.

    Where a pull request's merge commit is checked out, as a CI does, it is the branch that it was merged into. Raises
    UsageError if this clone does not hold what the change grew from.
    """
    refs = _refs(root)
    merged = _merged_into(root, refs) if head in {None, "HEAD"} else None
    if merged is not None:
        return merged, "the base of the pull request"
    revision, label = _default_branch(refs)
    remotes = _words(root, "remote")
    if revision == "HEAD" and remotes:
        raise UsageError(
            f"this clone does not know the default branch of {remotes[0]}, so there is nothing to compare with; "
            + _what_to_fetch(root, refs, remotes[0])
        )
    remote, _, branch = label.partition("/")
    if remote in remotes and branch not in _USUAL and _follows_one(root, remote):
        raise UsageError(
            f"this clone follows only {label}, which may be the branch under review itself; "
            + _what_to_fetch(root, refs, remote)
            + f". To compare with {label}, run the review with `--base {label}`"
        )
    return revision, label


def is_shallow(root: str) -> bool:
    """Return whether the history of this clone is cut off."""
    return git_process.run(root, "rev-parse", "--is-shallow-repository").output.strip() == b"true"


def refuse_ambiguous(root: str, revision: str) -> None:
    """Raise UsageError for a revision that names several things, such as a branch and a tag: git takes the tag."""
    if revision in {"HEAD", "@"} or revision.startswith(("refs/", "-", "^")):  # first of all that a name may mean
        return
    words = git_process.run(root, "rev-parse", "--verify", "--end-of-options", f"{revision}^{{commit}}").error
    if "is ambiguous" not in words:
        return
    listed = _words(root, "for-each-ref", "--format=%(refname)", f"refs/tags/{revision}", f"refs/heads/{revision}")
    meant = [*listed, *_words(root, "for-each-ref", "--format=%(refname)", f"refs/remotes/{revision}")]
    choice = " or ".join(f"`{name}`" for name in meant if name.endswith(f"/{revision}"))
    raise UsageError(
        f"{revision!r} is ambiguous: more than one ref or commit has this name; write "
        + (choice or "the full name of the ref, such as `refs/heads/main`")
    )


def is_commit(root: str, revision: str) -> bool:
    """Return whether a revision names a commit. Raises UsageError if git does not trust the repository."""
    arguments = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    answer = git_process.run(root, *arguments)
    if git_process.is_distrust(answer):
        raise git_process.failure(root, "rev-parse", answer)
    return not answer.code


def no_such_commit(root: str, revision: str, *, or_path: bool = False) -> UsageError:
    """Return the error for a revision that is not here, with the names that may be meant.

    ``or_path``: it could have been a path too.
    """
    names = [name.removeprefix("refs/remotes/").removeprefix("refs/heads/") for name in _refs(root)] + ["HEAD"]
    if or_path:
        names += _listed_files(root)
    meant = [name for name in names if name.partition("/")[2] == revision]
    start = revision.replace("^", "~").partition("~")[0]
    too_far = start not in {"", revision} and is_commit(root, start)
    if not meant and revision and not too_far:
        from difflib import get_close_matches  # for this error alone

        name, *steps = revision.partition("~")
        near = get_close_matches(name, names, n=1, cutoff=0.7)
        meant = [each + "".join(steps) for each in near if each != name]
    message = f"{revision!r} is not a commit in this repository"
    if or_path:
        message = f"{revision!r} is neither a commit in this repository nor a file or folder"
    if meant:
        return UsageError(f"{message}; did you mean `{meant[0]}`?")
    shallow = is_shallow(root)
    if too_far and not shallow:
        return UsageError(f"{message}: `{start}` has no such ancestor")
    fetch = "fetch it (this clone is shallow: `git fetch --unshallow`)" if shallow else "fetch it"
    return UsageError(f"{message}; {fetch}, or list the branches with `git branch --all`")


def _listed_files(root: str) -> list[str]:
    """Return the tracked files, from the root of the repository."""
    listed = git_process.run(root, "ls-files", "-z", "--full-name").output.decode("utf-8", "surrogateescape")
    return [name for name in listed.split("\0") if name]


def _refs(root: str) -> dict[str, _Ref]:
    listed = git_process.run(
        root, "for-each-ref", "--format=%(refname) %(objectname) %(symref)", "refs/remotes", "refs/heads"
    )
    found = {}
    for line in listed.output.decode("utf-8", "surrogateescape").split("\n"):
        if line:
            name, commit, target = line.split(" ")
            found[name] = _Ref(commit, target)
    return found


def _default_branch(refs: dict[str, _Ref]) -> tuple[str, str]:
    remotes = sorted({name.split("/")[2] for name in refs if name.startswith("refs/remotes/")} - {"origin"})
    names = [f"refs/remotes/{remote}/{name}" for remote in ("origin", *remotes) for name in ("HEAD", *_USUAL)]
    for name in (*names, *(f"refs/heads/{branch}" for branch in _USUAL)):
        if name in refs and _is_branch(name, refs[name]):
            target = refs[name].target or name
            return target, target.removeprefix("refs/remotes/").removeprefix("refs/heads/")
    return "HEAD", "HEAD"


def _is_branch(name: str, ref: _Ref) -> bool:
    """Return whether a ref is a branch, or names one of the same remote as git does (``refs/remotes/origin/HEAD``).

    One that leads to a branch of this clone would compare the change with itself.
    """
    beside = name.rpartition("/")[0] + "/"
    return ref.target.startswith(beside) if ref.target or name.endswith("/HEAD") else True


def _merged_into(root: str, refs: dict[str, _Ref]) -> str | None:
    """Return the first parent of HEAD if it is the merge commit of a pull request (``refs/pull/N/merge``), else None.

    Raises UsageError if it is, and the clone ends there.
    """
    merges = {
        ref.commit for name, ref in refs.items() if name.startswith("refs/remotes/pull/") and name[-6:] == "/merge"
    }
    if not merges:
        return None
    head, *parents = _words(root, "rev-list", "--parents", "--max-count=1", "HEAD")
    if head not in merges:
        return None
    if not parents:
        raise UsageError(
            "this checkout has only the merge commit of the pull request, without its parents; "
            "check out with `fetch-depth: 2` or more"
        )
    return parents[0]


def _what_to_fetch(root: str, refs: dict[str, _Ref], remote: str) -> str:
    head = (_words(root, "rev-parse", "--verify", "--quiet", "HEAD") or [""])[0]
    known = [
        name.removeprefix("refs/remotes/")
        for name, ref in refs.items()
        if name.startswith(f"refs/remotes/{remote}/") and ref.commit != head and not ref.target
    ]
    if known:
        return f"pass it as --base: this clone has {', '.join(f'`{name}`' for name in known[:_MOST_NAMED])}"
    how = "--unshallow " if is_shallow(root) else ""
    return f"run `git fetch {how}{remote} BRANCH` with its name, then review with `--base FETCH_HEAD`"


def _follows_one(root: str, remote: str) -> bool:
    """Return whether a clone fetches named branches only, as after ``--single-branch`` or ``--depth``."""
    fetched = _words(root, "config", "--get-all", f"remote.{remote}.fetch")
    return bool(fetched) and not any("*" in each for each in fetched)


def _words(root: str, *arguments: str) -> list[str]:
    return git_process.run(root, *arguments).output.decode("utf-8", "surrogateescape").split()
