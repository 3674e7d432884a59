"""Reviews made by hand, one for each kind that a report must be able to tell."""

from review_bot.assessment.assessment import Guide
from review_bot.assessment.review_areas import Area, Ask, FocusMap, ReviewQuestion, Trigger
from review_bot.changes.profile import FileProfile, TriggerMatch
from review_bot.changes.pull_request import ChangedFile, PullRequest, Unreviewed
from review_bot.changes.unified_diff import counts, read_hunks
from review_bot.findings import (
    ASPECTS,
    Examination,
    Failure,
    Finding,
    Fix,
    Fixes,
    Held,
    NoText,
    NotRun,
    Related,
    SkippedFix,
    Suggestion,
    Suppressed,
)
from review_bot.review.context import (
    CoveringTest,
    Overlap,
    OverlapReport,
    Owned,
    Owners,
    PullRequestStatus,
    ReviewContext,
)
from review_bot.review.judge import Decided, judge
from review_bot.review.layout import Layout
from review_bot.review.policy import Allowance, Policy
from review_bot.review.review import Review

PAGES = "https://example.org/rules"


def changed(path, body, **facts):
    """Make a changed text file from the hunks of its diff."""
    hunks = read_hunks(body)
    added, removed = counts(hunks)
    return ChangedFile(
        path=path, old_path=path, status="modified", kind="text", hunks=hunks, added=added, removed=removed
    )._replace(**facts)


def finding(rule="errors/swallowed-exception", **facts):
    """Make an inline finding of a rule; ``facts`` say what is different about it."""
    plain = Finding(
        rule=rule,
        title="Exception swallowed",
        severity="warning",
        confidence="high",
        aspect="Code Quality",
        path="engine/run.py",
        line=12,
        end_line=12,
        column=5,
        end_column=11,
        side="RIGHT",
        placement="inline",
        moved=False,
        message="This handler silently discards every exception.",
        why="The failure surfaces later, somewhere else, without its cause.",
        instead="Log it with its traceback, or catch only the exceptions that you expect here.",
        effort_minutes=15,
        fingerprint="00112233aabbccdd-01234567",
        url=f"{PAGES}/{rule}.md",
    )
    return plain._replace(**facts)


def card(number, title, question, rules=()):
    """Make a card with the one construct that the trigger of this number matches."""
    return ReviewQuestion(f"card/{title.lower()}", title, rules, (Ask(question, number),))


GUIDE = Guide(
    FocusMap(
        (Area("any", "All code", (0,)),),
        (
            card(0, "Memory", "When is `{name}` freed?", ("memory/*",)),
            card(1, "Kernels", "Which reads of `{name}` are out of bounds for a size of {size}?"),
            card(2, "Design", "Is `{name}` in the right place?"),
            card(3, "Batching", "What does `{name}` do with a batch of one?"),
            card(4, "Documentation", "Where is `{name}` documented?"),
        ),
        tuple(Trigger(None, None, scope="any") for _ in range(5)),
    ),
    ASPECTS,
)
"""One area, and five cards with a trigger each."""


def review_of(files, examination, *, policy=None, baseline=None, guide=Guide(), **facts):  # noqa: B008  # immutable
    """Judge an examination of some files."""
    change = PullRequest(tuple(files), base="b" * 40, merge_base="a" * 40, head="c" * 40, base_label="origin/main")
    return judge(
        change._replace(**facts),
        examination,
        policy or Policy(source="built-in (no .github/review-bot.yml)"),
        Decided(baseline or {}),
        rules_digest="d" * 64,
        rules_run=40,
        rules=frozenset(
            (
                "errors/bare-except",
                "errors/broad-except-silent",
                "errors/swallowed-exception",
                "security/hardcoded-secret",
            )
        ),
        guide=guide,
    )


