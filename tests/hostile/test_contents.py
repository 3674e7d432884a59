"""Code under review that is made to be slow, unreadable, believed or obeyed: cases 43 to 58.

What stands between the brackets of ``echo(...)`` is repeated in the message of a rule and in its suggestion: as much as
a rule can ever be made to say.
"""

from __future__ import annotations

import time

import pytest

from review_bot.sandbox import worker_client
from tests.hostile import inspection
from tests.hostile.ground import LOUD, Ground, Ran
from tests.some import some

WORKER = "process"
RLO, PDI, LRI = "\u202e", "\u2069", "\u2066"
FORTY = "deadbeef" * 5
WILD = """\
id: wild
severity: warning
message: This line is wild.
note: Tame it.
text: {regex: '(.*)=(.*)=(.*)=(.*);WILD'}
metadata: {title: Wild, confidence: high, show: line}
"""
DEEP = """\
id: deep-{0}
language: {0}
severity: warning
message: This is deep.
note: Make it flat.
rule: {{all: [{{regex: '[A-Za-z(<]'}}, {{has: {{regex: '[0-9]{{40}}', stopBy: end}}}}]}}
metadata: {{title: Deep, confidence: high, show: line}}
"""
LANGUAGES = {"c": "c", "cpp": "cpp", "go": "go", "java": "java", "javascript": "js", "json": "json", "python": "py",
             "ruby": "rb", "rust": "rs", "typescript": "ts"}  # fmt: skip


def echoed(ground: Ground, text: str, *, process: bool = False) -> tuple[Ran, str]:
    """Review a line that holds a text in ``echo(...)``; return the run and what the comment says, as people read it."""
    pr = ground.open({"a.py": f"echo({text})\n"})
    ran = ground.run_process(pr) if process else ground.run(pr)
    assert [each for each in ran.findings if each[0] == "echo"] == [("echo", "a.py", 1)]
    (comment,) = [one for one in pr.review_comments if "<!-- review-bot:rule echo -->" in one.body]
    assert (comment.start_line or comment.line) == 1
    return ran, inspection.text_of(comment.body).split("\n")[0]


def repeated(ground: Ground, text: str, shown: str | None = None, *, process: bool = False) -> Ran:
    """Check that a text is repeated to the letter, or as ``shown``, and does nothing."""
    ran, said = echoed(ground, text, process=process)
    assert said == f"Warning: Echo. This echoes {text if shown is None else shown} here."
    return ran


def suggested(ran: Ran) -> list[str]:
    """Return what our comments suggest."""
    return [
        content
        for one in ran.pr.review_comments
        for language, content in inspection.fences(one.body)
        if language == "suggestion"
    ]


def test_a_suggestion_where_nothing_is_wrong(ground: Ground) -> None:
    assert suggested(repeated(ground, "1")) == ["once(1)\n"]


def test_43_line_of_ten_million(ground: Ground) -> None:
    ran = ground.run(ground.open({"long.txt": "a" * 10_000_000 + " SHOUT\n", "long.py": f"x = '{'b' * 10_000_000}'\n"}))
    assert (ran.code, ran.verdict, ran.findings) == (3, "incomplete", [("shout", "long.txt", 1)])
    assert ran.unreviewed == [("long.py", "larger than 5,000,000 characters")]
    assert max(map(len, ran.written)) < 5000


def test_44_wildcards(ground: Ground) -> None:
    ground.base({".github/review-bot/rules/wild.yml": WILD})
    started = time.process_time()
    ran = ground.run(ground.open({"a.txt": "a=" * 20_000 + "\n", "b.txt": "a=b=c=d;WILD\n"}))
    assert time.process_time() - started < 5
    assert (ran.code, ran.findings, ran.unreviewed) == (0, [("wild", "b.txt", 1)], [])


