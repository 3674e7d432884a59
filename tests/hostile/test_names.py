"""File names as somebody would choose them who wants to be executed, believed, linked or lost: cases 1 to 20."""

from __future__ import annotations

from typing import Any

import pytest

from tests.action import here
from tests.hostile import inspection
from tests.hostile.ground import LOUD, Found, Ground, Ran

UNPORTABLE = "style/unportable-name"
HIDDEN = "security/hidden-characters-in-name"
COLLISION = "pr/case-collision"
SPACE = "\u200b"


def reviewed(ran: Ran, name: str, shown: str, also: tuple[str, ...] = (), in_log: str | None = None) -> None:
    """Check that a file with one loud line was reviewed, and how its name stands in summary, comment and log."""
    findings: list[Found] = [(rule, name, None) for rule in also]
    assert ran.findings == sorted([*findings, ("shout", name, 1)])
    assert ran.unreviewed == []
    assert ("shout", 1) in [(ran_rule(body), line) for body, line in told(ran, name)]
    assert ran.shown(f"{shown}:1")
    assert (("warning", shown if in_log is None else in_log, "1")) in inspection.annotated(ran.annotated)
    is_red = HIDDEN in also
    assert (ran.code, ran.verdict) == ((1, "changes-required") if is_red else (0, "comments"))
    assert ran.result.outputs["findings"] == str(1 + len(also))


def told(ran: Ran, name: str) -> list[tuple[str, int | None]]:
    """Return text and line of our comments on a file."""
    return [(one.body, one.line) for one in ran.pr.review_comments if one.path == name]


def ran_rule(body: str) -> str:
    """Return the rule that a comment of ours is about."""
    return body.partition("<!-- review-bot:rule ")[2].partition(" ")[0]


def loud(ground: Ground, name: str | bytes, **options: Any) -> Ran:
    """Run on a pull request that adds one loud file."""
    pr = ground.open({name: LOUD})
    annotated = ground.run(pr, worker=here, token=ground.github.token(read_only=True)).log
    ran = ground.run_process(pr) if options.get("process") else ground.run(pr)
    return ran._replace(annotated=annotated)


def test_01_command_substitution(ground: Ground) -> None:
    ran = loud(ground, "$(touch owned).py", process=True)
    reviewed(ran, "$(touch owned).py", "$(touch owned).py")
    assert not list(ran.result.folder.rglob("owned"))
    assert "touch" not in (ran.result.folder / "output").read_text()


def test_02_backticks(ground: Ground) -> None:
    reviewed(loud(ground, "`id`.py"), "`id`.py", "`id`.py")
    reviewed(loud(ground, "a```b``c.py"), "a```b``c.py", "a```b``c.py")


def test_03_shell_and_table_signs(ground: Ground) -> None:
    ran = loud(ground, "a;b|c&d.py")
    reviewed(ran, "a;b|c&d.py", "a;b|c&d.py", (UNPORTABLE,))
    assert "|" not in inspection.text_of(ran.summary).replace("a;b|c&d.py", "")


@pytest.mark.parametrize("name", ["-rf.py", "--help"])
def test_04_options(ground: Ground, name: str) -> None:
    reviewed(loud(ground, name, process=name == "--help"), name, name)


def test_05_newline(ground: Ground) -> None:
    ran = loud(ground, "a\nb.py")
    reviewed(ran, "a\nb.py", r"a\u000ab.py", (HIDDEN,))
    assert [
        line for line in ran.summary.split("\n") if "b.py" in line and "](" not in line and not line.startswith("<!--")
    ] == []


def test_06_carriage_return_and_escape(ground: Ground) -> None:
    reviewed(loud(ground, "a\r\x1b[31mb.py"), "a\r\x1b[31mb.py", r"a\u000d\u001b[31mb.py", (HIDDEN,))


def test_07_workflow_command(ground: Ground) -> None:
    ran = loud(ground, "::error::x.py", process=True)
    reviewed(ran, "::error::x.py", "::error::x.py", (UNPORTABLE,), f":{SPACE}:error:{SPACE}:x.py")
    assert [kind for kind, _, _ in inspection.annotated(ran.annotated)] == ["warning", "notice", "warning"]


def test_08_older_workflow_command(ground: Ground) -> None:
    ran = loud(ground, "a ##[add-mask]a.py")
    reviewed(ran, "a ##[add-mask]a.py", "a ##[add-mask]a.py", in_log=f"a ##{SPACE}[add-mask]a.py")
    assert [kind for kind, _, _ in inspection.annotated(ran.annotated)] == ["warning", "warning"]


def test_09_encoded_newline(ground: Ground) -> None:
    name = "%0A::set-output name=x::y"
    ran = loud(ground, name)
    reviewed(ran, name, name, (UNPORTABLE,), f"%0A:{SPACE}:set-output name=x:{SPACE}:y")
    assert "x" not in ran.result.outputs


