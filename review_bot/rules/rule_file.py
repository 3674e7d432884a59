"""The grammar of a rule file, as pydantic models; it compiles to the plain records of ``rule.py``.

A file that Review Bot ships is read strictly: family ids, full metadata, examples, no unknown key. A repository's own
file may be any ast-grep rule as it is (see https://ast-grep.github.io/reference/yaml.html).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any, Literal

import re2
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from review_bot.changes.vocabulary import BEYOND_LATIN, Alternatives
from review_bot.errors import RuleError
from review_bot.files.yaml_file import Document, YamlError, first_mistake, read_yaml
from review_bot.findings import ASPECTS, SERIOUS
from review_bot.rules import required_literals, structural_pattern, text_pattern
from review_bot.rules.check import ChangeCheck, Check
from review_bot.rules.lean_regex import lean
from review_bot.rules.rule import Rule
from review_bot.rules.scope import LANGUAGE_SUFFIXES, canonical_language
from review_bot.text.globs import IGNORE_CASE, compile_glob

NO_FILE = ("",)
"""What ast-grep makes of an empty ``files``: no path matches."""

CATALOGUE_URL = "https://github.com/review-bot/review-bot/blob/main/docs/rules"

Needles = tuple[Alternatives | None, Alternatives | None]
"""What a match must hold, and what its first line must (see ``changes.vocabulary``)."""

ShippedId = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9-]*/[a-z][a-z0-9-]*$")]
Text = Annotated[str, StringConstraints(min_length=1)]
Code = str
Example = Code | dict[str, Any]


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Requires(_Model):
    """What a file must have before the rule makes sense in it."""

    imports: list[Text] = []


class Examples(_Model):
    """Code that the rule must, and must not, report.

    An entry is the text of a new file; or a small diff; or ``{path, code}``; or ``{base, head}``, each mapping paths
    to texts (null in ``head``: deleted), perhaps with the pull request's ``title`` and ``body``. See ``examples.py``.
    """

    bad: list[Example] = []
    good: list[Example] = []


class Metadata(_Model):
    """All that is ours in a rule file.

    ``provable``: whatever the rule reports follows from the text that it reads, so that it cannot be false (that it is
    useful does not follow). ``exceptions``: when not to listen to it, for its page.
    """

    title: Text | None = None
    aspect: Literal[ASPECTS] = "Code Quality"  # type: ignore[valid-type]  # a literal of the seven names
    confidence: Literal["high", "medium", "low"] = "high"
    show: Literal["inline", "summary", "count"] = "summary"
    lines: Literal["first", "any", "most", "file"] = "first"
    scope: Literal["library", "tests", "all", "any"] = "any"
    requires: Requires = Requires()
    needs: list[Literal["tree", "text"]] = []
    suppressible: bool = True
    mirrors: list[Text] = []
    mirror: bool = False
    effort: Annotated[int, Field(ge=0, le=10_000)] = 5
    why: str = ""
    references: list[Text] = []
    provable: bool = False
    exceptions: str = ""
    examples: Examples = Examples()


class TextMatcher(_Model):
    """A regular expression (RE2) over each added line, or over the names of changed files.

    ``unless``: exceptions. ``match`` is looked for in the text that ``regex`` matched, so that nothing else on the line
    hides it; ``line`` in the whole line, ``file`` in the whole file.
    """

    regex: Text
    where: Literal["added", "filename"] = "added"
    unless: dict[Literal["match", "line", "file"], Text] = {}


class RemovedMatcher(_Model):
    """A matcher over what the change deletes."""

    language: Text | None = None
    rule: dict[str, Any] | None = None
    constraints: dict[str, Any] = {}
    utils: dict[str, Any] = {}
    text: TextMatcher | None = None
    unless_added: dict[str, Any] | None = None


class ChangeCondition(_Model):
    """Files of the change: path patterns, patterns to leave out, and how many lines were added in them."""

    changed: list[Text]
    not_: Annotated[list[Text], Field(alias="not")] = []
    added_lines: Annotated[int, Field(ge=0)] = 0
    below: Annotated[int, Field(ge=1)] | None = None


class PullRequestMatcher(_Model):
    """A relation in the whole change: ``when`` holds and ``without`` does not."""

    when: ChangeCondition
    without: ChangeCondition | None = None


class CheckMatcher(_Model):
    """A check in Python under ``review_bot/checks/``; ``name``: where it is not the rule's own id."""

    name: Annotated[str, StringConstraints(pattern=r"^[a-z][a-z-]*/[a-z][a-z0-9-]*$")] | None = None
    options: dict[str, Any] = {}


