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
        Case(1, "`$(touch owned).py`", "Reviewed; the name stands in a code span; nothing runs; it is in no output"),
        Case(2, "Backticks", "Reviewed; the fence of the code span is longer than every run of backticks inside"),
        Case(3, "`;`, `&` and a pipe", "Reviewed; no list or table breaks. Noted: Windows refuses the name"),
        Case(4, "`-rf.py`, `--help`", "Reviewed; no program is ever given a name as an argument"),
        Case(5, "A newline", "`security/hidden-characters-in-name`, must fix; shown as `\\u000a`, in one line"),
        Case(6, "A carriage return, an escape code", "The same; shown as `\\u000d` and `\\u001b`"),
        Case(7, "`::error::x.py`", "Reviewed; the runner reads no command of it"),
        Case(8, "`##[add-mask]a.py` within a line", "Reviewed; the runner reads no command of it"),
        Case(9, "`%0A::set-output name=x::y`", "Reviewed; no output is set"),
        Case(10, "`../../etc/passwd`, in the tree or in GitHub's list alone", "Not reviewed: red; no file is opened"),
        Case(
            11,
            "`.GIT/config`, also with joiners, a blank, `GIT~1` or `.git::$INDEX_ALLOCATION`",
            "Not reviewed: red. No rule looks at such a file; that no checkout is safe with it is said at once",
        ),
        Case(12, "A blank and `b/` within", "Reviewed; names come from GitHub's list, never from a diff"),
        Case(
            13,
            "Letters beyond ASCII; bytes that are no UTF-8",
            "Reviewed; bytes stand as `\ufffd`, as GitHub tells them. Two such names that look alike: red, with what to do",
        ),
        Case(
            14,
            "The same accents, composed and decomposed",
            "Both reviewed; `pr/case-collision`, should fix. Path patterns compare bytes, as ast-grep does",
        ),
        Case(15, "Names that differ in capitals", "Both reviewed; `pr/case-collision`, should fix; pictures too"),
        Case(16, "4,096 bytes", "Reviewed; shown without its middle. A longer name is not reviewed: red"),
        Case(17, "`@org/team.md`, `#1.md`", "Reviewed; nobody is mentioned, nothing is linked"),
        Case(18, "`](javascript:...)`, `<img ...>`", "Reviewed; text and no more. Noted: Windows refuses the name"),
        Case(
            19,
            "A character that turns the reading direction",
            "`security/hidden-characters-in-name`; shown as `\\u202e`",
        ),
        Case(20, "`CON.py`, a dot or blank at the end", "Reviewed; `style/unportable-name`, to consider"),
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
        Case(25, "A hunk that counts more lines, or is cut off", "The same"),
        Case(26, "A combined diff (`@@@`)", "The same"),
        Case(
            27, "Two entries for one file", "E-INCOMPLETE: red. GitHub has one for each, so one of them hides something"
        ),
        Case(28, "A count of 10^20", "As 24; nothing is allocated"),
        Case(29, "Lines that look like headers of a diff", "Lines like any other, with their right numbers"),
        Case(
            30,
            "CR, FF, VT, NEL, U+2028 within a line",
            "No line ends there: numbers are those that GitHub shows. Where the reader of that kind of file ends a line "
            "there (CR in Python, U+2028 in JavaScript, NEL in YAML): red, with the line",
        ),
        Case(
            31,
            "NUL bytes in a text, under any name",
            "Line rules run: red, with the line. A file is binary only if its bytes prove it: it begins as the format of "
            "its suffix does, or most of it is not text and its name does not promise text",
        ),
        Case(32, "A file becomes executable", "Reviewed, no finding of its own: its name and text are what they were"),
        Case(
            33,
            "A workflow or a rule is moved out of its folder",
            "The base's rules decide; the summary names the old path as edited",
        ),
        Case(34, "A symbolic link to `/etc/passwd`", "Named as without text; it is not followed"),
        Case(35, "Another commit of a submodule", "Named as without text: its contents lie elsewhere"),
        Case(
            36,
            "A pointer of Git LFS",
            "Named as without text, if it has the form of the specification to the letter. It is not red: every model "
            "repository has them. Under the name of code that rules read: red",
        ),
        Case(
            37,
            "`.gitattributes` that hides a diff, or calls files generated",
            "No effect: the two texts are compared here",
        ),
        Case(38, "A missing final newline, or a new one", "No line is lost; `style/eof-newline` where it went missing"),
        Case(39, "20,001 lines of filler before a bad file", "The bad file is found"),
        Case(40, "3,001 changed files", "The first 3,000 are reviewed, the limit is named: red"),
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
            "Each file ends in its time (10 s), or it is named: red. Other files are reviewed",
        ),
        Case(
            46,
            "100,000 nested C++ templates",
            "The worker's memory has an end: that file is named, red; others are reviewed",
        ),
        Case(
            47,
            "UTF-16",
            "Not reviewed: red. GitHub shows no line of it on which a comment could stand; save it as UTF-8",
        ),
        Case(48, "Bytes that are no UTF-8", "Line rules run; that no other rule did makes it red"),
        Case(
            49,
            "Bidi, invisible and tag characters, look-alike letters",
            "`security/hidden-characters`, must fix; `security/invisible-characters` and `security/lookalike-letters`, "
            "should fix. No comment in the code silences them",
        ),
        Case(
            50, "Escape codes of terminals", "Shown as `\\u001b` in the log and in comments; no suggestion is offered"
        ),
        Case(51, "`::stop-commands::x`, `##[group]`", "The runner reads no command of it"),
        Case(
            52,
            "10,000 findings in one file",
            "All are counted; the worst has its own comment; one comment speaks of 300 of the rest and lists 50",
        ),
        Case(
            53,
            "Fences of code, and of suggestions",
            "Text in the comment; no suggestion is offered where backticks stand",
        ),
        Case(54, "Our own marker, `-->`", "Text; the next run finds nothing to do"),
        Case(55, "`@everyone`, `&#64;user`, `GH-1`, `o/r#1`, a commit", "No mention, no link"),
        Case(56, "Pictures, links, HTML, tables", "Text"),
        Case(57, "Template languages", "Text; nothing is evaluated"),
        Case(58, "A token", "`security/hardcoded-secret`; its value is in no comment, log or report"),
    ),
)

