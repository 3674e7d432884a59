"""Reviews as pages: all parts at once, hostile text in every place that takes text, and many findings."""

from review_bot.assessment.assessment import Assessment
from review_bot.assessment.metrics import Metrics, Share
from review_bot.assessment.review_areas import AreaSeen, Place, SelectedQuestion
from review_bot.assessment.scorecard import AspectScore, Scorecard
from review_bot.changes.pull_request import Unreviewed
from review_bot.coverage.added_lines import Coverage, FileCoverage
from review_bot.findings import (
    ASPECTS,
    SEVERITIES,
    Examination,
    Failure,
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
    EarlierReview,
    Overlap,
    OverlapReport,
    Owned,
    Owners,
    PullRequestStatus,
    ReviewContext,
)
from review_bot.review.review import Review
from tests.reviews import changed, finding, review_of

HOSTILE = (
    "</script><script>document.title='owned'</script>"
    "<img src=x onerror=\"document.title='owned'\">"
    '" onmouseover="document.title=1" x="'
    "<svg onload=document.title=1></style><style>body{display:none}</style>"
    "<!-- --> ]]> &lt;b&gt; {{7*7}} ${7} `</code>` \u202egnp.exe\u2066 javascript:alert(1) "
    "https://evil.example/x.png\x00\x1b[31m\udc80"
)
"""A text that tries to be markup, style, script, a comment, an attribute, another direction and an address."""


def told(text):
    """Return a review whose every part holds ``text``, each in its place."""
    body = f'@@ -1,2 +1,4 @@\n context {text}\n-removed {text}\n+"""added {text}\n+{text}"""\n+last\n'.replace(
        "\x00", ""
    )
    file = changed("engine/run.py", body)
    other = changed(f"{text}.cu", "@@ -1 +1 @@\n-a // x\n+b /* y\n")
    one = finding(
        line=2,
        end_line=3,
        title=text,
        message=text,
        why=text,
        instead=text,
        url="javascript:document.title=1",
        related=(Related(text, 3, text, (Held(text, text),)), Related("engine/run.py", None, text)),
        suggestion=Suggestion(2, 2, text),
    )
    elsewhere = finding("memory/x", path=f"{text}.cu", line=1, end_line=1, severity="error", aspect=text, message=text)
    loose = finding("memory/y", line=900, end_line=900, message=text)
    review = review_of(
        [file, other],
        Examination(
            findings=(one, elsewhere, loose, one._replace(moved=True), one._replace(counted=True, severity="hint")),
            suppressed=(Suppressed(one, "comment", text, 2),),
            unreviewed=(Unreviewed(text, text),),
            no_text=(NoText(text, "binary"),),
            ignored=(text,),
            not_run=(NotRun(text, text),),
            failures=(Failure(text, text, text),),
        ),
        title=text,
        repository=text,
        number=3,
    )
    share = Share(3, 4, 75, 80)
    fix = Fix("engine/run.py", text, (one.fingerprint,), Suggestion(2, 2, text))
    return review._replace(
        assessment=Assessment(
            Metrics(4, 1, 4, share, share, Share(0, 0, None, 50), None, 2, 20),
            Scorecard(
                6, None, tuple(AspectScore(each, 15, 6, 612, text, (text, "memory/x")) for each in (*ASPECTS[:6], text))
            ),
            (AreaSeen("a", text, (text,), 4, (text, "engine/run.py")),),
            (
                SelectedQuestion(
                    "c", text, (text,), (text,), (Place("engine/run.py", 2, 1), Place(text, None, 1)), 3, (text,)
                ),
            ),
        ),
        fixes=Fixes((fix,), (SkippedFix(fix, text),)),
        patch=f"--- a/{text}\n+++ b/{text}\n",
        context=ReviewContext(
            Owners(text, (Owned((text,), (text, "engine/run.py")),), (text,), (text,)),
            (CoveringTest(text, (text,), changed=True),),
            OverlapReport(
                1,
                2,
                tuple(
                    Overlap(7, text, relation, text, "engine/run.py", 2, text, 4)
                    for relation in ("adds-module", "adds-name", "same-function", "removes-used")
                ),
                (7, 0),
                (text,),
            ),
            PullRequestStatus("failed", (text,), 1, (text,)),
            earlier=(EarlierReview(text, text, 3, 4, 5, 6), EarlierReview(None, "no-findings", None, 0, 0, 0)),
            coverage=Coverage(
                (FileCoverage("engine/run.py", 1, (2, 3, 9)), FileCoverage(text, 0, (1,))), (text,), (text,)
            ),
        ),
    )


def every_part():
    """Return a review that has something to tell in every part."""
    return told("a plain text")


def hostile():
    """Return the same with a hostile text in every place."""
    return told(HOSTILE)


def many(number: int = 5000, files: int = 120, rules: int = 60) -> Review:
    """Return a review of many findings, in files of many lines."""
    lines = 3 * number // files + 20
    body = f"@@ -0,0 +1,{lines} @@\n" + "".join(
        f"+    value_{line} = compute({line}, 'text', other=[None, True])  # why not\n" for line in range(1, lines + 1)
    )
    changes = [
        changed(f"engine/part_{index % 9}/module_{index}.py", body, status="added", old_path=None)
        for index in range(files)
    ]
    findings = tuple(
        finding(
            f"family{index % 7}/rule-{index % rules}",
            title=f"The rule of number {index % rules}",
            severity=SEVERITIES[1 + index % 3] if index % 50 else "error",
            aspect=ASPECTS[index % rules % 7],
            path=changes[index % files].path,
            line=1 + 3 * (index // files),
            end_line=1 + 3 * (index // files),
            message=f"The value `value_{index}` is computed anew at each step, though nothing that it depends on changes.",
            fingerprint=f"{index:016x}-01234567",
        )
        for index in range(number)
    )
    examination = Examination(findings=findings)
    review: Review = review_of(changes, examination, title="Many findings", number=1, repository="acme/engine")
    return review