class PathPattern(_Model):
    """A path pattern that may overlook the difference between capitals and small letters."""

    glob: str
    case_insensitive: Annotated[bool, Field(alias="caseInsensitive")] = False


class RuleFile(_Model):
    """One rule; the header is ast-grep's own."""

    id: Text
    language: Text | None = None
    severity: Literal["error", "warning", "info", "hint", "off"] = "hint"
    message: str = ""
    note: str | None = None
    files: list[str | PathPattern] | None = None
    ignores: list[str | PathPattern] | None = None
    url: str | None = None
    metadata: Metadata = Metadata()

    rule: dict[str, Any] | None = None
    constraints: dict[str, Any] | None = None
    utils: dict[str, Any] | None = None
    transform: dict[str, Any] | None = None
    rewriters: list[Any] | None = None
    labels: dict[str, Any] | None = None
    fix: str | dict[str, Any] | list[Any] | None = None

    text: TextMatcher | None = None
    removed: RemovedMatcher | None = None
    pull_request: PullRequestMatcher | None = None
    check: CheckMatcher | None = None


class Documentation(BaseModel):
    """The prose and examples of a rule, which the engine never needs."""

    references: list[str] = []
    provable: bool = False
    exceptions: str = ""
    bad: list[Example] = []
    good: list[Example] = []
    note: str = ""


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

    data = document.data
    if not isinstance(data, dict):
        raise wrong("a rule is a mapping; begin with `id:`")
    if not shipped and isinstance(data.get("metadata"), dict):
        known = Metadata.model_fields.keys()
        data = {**data, "metadata": {k: v for k, v in data["metadata"].items() if k in known}}
    elif not shipped and data.get("metadata") is not None:
        data = {**data, "metadata": {}}
    if not shipped:
        data = {key: value for key, value in data.items() if value is not None}
    try:
        model = RuleFile.model_validate(data)
    except ValidationError as error:
        location, sentence = first_mistake(error.errors(), data)
        raise wrong(sentence, *location) from error

    _check_outline(model, wrong)
    _check_regexes(model, wrong)
    _check_path_patterns(model, wrong)
    if shipped:
        _require_shipped_fields(model, wrong)
    languages = _languages(model, wrong)
    kind, matcher, (held, opening) = _matcher(model, wrong, checks)
    if model.severity == "off":
        return None
    metadata = model.metadata
    lines = metadata.lines
    record = Rule(
        id=model.id,
        title=_title(model),
        severity=model.severity,
        message=model.message or model.id,
        instead=(model.note or "").strip(),
        why=metadata.why.strip(),
        aspect=metadata.aspect,
        confidence=metadata.confidence,
        show=metadata.show,
        lines=lines,
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
        kind=kind,
        matcher=lean(matcher) if shipped and "config" in matcher else matcher,
        literals=held,
        opening=opening,
        builtin=shipped,
        mirror=metadata.mirror,
    )
    documentation = Documentation(
        references=metadata.references,
        provable=metadata.provable,
        exceptions=metadata.exceptions.strip(),
        bad=metadata.examples.bad,
        good=metadata.examples.good,
        note=model.note or "",
    )
    return CompiledRule(rule=record, documentation=documentation, line=document.line_of(("id",)))


MATCHERS = ("rule", "text", "removed", "pull_request", "check")
_ONLY_WITH_RULE = ("constraints", "utils", "transform", "rewriters", "labels", "fix")


