"""The 84 hostile inputs: what each is, and how it ends.

``docs/hostile-input.md`` is made of this table (``UPDATE_SNAPSHOTS=1`` writes it anew), and a test finds for every number
a test function ``test_NN_...`` that proves its row.
"""

from __future__ import annotations

from typing import NamedTuple


class Case(NamedTuple):
    """One input. ``outcome`` says why, where somebody might expect another one; both are Markdown."""

    number: int
    what: str
    outcome: str


class Group(NamedTuple):
    """Cases of one kind. ``module``: where their tests are."""

    module: str
    title: str
    cases: tuple[Case, ...]


NAMES = Group(
    "test_names",
    "File names",
    (
        Case(1, "`$(touch owned).py`", "Reviewed; the name is in a code span; nothing runs; it is in no output"),
        Case(2, "Backticks", "Reviewed; the code span's fence is longer than any run of backticks inside"),
        Case(3, "`;`, `&` and a pipe", "Reviewed; no list or table breaks. Noted: Windows rejects the name"),
        Case(4, "`-rf.py`, `--help`", "Reviewed; names are never passed to a program as arguments"),
        Case(5, "A newline", "`security/hidden-characters-in-name`, `error`; shown as `\\u000a`, in one line"),
        Case(6, "A carriage return, an escape code", "The same finding; shown as `\\u000d` and `\\u001b`"),
        Case(7, "`::error::x.py`", "Reviewed; the runner sees no command in it"),
        Case(8, "`##[add-mask]a.py` within a line", "Reviewed; the runner sees no command in it"),
        Case(9, "`%0A::set-output name=x::y`", "Reviewed; no output is set"),
        Case(10, "`../../etc/passwd`, in the tree or in GitHub's list alone", "Not reviewed: red; no file is opened"),
        Case(
            11,
            "`.GIT/config`, also with joiners, a space, `GIT~1` or `.git::$INDEX_ALLOCATION`",
            "Not reviewed: red. No rule applies to such a file; the error says that it is unsafe to check out",
        ),
        Case(12, "A space and `b/` inside", "Reviewed; names come from GitHub's list, never from a diff"),
        Case(
            13,
            "Non-ASCII letters; bytes that are not UTF-8",
            "Reviewed; such bytes appear as `\ufffd`, as GitHub returns them. Two such names that look alike: red, with what to do",
        ),
        Case(
            14,
            "The same accents, composed and decomposed",
            "Both reviewed; `pr/case-collision`, `warning`. Path patterns compare bytes, as ast-grep does",
        ),
        Case(15, "Names that differ only in case", "Both reviewed; `pr/case-collision`, `warning`; images too"),
        Case(16, "4,096 bytes", "Reviewed; shown without its middle. A longer name is not reviewed: red"),
        Case(17, "`@org/team.md`, `#1.md`", "Reviewed; no mention, no link"),
        Case(18, "`](javascript:...)`, `<img ...>`", "Reviewed; shown as plain text. Noted: Windows rejects the name"),
        Case(
            19,
            "A bidirectional control character",
            "`security/hidden-characters-in-name`; shown as `\\u202e`",
        ),
        Case(20, "`CON.py`, a dot or space at the end", "Reviewed; `style/unportable-name`, to consider"),
    ),
)