RUN_PY = changed(
    "engine/run.py",
    "@@ -8,5 +8,11 @@ class Engine:\n"
    "     def step(self, batch):\n"
    "         batch = self.pad(batch)\n"
    "-        return self.model(batch)\n"
    "+        try:\n"
    "+            return self.model(batch)\n"
    "+        except Exception:\n"
    "+            pass\n"
    "+        if True:\n"
    "+            return None\n"
    "+        return self.model(batch)\n"
    " \n"
    "     def close(self):\n",
)
SWALLOWED = finding(line=12, end_line=13, column=9, end_column=17)
CONSTANT = finding(
    "errors/constant-condition",
    title="Condition that is always true",
    message="This condition is always `True`; the branch at 16 can never run.",
    why="Readers assume that the branch handles its case.",
    instead="Read the value from the request, or delete the branch.",
    line=14,
    end_line=14,
    column=12,
    end_column=16,
    effort_minutes=20,
    suggestion=Suggestion(14, 15, "        return None"),
    related=(Related("engine/run.py", 16, "never reached"),),
)
MARKER = finding(
    "style/conflict-marker",
    title="Conflict marker",
    severity="error",
    message="A merge conflict marker is left in the file.",
    why="The file matches neither side of the merge.",
    instead="Resolve the conflict.",
    path="engine/wide.py",
    line=3,
    end_line=3,
    column=1,
    end_column=8,
    effort_minutes=5,
)
WIDE_PY = changed(
    "engine/wide.py",
    "@@ -1,2 +1,5 @@\n import os\n+# 编码 the prompt, then sleep\n+<<<<<<< ours\n+value = compute(first_argument, second_argument, third_argument, fourth_argument)  # a long line indeed\n import sys\n",
)


def hints(number, files):
    """Many findings of one rule for the summary."""
    return [
        finding(
            "types/missing-annotation",
            title="Missing type hint",
            severity="hint",
            confidence="medium",
            placement="summary",
            message=f"The parameter `p{index}` has no type hint.",
            instead="Name its type.",
            path=f"engine/part_{index % files}.py",
            line=10 + index,
            end_line=10 + index,
            column=None,
            end_column=None,
            effort_minutes=1,
        )
        for index in range(number)
    ]


UNTESTED = finding(
    "testing/code-without-tests",
    title="Code without tests",
    placement="summary",
    confidence="medium",
    message="457 lines of code and no test changed.",
    why="The next change may break it without a failing test.",
    instead="Add a test for the new code.",
    path=None,
    line=None,
    end_line=None,
    column=None,
    end_column=None,
    effort_minutes=60,
)


def clean():
    return review_of([RUN_PY], Examination())


def empty():
    return review_of([], Examination())


def mixed():
    """Must fix, should fix, many nits, moved, suppressed, and files that are set aside."""
    moved = finding(path="engine/wide.py", line=2, end_line=2, moved=True)
    silenced = Suppressed(finding(line=30, end_line=30), "comment", "the driver raises on shutdown", 30)
    old = finding(
        "style/todo",
        title="Note left behind",
        severity="info",
        placement="summary",
        fingerprint="0" * 16 + "-" + "1" * 8,
        baseline_entry="0" * 16 + "-" + "1" * 8,
    )
    return review_of(
        [
            RUN_PY,
            WIDE_PY,
            ChangedFile("logo.png", None, "added", "binary"),
            changed("gen/api.py", "@@ -1 +1 @@\n-a\n+b\n"),
        ],
        Examination(
            findings=(UNTESTED, SWALLOWED, CONSTANT, MARKER, moved, old, *hints(186, 12)),
            suppressed=(silenced,),
            no_text=(NoText("logo.png", "binary"),),
            ignored=("gen/api.py",),
            not_run=(NotRun("imports/missing-module", "needs the tree of the repository, but only the diff is known"),),
        ),
        baseline={"0" * 16 + "-" + "1" * 8: "accepted in the baseline"},
    )


def counted():
    """Give a row to one finding, and a number alone to those that nobody settles one by one."""
    long = finding(
        "style/long-function",
        title="Long or deeply nested function",
        severity="hint",
        confidence="medium",
        placement="summary",
        message="`step` has 130 lines.",
        effort_minutes=60,
        counted=True,
    )
    return review_of([RUN_PY], Examination((SWALLOWED, long, *(each._replace(counted=True) for each in hints(5, 2)))))