def _check_outline(model: RuleFile, wrong: Any) -> None:
    """Raise what is wrong with the keys as a whole."""
    if not model.id.isprintable() or not model.id.strip() or set(model.id) & set("[],"):
        raise wrong("an id is printable text without commas and brackets; write it so", "id")
    found = [name for name in MATCHERS if getattr(model, name) is not None]
    if not found:
        raise wrong(f"this rule looks for nothing; write one of {', '.join(MATCHERS)}")
    if len(found) > 1:
        raise wrong(f"a rule has one matcher and this has {' and '.join(found)}; make it two rules", found[1])
    for name in _ONLY_WITH_RULE if model.rule is None else ():
        if getattr(model, name) is not None:
            raise wrong(f"{name} goes with `rule`, and this rule has `{found[0]}`; delete it", name)
    if model.metadata.show == "count" and model.severity in SERIOUS:
        raise wrong("what is only counted is `info` or `hint`; write one of the two, or show it", "severity")
    if model.rule is not None and model.language is None:
        raise wrong("`rule` needs `language`; write it", "rule")
    removed = model.removed
    if removed is not None:
        if (removed.rule is None) == (removed.text is None):
            raise wrong("`removed` has either `rule` (with `language`) or `text`; write one of the two", "removed")
        if removed.rule is not None and removed.language is None:
            raise wrong("`rule` needs `language` beside it; write it", "removed", "rule")
        if removed.text is not None and removed.unless_added is not None:
            raise wrong("`unless_added` goes with `rule`; use `unless.line`", "removed", "unless_added")
        if removed.text is not None and removed.text.where != "added":
            raise wrong("`removed` reads deleted lines, not names; delete this key", "removed", "text", "where")
        if removed.text is not None and "file" in removed.text.unless:
            raise wrong(
                "`removed` reads lines; use `unless.match` or `unless.line`", "removed", "text", "unless", "file"
            )


def _check_regexes(model: RuleFile, wrong: Any) -> None:
    places: list[tuple[tuple[str, ...], TextMatcher]] = []
    if model.text is not None:
        places.append((("text",), model.text))
    if model.removed is not None and model.removed.text is not None:
        places.append((("removed", "text"), model.removed.text))
    for place, matcher in places:
        unless = [(("unless", str(key)), value) for key, value in matcher.unless.items()]
        for key, pattern in [(("regex",), matcher.regex), *unless]:
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
                raise wrong(f"this is no path pattern: {error}; mend it", *place, number) from error


def _require_shipped_fields(model: RuleFile, wrong: Any) -> None:
    if not re.fullmatch(r"[a-z][a-z0-9-]*/[a-z][a-z0-9-]*", model.id):
        raise wrong("a shipped rule's id is <family>/<name> in lower case; write it so", "id")
    for name in ("title", "why"):
        if not getattr(model.metadata, name):
            raise wrong(f"a shipped rule needs metadata.{name}; write it", "metadata", name)
    for name in ("aspect", "confidence", "show", "scope", "effort"):
        if name not in model.metadata.model_fields_set:
            raise wrong(f"a shipped rule needs metadata.{name}; write it", "metadata", name)
    if model.metadata.mirror and not model.metadata.mirrors:
        raise wrong("a mirror names the codes that it mirrors; write metadata.mirrors", "metadata", "mirror")
    if not model.message:
        raise wrong("a shipped rule needs a message; write it", "message")
    for name in ("bad", "good"):
        if not getattr(model.metadata.examples, name):
            raise wrong(f"a shipped rule needs a {name} example; write one", "metadata", "examples", name)


def _languages(model: RuleFile, wrong: Any) -> tuple[str, ...]:
    names: list[tuple[str, ...]] = [("language",)] if model.language else []
    if model.removed and model.removed.language:
        names.append(("removed", "language"))
    found = []
    for location in names:
        name = model.language if location == ("language",) else model.removed.language  # type: ignore[union-attr]
        language = canonical_language(name or "")
        if language is None:
            raise wrong(f"the language {name!r} is not known; write one of {', '.join(LANGUAGE_SUFFIXES)}", *location)
        found.append(language)
    return tuple(dict.fromkeys(found))