DIFFS = Group(
    "test_diff_shape",
    "Diffs",
    (
        Case(21, "An empty answer", "E-BADDATA: red"),
        Case(22, "An HTML page with status 200", "E-BADDATA: red"),
        Case(23, "An error as JSON with status 200", "E-BADDATA: red"),
        Case(
            24, "A hunk that counts fewer lines than it has", "The file's two texts are compared here; no line is lost"
        ),
        Case(25, "A hunk that counts more lines, or is truncated", "The same"),
        Case(26, "A combined diff (`@@@`)", "The same"),
        Case(
            27,
            "Two entries for one file",
            "E-INCOMPLETE: red. GitHub returns one per file, so one of them hides something",
        ),
        Case(28, "A count of 10^20", "As 24; nothing is allocated"),
        Case(29, "Lines that look like headers of a diff", "Treated as ordinary lines, with the right numbers"),
        Case(
            30,
            "CR, FF, VT, NEL, U+2028 within a line",
            "They end no line: line numbers are those that GitHub shows. If other programs end a line there for this kind "
            "of file (CR in Python, U+2028 in JavaScript, NEL in YAML): red, with the line",
        ),
        Case(
            31,
            "NUL bytes in a text, under any name",
            "Line rules run: red, with the line. A file is binary only if its bytes prove it: it begins as the format of "
            "its suffix does, or much of it is not text and its name does not suggest text",
        ),
        Case(32, "A file becomes executable", "Reviewed, without a finding: its name and text are unchanged"),
        Case(
            33,
            "A workflow or a rule is moved out of its folder",
            "The base's rules decide; the summary names the old path as edited",
        ),
        Case(34, "A symbolic link to `/etc/passwd`", "Listed as having no text; it is not followed"),
        Case(35, "Another commit of a submodule", "Listed as having no text: its contents are elsewhere"),
        Case(
            36,
            "A pointer of Git LFS",
            "Listed as having no text if it matches the specification exactly. It is not red: every model "
            "repository has them. Under a file name that code rules apply to: red",
        ),
        Case(
            37,
            "`.gitattributes` that hides a diff, or marks files as generated",
            "No effect: the two texts are compared here. An encoding in which git would write other code, "
            "and text that git replaces by `ident` or `export-subst`: red",
        ),
        Case(38, "A missing final newline, or a new one", "No line is lost; `style/eof-newline` where it went missing"),
        Case(39, "20,001 lines of filler before a bad file", "The bad file is found"),
        Case(40, "3,001 changed files", "The first 3,000 are reviewed, and the limit is reported: red"),
        Case(41, "An entry with no diff and no counts", "As 24"),
        Case(42, "A file of 1 GB", "Not fetched, not reviewed: red"),
    ),
)

CONTENTS = Group(
    "test_contents",
    "Contents",
    (
        Case(43, "A line of 10 MB", "Line rules run, in linear time. Code of more than 5,000,000 characters: red"),
        Case(44, "`a=` 20,000 times against three wildcards", "RE2 needs linear time: no delay"),
        Case(
            45,
            "100,000 nested brackets in ten languages",
            "Each file finishes within its time limit (10 s), or it is listed: red. Other files are reviewed",
        ),
        Case(
            46,
            "100,000 nested C++ templates",
            "The worker's memory is limited: the file is listed, red; others are reviewed",
        ),
        Case(
            47,
            "UTF-16",
            "Not reviewed: red. GitHub shows no line of it that could have a comment; save it as UTF-8",
        ),
        Case(48, "Bytes that are not UTF-8", "Line rules run; it is red because no other rule ran"),
        Case(
            49,
            "Bidi, invisible and tag characters, look-alike letters",
            "`security/hidden-characters`, `error`; `security/invisible-characters` and `security/lookalike-letters`, "
            "`warning`. No code comment can suppress them",
        ),
        Case(50, "Terminal escape codes", "Shown as `\\u001b` in the log and in comments; no suggestion is offered"),
        Case(51, "`::stop-commands::x`, `##[group]`", "The runner sees no command in it"),
        Case(
            52,
            "10,000 findings in one file",
            "All are counted; the most severe has its own comment; one comment covers 300 of the rest and lists 50",
        ),
        Case(
            53,
            "Code fences and suggestion fences",
            "Text in the comment; no suggestion is offered if there are backticks",
        ),
        Case(54, "Our own marker, `-->`", "Text; the next run finds nothing to do"),
        Case(55, "`@everyone`, `&#64;user`, `GH-1`, `o/r#1`, a commit", "No mention, no link"),
        Case(56, "Images, links, HTML, tables", "Text"),
        Case(57, "Template languages", "Text; nothing is evaluated"),
        Case(58, "A token", "`security/hardcoded-secret`; its value is in no comment, log or report"),
    ),
)