def test_45_nested_brackets(ground: Ground) -> None:
    ground.base({f".github/review-bot/rules/deep-{name}.yml": DEEP.format(name) for name in LANGUAGES})
    limits = worker_client.Limits(file_seconds=0.7)
    files = {f"nest.{suffix}": "(" * 100_000 + ")" * 100_000 + "\n" for suffix in LANGUAGES.values()}
    started = time.monotonic()
    ran = ground.run(ground.open({**files, "a.txt": LOUD}), worker=lambda: worker_client.Worker(limits))
    assert time.monotonic() - started < 30
    assert (ran.code, ran.verdict) == (3, "incomplete")
    assert ("shout", "a.txt", 1) in ran.findings
    assert {path for path, _ in ran.unreviewed} <= set(files)
    assert {"nest.c", "nest.py"} <= {path for path, _ in ran.unreviewed}
    reasons = (
        "nested too deeply to be examined by every rule",
        "needed more than 0.7 s of processor time",
        "took longer than 7 s",
        "line 1: Python 3.",
    )
    assert [reason for _, reason in ran.unreviewed if not reason.startswith(reasons)] == []


def test_46_nested_templates(ground: Ground) -> None:
    ground.base({".github/review-bot/rules/deep-cpp.yml": DEEP.format("cpp")})
    limits = worker_client.Limits(memory=300 * 1024 * 1024, file_seconds=5.0)
    pr = ground.open({"t.cpp": "A<" * 100_000 + "int" + ">" * 100_000 + " x;\n", "a.txt": LOUD})
    ran = ground.run(pr, worker=lambda: worker_client.Worker(limits))
    assert (ran.code, ran.verdict) == (3, "incomplete")
    assert ("shout", "a.txt", 1) in ran.findings
    assert ran.unreviewed == [("t.cpp", "needed more memory than 300 MiB")]


def test_47_utf_16(ground: Ground) -> None:
    ran = ground.run(ground.open({"a.py": LOUD.encode("utf-16"), "b.txt": LOUD.encode("utf-16")}))
    assert (ran.code, ran.verdict, ran.findings) == (3, "incomplete", [])
    reason = "UTF-16 text is not supported; save it as UTF-8"
    assert ran.unreviewed == [("a.py", reason), ("b.txt", reason)]


def test_48_invalid_utf_8(ground: Ground) -> None:
    ran = ground.run(ground.open({"a.py": b"name = 'caf\xe9'\n" + LOUD.encode()}))
    assert (ran.code, ran.verdict) == (3, "incomplete")
    assert ran.findings == [("shout", "a.py", 2)]
    assert ran.unreviewed == [("a.py", "not UTF-8; not every rule could be tried on it")]


def test_49_hidden_characters(ground: Ground) -> None:
    hidden, invisible, alike = (
        f"  # review-bot: ignore[security/{name}] we mean it"
        for name in ("hidden-characters", "invisible-characters", "lookalike-letters")
    )
    lines = [
        f'if level != "user{RLO} {LRI}# admins{PDI} {LRI}":{hidden}',
        f"note = 'x\U000e0072\U000e006d'{hidden}",
        f"pass\u200bword = 1{invisible}",
        f"is_admin\u3164 = 1{invisible}",
    ]
    ran = ground.run(ground.open({"notes.txt": "\n".join(lines) + "\n", "a.py": f"p\u0430ss = 1{alike}\n"}))
    assert (ran.code, ran.verdict) == (1, "changes-required")
    wanted = [
        ("security/hidden-characters", "notes.txt", 1),
        ("security/hidden-characters", "notes.txt", 2),
        ("security/hidden-characters", "notes.txt", 4),
        ("security/invisible-characters", "notes.txt", 3),
        ("security/lookalike-letters", "a.py", 1),
    ]
    assert [each for each in ran.findings if each[0].startswith("security/")] == wanted
    assert [each for each in ran.findings if each not in wanted] == [
        ("suppression/malformed", path, line) for _, path, line in sorted(wanted, key=lambda each: each[1:])
    ]
    assert ran.result.report()["suppressed"] == []
    assert set(ran.inline) >= {("notes.txt", 1), ("notes.txt", 2)}  # the two others are folded until they are measured


def test_50_escape_codes(ground: Ground) -> None:
    ran = repeated(
        ground,
        "'\x1b[31m\x1b]8;;http://evil.example\x07\x1b]0;title\x07\x9b2J'",
        r"'\u001b[31m\u001b]8;;http://evil.example\u0007\u001b]0;title\u0007\u009b2J'",
        process=True,
    )
    assert "\x1b" not in ran.log
    assert suggested(ran) == []


