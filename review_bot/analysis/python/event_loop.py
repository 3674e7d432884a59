"""Which async functions of a file share their event loop with other work.

Any of these shows it, for the function, for those that call it, or in another method of its class:

- it is a request handler: a route's decorator, a request's annotation, a servicer, a deployment, or it is given to what
  adds a route (see ``registered_handlers``)
- it starts or coordinates tasks: ``create_task``, ``gather``, a lock, a queue, ``sleep(0)``
- its class has another coroutine that is called from outside, except to start up or to shut down

A script's ``asyncio.run(main())`` shows none of them, and a blocking call there delays no other coroutine.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import cached_property

from review_bot.analysis.python.registered_handlers import registered_handlers
from review_bot.analysis.python.statements import Function, is_function, last_name, named_parameters
from review_bot.analysis.python.syntax import classes, full_name, own_nodes
from review_bot.changes.source_file import SourceFile
from review_bot.records import NamedTuple
from review_bot.text.lazy_regex import LazyRegex

_TASKS = LazyRegex(
    r"^(asyncio|anyio|trio)\."
    r"(create_task|ensure_future|gather|wait|as_completed|TaskGroup|create_task_group|open_nursery|start_server"
    r"|run_coroutine_threadsafe|Lock|Condition|Event|(Bounded)?Semaphore|(Lifo|Priority)?Queue)$"
)
_ROUTES = frozenset({
    "get", "post", "put", "delete", "patch", "head", "options", "route", "api_route", "websocket", "websocket_route",
    "middleware", "exception_handler", "deployment",
})  # fmt: skip
"""What decorates a handler, or a class of handlers."""

_REQUEST = LazyRegex(
    r"^(fastapi|starlette|aiohttp|grpc|sanic|quart|websockets)\..*(Request|WebSocket|Context|Protocol)$"
)
_HANDLER_CLASS = LazyRegex(r"(Servicer|RequestHandler|HTTPEndpoint|WebSocketEndpoint)$")
_LIFECYCLE = LazyRegex(
    r"^a?(sync_)?(init(iali[sz]e)?|set_?up|start|load|build|create|prepare|connect|open|close|shut_?down|stop|exit"
    r"|tear_?down|clean_?up|destroy|release|disconnect|finali[sz]e)(_|$)"
)
"""A coroutine that runs before or after the work of its object, not during it."""
_SETUP = LazyRegex(r"lifespan|start_?up|shut_?down|asynccontextmanager|warm_?up|^main$|^__a(enter|exit)__$")
_TRAINER = LazyRegex(r"Train(er|ing)|Test|Benchmark")


class _Body(NamedTuple):
    """What a function shows. ``shares``: its loop has other work. ``awaits``: names of the coroutines that it runs.

    ``handles``: it is a request handler.
    """

    shares: bool
    awaits: frozenset[str]
    handles: bool


class EventLoop:
    """The functions of a file, and which of them run together with others on an event loop."""

    def __init__(self, source: SourceFile, imported: dict[str, str]) -> None:
        self._imported = imported
        self._owner: dict[int, ast.ClassDef] = {
            id(member): node for node in classes(source.tree) for member in node.body if is_function(member)
        }
        self._functions = source.functions
        self._registered = registered_handlers(source.tree)
        self._shared: dict[int, bool] = {}
        self._bodies = {id(function): self._body(function) for function in source.functions}

    def has_other_work(self, function: ast.AsyncFunctionDef) -> bool:
        """Return whether the function, its class, or one of those that lead to it shows it."""
        return id(function) in self._busy

    def serves_requests(self, function: ast.AsyncFunctionDef) -> bool:
        """Return whether a function handles requests, or one that does leads to it."""
        return id(function) in self._serving

    @cached_property
    def _busy(self) -> frozenset[int]:
        """The ids of the functions whose loop has other work, and of those to which they lead."""
        shared = (each for each in self._functions if self._bodies[id(each)].shares or self._is_in_shared_class(each))
        return self._led_to_by(shared)

    @cached_property
    def _serving(self) -> frozenset[int]:
        """The ids of request handlers, and of the functions to which they lead."""
        return self._led_to_by(each for each in self._functions if self._bodies[id(each)].handles)

    def _led_to_by(self, functions: Iterable[Function]) -> frozenset[int]:
        """Return the ids of some functions, and of those of the file that they await, directly or not."""
        named: dict[str, list[Function]] = {}
        for each in self._functions:
            named.setdefault(each.name, []).append(each)
        found: set[int] = set()
        waiting = list(functions)
        while waiting:
            function = waiting.pop()
            found.add(id(function))
            for name in self._bodies[id(function)].awaits:
                waiting += [each for each in named.pop(name, ()) if id(each) not in found]
        return frozenset(found)

    def is_setup(self, function: ast.AsyncFunctionDef) -> bool:
        """Return whether a function runs before or after the work of its loop, or is the one worker of a training."""
        owner = self._owner.get(id(function))
        if _SETUP.search(function.name) or (owner is not None and _TRAINER.search(owner.name)):
            return True
        if any(_SETUP.search(last_name(each)) or _is_startup_event(each) for each in function.decorator_list):
            return True
        return bool(_LIFECYCLE.match(function.name.lstrip("_"))) and not self._is_handler(function)

    def _is_in_shared_class(self, function: Function) -> bool:
        """Return whether another method of its class shows it, or another coroutine is called from outside."""
        owner = self._owner.get(id(function))
        if owner is None:
            return False
        if id(owner) not in self._shared:
            self._shared[id(owner)] = self._is_shared(owner)
        return self._shared[id(owner)]

    def _is_shared(self, owner: ast.ClassDef) -> bool:
        methods = [each for each in owner.body if is_function(each)]
        if any(self._bodies[id(each)].shares for each in methods):
            return True
        inner = {name for each in methods for name in self._bodies[id(each)].awaits}
        entries = {
            each.name
            for each in methods
            if isinstance(each, ast.AsyncFunctionDef)
            and each.name not in inner
            and not each.name.startswith("_")
            and not _LIFECYCLE.match(each.name)
        }
        return len(entries) > 1

    def _body(self, function: Function) -> _Body:
        nodes = list(own_nodes(function.body))
        calls = [node for node in nodes if isinstance(node, ast.Call)]
        tasks = any(self._makes_tasks(call) for call in calls)
        awaited = [node.value for node in nodes if isinstance(node, ast.Await)]
        awaited += [node.iter for node in nodes if isinstance(node, ast.AsyncFor)]
        names = {last_name(call) for call in (calls if tasks else awaited) if isinstance(call, ast.Call)}
        handler = isinstance(function, ast.AsyncFunctionDef) and self._is_handler(function)
        return _Body(tasks or handler, frozenset(names - {"", function.name}), handler)

    def _makes_tasks(self, call: ast.Call) -> bool:
        name = full_name(call.func, self._imported) or ""
        if name == "asyncio.sleep":
            return bool(call.args) and isinstance(call.args[0], ast.Constant) and call.args[0].value == 0
        return bool(_TASKS.match(name)) or (
            isinstance(call.func, ast.Attribute) and call.func.attr in {"create_task", "start_soon"}
        )

    def _is_handler(self, function: ast.AsyncFunctionDef) -> bool:
        if function in self._registered or any(_is_route(each) for each in function.decorator_list):
            return True
        owner = self._owner.get(id(function))
        if owner is not None and any(_HANDLER_CLASS.search(last_name(base)) for base in owner.bases):
            return True
        if owner is not None and any(_is_route(each) for each in owner.decorator_list):
            return True
        return any(
            _is_request(full_name(part, self._imported) or "")
            for each in named_parameters(function)
            if each.annotation is not None
            for part in ast.walk(each.annotation)
            if isinstance(part, (ast.Name, ast.Attribute))
        )


def _is_request(annotation: str) -> bool:
    """Return whether an annotation is what a client sends: a framework's class, or a request of the own protocol."""
    *modules, name = annotation.split(".")
    return bool(_REQUEST.match(annotation)) or (name.endswith("Request") and "protocol" in modules)


def _is_startup_event(decorator: ast.expr) -> bool:
    """Return whether a decorator is ``app.on_event(...)``, of which there are two: start-up and shut-down."""
    return last_name(decorator) == "on_event"


def _is_route(decorator: ast.expr) -> bool:
    """Return whether a decorator is ``app.get("/")`` or ``serve.deployment``."""
    target = decorator.func if isinstance(decorator, ast.Call) else decorator
    return isinstance(target, ast.Attribute) and target.attr in _ROUTES