CONFIG = Group(
    "test_config",
    "Configuration and rules of the default branch",
    (
        Case(59, "Aliases in YAML that grow", "Refused with file and line: exit 2"),
        Case(60, "20,000 open brackets", "The same, within a second"),
        Case(61, "Tags such as `!!python/object`", "The same; nothing is made of it"),
        Case(62, "A key that stands twice", "The same"),
        Case(63, "An unknown key", "The same, with the key's name"),
        Case(
            64,
            "Expressions such as `(a+)+$`",
            "RE2 runs them in linear time; what only backtracking could do is refused: exit 2",
        ),
        Case(65, "`{1,100}` nested three deep", "Refused: exit 2"),
        Case(66, "Templates", "There are none: `{{ ... }}` in a rule's message stays text; an unknown key: exit 2"),
        Case(67, "The change edits configuration or rules", "The base's decide; the summary names the edit"),
        Case(68, "The change deletes them", "The same"),
        Case(
            69,
            "No configuration on the default branch",
            "The built-in policy applies and the summary says so. It is not red: a gate without a file is a gate",
        ),
        Case(70, "256 KiB and one byte", "Refused: exit 2"),
    ),
)

PLATFORM = Group(
    "test_platform",
    "GitHub and other people",
    (
        Case(71, "Our marker in somebody else's comment", "Neither read nor touched; ours is posted"),
        Case(
            72, "Our comment edited by a person", "Restored; without its marker it is no longer ours, and posted anew"
        ),
        Case(73, "Our comment deleted", "Posted again, once"),
        Case(74, "A reply in a thread of ours", "The thread stays; only our own text changes"),
        Case(
            75,
            "Payloads in title, description, branch and commit message",
            "Used nowhere; the title stands in the JSON report, as data",
        ),
        Case(
            76, "A force push while we work", "E-SUPERSEDED: red; nothing is posted from there on; the newer run mends"
        ),
        Case(
            77,
            "Another base branch",
            "The policy stays that of the default branch; a new run judges; in the middle of a run: E-SUPERSEDED",
        ),
        Case(
            78,
            "Closed while we work",
            "E-SUPERSEDED: red, nothing is posted. A green check would count as soon as somebody opens it again",
        ),
        Case(79, "The head's repository is deleted", "Reviewed: the base repository holds the commits"),
        Case(80, "The author is a ghost or a bot", "Reviewed like any other"),
        Case(81, "The conversation is locked", "The same verdict; the whole review is on the page of the job"),
        Case(82, "A next page on another host, or itself", "E-BADDATA: red; the other host is not asked"),
        Case(83, "A redirect to another host", "E-BADDATA: red; the other host is not asked and sees no token"),
        Case(84, "256 MiB in a small gzip", "E-BADDATA: red, at 32 MiB"),
    ),
)

GROUPS = (NAMES, DIFFS, CONTENTS, CONFIG, PLATFORM)

HEAD = """\
# Hostile input

Whoever opens a pull request chooses its file names, its code and its texts. This is what Review Bot does with 84 inputs
that were chosen to hurt; each row is a test (`tests/hostile/`) that runs the whole Action against a stand-in GitHub.
After every one of them the test also checks that the runner finds no workflow command in the log but our annotations,
that no text of ours holds a link, picture, mention or HTML beside those of our own templates, that no output holds text
of the pull request, that nobody else's comment was touched, and that the token stands nowhere.

*Red* means a failed check: exit 3 where something could not be reviewed, 2 where the settings are wrong. A finding that
is *must fix* fails the check with exit 1; *should fix* and lighter ones do so where the repository's `fail-on` says so.
"""


def page() -> str:
    """Return ``docs/hostile-input.md``."""
    parts = [HEAD]
    for group in GROUPS:
        rows = "".join(f"| {case.number} | {case.what} | {case.outcome} |\n" for case in group.cases)
        parts.append(f"## {group.title}\n\n| | Input | What happens |\n| --- | --- | --- |\n{rows}")
    return "\n".join(parts)
