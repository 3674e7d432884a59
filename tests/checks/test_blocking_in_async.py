from __future__ import annotations

import pytest

from tests.rule_cases import findings_of

RULE, IN_HANDLER = "errors/blocking-in-async", "errors/blocking-in-handler"
HEAD = "import asyncio\nimport time as clock\n\nfrom fastapi import Request\n\n\n"
STEP = "async def step():\n    clock.sleep(1)\n"


def lines(text: str) -> list[int]:
    return [finding.line or 0 for finding in findings_of(RULE, HEAD + text)]


def lines_in_handlers(text: str) -> list[int]:
    return [finding.line or 0 for finding in findings_of(IN_HANDLER, HEAD + text)]


def test_a_function_that_runs_alone_is_left_alone():
    assert lines(f"{STEP}\n\nasync def main():\n    await step()\n\n\nasyncio.run(main())\n") == []


@pytest.mark.parametrize(
    "rest",
    [
        "async def main():\n    await asyncio.gather(step(), other())\n",
        "async def main():\n    tasks = [step() for _ in range(3)]\n    await asyncio.wait(tasks)\n",
        "def start(loop):\n    loop.create_task(step())\n",
        "async def outer():\n    await step()\n\n\nasync def main():\n    await asyncio.gather(outer(), other())\n",
    ],
)
def test_a_function_that_is_run_as_a_task_is_counted(rest):
    (finding,) = findings_of(RULE, f"{HEAD}{STEP}\n\n{rest}")

    assert (finding.line, finding.severity, finding.placement) == (8, "info", "summary")
    assert finding.message == "`time.sleep` blocks the event loop inside an async function."


@pytest.mark.parametrize(
    "rest",
    [
        "@app.get('/')\nasync def handle():\n    await step()\n",
        "async def handle(request: Request):\n    return await step()\n",
        "async def outer():\n    await step()\n\n\n@app.get('/')\nasync def handle():\n    await outer()\n",
    ],
)
def test_a_function_that_a_request_waits_for_is_reported_on_its_line(rest):
    (finding,) = findings_of(IN_HANDLER, f"{HEAD}{STEP}\n\n{rest}")

    assert (finding.line, finding.severity, finding.placement) == (8, "warning", "inline")
    assert finding.message.startswith("`time.sleep` in `step` blocks the event loop that serves requests")
    assert lines(f"{STEP}\n\n{rest}") == []


def test_what_runs_before_the_first_request_is_not_in_a_handler():
    text = f"{HEAD}@app.on_event('startup')\nasync def warm():\n    clock.sleep(1)\n"

    assert findings_of(IN_HANDLER, text) == []


def test_tasks_that_lead_elsewhere_show_nothing():
    assert lines(f"{STEP}\n\nasync def main():\n    await asyncio.gather(one(), two())\n") == []


def method(name: str, body: str = "return self.state") -> str:
    return f"\n    async def {name}(self):\n        {body}\n"


@pytest.mark.parametrize(
    ("methods", "found"),
    [
        (method("status"), True),
        (method("initialize") + method("close") + method("_check") + method("__aenter__"), False),
        (method("part") + method("whole", "await self.part()"), True),
        (method("start", "self.lock = asyncio.Lock()"), True),
    ],
)
def test_another_coroutine_of_the_class_counts_if_it_may_run_meanwhile(methods, found):
    text = "class Engine:\n" + method("update", "clock.sleep(1)").removeprefix("\n") + methods

    assert lines(text) == ([9] if found else [])


def test_coroutines_that_only_call_each_other_are_one_line_of_work():
    text = "class Trainer:\n" + method("fit", "await self.step()") + method("step", "clock.sleep(1)")

    assert lines(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "class Sync(rpc.SyncServicer):\n    async def Get(self, request, context):\n        clock.sleep(1)\n",
        "@serve.deployment\nclass Sync:\n    async def __call__(self, request):\n\n        clock.sleep(1)\n",
    ],
)
def test_methods_of_a_class_of_handlers_are_reported(text):
    assert len(lines_in_handlers(text)) == 1


@pytest.mark.parametrize(
    "rest",
    [
        "from aiohttp import web\n\nROUTES = [web.route('GET', '/', step)]\n",
        "import aiohttp.web as web\n\nROUTES = [web.view('/', handler=step)]\n",
        "app.router.add_route('GET', '/', step)\n",
        "app.router.add_delete('/', partial(step, 1))\n",
        "app.add_route('/', step, ['GET'])\n",
        "app.get('/')(step)\n",
        "from starlette.routing import Route\n\nROUTES = [Route('/', step)]\n",
        "from fastapi import routing\n\nROUTES = [routing.APIRoute('/', endpoint=step)]\n",
    ],
)
def test_a_function_that_is_given_to_a_framework_is_a_handler(rest):
    assert len(lines_in_handlers(f"{STEP}\n\n{rest}")) == 1


@pytest.mark.parametrize(
    "rest",
    [
        "requests.get('/', step)\n",
        "cache.get('/', step)\n",
        "def add(step):\n    app.add_route('/', step)\n",
        "app.add_route(step, other)\n",
        "def step():\n    pass\n\n\napp.add_route('/', step)\n",
    ],
)
def test_a_function_that_may_be_another_is_no_handler(rest):
    assert lines_in_handlers(f"{STEP}\n\n{rest}") == []


@pytest.mark.parametrize(
    ("rest", "found"),
    [
        ("app.router.add_view('/', Server)\n", True),
        ("server = Server()\napp.router.add_get('/', server.get)\n", True),
        ("server = other()\napp.router.add_get('/', server.get)\n", False),
        ("app.router.add_view('/', Other)\n", False),
    ],
)
def test_a_method_that_is_given_to_a_framework_is_a_handler(rest, found):
    text = "class Server:\n" + method("get", "clock.sleep(1)") + "\n\n" + rest

    assert len(lines_in_handlers(text)) == found
