"""The isolated worker: whatever a file does to it costs that file, ends in time, and finds no secret."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import time
from pathlib import Path

import pytest

from review_bot.changes.pull_request import Unreviewed
from review_bot.changes.repository import Repository, closed
from review_bot.configuration import rule_registry
from review_bot.engine.examination import Texts, examine
from review_bot.engine.examination_request import ExaminationRequest
from review_bot.engine.plan import make_plan
from review_bot.rules.examples import make_case
from review_bot.rules.matchers import Checked
from review_bot.sandbox.worker_client import Limits, Worker, protect_process
from tests.engine import rogue_checks
from tests.engine.cases import CALLS, rulebook_of

ROOT = str(Path(__file__).parents[2])
QUICK = Limits(memory=400 * 1024 * 1024, file_seconds=0.3, total_seconds=10.0)
linux = pytest.mark.skipif(sys.platform != "linux", reason="a limit of Linux")
filtered = pytest.mark.skipif(
    sys.platform != "linux" or os.uname().machine not in {"x86_64", "aarch64"}, reason="a filter of these machines"
)


def case_of(head, rules=CALLS):
    book = rulebook_of(rules)
    case = make_case(book.rules[0], {"base": {}, "head": head})
    plan = make_plan(case.pull_request, book)
    return case.pull_request, plan, Texts(case.new, case.old), closed(head, [], head), book


def rogue(does, head, name="file", limits=QUICK, jobs=1):
    rules = "id: own/rogue\nlanguage: python\ncheck: {name: errors/constant-condition}\n---\nid: own/bad-call\nlanguage: python\nrule: {pattern: bad($$$A)}\n"
    change, _, texts, repository, book = case_of(head, rules)
    first = book.rules[0]
    assert isinstance(first.matcher, Checked)
    first = first._replace(
        matcher=first.matcher._replace(name=name, options={"does": does}, per_file=name == "file"),
        literals=None,
        opening=None,
    )
    book = book._replace(rules=(first, *book.rules[1:]), load_check=rogue_checks.load_check)
    plan = make_plan(change, book)
    with Worker(limits, rogue_checks.command(ROOT)) as worker:
        pid = worker.pid
        result = worker.examine(ExaminationRequest(change, plan, texts, repository, book), jobs=jobs)
    assert not alive(pid)
    return result


def alive(pid):
    """Return whether a process, or one of its group, is still there (a zombie is)."""
    for kill in (os.kill, os.killpg):
        try:
            kill(pid, 0)
        except ProcessLookupError:
            continue
        return True
    return False


FILES = {"a.py": "good()\n", "b.py": "bad()\n", "c.py": "good()\n"}


def looked(result):
    return [finding.path for finding in result.findings if finding.message == "looked"]


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize(
    ("does", "reason"),
    [
        ("hang", "took longer than 3 s"),
        ("spin", "needed more than 0.3 s of processor time|took longer than 3 s"),  # the latter on a busy machine
        ("escape", "took longer than 3 s"),
        ("crash", "analysis ended with signal 11"),
        ("exit_quietly", "analysis ended with status 0"),
        ("forge", "returned an unreadable response"),
        ("rewrite_a_class", "returned an unreadable response"),
        pytest.param("eat", "needed more memory than 400 MiB", marks=linux),
    ],
)
def test_only_the_file_that_breaks_it_is_unreviewed(does, reason, jobs):
    result = rogue(does, FILES, jobs=jobs, limits=QUICK._replace(file_seconds=5.0) if does == "eat" else QUICK)
    assert [entry.path for entry in result.unreviewed] == ["b.py"]
    assert result.unreviewed[0].reason in reason.split("|")
    assert looked(result) == ["a.py", "c.py"]
    assert not result.failures


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("brackets.py", "x = " + "[" * 100_000 + "]" * 100_000 + "\n"),
        ("brackets.js", "x = " + "[" * 100_000 + "]" * 100_000 + ";\n"),
        ("brackets.json", "[" * 100_000 + "]" * 100_000 + "\n"),
        ("templates.cpp", "a<" * 100_000 + "int" + ">" * 100_000 + " x;\n"),
    ],
)
def test_deep_nesting_ends_in_time_and_costs_one_file(path, code):
    language = {"py": "python", "js": "javascript", "json": "json", "cpp": "cpp"}[path.rpartition(".")[2]]
    rules = f"id: own/down\nlanguage: {language}\nrule: {{regex: '^.$', inside: {{regex: '^\\d\\D\\d$', stopBy: end}}}}\n---\n{CALLS}"
    change, plan, texts, repository, book = case_of({"a.py": "bad(1)\n", path: code}, rules)
    begin = time.monotonic()
    with Worker(Limits(file_seconds=2.0)) as worker:
        result = worker.examine(ExaminationRequest(change, plan, texts, repository, book))
    assert time.monotonic() - begin < 30
    assert [entry.path for entry in result.unreviewed] == [path]
    assert ("own/bad-call", "a.py") in {(finding.rule, finding.path) for finding in result.findings}


def test_a_panic_is_a_failure_of_the_rule():
    result = rogue("throw", FILES)
    assert [(failure.rule, failure.path) for failure in result.failures] == [("own/rogue", "b.py")]
    assert looked(result) == ["a.py", "c.py"]


def test_what_a_rule_prints_goes_nowhere():
    result = rogue("print_nonsense", FILES)
    assert "did print_nonsense: printed" in {finding.message for finding in result.findings}
    assert not result.unreviewed


@linux
def test_a_file_cannot_answer_for_another():
    result = rogue("answer_for_others", {"a.py": "bad()\n", "b.py": "good()\n", "c.py": "bad(1)\n"})
    assert {entry.path for entry in result.unreviewed} >= {"b.py", "c.py"}


@linux
@pytest.mark.parametrize(("does", "said"), [("bomb", "no fork: BlockingIOError"), ("write_a_file", "no file: ")])
def test_it_can_start_no_process_and_write_no_file(does, said):
    messages = [finding.message for finding in rogue(does, FILES).findings]
    for path in Path("/tmp").glob("worker-*"):  # without the filter it can make one, and put nothing in it
        path.unlink()
    assert [message for message in messages if message.startswith(f"did {does}: {said}")]


@filtered
def test_it_touches_no_file_signals_no_process_and_leaves_nothing_in_the_kernel():
    rogue_checks.TOUCHED.mkdir(mode=0o777)
    try:
        rogue_checks.TOUCHED.chmod(0o777)
        (rogue_checks.TOUCHED / "file").write_text("x")
        said = [finding.message for finding in rogue("touch", FILES).findings if "touch" in finding.message]
        assert said == ["did touch: could []"]
        assert os.listdir(rogue_checks.TOUCHED) == ["file"]
    finally:
        shutil.rmtree(rogue_checks.TOUCHED)


@filtered
def test_it_has_no_network_and_starts_no_program_and_imports_no_file():
    (said,) = [finding.message for finding in rogue("reach_out", FILES).findings if "reach_out" in finding.message]
    denied = ", ".join(
        f"{name} EPERM" for name in ("udp", "unix", "program", "namespace", "clone", "io_uring", "process")
    )
    assert said == f"did reach_out: {denied}, this was not imported before this process dropped its privileges"


@linux
def test_it_finds_no_token():
    pid = os.fork()  # the process that must be protected: its environment holds the token from its start
    if pid == 0:
        code = (
            "import sys, os; sys.path.insert(0, sys.argv[1])\n"
            "from review_bot.sandbox.worker_client import protect_process\n"
            "from tests.engine import rogue_checks\n"
            "from tests.sandbox import test_worker_client\n"
            "assert protect_process()\n"
            "result = test_worker_client.rogue('spy', test_worker_client.FILES)\n"
            "said = [f.message for f in result.findings if 'did spy' in f.message]\n"
            "print(said, file=open(sys.argv[2], 'w'))\n"
        )
        os.execve(
            sys.executable,
            [sys.executable, "-c", code, ROOT, f"/tmp/spy-{os.getppid()}"],
            {"GITHUB_TOKEN": rogue_checks.TOKEN, "HOME": "/root", "TMPDIR": "/tmp"},
        )
    _, status = os.waitpid(pid, 0)
    assert status == 0
    path = Path(f"/tmp/spy-{os.getpid()}")
    said = path.read_text()
    path.unlink()
    assert "tokens 0" in said
    assert "environment ['LANG'" in said or "environment ['LANG', 'LC_CTYPE']" in said
    assert "TOKEN" not in said
    assert "cwd /;" in said
    assert "descriptors [0, 1, 2, 3]" in said
    if os.getuid() == 0:
        assert "uid 65534" in said


def test_a_rule_over_the_whole_change_dies_alone():
    result = rogue("crash", FILES, name="change")
    assert [(f.rule, f.path, f.error) for f in result.failures] == [
        ("own/rogue", None, "analysis ended with signal 11")
    ]
    assert [(finding.rule, finding.path) for finding in result.findings] == [("own/bad-call", "b.py")]
    assert not result.unreviewed


def test_when_the_time_is_over_the_rest_is_unreviewed_and_nobody_is_left():
    limits = Limits(file_seconds=30, total_seconds=3.0)
    begin = time.monotonic()
    result = rogue("hang", FILES, limits=limits)
    assert time.monotonic() - begin < 3.5 + 1  # with the start and the imports of the worker
    reason = "the time limit for the whole change, 3 s, was exceeded"
    assert ("b.py", reason) in [(entry.path, entry.reason) for entry in result.unreviewed]
    assert looked(result)


@pytest.mark.parametrize(
    "code",
    ["import time; time.sleep(60)", "import os; os.read(0, 9); os._exit(3)", "raise SystemExit('no such module')"],
)
def test_a_worker_that_gives_no_answer_leaves_everything_unreviewed(code):
    change, plan, texts, repository, book = case_of({"m.py": "bad(1)\n"})
    begin = time.monotonic()
    with Worker(Limits(total_seconds=0.7), (sys.executable, "-I", "-c", code)) as worker:
        pid = worker.pid
        result = worker.examine(ExaminationRequest(change, plan, texts, repository, book))
    assert time.monotonic() - begin < 0.7 + 0.5
    assert [entry.path for entry in result.unreviewed] == ["m.py"]
    assert not alive(pid)


@pytest.mark.parametrize(
    "answer",
    [
        "no json",
        "[]",
        '{"examination": []}',
        '{"examination": [[], [], [], [], [], [], []], "x": 1}',
        "[" * 100_000,
        '{"refused": "because"}',
    ],
)
def test_an_answer_that_cannot_be_is_not_believed(answer):
    code = f"import sys\nsys.stdin.buffer.read(8)\nsys.stdout.write({answer!r} + chr(10))"
    change, plan, texts, repository, book = case_of({"m.py": "bad(1)\n"})
    change = change._replace(unreviewed=(Unreviewed("x.py", "truncated"),))
    with Worker(QUICK, (sys.executable, "-I", "-c", code)) as worker:
        result = worker.examine(ExaminationRequest(change, plan, texts, repository, book))
    assert {entry[0] for entry in result.unreviewed} == {"m.py", "x.py"}


def test_an_answer_without_end_is_cut_off():
    code = "import sys\nwhile True: sys.stdout.write('x' * 1000000)"
    change, plan, texts, repository, book = case_of({"m.py": "bad(1)\n"})
    with Worker(QUICK, (sys.executable, "-I", "-c", code)) as worker:
        result = worker.examine(ExaminationRequest(change, plan, texts, repository, book))
    assert [entry.reason for entry in result.unreviewed] == ["the sandboxed process returned more than 64 MiB"]


def test_it_says_the_same_as_this_process_and_can_be_asked_again():
    head = {
        "tool.py": "import os\nimport os\ntry:\n    run()\nexcept:\n    pass\n",
        "noted.py": "try:\n    run()\nexcept:  # review-bot: ignore[errors/swallowed-exception] it may be anything\n    pass\n",
        "unused.py": "x = 1  # review-bot: ignore[errors/bare-except] no reason to\n",
        "web.ts": "const x: any = 1;\n",
        "package/absent.py": "from package.nowhere import nothing\n",
        "package/__init__.py": "",
    }
    book = rule_registry.builtin_rulebook()
    case = make_case(
        book.rules[0], {"base": {"old.py": "def gone():\n    pass\n"}, "head": {**head, "old.py": "x = 1\n"}}
    )
    plan = make_plan(case.pull_request, book)
    asked = ExaminationRequest(case.pull_request, plan, Texts(case.new, case.old), case.repository, book)
    told: list[int] = []
    here = examine(asked)
    with Worker() as worker:
        assert worker.examine(asked, jobs=2, progress=told.append) == here
        assert worker.examine(asked, jobs=1) == here
    assert told[-1] >= len(plan.tasks)
    assert here.findings
    assert here.suppressed


def test_a_repository_that_is_not_closed_is_refused():
    change, plan, texts, _, book = case_of({"m.py": "bad(1)\n"})
    with Worker(QUICK) as worker, pytest.raises(TypeError, match="closed"):
        worker.examine(ExaminationRequest(change, plan, texts, Repository(read_head=lambda _: None), book))


def test_a_worker_nobody_asks_is_ended():
    worker = Worker()
    pid = worker.pid
    worker.close()
    worker.close()
    assert not alive(pid)


@linux
def test_a_worker_ends_with_its_parent():
    reader, writer = os.pipe()
    parent = os.fork()
    if parent == 0:
        worker = Worker()
        os.write(writer, str(worker.pid).encode())
        time.sleep(60)
    pid = int(os.read(reader, 20))
    time.sleep(1)
    os.kill(parent, signal.SIGKILL)
    os.waitpid(parent, 0)
    for _ in range(50):
        state = Path(f"/proc/{pid}/stat").read_text().split()[2] if Path(f"/proc/{pid}").exists() else "X"
        if state in "XZ":
            return
        time.sleep(0.05)
    pytest.fail("the worker lives on")


def test_protecting_a_process_says_whether_it_could():
    pid = os.fork()
    if pid == 0:
        os._exit(0 if protect_process() == (sys.platform == "linux") else 1)
    assert os.waitpid(pid, 0)[1] == 0


@linux
@pytest.mark.parametrize("memory", range(100, 220, 20))
def test_a_use_that_no_memory_is_left_to_find_is_never_passed_over(memory):
    """A change filled the memory with long notes until the file with the use could not be parsed, and was green."""
    uses = "from pkg.cache import lookup\n\nX = lookup(1)\n" + "Y = [a + b for a, b in ((1, 2), (3, 4))]\n" * 5_000
    base = {"pkg/__init__.py": "", "pkg/cache.py": "def lookup(n):\n    return n\n\n\nZ = 1\n", "pkg/use.py": uses}
    head = {**base, "pkg/cache.py": "Z = 1\n"}
    book = rule_registry.builtin_rulebook()
    book = book._replace(rules=tuple(rule for rule in book.rules if rule.id == "api/removed-name"))
    case = make_case(book.rules[0], {"base": base, "head": {"pkg/cache.py": "Z = 1\n"}})
    request = ExaminationRequest(
        case.pull_request,
        make_plan(case.pull_request, book),
        Texts(case.new, case.old),
        closed(head, base, head, base),
        book,
    )
    with Worker(Limits(memory=memory * 1024 * 1024)) as worker:
        result = worker.examine(request)
    assert [finding.severity for finding in result.findings] == ["error"] or result.failures or result.unreviewed
