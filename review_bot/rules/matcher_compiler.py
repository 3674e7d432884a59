"""Compiles what a rule file looks for to the record that the engine matches with, and finds the words it needs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, overload

from review_bot.changes.vocabulary import BEYOND_LATIN, Alternatives
from review_bot.rules import matchers, regex_literals, required_literals, structural_pattern
from review_bot.rules.check import ChangeCheck, Check
from review_bot.rules.lean_regex import lean
from review_bot.rules.locality import is_local
from review_bot.rules.pattern_problem import problem_with
from review_bot.rules.rule_schema import ChangeCondition, RemovedMatcher, RuleFile, TextMatcher
from review_bot.rules.scope import canonical_language
from review_bot.text.near_names import did_you_mean

Needles = tuple[Alternatives | None, Alternatives | None]
"""What a match must hold, and what its first line must (see ``changes.vocabulary``)."""


def compile_matcher(
    model: RuleFile, wrong: Any, checks: Mapping[str, Check], *, shipped: bool
) -> tuple[matchers.Matcher, Needles]:
    """Return the matcher of a rule and the words it needs; of a ``shipped`` rule with cheaper regular expressions.

    ``wrong(message, *location)`` makes the error that is raised for a mistake in the file.
    """
    matcher, needles = _compile(model, wrong, checks)
    return _lean(matcher) if shipped else matcher, needles


def _compile(model: RuleFile, wrong: Any, checks: Mapping[str, Check]) -> tuple[matchers.Matcher, Needles]:
    if model.rule is not None:
        language = canonical_language(model.language or "") or ""
        config = {
            key: value
            for key in structural_pattern.CONFIG_KEYS
            if (value := getattr(model, key)) is not None and value != {}
        }
        _try_structural(config, language, wrong)
        held = required_literals.of_parsed(config, language)
        local = language == "python" and is_local(config)
        return matchers.Structural(language, config, _fix(model.fix), held, local), _needles(config, language, model)
    if model.text is not None:
        return _compile_text(model.text)
    if model.removed is not None:
        return _compile_removed(model.removed, model, wrong)
    if model.pull_request is not None:
        when, without = model.pull_request.when, model.pull_request.without
        return matchers.ChangedTogether(_condition(when), _condition(without)), (None, None)
    return _compile_check(model, wrong, checks)


def _compile_text(text: TextMatcher) -> tuple[matchers.Matcher, Needles]:
    regex, unless = text.regex or "", _unless(text)  # rule_file has made sure that files have one
    if text.where == "filename":
        return matchers.FileName(regex, unless), (None, None)
    if text.where == "added":
        return matchers.TextLine(regex, unless), (None, regex_literals.of_regex(regex))
    prefixes, sections = (None if each is None else tuple(each) for each in (text.prefixes, text.sections))
    return matchers.PullRequestText(text.where, text.regex, unless, prefixes, sections), (None, None)


def _compile_removed(removed: RemovedMatcher, model: RuleFile, wrong: Any) -> tuple[matchers.Matcher, Needles]:
    if removed.text is not None:
        regex = removed.text.regex or ""  # rule_file has made sure that there is one
        return matchers.RemovedLine(regex, _unless(removed.text)), (None, regex_literals.of_regex(regex))
    language = canonical_language(removed.language or "") or ""
    config = {"rule": removed.rule}
    config |= {key: value for key in ("constraints", "utils") if (value := getattr(removed, key))}
    _try_structural(config, language, wrong, "removed")
    if removed.unless_added is not None:
        _try_structural(removed.unless_added, language, wrong, "removed", "unless_added")
    needles = _needles(config, language, model)
    return matchers.RemovedCode(language, config, removed.unless_added), needles


def _compile_check(model: RuleFile, wrong: Any, checks: Mapping[str, Check]) -> tuple[matchers.Matcher, Needles]:
    assert model.check is not None  # noqa: S101  # exactly one matcher: the model has made sure
    name = model.check.name or model.id
    check = checks.get(name)
    if check is None:
        hint = did_you_mean(name, checks) or "; `check` runs one of Review Bot's own: name one, or use another matcher"
        raise wrong(f"there is no check {name!r}{hint}", "check", "name")
    traits = check.traits
    matcher = matchers.Checked(
        name,
        model.check.options,
        reads_old=traits.reads_old,
        reads_text=traits.reads_text,
        new_names=traits.new_names,
        per_file=not isinstance(check, ChangeCheck),
        reads_description=traits.reads_description,
        on_lines=traits.on_lines,
        doubted=traits.doubted,
        tree_excuses=traits.tree_excuses,
        by_folder=traits.by_folder,
    )
    named = None if traits.literals is None else tuple(tuple(map(_needle, each.split())) for each in traits.literals)
    # Of a check that reads whole texts it is not known on which line of a hit its words are.
    return matcher, (named, None) if traits.reads_text else (None, named)


@overload
def _condition(given: ChangeCondition) -> matchers.Condition: ...


@overload
def _condition(given: None) -> None: ...


def _condition(given: ChangeCondition | None) -> matchers.Condition | None:
    if given is None:
        return None
    return matchers.Condition(tuple(given.changed), tuple(given.not_), given.added_lines, given.below)


def _unless(model: TextMatcher) -> matchers.Unless:
    return {where: regex for where, regex in model.unless.items()}  # noqa: C416  # keys of a wider type


def _lean(matcher: matchers.Matcher) -> matchers.Matcher:
    if isinstance(matcher, matchers.Structural | matchers.RemovedCode):
        return matcher._replace(config=lean(matcher.config))
    return matcher


def _needles(config: dict[str, Any], language: str, model: RuleFile) -> Needles:
    """Return what a match must hold, and what an added line must hold: nothing, where any line of the match may do."""
    opening = required_literals.opening_of(config, language) if model.metadata.lines == "first" else None
    return required_literals.of_structural(config, language), opening


def _needle(literal: str) -> str:
    return literal if literal == BEYOND_LATIN else "~" + literal


def _try_structural(config: dict[str, Any], language: str, wrong: Any, *location: str) -> None:
    problem = problem_with(config, language)
    if problem is not None:
        raise wrong(problem.text, *location, *problem.where)


def _fix(fix: Any) -> str | None:
    """Return the text of a fix that takes the place of the match and of nothing around it."""
    if isinstance(fix, list):
        fix = fix[0] if fix else None
    if isinstance(fix, dict):
        fix = fix.get("template") if fix.keys() <= {"template", "title"} else None
    return fix if isinstance(fix, str) else None
