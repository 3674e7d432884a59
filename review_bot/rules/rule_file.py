"""Reads rule files: YAML to the models of ``rule_schema.py``, and those to the plain records of ``rule.py``.

A file that Review Bot ships is read strictly: family ids, full metadata, examples, no unknown key. A repository's own
file may be any ast-grep rule as it is (see https://ast-grep.github.io/reference/yaml.html).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import re2
from pydantic import BaseModel, ValidationError

from review_bot.errors import RuleError, together
from review_bot.files.yaml_file import Document, YamlError, errors_by_entry, read_yaml
from review_bot.findings import SERIOUS
from review_bot.rules import text_pattern
from review_bot.rules.check import Check
from review_bot.rules.matcher_compiler import compile_matcher
from review_bot.rules.rule import Rule
from review_bot.rules.rule_schema import (
    ChangeCondition,
    Documentation,
    Metadata,
    PathPattern,
    PullRequestMatcher,
    RemovedMatcher,
    RuleFile,
    TextMatcher,
)
from review_bot.rules.scope import LANGUAGE_SUFFIXES, canonical_language
from review_bot.rules.unknown_names import PLACE, misspelt_field, undefined_place, undefined_variable
from review_bot.text.globs import IGNORE_CASE, compile_glob

NO_FILE = ("",)
"""What ast-grep makes of an empty ``files``: no path matches."""

CATALOGUE_URL = "https://github.com/review-bot/review-bot/blob/main/docs/rules"


class CompiledRule(BaseModel):
    """A rule record with its documentation."""

    rule: Any
    documentation: Documentation
    line: int


def read_rules(text: str, path: str, *, shipped: bool, checks: Mapping[str, Check]) -> list[CompiledRule]:
    """Read every rule of a file; one whose severity is ``off`` is left out. Raises RuleError with file, line and field.

    ``checks``: every check by its name.
    """
    try:
        documents = read_yaml(text)
    except YamlError as error:
        raise RuleError(error.message, path=path, line=error.line) from error
    if not documents:
        raise RuleError("the file is empty; write a rule or delete the file", path=path, line=1)
    compiled = (_compile_document(document, path, checks, shipped=shipped) for document in documents)
    return [rule for rule in compiled if rule is not None]


def _compile_document(
    document: Document,
    path: str,
    checks: Mapping[str, Check],
    *,
    shipped: bool,
) -> CompiledRule | None:
    def wrong(message: str, *location: str | int) -> RuleError:
        field = ".".join(str(part) for part in location)
        return RuleError(message, path=path, line=document.line_of(location), field=field)

    model = _validated(document.data, wrong, shipped=shipped)
    _check_model(model, wrong)
    if shipped:
        _require_shipped_fields(model, wrong)
    languages = _languages(model, wrong)
    matcher, (held, opening) = compile_matcher(model, wrong, checks, shipped=shipped)
    if model.severity == "off":
        return None
    metadata = model.metadata
    record = Rule(
        id=model.id,
        title=_title(model),
        severity=model.severity,
        message=model.message or model.id,
        instead=(model.note or "").strip(),
        why=metadata.why.strip(),
        aspect=metadata.aspect,
        confidence=metadata.confidence,
        show=metadata.show if shipped or "show" in metadata.model_fields_set else "line",
        lines=metadata.lines,
        scope=metadata.scope,
        languages=languages,
        files=NO_FILE if model.files == [] else _globs(model.files),
        ignores=_globs(model.ignores),
        required_imports=tuple(metadata.requires.imports),
        needs=tuple(metadata.needs),
        suppressible=metadata.suppressible,
        mirrors=tuple(metadata.mirrors),
        effort=metadata.effort,
        url=model.url or (f"{CATALOGUE_URL}/{model.id}.md" if shipped else ""),
        matcher=matcher,
        literals=held,
        opening=opening,
        builtin=shipped,
        mirror=metadata.mirror,
        chosen=not shipped,
        opt_in=metadata.opt_in and shipped,
        one_per=metadata.one_per,
    )
    documentation = Documentation(
        references=metadata.references,
        provable=metadata.provable,
        exceptions=metadata.exceptions.strip(),
        lowered=metadata.lowered.strip(),
        bad=metadata.examples.bad,
        good=metadata.examples.good,
        note=model.note or "",
    )
    return CompiledRule(rule=record, documentation=documentation, line=document.line_of(("id",)))


def _validated(data: Any, wrong: Any, *, shipped: bool) -> RuleFile:
    """Return the fields of a rule; one of ast-grep may have other metadata. Raises what is wrong with the fields."""
    if not isinstance(data, dict):
        raise wrong("a rule is a mapping; begin with `id:`")
    if not shipped and isinstance(data.get("metadata"), dict):
        known = Metadata.model_fields.keys()
        if misspelt := misspelt_field(data["metadata"], known):
            name, hint = misspelt
            raise wrong(f"there is no field {name!r}{hint}", "metadata", name)
        data = {**data, "metadata": {k: v for k, v in data["metadata"].items() if k in known}}
    elif not shipped and data.get("metadata") is not None:
        data = {**data, "metadata": {}}
    if not shipped:
        data = {key: value for key, value in data.items() if value is not None}
    try:
        return RuleFile.model_validate(data)
    except ValidationError as error:
        keys = (name for model in _MODELS for name in model.model_fields)
        found = [wrong(sentence, *location) for location, sentence in errors_by_entry(error.errors(), data, keys)]
        raise together(found) from error


def _check_model(model: RuleFile, wrong: Any) -> None:
    """Raise what is wrong with valid fields taken together."""
    _check_outline(model, wrong)
    if model.text is not None:
        _check_text(model.text, wrong, "text")
        if model.text.where not in {"added", "filename"} and model.severity == "error":
            sentence = (
                "what people write about a change never fails the check, so the rule is at most `warning`; lower it"
            )
            raise wrong(sentence, "severity")
    if model.removed is not None:
        _check_removed(model.removed, wrong)
    _check_regexes(model, wrong)
    if undefined := undefined_variable(model):
        name, hint = undefined
        raise wrong(f"the message has ${name}, which nothing in the rule captures{hint}", "message")
    if unfilled := undefined_place(model):
        name, hint = unfilled
        raise wrong(f"the message has {{{{ {name} }}}}, which this matcher does not fill in{hint}", "message")
    _check_path_patterns(model, wrong)


_MODELS = (RuleFile, Metadata, TextMatcher, RemovedMatcher, PullRequestMatcher, ChangeCondition)
MATCHERS = ("rule", "text", "removed", "pull_request", "check")
_ONLY_WITH_RULE = ("constraints", "utils", "transform", "rewriters", "labels", "fix")


def _check_outline(model: RuleFile, wrong: Any) -> None:
    """Raise what is wrong with the keys as a whole."""
    if not model.id.isprintable() or not model.id.strip() or set(model.id) & set("[],"):
        raise wrong("an id must be printable text without commas and brackets", "id")
    found = [name for name in MATCHERS if getattr(model, name) is not None]
    if not found:
        raise wrong(f"the rule has no matcher; add one of {', '.join(MATCHERS)}")
    if len(found) > 1:
        raise wrong(
            f"a rule has exactly one matcher, but this one has {' and '.join(found)}; split it into two rules", found[1]
        )
    for name in _ONLY_WITH_RULE if model.rule is None else ():
        if getattr(model, name) is not None:
            raise wrong(f"`{name}` only applies to `rule`, but this rule has `{found[0]}`; delete it", name)
    if model.metadata.show == "count" and model.severity in SERIOUS:
        raise wrong("a rule with `show: count` must be `info` or `hint`; lower its severity, or show it", "severity")
    if model.rule is not None and model.language is None:
        raise wrong("`rule` needs `language`; add it", "rule")


_FOR_FILES, _FOR_WORDS = frozenset({"match", "line", "file"}), frozenset({"text"})
_NO_REGEX = "the key 'regex' is missing here; add it"
_LISTS = {"title": "prefixes", "body": "sections"}


def _check_text(text: TextMatcher, wrong: Any, *place: str) -> None:
    """Raise what is wrong with the keys of `text`, which depend on where it looks."""
    of_files = text.where in {"added", "filename"}
    known = _FOR_FILES if of_files else _FOR_WORDS
    for key in text.unless:
        if key not in known:
            keys = " or ".join(f"`unless.{each}`" for each in sorted(known))
            raise wrong(f"with `where: {text.where}` the exception is {keys}; rename it", *place, "unless", key)
    for where, name in _LISTS.items():
        given = getattr(text, name)
        if given is not None and text.where != where:
            raise wrong(f"`{name}` goes with `where: {where}`; delete it", *place, name)
        if given is not None and (text.regex is not None or text.unless):
            raise wrong(f"`text` has either `{name}` or `regex` and `unless`; delete one of the two", *place, name)
    is_list = text.prefixes is not None or text.sections is not None
    if text.regex is None and not is_list and (of_files or not text.unless):
        raise wrong(_NO_REGEX, *place, "regex")


def _check_removed(removed: RemovedMatcher, wrong: Any) -> None:
    if (removed.rule is None) == (removed.text is None):
        raise wrong("`removed` needs either `rule` (with `language`) or `text`", "removed")
    if removed.rule is not None and removed.language is None:
        raise wrong("`rule` needs `language` next to it; add it", "removed", "rule")
    if removed.text is not None and removed.unless_added is not None:
        raise wrong("`unless_added` only applies to `rule`; use `unless.line`", "removed", "unless_added")
    if removed.text is not None and removed.text.where != "added":
        raise wrong("`removed` reads deleted lines, not names; delete this key", "removed", "text", "where")
    if removed.text is not None and "file" in removed.text.unless:
        raise wrong("`removed` reads lines; use `unless.match` or `unless.line`", "removed", "text", "unless", "file")
    if removed.text is not None:
        _check_text(removed.text, wrong, "removed", "text")


def _check_regexes(model: RuleFile, wrong: Any) -> None:
    places: list[tuple[tuple[str, ...], TextMatcher]] = []
    if model.text is not None:
        places.append((("text",), model.text))
    if model.removed is not None and model.removed.text is not None:
        places.append((("removed", "text"), model.removed.text))
    for place, matcher in places:
        unless = [(("unless", str(key)), value) for key, value in matcher.unless.items()]
        own = [] if matcher.regex is None else [(("regex",), matcher.regex)]
        for key, pattern in [*own, *unless]:
            try:
                text_pattern.check(pattern)
            except re2.error as error:
                raise wrong(
                    f"RE2 does not accept {pattern!r} ({_words(error)}); write it without look-around and "
                    "back-references, perhaps with `unless`",
                    *place,
                    *key,
                ) from error


def _check_path_patterns(model: RuleFile, wrong: Any) -> None:
    places: list[tuple[tuple[str, ...], tuple[str, ...]]] = [
        (("files",), _globs(model.files)),
        (("ignores",), _globs(model.ignores)),
    ]
    if model.pull_request is not None:
        for name in ("when", "without"):
            condition: ChangeCondition | None = getattr(model.pull_request, name)
            if condition is not None:
                places.append((("pull_request", name, "changed"), tuple(condition.changed)))
                places.append((("pull_request", name, "not"), tuple(condition.not_)))
    for place, patterns in places:
        for number, pattern in enumerate(patterns):
            try:
                compile_glob(pattern)
            except ValueError as error:
                raise wrong(f"invalid path pattern: {error}", *place, number) from error


def _require_shipped_fields(model: RuleFile, wrong: Any) -> None:
    if not re.fullmatch(r"[a-z][a-z0-9-]*/[a-z][a-z0-9-]*", model.id):
        raise wrong("the id of a shipped rule must be <family>/<name> in lower case", "id")
    for name in ("title", "why"):
        if not getattr(model.metadata, name):
            raise wrong(f"a shipped rule needs metadata.{name}; add it", "metadata", name)
    for name in ("aspect", "confidence", "show", "scope", "effort"):
        if name not in model.metadata.model_fields_set:
            raise wrong(f"a shipped rule needs metadata.{name}; add it", "metadata", name)
    if model.severity == "error" and model.metadata.confidence != "high":
        raise wrong("a shipped rule that is less than certain is at most `warning`; lower one of the two", "severity")
    if model.metadata.show == "line" and model.metadata.confidence != "high":
        raise wrong(
            "a shipped rule that is less than certain shows no line comments; use `summary`", "metadata", "show"
        )
    if model.metadata.mirror and not model.metadata.mirrors:
        raise wrong("a mirror needs the codes that it mirrors; add metadata.mirrors", "metadata", "mirror")
    if not model.message:
        raise wrong("a shipped rule needs a message; add one", "message")
    for name in ("bad", "good"):
        if not getattr(model.metadata.examples, name):
            raise wrong(f"a shipped rule needs a {name} example; add one", "metadata", "examples", name)


def _languages(model: RuleFile, wrong: Any) -> tuple[str, ...]:
    names: list[tuple[str, ...]] = [("language",)] if model.language else []
    if model.removed and model.removed.language:
        names.append(("removed", "language"))
    found = []
    for location in names:
        name = model.language if location == ("language",) else model.removed.language  # type: ignore[union-attr]
        language = canonical_language(name or "")
        if language is None:
            raise wrong(f"unknown language {name!r}; use one of {', '.join(LANGUAGE_SUFFIXES)}", *location)
        found.append(language)
    return tuple(dict.fromkeys(found))


def _globs(entries: list[str | PathPattern] | None) -> tuple[str, ...]:
    return tuple(
        entry if isinstance(entry, str) else (IGNORE_CASE if entry.case_insensitive else "") + entry.glob
        for entry in entries or ()
    )


def _title(model: RuleFile) -> str:
    if model.metadata.title:
        return model.metadata.title
    first = model.message.strip().partition("\n")[0]
    return first if first and "$" not in first and not PLACE.search(first) else model.id


def _words(error: Exception) -> str:
    message = error.args[0] if error.args else str(error)
    return message.decode("utf-8", "replace") if isinstance(message, bytes) else str(message)