@pytest.mark.parametrize("lies", [False, True])
def test_10_path_out_of_the_repository(ground: Ground, lies: bool) -> None:
    pr = ground.open({"a.py" if lies else "../../etc/passwd": LOUD})
    if lies:
        ground.github.tamper(("GET", "/pulls/*/files"), lambda rows: rows[0].update(filename="../../etc/passwd"))
    ran = ground.run(pr)
    assert (ran.code, ran.verdict) == (3, "incomplete")
    if lies:  # the trees tell what has changed; the row is believed in nothing
        assert ran.findings == [("shout", "a.py", 1)]
        reason = "GitHub lists it as changed, but it is the same at base and head"
    else:
        assert ran.findings == []
        reason = "its name leaves the repository"
    assert ran.unreviewed == [("../../etc/passwd", reason)]
    assert ran.shown("../../etc/passwd")
    assert ("error", "../../etc/passwd", None) in inspection.annotated(ran.log)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        (".GIT/config", ".GIT/config"),
        (".g\u200cit/config", r".g\u200cit/config"),
        ("sub/.git /hooks/x", "sub/.git /hooks/x"),
        ("GIT~1/config", "GIT~1/config"),
        (".git::$INDEX_ALLOCATION/config", ".git::$INDEX_ALLOCATION/config"),
    ],
)
def test_11_folder_of_git(ground: Ground, name: str, shown: str) -> None:
    ran = loud(ground, name)
    assert (ran.code, ran.verdict, ran.findings) == (3, "incomplete", [])
    assert ran.unreviewed == [(name, "its name lies in .git")]
    assert ran.shown(shown)
    assert ran.inline == []


def test_12_blank_and_b(ground: Ground) -> None:
    reviewed(loud(ground, "a b/c b/d.py"), "a b/c b/d.py", "a b/c b/d.py")


def test_13_names_beyond_ascii(ground: Ground) -> None:
    reviewed(loud(ground, "größe.py"), "größe.py", "größe.py")
    reviewed(loud(ground, b"caf\xe9.py"), "caf\ufffd.py", "caf\ufffd.py")
    ran = ground.run(ground.open({b"caf\xe8.py": LOUD, b"caf\xe9.py": LOUD}))
    assert (ran.code, ran.verdict) == (3, "incomplete")
    assert ran.sentence() == (
        "Review Bot could not complete this review (E-INCOMPLETE): GitHub lists 2 changed files, some with the same name; names that "
        "are not UTF-8 look alike in its response: rename those files, or run the review again."
    )


def test_14_composed_and_decomposed(ground: Ground) -> None:
    one, other = "caf\u00e9.py", "cafe\u0301.py"
    ran = ground.run(ground.open({one: LOUD, other: LOUD}))
    assert (ran.code, ran.verdict, ran.unreviewed) == (0, "comments", [])
    assert ran.findings == [(COLLISION, one, None), ("shout", other, 1), ("shout", one, 1)]


def test_15_capitals(ground: Ground) -> None:
    picture = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"
    ran = ground.run(ground.open({"halcyon/Cache.py": LOUD, "pic/a.png": picture, "pic/A.PNG": picture}))
    assert (ran.code, ran.verdict, ran.unreviewed) == (0, "comments", [])
    assert ran.findings == [
        (COLLISION, "halcyon/Cache.py", None),
        (COLLISION, "pic/a.png", None),
        ("shout", "halcyon/Cache.py", 1),
    ]
    assert "On macOS or Windows, this file and `halcyon/cache.py` have the same name." in "\n".join(ran.written)


def test_16_long_name(ground: Ground) -> None:
    longest = "x" * 2000 + "/" + "y" * 2092 + ".py"
    assert len(longest) == 4096
    reviewed_ran = loud(ground, longest)
    shown = f"{longest[:148]}...{longest[-146:]}:1"
    assert reviewed_ran.findings == [("shout", longest, 1)]
    assert reviewed_ran.shown(shown)
    assert (reviewed_ran.code, reviewed_ran.verdict) == (0, "comments")
    ran = loud(ground, "x" + longest)
    assert (ran.code, ran.verdict, ran.findings) == (3, "incomplete", [])
    assert ran.unreviewed == [("x" + longest, "its name is longer than 4,096 bytes")]


@pytest.mark.parametrize(("name", "shown"), [("@org/team.md", f"@{SPACE}org/team.md"), ("#1.md", "#1.md")])
def test_17_mention_and_issue(ground: Ground, name: str, shown: str) -> None:
    reviewed(loud(ground, name), name, shown, in_log=name)


@pytest.mark.parametrize("name", ["](javascript:alert(1)).md", '<img src="x" onerror=alert(1)>.md'])
def test_18_link_and_picture(ground: Ground, name: str) -> None:
    reviewed(loud(ground, name), name, name, (UNPORTABLE,))


def test_19_reading_direction(ground: Ground) -> None:
    reviewed(loud(ground, "pic\u202egpj.py"), "pic\u202egpj.py", r"pic\u202egpj.py", (HIDDEN,))


@pytest.mark.parametrize("name", ["CON.py", "docs/notes.", "docs/notes "])
def test_20_names_that_windows_refuses(ground: Ground, name: str) -> None:
    reviewed(loud(ground, name), name, name, (UNPORTABLE,))