CONFIG = Group(
    "test_config",
    "Configuration and rules of the default branch",
    (
        Case(59, "YAML aliases that expand", "Rejected with file and line: exit 2"),
        Case(60, "20,000 open brackets", "The same, within a second"),
        Case(61, "Tags such as `!!python/object`", "The same; no object is created"),
        Case(62, "A duplicate key", "The same"),
        Case(63, "An unknown key", "The same, with the key's name"),
        Case(
            64,
            "Expressions such as `(a+)+$`",
            "RE2 runs them in linear time; features that need backtracking are rejected: exit 2",
        ),
        Case(65, "`{1,100}` nested three deep", "Rejected: exit 2"),
        Case(66, "Templates", "Not supported: `{{ ... }}` in a rule's message stays text; an unknown key: exit 2"),
        Case(67, "The change edits configuration or rules", "The base's decide; the summary names the edit"),
        Case(68, "The change deletes them", "The same"),
        Case(
            69,
            "No configuration on the default branch",
            "The built-in policy applies and the summary says so. It is not red: the gate works without a file",
        ),
        Case(70, "256 KiB and one byte", "Rejected: exit 2"),
    ),
)

PLATFORM = Group(
    "test_platform",
    "GitHub and other people",
    (
        Case(71, "Our marker in someone else's comment", "Neither read nor edited; ours is posted"),
        Case(
            72,
            "Our comment edited by a person",
            "Restored; without its marker it is no longer ours, and a new one is posted",
        ),
        Case(73, "Our comment deleted", "Posted again, once"),
        Case(74, "A reply in a thread of ours", "The thread stays open; only our own text changes"),
        Case(
            75,
            "Payloads in title, description, branch and commit message",
            "Not used; the title is in the JSON report, as data",
        ),
        Case(76, "A force push during a run", "E-SUPERSEDED: red; nothing more is posted; the newer run repairs it"),
        Case(
            77,
            "Another base branch",
            "The policy stays that of the default branch; a new run reviews it; during a run: E-SUPERSEDED",
        ),
        Case(
            78,
            "Closed during a run",
            "E-SUPERSEDED: red, nothing is posted. A green check would count as soon as someone reopens it",
        ),
        Case(79, "The head's repository is deleted", "Reviewed: the base repository has the commits"),
        Case(80, "The author is a ghost or a bot", "Reviewed like any other"),
        Case(81, "The conversation is locked", "The same verdict; the whole review is on the job page"),
        Case(82, "A next page on another host, or itself", "E-BADDATA: red; the other host gets no request"),
        Case(83, "A redirect to another host", "E-BADDATA: red; the other host gets no request and no token"),
        Case(84, "256 MiB in a small gzip", "E-BADDATA: red, at 32 MiB"),
    ),
)

GROUPS = (NAMES, DIFFS, CONTENTS, CONFIG, PLATFORM)

HEAD = """\
# Hostile input

The author of a pull request controls its file names, its code and its texts. This page shows how Review Bot handles 84
malicious inputs; each row is a test (`tests/hostile/`) that runs the whole Action against a fake GitHub. Each test also
checks that the log contains no workflow command but our annotations, that our texts contain no link, image, mention or HTML
except those of our own templates, that no output contains text of the pull request, that no one else's comment was edited,
and that the token appears nowhere.

*Red* means a failed check: exit 3 if something could not be reviewed, 2 if the settings are wrong. A must-fix finding fails
the check with exit 1; less severe findings do so if the repository's `fail-on` says so.
"""


def page() -> str:
    """Return ``docs/hostile-input.md``."""
    parts = [HEAD]
    for group in GROUPS:
        rows = "".join(f"| {case.number} | {case.what} | {case.outcome} |\n" for case in group.cases)
        parts.append(f"## {group.title}\n\n| | Input | What happens |\n| --- | --- | --- |\n{rows}")
    return "\n".join(parts)