def _matcher(model: RuleFile, wrong: Any, checks: Mapping[str, Check]) -> tuple[Any, dict[str, Any], Needles]:
    if model.rule is not None:
        language = canonical_language(model.language or "") or ""
        config = {
            key: value
            for key in structural_pattern.CONFIG_KEYS
            if (value := getattr(model, key)) is not None and value != {}
        }
        _try_structural(config, language, wrong)
        return (
            "structural",
            {"language": language, "config": config, "fix": _fix(model.fix)},
            _needles(config, language, model),
        )
    if model.text is not None:
        on_a_line = required_literals.of_regex(model.text.regex) if model.text.where == "added" else None
        return "text", model.text.model_dump(), (None, on_a_line)
    if model.removed is not None:
        removed = model.removed
        if removed.text is not None:
            return (
                "removed",
                {"text": removed.text.model_dump()},
                (None, required_literals.of_regex(removed.text.regex)),
            )
        language = canonical_language(removed.language or "") or ""
        config = {"rule": removed.rule}
        config |= {key: value for key in ("constraints", "utils") if (value := getattr(removed, key))}
        _try_structural(config, language, wrong, "removed")
        matcher: dict[str, Any] = {"language": language, "config": config}
        if removed.unless_added is not None:
            _try_structural(removed.unless_added, language, wrong, "removed", "unless_added")
            matcher["unless_added"] = removed.unless_added
        return "removed", matcher, _needles(config, language, model)
    if model.pull_request is not None:
        return "pull_request", model.pull_request.model_dump(by_alias=True), (None, None)
    assert model.check is not None  # noqa: S101  # exactly one matcher: the model has made sure
    name = model.check.name or model.id
    check = checks.get(name)
    if check is None:
        raise wrong(f"there is no check {name!r}; write one of {', '.join(sorted(checks))}", "check", "name")
    traits = check.traits
    options = {
        "name": name,
        "options": model.check.options,
        "reads_old": traits.reads_old,
        "reads_text": traits.reads_text,
        "new_names": traits.new_names,
        "examines": not isinstance(check, ChangeCheck),
    }
    named = None if traits.literals is None else tuple(tuple(map(_needle, each.split())) for each in traits.literals)
    # Of a check that reads whole texts it is not known on which line of a hit its words are.
    return "check", options, (named, None) if traits.reads_text else (None, named)


def _needles(config: dict[str, Any], language: str, model: RuleFile) -> Needles:
    """Return what a match must hold, and what an added line must hold: nothing, where any line of the match may do."""
    opening = required_literals.opening_of(config, language) if model.metadata.lines == "first" else None
    return required_literals.of_structural(config, language), opening


def _needle(literal: str) -> str:
    return literal if literal == BEYOND_LATIN else "~" + literal


def _try_structural(config: dict[str, Any], language: str, wrong: Any, *location: str) -> None:
    problem = structural_pattern.problem_with(config, language)
    if problem is not None:
        raise wrong(f"ast-grep does not accept this: {problem.text}; mend it", *location, *problem.where)


def _globs(entries: list[str | PathPattern] | None) -> tuple[str, ...]:
    return tuple(
        entry if isinstance(entry, str) else (IGNORE_CASE if entry.case_insensitive else "") + entry.glob
        for entry in entries or ()
    )


def _title(model: RuleFile) -> str:
    if model.metadata.title:
        return model.metadata.title
    first = model.message.strip().partition("\n")[0]
    return first if first and "$" not in first else model.id


def _fix(fix: Any) -> str | None:
    """Return the text of a fix that takes the place of the match and of nothing around it."""
    if isinstance(fix, list):
        fix = fix[0] if fix else None
    if isinstance(fix, dict):
        fix = fix.get("template") if fix.keys() <= {"template", "title"} else None
    return fix if isinstance(fix, str) else None


def _words(error: Exception) -> str:
    message = error.args[0] if error.args else str(error)
    return message.decode("utf-8", "replace") if isinstance(message, bytes) else str(message)
