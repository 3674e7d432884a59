"""Random lives of a pull request: what its author, its readers and its base do between two runs of the Action.

::

    history = History(github, seed)
    for each in range(6):
        what = history.go_on()          # something happens: a push, a rebase, a reply; its name, for messages
        history.run()
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from random import Random

from fake_github.server import FakeGitHub
from fake_github.world import ACTIONS_BOT, IssueComment, ReviewComment
from tests.action import Action, Result

RULES = """\
id: halcyon-eval
language: python
severity: error
message: "`eval` of $X."
rule: {pattern: eval($X)}
fix: parse($X)
metadata: {title: Eval, confidence: high, show: line}
---
id: halcyon-show
language: python
severity: warning
message: "`show` of $X."
rule: {pattern: show($X)}
metadata: {title: Shown, confidence: high, show: line}
---
id: halcyon-hint
language: python
severity: info
message: "`consider` of $X."
rule: {pattern: consider($X)}
metadata: {title: To consider, confidence: high, show: line}
---
id: halcyon-pause
language: python
severity: warning
message: "`pause` of $X."
rule: {pattern: pause($X)}
metadata: {title: Pause, confidence: high, show: summary}
---
id: halcyon-guard
severity: warning
message: "The guard of $X is gone."
removed: {language: python, rule: {pattern: guard($X)}}
metadata: {title: Guard gone, confidence: high, show: line}
---
id: halcyon-scratch
severity: warning
message: This file lies in the folder for scratch work.
text: {regex: '^scratch/', where: filename}
metadata: {title: Scratch file, confidence: high, show: line}
"""
"""A rule for each way to be told: alone with a suggestion, listed, `consider`, in the summary, on deleted lines, on a file."""

DEFECTS = (
    'outcome = eval("{}")',
    'outcome = eval("{}")',
    'outcome = eval(\n    "{}",\n)',
    'show("{}")',
    'show("{}")',
    'consider("{}")',
    'pause("{}")',
    "from halcyon.gone_{} import name",
    "{} = lambda: 0",
)
LISTED = 'show("{}")'
GUARD = re.compile(r'^guard\("base', re.MULTILINE)
TAG = re.compile(r"(?:tag|base)[a-z]+")

DECLINED = re.compile(r"(?m)^<!-- review-bot:declined review-bot (\S+) ")
OURS = re.compile(r"<!-- review-bot:1 review-bot (summary|inline|file)((?: [0-9a-f,-]+)?) -->")

Kinds = dict[str, Callable[[], bool]]


def plain(name: str, lines: int = 14) -> str:
    """Return a module in which nothing is to be found."""
    return f'"""The module {name}."""\n\n' + rows(name, lines)


def rows(name: str, lines: int = 14) -> str:
    """Return statements in which nothing is to be found."""
    return "".join(f"{name}_{number} = {number}\n" for number in range(lines))


BASE = {
    ".github/review-bot/rules/halcyon.yml": RULES,
    "halcyon/__init__.py": '"""A small engine."""\n',
    "halcyon/one.py": plain("one") + 'guard("baseone")\nguard("basetwo")\n' + rows("uno"),
    "halcyon/two.py": plain("two") + 'guard("basethree")\nshow("baseold")\n' + rows("due"),
    "halcyon/three.py": plain("three"),
    "notes.md": "Notes.\n",
}


class History:
    """One pull request, from its opening on. ``renamed``: the old and new names of the push that came last."""

    def __init__(self, github: FakeGitHub, seed: int) -> None:
        self.random = Random(seed)
        self.action = Action(github, f"octo/halcyon-{seed}", BASE)
        self.action.token = github.token(permissions={"contents": "write", "pull-requests": "write"})
        self.repository = self.action.repository
        self.repository.collaborator("ada")
        self.store = self.repository.hosting.store(self.repository.record)
        self.repository.set_branch("release", self.repository.tip("main"))
        self.repository.commit({"halcyon/three.py": plain("three", 9), "notes.md": "Release.\n"}, branch="release")
        self.inputs = {
            "max-comments": self.random.choice(("30", "30", "30", "4")),
            "comment-on": self.random.choice(("", "", "info")),
            "resolve-threads": self.random.choice(("", "true")),
            "drafts": self.random.choice(("", "quiet")),
        }
        self.renamed: dict[str, str] = {}
        self.meddled: set[int] = set()
        self.lost: list[tuple[str, str]] = []
        self.heads: list[str] = []
        self.fresh = 0
        opening = self.files()
        for _ in range(self.random.randint(3, 6)):
            self._plant_one(opening)
        if self.random.random() < 0.5:
            path = self._python(opening)
            for _ in range(4):
                self._insert(opening, path, LISTED.format(self._tag()))
        if self.random.random() < 0.4:
            opening["scratch/notes.txt"] = "Notes.\n"
        if self.random.random() < 0.5:
            opening["halcyon/one.py"] = opening["halcyon/one.py"].replace('guard("baseone")\n', "")
        opening["halcyon/added.py"] = plain("added", 6) + f'outcome = eval("{self._tag()}")\n'
        self.pr = self.action.open(self._changes(opening), draft=self.random.random() < 0.1)
        self.heads.append(self.pr.head_sha)
        self._last: Callable[[], bool] | None = None
        self._kinds: Kinds = {
            "edits around": self._edit,
            "edits around ": self._edit,
            "planted": self._plant,
            "fixed": self._fix,
            "fixed ": self._fix,
            "brought back": self._bring_back,
            "brought back ": self._bring_back,
            "moved within": self._move_within,
            "moved across": self._move_across,
            "its line touched": self._touch,
            "suppressed": self._suppress,
            "file renamed": self._rename,
            "file renamed ": self._rename,
            "file renamed and rewritten": self._rename_rewritten,
            "file deleted": self._delete_file,
            "guard deleted or put back": self._guard,
            "scratch file": self._scratch,
            "rebased": self._rebase,
            "main merged in": self._merge_main,
            "base moved": self._move_base,
            "force-pushed": self._force_push,
            "squashed": self._squash,
            "reverted": self._revert,
            "retargeted": self._retarget,
            "draft or ready": self._draft,
            "replied": self._reply,
            "edited by somebody": self._meddle,
            "deleted by somebody": self._delete_comment,
            "thread resolved by somebody": self._resolve,
            "talked": self._talk,
            "declined": self._decline,
            "opened again": self._reopen,
            "nothing": lambda: True,
        }

    def go_on(self) -> str:
        """Let one or two things happen, and return what."""
        self.renamed = {}
        happened = []
        for _ in range(self.random.choice((1, 1, 2))):
            while True:
                name = self.random.choice(tuple(self._kinds))
                if self._kinds[name]():
                    break
            happened.append(name.strip())
            if self.pr.head_sha != self.heads[-1]:
                self.heads.append(self.pr.head_sha)
        return " and ".join(happened)

    def run(self) -> Result:
        """Run the Action on what stands now."""
        inputs = {name: value for name, value in self.inputs.items() if value}
        return self.action.run(self.pr, inputs=inputs)

    def files(self, commit: str | None = None) -> dict[str, str]:
        """Return every file of a commit, by default of the head."""
        tip = commit or (self.pr.head_sha if hasattr(self, "pr") else self.repository.tip("main"))
        tree = self.store.tree_of(tip or "") or ""
        return {
            path.decode(): (self.store.blob(entry.sha) or b"").decode()
            for path, entry in self.store.files(tree).items()
        }

    def comments(self) -> Iterator[IssueComment | ReviewComment]:
        """Yield every comment of both kinds."""
        yield from self.pr.comments
        yield from self.pr.review_comments

    # ------------------------------------------------------------------------------------------ pushes

    def _push(self, files: dict[str, str]) -> bool:
        changes = self._changes(files)
        if changes:
            self.pr.push(changes)
        return bool(changes)

    def _changes(self, files: dict[str, str]) -> dict[str, str | None]:
        before = self.files()
        changes: dict[str, str | None] = {path: text for path, text in files.items() if before.get(path) != text}
        return changes | {path: None for path in before if path not in files}

    def _tag(self) -> str:
        """Return a name for a defect; now and then one that another defect has."""
        self.fresh += 1
        number = self.random.randint(0, self.fresh) if self.random.random() < 0.15 else self.fresh
        return "tag" + "".join(chr(97 + int(digit)) for digit in f"{number:03d}")

    def _python(self, files: dict[str, str]) -> str:
        return self.random.choice([path for path in sorted(files) if path.endswith(".py") and "init" not in path])

    def _insert(self, files: dict[str, str], path: str, statement: str) -> None:
        statements = blocks(files[path])
        statements.insert(self.random.randint(1, len(statements)), statement + "\n")
        files[path] = "".join(statements)

    def _plant_one(self, files: dict[str, str]) -> None:
        self._insert(files, self._python(files), self.random.choice(DEFECTS).format(self._tag()))

    def _plant(self) -> bool:
        files = self.files()
        if self.random.random() < 0.3:
            path = self._python(files)
            for _ in range(self.random.randint(3, 5)):
                self._insert(files, path, LISTED.format(self._tag()))
        else:
            self._plant_one(files)
        return self._push(files)

    def _defects(self, files: dict[str, str]) -> list[tuple[str, str]]:
        found = [
            (path, block)
            for path, text in sorted(files.items())
            if path.endswith(".py")
            for block in blocks(text)
            if "tag" in block and not block.startswith("#")
        ]
        self.random.shuffle(found)
        return found

    def _edit(self) -> bool:
        files = self.files()
        for _ in range(self.random.randint(1, 3)):
            self.fresh += 1
            self._insert(files, self._python(files), f"filler_{self.fresh} = {self.fresh}")
        return self._push(files)

    def _fix(self) -> bool:
        files = self.files()
        for path, block in self._defects(files)[: self.random.choice((1, 1, 2, 9))]:
            statements = blocks(files[path])
            if block in statements:
                statements.remove(block)
                files[path] = "".join(statements)
                self.lost.append((path, block.rstrip("\n")))
        return self._push(files)

    def _bring_back(self) -> bool:
        files = self.files()
        possible = [each for each in self.lost if each[0] in files]
        if not possible:
            return False
        chosen = self.random.choice(possible)
        self.lost.remove(chosen)
        self._insert(files, *chosen)
        return self._push(files)

    def _move_within(self) -> bool:
        return self._move(across=False)

    def _move_across(self) -> bool:
        return self._move(across=True)

    def _move(self, *, across: bool) -> bool:
        files = self.files()
        for path, block in self._defects(files)[:1]:
            statements = blocks(files[path])
            statements.remove(block)
            files[path] = "".join(statements)
            self._insert(files, self._python(files) if across else path, block.rstrip("\n"))
            return self._push(files)
        return False

    def _touch(self) -> bool:
        """Change the line of a defect, not what it says."""
        files = self.files()
        for path, block in self._defects(files)[:1]:
            self.fresh += 1
            changed = block.rstrip("\n").split("  #")[0] + f"  # note {self.fresh}\n"
            files[path] = files[path].replace(block, changed, 1)
            return self._push(files)
        return False

    def _suppress(self) -> bool:
        files = self.files()
        for path, block in self._defects(files)[:1]:
            rule = next((name for name in ("eval", "show", "consider", "pause") if f"{name}(" in block), "eval")
            comment = f"# review-bot: ignore[halcyon-{rule}] it is meant so\n"
            if comment + block in files[path]:
                files[path] = files[path].replace(comment + block, block, 1)
            else:
                files[path] = files[path].replace(block, comment + block, 1)
            return self._push(files)
        return False

    def _rename(self) -> bool:
        files = self.files()
        path, new = self._new_name(files)
        files[new] = files.pop(path)
        if self.random.random() < 0.5:
            self._insert(files, new, f"filler_{self.fresh} = {self.fresh}")
        return self._push(files)

    def _rename_rewritten(self) -> bool:
        """Rename a file, and change so much of it that git does not see that."""
        files = self.files()
        path, new = self._new_name(files)
        text = files.pop(path)
        files[new] = re.sub(r"(?m)^([a-z]+)_(\d+) = ", rf"other_{self.fresh}_\1_\2 = 7 * ", text)
        return self._push(files)

    def _new_name(self, files: dict[str, str]) -> tuple[str, str]:
        path = self._python(files)
        self.fresh += 1
        new = f"{self.random.choice(('halcyon', 'halcyon/inner'))}/name_{self.fresh}.py"
        self.renamed = {old: new if now == path else now for old, now in self.renamed.items()} | {path: new}
        self.lost = [(new if where == path else where, block) for where, block in self.lost]
        return path, new

    def _delete_file(self) -> bool:
        files = self.files()
        if len([path for path in files if path.endswith(".py")]) < 4:
            return False
        del files[self._python(files)]
        return self._push(files)

    def _guard(self) -> bool:
        files = self.files()
        path = self._python(files)
        if GUARD.search(files[path]) and self.random.random() < 0.7:
            guards = [block for block in blocks(files[path]) if GUARD.match(block)]
            files[path] = files[path].replace(self.random.choice(guards), "", 1)
        else:
            self._insert(files, path, 'guard("baseone")')
        return self._push(files)

    def _scratch(self) -> bool:
        files = self.files()
        there = [path for path in sorted(files) if path.startswith("scratch/")]
        if there and self.random.random() < 0.6:
            path = self.random.choice(there)
            text = files.pop(path)
            if self.random.random() < 0.4:
                files[path + "x"] = text
        else:
            files[f"scratch/{self._tag()}.txt"] = "Notes.\n" * self.random.randint(1, 3)
        return self._push(files)

    def _move_base(self) -> bool:
        """Commit to the base, in files of its own and in some that the change has too."""
        base = self.pr.record.base_ref
        tip = self.repository.tip(base)
        files = self.files(tip)
        self.fresh += 1
        changes = {"notes.md": f"Notes {self.fresh}.\n"}
        if self.random.random() < 0.6:
            path = self._python(files)
            statements = blocks(files[path])
            statements.insert(self.random.choice((1, len(statements))), f"of_base_{self.fresh} = 1\n")
            changes[path] = "".join(statements)
        self.repository.commit(changes, branch=base)
        return True

    def _rebase(self) -> bool:
        self._move_base()
        try:
            self.pr.rebase()
        except ValueError:  # in conflict, as it may be
            return False
        return True

    def _merge_main(self) -> bool:
        self._move_base()
        base = self.repository.tip(self.pr.record.base_ref) or ""
        tree = self.store.merge(base, self.pr.head_sha)
        if tree is None:
            return False
        self._set_head(tree, (self.pr.head_sha, base))
        return True

    def _force_push(self) -> bool:
        """Amend the last commit."""
        files = self.files()
        self.fresh += 1
        self._insert(files, self._python(files), f"filler_{self.fresh} = {self.fresh}")
        if self.random.random() < 0.5:
            self._plant_one(files)
        self._push(files)
        commit = self.store.commit_object(self.pr.head_sha)
        before = self.store.commit_object(commit.parents[0] if commit else "")
        if commit is None or before is None or not before.parents:
            return True
        self._set_head(commit.tree, before.parents)
        return True

    def _squash(self) -> bool:
        change = self.repository.hosting.pull_change(self.repository.record, self.pr.record)
        commit = self.store.commit_object(self.pr.head_sha)
        if commit is None or change.base is None:
            return False
        self._set_head(commit.tree, (change.base,))
        return True

    def _revert(self) -> bool:
        """Take the last push back."""
        if len(self.heads) < 2:
            return False
        before = self.store.commit_object(self.heads[-2])
        if before is None or before.tree == self.store.tree_of(self.pr.head_sha):
            return False
        self.renamed = {}
        self._set_head(before.tree, (self.pr.head_sha,))
        return True

    def _set_head(self, tree: str, parents: tuple[str, ...]) -> None:
        sha = self.store.commit_tree(tree, parents, "Again", self.repository.hosting.world.now())
        self.pr.force_push(sha=sha)

    def _retarget(self) -> bool:
        self.pr.retarget("main" if self.pr.record.base_ref == "release" else "release")
        return True

    # ------------------------------------------------------------------------------------------ people

    def _draft(self) -> bool:
        if self.pr.record.draft:
            self.pr.ready_for_review()
        else:
            self.pr.convert_to_draft()
        return True

    def _one_of_ours(self) -> IssueComment | ReviewComment | None:
        ours = [each for each in self.comments() if each.author == ACTIONS_BOT and OURS.search(each.body)]
        return self.random.choice(ours) if ours else None

    def _reply(self) -> bool:
        one = self._one_of_ours()
        if not isinstance(one, ReviewComment):
            return False
        self.pr.reply_as("ada", one.id, "I do not agree.")
        return True

    def _meddle(self) -> bool:
        one = self._one_of_ours()
        mark = OURS.search(one.body) if one is not None else None
        if one is None or mark is None:
            return False
        self.meddled.add(one.id)
        body = self.random.choice(
            (
                "I do not agree.\n\n" + one.body,
                one.body + "\n\nI do not agree.",
                one.body.replace("\n", "\r\n"),
                mark[0],
                "Nonsense.",
            )
        )
        self.pr.edit_comment(one.id, body)
        return True

    def _delete_comment(self) -> bool:
        one = self._one_of_ours()
        if one is None:
            return False
        self.pr.delete_comment(one.id)
        return True

    def _resolve(self) -> bool:
        open_still = [each for each in self.pr.threads if not each.resolved]
        if open_still:
            self.pr.resolve_thread(self.random.choice(open_still).id)
        return bool(open_still)

    @property
    def declined(self) -> set[str]:
        """Return what answers of ours name as declined."""
        found = (DECLINED.search(each.body) for each in self.pr.comments if each.author == ACTIONS_BOT)
        return {name for match in found if match for name in match[1].split(",")}

    def _decline(self) -> bool:
        one = self._one_of_ours()
        mark = OURS.search(one.body) if one is not None else None
        if mark is None or not mark[2].strip():
            return False
        name = self.random.choice(mark[2].strip().split(","))
        return self._command(f"decline {name if self.random.random() < 0.7 else name[:16]} It is meant so.")

    def _reopen(self) -> bool:
        declined = sorted(self.declined)
        return bool(declined) and self._command(f"reopen {self.random.choice(declined)}")

    def _command(self, words: str) -> bool:
        said = self.pr.comment_as("ada", f"/review-bot {words}")
        payload = self.repository.issue_comment_event(said)
        return self.action.run(None, event="issue_comment", payload=payload).code == 0

    def _talk(self) -> bool:
        one = self._one_of_ours()
        body = one.body if one is not None and self.random.random() < 0.5 else "Looks good."
        self.pr.comment_as(self.random.choice(("ada", "mallory")), body)
        return True


def blocks(text: str) -> list[str]:
    """Part a module at its statements."""
    found: list[str] = []
    for line in text.splitlines(keepends=True):
        if line[:1] in {" ", ")"} and found:
            found[-1] += line
        else:
            found.append(line)
    return found
