"""Follows the values of one function forward along its paths, and collects how its places are used.

Every condition parts the paths; where they meet again, those that no longer differ become one. After a loop nothing is
certain of what it binds. An exception may come before any statement of a ``try``. Nested functions are not followed.
What is not certain is ``unknown`` and is not reported.
"""

from __future__ import annotations

import ast
from collections.abc import Collection
from functools import cached_property

from review_bot.analysis.python.bindings import bound_places
from review_bot.analysis.python.completion import SWALLOWING
from review_bot.analysis.python.node_types import Loop
from review_bot.analysis.python.statements import Function, last_name, parameter_names
from review_bot.analysis.python.syntax import own_nodes
from review_bot.flow.binders import left_out, never_none
from review_bot.flow.collected_uses import Use
from review_bot.flow.decisions import (
    after_assertion,
    after_exception,
    bound_by_others,
    into_branch,
    into_case,
    into_loop,
)
from review_bot.flow.effects import asked_on_the_way, guard_of, may_raise
from review_bot.flow.handlers import catches, logging_handler
from review_bot.flow.module_facts import ModuleFacts
from review_bot.flow.narrowing import branch
from review_bot.flow.raised import Raised
from review_bot.flow.simple_statements import SimpleStatements
from review_bot.flow.state import OBJECT, State, Step, Value, distinct, maybe_bound, merged, place_of, places_in
from review_bot.records import NamedTuple

MOST_STATES = 12
"""Paths that are kept apart at one place."""
MOST_STEPS = 4_000
"""Statements of a function that are followed, each as often as paths reach it in another way."""
MOST_PLACES = 600_000
"""Places that the paths to all these statements hold, counted each time: what following them costs, about a second."""


_NOTHING = ModuleFacts()


class Followed(NamedTuple):
    """What was seen in one function. ``cut``: it has more statements and paths than are followed.

    ``lost``: places that held None or nothing on some of more paths than are kept apart. ``steps``: the statements that
    were followed, each as often as paths reach it.
    """

    uses: tuple[Use, ...]
    cut: bool
    steps: int
    lost: frozenset[str] = frozenset()


class _CutError(Exception):
    """The function needs more steps than are allowed."""


def follow(function: Function, module: ModuleFacts = _NOTHING, *, only: Collection[str] | None = None) -> Followed:
    """Return the uses of places in a function that hold None or nothing on some path.

    ``module``: what is known of the names around it. ``only``: the places that are followed, all by default.
    """
    run = _Interpreter(function, module, only)
    try:
        run.block(function.body, [run.start()])
    except (_CutError, RecursionError):
        return Followed((), cut=True, steps=run.steps, lost=frozenset(run.lost))
    return Followed(run.found(), cut=False, steps=run.steps, lost=frozenset(run.lost))


