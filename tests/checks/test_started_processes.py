"""Which waits notice that a process has ended, and which context managers end it when they fail."""

from __future__ import annotations

import textwrap

import pytest

from tests.rule_cases import findings_of

WAIT = "errors/wait-without-poll"
ENTER = "errors/process-left-on-enter"


def waiting(loop: str, after: str = "raise TimeoutError", start: str = "server = subprocess.Popen(command)") -> str:
    body = f"{start}\n{textwrap.dedent(loop)}\n{after}"
    return "import subprocess\nimport time\n\n\ndef start(command, port):\n" + textwrap.indent(body, "    ") + "\n"


TRY = "    if answers(port):\n        return server\n    time.sleep(1)"


@pytest.mark.parametrize(
    ("text", "count"),
    [
        (waiting(f"for _ in range(60):\n{TRY}"), 1),
        (waiting(f"while time.time() < 60:\n{TRY}"), 1),
        (waiting(f"while not ready and time.time() < 60:\n{TRY}"), 1),
        (waiting(f"for _ in range(60):\n{TRY}", "pytest.fail('no server')"), 1),
        (waiting(f"for _ in range(60):\n{TRY}\nelse:\n    server.kill()\n    raise TimeoutError", "pass"), 1),
        (waiting(f"for _ in range(60):\n{TRY}", start="server = Process(target=run)\nserver.start()"), 1),
        (waiting(f"for _ in range(60):\n{TRY}", start="server = Process(target=run)"), 0),
        (waiting(f"for _ in range(60):\n    if server.poll():\n        break\n{TRY}"), 0),
        (waiting(f"for _ in range(60):\n    check(server)\n{TRY}"), 0),
        (waiting(f"for _ in range(60):\n{TRY}", "return None"), 0),
        (waiting(f"for each in requests:\n{TRY}"), 0),
        (waiting("for _ in range(60):\n    time.sleep(1)"), 0),
    ],
)
def test_a_wait_for_a_process(text: str, count: int) -> None:
    assert len(findings_of(WAIT, text)) == count


def entering(body: str, leave: str = "self.server.kill()") -> str:
    inner = textwrap.indent(textwrap.dedent(body), "        ")
    return (
        "import subprocess\n\n\nclass Server:\n"
        f"    def __enter__(self):\n{inner}\n        return self\n\n"
        "    def _wait(self):\n        raise TimeoutError\n\n"
        f"    def __exit__(self, *error):\n        {leave}\n"
    )


START = "self.server = subprocess.Popen(self.command)"


@pytest.mark.parametrize(
    ("text", "count"),
    [
        (entering(f"{START}\nif not ready():\n    raise TimeoutError"), 1),
        (entering(f"{START}\nself._wait()"), 1),
        (entering(f"if not ready():\n    raise TimeoutError\n{START}"), 0),
        (entering(f"{START}\nif not ready():\n    self.server.kill()\n    raise TimeoutError"), 0),
        (entering(f"{START}\ntry:\n    self._wait()\nexcept TimeoutError:\n    self.close()\n    raise"), 0),
        (entering(f"try:\n    {START}\nexcept OSError as error:\n    raise RuntimeError from error"), 0),
        (entering(f"if self.local:\n    {START}\nelse:\n    raise ValueError"), 0),
        (entering(f"{START}\nif not ready():\n    raise TimeoutError", "pass"), 0),
        (entering(f"{START}\nreturn self"), 0),
    ],
)
def test_a_start_on_enter(text: str, count: int) -> None:
    assert len(findings_of(ENTER, text)) == count
