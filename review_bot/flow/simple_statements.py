"""What simple statements do to the paths that reach them: assignments, deletions, and calls that may change places."""

from __future__ import annotations

import ast

from review_bot.analysis.python.bindings import bound_places, shared_names
from review_bot.analysis.python.never_negative import never_negative
from review_bot.analysis.python.statements import Function, is_definition, last_name
from review_bot.flow.collected_uses import CollectedUses
from review_bot.flow.effects import called_name, effects, ends, logs, may_end
from review_bot.flow.module_facts import ModuleFacts
from review_bot.flow.state import OBJECT, State, Step, Value, place_of, places_in
from review_bot.flow.values import keeping_none, outcomes


class SimpleStatements(CollectedUses):
    """Follows the statements of a function that hold no others."""

    def __init__(self, function: Function, module: ModuleFacts) -> None:
        super().__init__({**module.constants, **never_negative(function)}, module.imported, shared_names(function))
        self._module = module

    def simple(self, node: ast.stmt, states: list[State]) -> list[State]:
        """Follow a simple statement, and return the paths that reach its end."""
        if is_definition(node):
            return [state.forgetting([node.name]) for state in states]
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            return [state.forgetting(bound_places([node])) for state in states]
        states = self.after_calls(node, self.parts(node, states))
        if isinstance(node, (ast.Assign, ast.AnnAssign)):
            return self._assign(node, states)
        if isinstance(node, ast.AugAssign):
            place = place_of(node.target)
            return states if place is None else [state.binding(place, Value("object")) for state in states]
        if isinstance(node, ast.Delete):
            for target in node.targets:
                place = place_of(target)
                if isinstance(target, ast.Name):
                    self.used(target.id, target, "", states)
                    states = self.going_on(states)
                gone = Value("unbound", step=Step(node.lineno, f"`{place}` is deleted"))
                if place is not None and place not in self.untraceable:
                    states = [state.binding(place, gone._replace(since=state.taken)) for state in states]
        elif isinstance(node, ast.Expr) and (
            _divides_by_zero(node.value) or (isinstance(node.value, ast.Call) and self._may_not_return(node.value))
        ):
            return []
        return states

    def parts(self, node: ast.stmt, states: list[State]) -> list[State]:
        """Report the uses in a simple statement, and return the paths that go on."""
        targets: list[ast.expr] = []
        if isinstance(node, ast.Assign):
            targets = node.targets
            if isinstance(node.targets[0], (ast.Tuple, ast.List)):
                self.needed(node.value, "it is unpacked", states)
        elif isinstance(node, (ast.AnnAssign, ast.AugAssign)):
            targets = [node.target]
        for name in ("value", "exc", "cause"):
            part = getattr(node, name, None)
            if isinstance(part, ast.expr):
                self.expression(part, states)
        self.targets(targets, states)
        if isinstance(node, ast.AugAssign):
            self.needed(node.target, "it is calculated with", states)
        return self.going_on(states)

    def _is_given(self, value: ast.expr) -> bool:
        """Return whether a value is what a function of the module or a method of ``self`` returns, and no None."""
        own = isinstance(value, ast.Call) and (
            isinstance(value.func, ast.Name)
            or (isinstance(value.func, ast.Attribute) and place_of(value.func.value) == "self")
        )
        return own and isinstance(value, ast.Call) and last_name(value.func) in self._module.giving

    def _assign(self, node: ast.Assign | ast.AnnAssign, states: list[State]) -> list[State]:
        if node.value is None:
            return states
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        value, after = keeping_none(node.value, targets), list[State]()
        for state in states:
            for each, held in outcomes(value, state, self._constants):
                if held.presence == "none" and held.step is not None and not held.step.note:
                    names = " and ".join(f"`{ast.unparse(target)}`" for target in targets)
                    held = held._replace(step=Step(node.lineno, f"{names} is set to None"))  # noqa: PLW2901
                if held.copy_of in self.untraceable:
                    held = held._replace(copy_of="")  # noqa: PLW2901
                if self._module.giving and self._is_given(value):
                    held = OBJECT  # noqa: PLW2901
                for target in targets:
                    place = place_of(target)
                    if place is None:
                        each = each.forgetting(bound_places([target]))  # noqa: PLW2901
                    else:
                        each = each.binding(place, Value() if place in self.untraceable else held)  # noqa: PLW2901
                after.append(each)
        return after

    def after_calls(self, node: ast.stmt | ast.expr, states: list[State]) -> list[State]:
        """Mark as stale what a call may change: attributes with None, and what it is handed to judge.

        What ``:=`` binds is forgotten.
        """
        walrus, runs_other_code = effects(node)
        states = [state.forgetting(walrus) for state in states] if walrus else states
        if not runs_other_code:
            return states
        judged: set[str] = set()
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and not logs(node.value):
            judged = {place for argument in node.value.args for place in places_in(argument)}
            judged |= {place for argument in node.value.keywords for place in places_in(argument.value)}
        after: list[State] = []
        for state in states:
            old = {
                place: held._replace(stale=True)
                if held.presence == "none"
                else held._replace(presence="unknown", step=None)
                for place, held in state.places.items()
                if held.presence in {"none", "optional"} and ("." in place or place in judged)
            }
            after.append(state._replace(places={**state.places, **old}) if old else state)
        return after

    def _may_not_return(self, call: ast.Call) -> bool:
        if called_name(call) in self._module.ending or ends(call):
            return True
        may_not = may_end(call)
        self.may_have_ended = self.may_have_ended or may_not
        return may_not


def _divides_by_zero(node: ast.expr) -> bool:
    """Return whether an expression is ``1 / 0``, or a call of which it is an argument: a way to stop there."""
    if isinstance(node, ast.Call):
        return any(map(_divides_by_zero, node.args))
    return (
        isinstance(node, ast.BinOp)
        and isinstance(node.op, (ast.Div, ast.FloorDiv, ast.Mod))
        and isinstance(node.left, ast.Constant)
        and isinstance(node.left.value, (int, float))
        and isinstance(node.right, ast.Constant)
        and node.right.value == 0
        and isinstance(node.right.value, (int, float))
    )