def incomplete():
    """Hold a file that could not be read, one that may stay so, and a rule that crashed."""
    return review_of(
        [RUN_PY],
        Examination(
            findings=(SWALLOWED,),
            unreviewed=(
                Unreviewed("data/table.csv", "UTF-16 text is not supported; save it as UTF-8"),
                Unreviewed("vendor/blob.js", "it is not UTF-8 text"),
            ),
            failures=(
                Failure("errors/constant-condition", "engine/run.py", "ValueError: boom"),
                Failure("testing/code-without-tests", None, "KeyError: 'x'"),
            ),
        ),
        policy=Policy(unreviewed_ok=(Allowance("vendor/**", "generated"),), source=".github/review-bot.yml"),
        repository="octo/engine",
        number=19,
        title="Add the engine",
    )


def crowded():
    """More than three findings of a rule in a file, one on a deleted line, one about a file."""
    many = [
        finding(line=8 + number, end_line=8 + number, column=9, end_column=15, fingerprint=f"{number:016x}-00000000")
        for number in range(6)
    ]
    deleted = finding(
        "tensor/shape-check-removed",
        title="Shape check deleted",
        side="LEFT",
        line=10,
        end_line=10,
        column=9,
        end_column=15,
        message="This change deletes a shape check.",
        instead="Keep it, or explain why it is not needed.",
    )
    whole = finding(
        "style/file-name",
        title="File name",
        severity="info",
        placement="file",
        line=None,
        end_line=None,
        column=None,
        end_column=None,
        message="The name is not descriptive.",
        instead="",
        url="",
    )
    return review_of([RUN_PY], Examination(findings=(*many, deleted, whole)))


EVIL = "\u202e\x1b[31m`` [x](https://evil.example) ![i](https://evil.example/i.png) <script>alert(1)</script> @octocat #12 GH-12 0123456789abcdef0123456789abcdef01234567 https://evil.example www.evil.example a@evil.example | ``` \n# heading\n- item\r\n::error::x\u2028##[error]y \udcff {{ 7 * 7 }} &lt; <!-- -->"


def around(text, path, line):
    """Make what stands around a change that builds on one pull request, meets another, and waits for its owners."""
    return ReviewContext(
        Owners(".github/CODEOWNERS", (Owned(("@ada", "@octo/engines"), (path,)),), (text,), (f"line 3: {text}",)),
        (CoveringTest(f"tests/{text}.py", (path,), changed=False),),
        OverlapReport(
            17,
            19,
            (
                Overlap(14, text, "adds-module", f"engine.{text}", path, line, f"engine/{text}.py", None),
                Overlap(16, text, "same-function", f"{text}.step", path, line, path, 40),
                Overlap(18, text, "removes-used", f"{text}.pad", path, line, f"{text}.py", 4),
            ),
            (14, 0, 18),
            ("2 pull requests were too large to compare.",),
        ),
        PullRequestStatus("failed", (f"lint {text}",), 2, ("bob",)),
    )


def fixes(finding):
    """Make one fix that can be applied, and one that is skipped."""
    fix = Fix(finding.path, finding.rule, (finding.fingerprint,), finding.suggestion)
    return Fixes((fix,), (SkippedFix(fix, f"it touches the lines of the fix for `{finding.rule}`"),))


def surrounded():
    """Hold all that stands around a change, and fixes."""
    change = questions()
    return change._replace(context=around("pool", "engine/run.py", 12), fixes=fixes(CONSTANT))