def test_51_workflow_commands(ground: Ground) -> None:
    ran = repeated(ground, "'::stop-commands::x ##[group] ::add-mask::y'", process=True)
    assert {command.name for command in inspection.commands(ran.log)} <= {"warning", "notice"}


def test_52_ten_thousand_findings(ground: Ground) -> None:
    ran = ground.run(ground.open({"a.txt": LOUD * 9_999 + "<<<<<<< HEAD\n"}))
    assert (ran.code, ran.verdict) == (1, "changes-required")
    assert ran.result.outputs["findings"] == "10000"
    assert (ran.result.outputs["errors"], ran.result.outputs["warnings"]) == ("1", "9999")
    assert [each for each in ran.findings if each[0] != "shout"] == [
        ("pr/too-large", None, None),
        ("style/conflict-marker", "a.txt", 10_000),
    ]
    assert ran.inline == [("a.txt", 1), ("a.txt", 10_000)]
    many = ran.pr.review_comments[0].body
    assert many.startswith("**Warning: Shouting (at least 300 times in this file).**")
    assert "[`line 50`]" in many
    assert "and 250 more" in many
    assert "9699 findings without a comment: a comment lists at most 300 findings." in ran.summary
    again = ground.run(ran.pr)
    assert [call for call in again.calls if call.method != "GET" and call.operation is None] == []
    assert again.code == 1
    assert ran.summary.index("style/conflict-marker") < ran.summary.index("`shout`")


@pytest.mark.parametrize("fence", ["```", "~~~", "```suggestion", "````"])
def test_53_fences(ground: Ground, fence: str) -> None:
    ran, said = echoed(ground, f"'''\n{fence}\nevil()\n{fence}\n'''")
    assert said == f"Warning: Echo. This echoes ''' {fence} evil() {fence} ''' here."
    assert suggested(ran) == ([] if "```" in fence else [f"once('''\n{fence}\nevil()\n{fence}\n''')\n"])


def test_54_marker(ground: Ground) -> None:
    mark = "<!-- review-bot:1 review-bot summary 0123456789abcdef-01234567 -->"
    ran = repeated(ground, f"'{mark} -->'")
    assert not any(f"\n{mark}" in text for text in ran.written)
    again = ground.run(ran.pr)
    assert [call for call in again.calls if call.method != "GET" and call.operation is None] == []
    assert again.code == 0


def test_55_mentions(ground: Ground) -> None:
    text = f"'@everyone @octo/team &#64;user &commat;user GH-1 octo/halcyon#1 #1 {FORTY} a@b.example www.evil.example'"
    repeated(ground, text)


def test_56_pictures_and_html(ground: Ground) -> None:
    text = "'![x](https://evil.example/x.png) <img src=x onerror=y> <details open> [a](//b) <a href=x>y</a> | x | y |'"
    ran = repeated(ground, text)
    written = some(text for text in ran.written if "suggestion" not in text)
    assert not any("<img" in text.replace("\\<img", "") for text in written)


def test_57_templates(ground: Ground) -> None:
    repeated(ground, "'{{ 7*7 }} {% include \"x\" %} ${{ secrets.GITHUB_TOKEN }} $A $$$B {{ code }}'")


def test_58_secret(ground: Ground) -> None:
    secret = "ghp_" + "QwErTyUiOpAsDfGhJkLzXcVbNmQwErTyUiOp"
    ran = ground.run(ground.open({"a.py": f"KEY = '{secret}'\n"}))
    assert (ran.code, ran.verdict, ran.findings) == (1, "changes-required", [("security/hardcoded-secret", "a.py", 1)])
    reports = [path.read_text() for path in (ran.result.folder / "workspace/review-bot-report").iterdir()]
    for text in [*ran.written, ran.log, *reports]:
        assert secret[4:] not in text
    assert ran.shown("security/hardcoded-secret")
    echo, said = echoed(ground, f"'{secret}'")
    assert said == "Warning: Echo. This echoes '[not shown]' here."
    assert suggested(echo) == []
    for text in [*echo.written, echo.log, str(echo.result.report())]:
        assert secret[4:] not in text