class _Interpreter(SimpleStatements):
    def __init__(self, function: Function, module: ModuleFacts, only: Collection[str] | None) -> None:
        super().__init__(function, module)
        self._function, self._only = function, only
        self._tables = module.tables - parameter_names(function) - bound_places(function.body)
        self.lost: set[str] = set()
        self._broken: list[list[State]] = []
        self._raising: list[Raised] = []
        self.steps = self._places = 0

    def start(self) -> State:
        """Return the path on which the function begins: parameters as their annotations say, and no local is bound."""
        local = {place for place in bound_places(self._function.body) if "." not in place}
        local -= parameter_names(self._function) | self.untraceable
        present = self._module.present & self._tested if self._module.present else self._module.present
        present -= local | parameter_names(self._function)
        known = dict.fromkeys((never_none(self._function) | present) - self.untraceable, OBJECT)
        optional = {
            name: Value("optional", step=step)
            for name, step in left_out(self._function).items()
            if name not in self.untraceable
        }
        return State({name: Value("unbound") for name in local} | known | optional, {})

    def _merged(self, states: list[State]) -> list[State]:
        """Return paths without those that differ in nothing that is followed, or as one if there are very many."""
        only = self._only
        found = distinct(states if only is None else (state.only(only) for state in states))
        after = merged(found, MOST_STATES)
        if len(after) < len(found):
            self.lost.update(place for state in found for place in state.absent() if place not in after[0].places)
        return after

    def block(self, body: list[ast.stmt], states: list[State]) -> list[State]:
        """Follow some statements, and return the paths that reach their end."""
        for statement in body:
            if not states:
                return []
            self.steps += len(states)
            self._places += sum(len(state.places) + len(state.decided) for state in states)
            if self.steps > MOST_STEPS or self._places > MOST_PLACES:
                raise _CutError
            if self._raising and may_raise(statement):
                self._raising[-1].add(statement, self._raised_by(statement, states))
            states = self._merged(self._statement(statement, states))
        return states

    def _raised_by(self, node: ast.stmt, states: list[State]) -> list[State]:
        """Return the paths on which a statement may raise: not those on which its guard keeps it from running."""
        if isinstance(node, ast.Assert) and not may_raise(node.test):
            return branch(node.test, states, self._constants).false
        guard, asked = guard_of(node), asked_on_the_way(node)
        if guard is not None:
            states, asked = branch(guard, states, self._constants).true, asked - {guard.id}
        return [state.forgetting(asked) for state in states]

    def _statement(self, node: ast.stmt, states: list[State]) -> list[State]:
        match node:
            case ast.If():
                after = self._if(node, states)
            case ast.For() | ast.AsyncFor() | ast.While():
                after = self._loop(node, states)
            case ast.Try() | ast.TryStar():
                after = self._try(node, states)
            case ast.With() | ast.AsyncWith():
                after = self._with(node, states)
            case ast.Match():
                after = self._match(node, states)
            case ast.Return() | ast.Raise() | ast.Break() | ast.Continue():
                after = self._leave(node, states)
            case ast.Assert():
                after = self.after_calls(node.test, self.evaluated(node.test, states))
                after = branch(node.test, after, self._constants).true
                after = [after_assertion(state, node) for state in after]
            case _:
                after = self.simple(node, states)
        return after

    def _leave(self, node: ast.Return | ast.Raise | ast.Break | ast.Continue, states: list[State]) -> list[State]:
        states = self.parts(node, states)
        if isinstance(node, ast.Break) and self._broken:  # outside a loop it is no Python, yet it can be parsed
            self._broken[-1].extend(states)
        return []

    def _if(self, node: ast.If, states: list[State]) -> list[State]:
        states = self.after_calls(node.test, self.evaluated(node.test, states))
        taken: list[State] = []
        passed: list[State] = []
        for each in states:
            ways = branch(node.test, [each], self._constants, others=states)
            forced = not (ways.true and ways.false)
            taken += (
                into_branch(node, state, bound_places(node.orelse), outcome=True, forced=forced) for state in ways.true
            )
            passed += (
                into_branch(node, state, bound_places(node.body), outcome=False, forced=forced) for state in ways.false
            )
        return [*self.block(node.body, taken), *self.block(node.orelse, passed)]

    def _loop(self, node: Loop, states: list[State]) -> list[State]:
        if isinstance(node, ast.While):
            head: list[ast.AST] = [node.test]
        else:
            states = self.evaluated(node.iter, states, "it is iterated over")
            head = [node.target]
        changed = bound_places([*head, *node.body])
        states = self._merged(maybe_bound(states, changed))
        inside, after = states, states
        if isinstance(node, ast.While):
            inside, after = branch(node.test, self.evaluated(node.test, states), self._constants)
        else:
            inside = [into_loop(node, state, self._origins(node.iter)) for state in states]
        self._broken.append([])
        self.block(node.body, inside)
        broken = self._broken.pop()
        after = self.block(node.orelse, after)
        return [*after, *maybe_bound(broken, changed)]

    @cached_property
    def _tested(self) -> frozenset[str]:
        """Names that the function compares with something, such as None."""
        compared = (each.left for each in own_nodes(self._function.body) if isinstance(each, ast.Compare))
        return frozenset(each.id for each in compared if isinstance(each, ast.Name))

    @cached_property
    def _assignments(self) -> list[ast.Assign]:
        """Those of the function itself: each loop asks."""
        return [each for each in own_nodes(self._function.body) if isinstance(each, ast.Assign)]

    def _origins(self, node: ast.expr) -> frozenset[str]:
        """Return the places that an expression mentions, and those from which the function makes its names."""
        places = places_in(node)
        made = [
            places_in(each.value) for each in self._assignments if not places.isdisjoint(map(place_of, each.targets))
        ]
        return places.union(*made)

    def _try(self, node: ast.Try | ast.TryStar, states: list[State]) -> list[State]:
        caught = any(map(catches, node.handlers))
        self._raising.append(Raised(self._tables))
        self.caught += [logging_handler(node.handlers)] * caught
        after = self.block(node.body, states)
        del self.caught[len(self.caught) - caught :]
        raised = self._raising.pop()
        decides = bound_places([*node.body, *node.orelse])
        self._raising.append(Raised())  # what the other parts raise leaves by the ``finally`` as well
        after = self.block(node.orelse, after)
        for handler in node.handlers:
            leads_here = self._merged(raised.leading_to(handler, node.body))
            handled = [after_exception(state, handler, node, decides) for state in leads_here]
            if handler.name:
                handled = [state.forgetting([handler.name]) for state in handled]
            self._raising.append(Raised())
            ends = self.block(handler.body, handled)
            bound = bound_places(handler.body)  # that one of its statements raises before it binds these is no reason
            self._raising[-2].extend([state.forgetting(bound) for state in self._raising.pop().any])
            after += self._without_error(handler, ends)
        failing = self._raising.pop().any
        leaving = [state.forgetting(bound_places(node.finalbody)) for state in failing]
        passing = self._merged(failing) if node.handlers else []
        if not caught:
            passing += [after_exception(state, None, node, decides) for state in self._merged(raised.any)]
        if node.finalbody:
            leaving += self._finally(node, passing)
        if self._raising:
            self._raising[-1].extend(leaving)
        return self._finally(node, self._merged(after)) if node.finalbody else after

    def _finally(self, node: ast.Try | ast.TryStar, states: list[State]) -> list[State]:
        """Return the paths that leave a ``finally``: that it fails before it binds its names is no reason."""
        self._raising.append(Raised())
        ends = self.block(node.finalbody, states)
        bound = bound_places(node.finalbody)
        failing = [state.forgetting(bound) for state in self._raising.pop().any]
        if self._raising:
            self._raising[-1].extend(failing)
        return ends

    def _without_error(self, handler: ast.ExceptHandler, states: list[State]) -> list[State]:
        """Return the paths that leave a handler: its end deletes the name that it gives the error."""
        name = handler.name
        if name is None or name in self.untraceable:
            return states
        gone = Value("unbound", step=Step(handler.lineno, f"`{name}` is deleted at the end of its handler"))
        return [state.binding(name, gone._replace(since=state.taken)) for state in states]

    def _with(self, node: ast.With | ast.AsyncWith, states: list[State]) -> list[State]:
        swallows = False
        for item in node.items:
            states = self.evaluated(item.context_expr, states, "it is entered as a context")
            swallows = swallows or last_name(item.context_expr) in SWALLOWING
            if item.optional_vars is not None:
                self.target(item.optional_vars, states)
                states = [state.forgetting(bound_places([item.optional_vars])) for state in states]
        if not swallows:
            return self.block(node.body, states)
        self.caught.append(0)
        self.block(node.body, states)
        self.caught.pop()
        return maybe_bound(states, bound_places(node.body))

    def _match(self, node: ast.Match, states: list[State]) -> list[State]:
        states = self.evaluated(node.subject, states)
        subject = place_of(node.subject)
        after: list[State] = []
        complete = False
        for case, others in zip(node.cases, bound_by_others(node.cases), strict=True):
            bound = bound_places([case.pattern]) | ({subject} if subject is not None else set())
            entering = [into_case(node, case, state.forgetting(bound), others) for state in states]
            if case.guard is not None:
                entering = branch(case.guard, self.evaluated(case.guard, entering), self._constants).true
            after += self.block(case.body, self._merged(entering))
            complete = complete or (
                case.guard is None and isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None
            )
        bound = bound_places([node])
        return after if complete else [*after, *maybe_bound(states, bound)]