def hostile():
    """Everything that a pull request can write holds everything that hurts."""
    path = f"a b/{EVIL}.py"
    file = changed(path, "@@ -0,0 +1,3 @@\n+one\n+two\n+three\n", old_path=None, status="added")
    lines = tuple("+" + EVIL.replace("\n", " ") for _ in range(3))
    file = file._replace(hunks=(file.hunks[0]._replace(lines=lines),))
    bad = finding(
        EVIL,
        title=EVIL,
        message=f"{EVIL} {EVIL}",
        why=EVIL,
        instead=EVIL,
        path=path,
        line=2,
        end_line=2,
        column=3,
        end_column=9,
        url=f"https://example.org/{EVIL}",
        related=(Related(path, 2, EVIL, (Held(EVIL, EVIL),)), Related(path, 1, EVIL)),
        suggestion=Suggestion(2, 2, EVIL),
    )
    return review_of(
        [file],
        Examination(
            findings=(
                bad,
                bad._replace(severity="error", message="`" + EVIL),
                bad._replace(severity="hint", placement="summary", url=EVIL),
                bad._replace(moved=True),
            ),
            suppressed=(Suppressed(bad, "comment", EVIL, 2),),
            unreviewed=(Unreviewed(path, EVIL),),
            failures=(Failure(EVIL, path, EVIL),),
            not_run=(NotRun(EVIL, EVIL),),
            no_text=(NoText(path, "binary"),),
            ignored=(path,),
            profiles=(FileProfile(0, code_lines=3, matches=(TriggerMatch(0, 3, 1, (("name", EVIL),)),)),),
        ),
        guide=GUIDE,
        base_label=EVIL,
        title=EVIL,
        repository=EVIL,
        policy=Policy(source=EVIL, layout=Layout(intro=EVIL, outro=EVIL)),
    )._replace(context=around(EVIL, path, 2), fixes=fixes(bad))


def questions():
    """Make a change of some size that draws more cards than a report shows."""
    matches = (
        TriggerMatch(0, 12, 11, (("name", "self.model"),)),
        TriggerMatch(1, 2, 16, (("name", "self.model"), ("size", "batch"))),
        TriggerMatch(2, 90, None),
        TriggerMatch(3, 1, 16, (("name", "self.model"),)),
        TriggerMatch(4, 1, 14, (("name", "True"),)),
    )
    profiles = (
        FileProfile(0, 90, 0, 2, 7, 10, 13, matches),
        FileProfile(1, 0, 40, matches=(TriggerMatch(0, 3, 16, (("name", "self.model"),)),)),
        FileProfile(2, 12, matches=(TriggerMatch(0, 1, 11, (("name", "self.model"),)),)),
    )
    files = [RUN_PY, *(RUN_PY._replace(path=path, old_path=path) for path in ("tests/test_run.py", "engine/pool.py"))]
    return review_of(files, Examination((SWALLOWED, CONSTANT), profiles=profiles), guide=GUIDE)


MASK_PY = changed(
    "engine/mask.py",
    "@@ -1,2 +1,8 @@\n def attend(query, mask=None):\n+    if mask is not None:\n+        query = query + mask\n     return query\n"
    "+\n+\n+def size(query, mask):\n+    return mask.shape\n",
)
DEREFERENCE = finding(
    "errors/none-dereference",
    title="None dereference",
    aspect="Functional Correctness",
    message="`mask` can be None here, where its attribute `shape` is taken: `mask` is tested for None (line 2).",
    why="On that path the line raises AttributeError or TypeError.",
    instead="Handle None before this line.",
    path="engine/mask.py",
    line=8,
    end_line=8,
    column=12,
    end_column=16,
    fingerprint="445566778899aabb-01234567",
    related=(
        Related("engine/mask.py", 2, "`mask` is tested for None", (Held("mask", "None"),)),
        Related(
            "engine/mask.py", 3, "`query is None` is false", (Held("query is None", "false"), Held("mask", "None"))
        ),
        Related("engine/run.py", 16, "the same use"),
    ),
)


def flow():
    """Make a change with a finding that steps lead to."""
    return review_of([MASK_PY, RUN_PY], Examination((DEREFERENCE,)))


ALL: dict[str, Review] = {
    "clean": clean(),
    "empty": empty(),
    "mixed": mixed(),
    "counted": counted(),
    "incomplete": incomplete(),
    "crowded": crowded(),
    "hostile": hostile(),
    "questions": questions(),
    "surrounded": surrounded(),
    "flow": flow(),
}
