"""Reads ``.github/review-bot.yml``: the outline of the file is here, what each setting means belongs to its owner."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from review_bot.configuration.settings_cache import Settings
from review_bot.errors import ConfigError
from review_bot.files.policy_paths import CONFIG_PATH
from review_bot.files.yaml_file import YamlError, first_mistake, read_yaml
from review_bot.findings import Severity
from review_bot.review.policy import Allowance, FailOn, OnIncomplete, Suppressions
from review_bot.review.presentation import LONGEST_TEXT, Presentation, SectionName
from review_bot.rules.rulebook import Rulebook, RuleSetting, Selection, select
from review_bot.text.globs import compile_glob

INPUTS = frozenset(
    {
        "comment-on", "comments", "config", "coverage", "drafts", "github-token", "max-comments", "name", "pr-number",
        "report-dir", "request-changes", "require-trusted-trigger", "resolve-threads", "status",
    }
)  # fmt: skip
"""Inputs of the Action that are no keys of a configuration."""

Text = Annotated[str, StringConstraints(min_length=1)]


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class RuleEntry(_Model):
    """What to do with a rule: another severity, other paths."""

    severity: Annotated[Severity | None, Field(description="Severity of its findings in this repository.")] = None
    files: Annotated[list[Text], Field(description="Only files that match one of these patterns.")] = []
    ignores: Annotated[list[Text], Field(description="No file that matches one of these patterns.")] = []
    enabled: Annotated[bool | None, Field(description="Whether the rule runs.")] = None


class PathsEntry(_Model):
    """Paths that no rule looks at."""

    ignore: Annotated[list[Text], Field(description="Path patterns; such files are listed as ignored.")] = []


class UnreviewedEntry(_Model):
    """A file that may stay unreviewed without making the review incomplete."""

    path: Text
    reason: Text
    max_bytes: Annotated[
        int | None,
        Field(alias="max-bytes", ge=0, description="Largest size; a file whose size is not known is not covered."),
    ] = None


def _once(names: list[SectionName]) -> list[SectionName]:
    twice = [name for name in names if names.count(name) > 1]
    if twice:
        raise ValueError(f"{twice[0]!r} stands here twice; delete one")
    return names


OwnText = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_TEXT)]


class SummaryEntry(_Model):
    """The form of the summary, in the comment and in the reports."""

    sections: Annotated[
        list[SectionName] | None,
        AfterValidator(lambda names: names if names is None else _once(names)),
        Field(
            description="The parts to show, in this order; default all. What must and should be fixed is shown always, "
            "first where it is not named here."
        ),
    ] = None
    intro: Annotated[
        OwnText | None, Field(description="A paragraph below the headline: plain text, code between backticks.")
    ] = None
    outro: Annotated[OwnText | None, Field(description="A paragraph at the end, in the same form.")] = None


class ConfigFile(_Model):
    """The configuration of Review Bot for one repository."""

    fail_on: Annotated[
        FailOn | None, Field(alias="fail-on", description="Lowest severity that fails the gate; default error.")
    ] = None
    on_incomplete: Annotated[
        OnIncomplete | None,
        Field(alias="on-incomplete", description="Whether an incomplete review fails the gate; default fail."),
    ] = None
    suppressions: Annotated[
        Suppressions | None,
        Field(description="Which suppressions count: head, or base: only those on lines that the change does not add."),
    ] = None
    scorecard: Annotated[
        Literal["on", "off"] | None, Field(description="Whether a change gets scores; default on.")
    ] = None
    summary: Annotated[SummaryEntry | None, Field(description="Which parts a summary has, and words of your own.")] = (
        None
    )
    families: Annotated[list[Text], Field(description="Run only rules of these families, such as errors.")] = []
    rules: Annotated[
        dict[Text, Literal["on", "off", "error", "warning", "info", "hint"] | RuleEntry],
        Field(description="Rules, or patterns such as style/*, and what to do with them; a later entry wins."),
    ] = {}
    paths: PathsEntry = PathsEntry()
    unreviewed_ok: Annotated[list[UnreviewedEntry], Field(alias="unreviewed-ok")] = []
    own_policy: Annotated[
        list[Text],
        Field(
            alias="own-policy",
            description="Branch patterns such as release/*: pull requests to these branches are judged by the "
            "configuration, rules and baseline of that branch; all others by those of the default branch. "
            "Read on the default branch only.",
        ),
    ] = []


def read(text: str, path: str = CONFIG_PATH) -> Settings:
    """Read a configuration. Raises ConfigError with file, line and field."""
    try:
        documents = read_yaml(text)
    except YamlError as error:
        raise ConfigError(error.message, path=path, line=error.line) from error
    if len(documents) > 1:
        raise ConfigError("a configuration is one document; remove the `---`", path=path, line=documents[1].line)
    data: Any = documents[0].data if documents else {}
    if not isinstance(data, dict | None):
        raise ConfigError("a configuration is a mapping such as `fail-on: error`", path=path, line=1)
    try:
        # A key with nothing behind it says nothing.
        model = ConfigFile.model_validate({key: value for key, value in (data or {}).items() if value is not None})
    except ValidationError as error:
        location, sentence = first_mistake(error.errors(), data, _keys(ConfigFile))
        if len(location) == 1 and location[0] in INPUTS:
            sentence = f"{location[0]!r} is an input of the Action; set it below `with:` in the workflow"
        raise ConfigError(
            sentence, path=path, line=documents[0].line_of(location), field=".".join(map(str, location))
        ) from error
    for location, pattern in _path_patterns(model):
        problem = _problem_with(pattern)
        if problem is not None:
            raise ConfigError(
                problem, path=path, line=documents[0].line_of(location), field=".".join(map(str, location))
            )
    return Settings(
        selection=Selection(
            families=tuple(model.families),
            settings=tuple(_setting(pattern, entry) for pattern, entry in model.rules.items()),
            ignored_paths=tuple(model.paths.ignore),
        ),
        fail_on=model.fail_on,
        on_incomplete=model.on_incomplete,
        suppressions=model.suppressions,
        scorecard=None if model.scorecard is None else model.scorecard == "on",
        presentation=_presentation(model.summary),
        unreviewed_ok=tuple(Allowance(e.path, e.reason, e.max_bytes) for e in model.unreviewed_ok),
        own_policy=tuple(model.own_policy),
        digest=sha256(text.encode("utf-8", "surrogatepass")).hexdigest(),
    )


def _keys(model: type[BaseModel]) -> set[str]:
    """Return the keys of a configuration, of all its parts."""
    models = (model, RuleEntry, PathsEntry, UnreviewedEntry, SummaryEntry)
    return {field.alias or name for each in models for name, field in each.model_fields.items()}


def _presentation(entry: SummaryEntry | None) -> Presentation | None:
    if entry is None:
        return None
    usual = Presentation()
    sections = usual.sections if entry.sections is None else tuple(entry.sections)
    return Presentation(sections, entry.intro or "", entry.outro or "")


def _path_patterns(model: ConfigFile) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Yield every path pattern of a configuration with its place."""
    for name, entry in model.rules.items():
        if isinstance(entry, RuleEntry):
            for key in ("files", "ignores"):
                yield from ((("rules", name, key, n), pattern) for n, pattern in enumerate(getattr(entry, key)))
    yield from ((("paths", "ignore", n), pattern) for n, pattern in enumerate(model.paths.ignore))
    yield from ((("own-policy", n), pattern) for n, pattern in enumerate(model.own_policy))
    yield from ((("unreviewed-ok", n, "path"), entry.path) for n, entry in enumerate(model.unreviewed_ok))


def _problem_with(pattern: str) -> str | None:
    if pattern.startswith("./"):
        return f"{pattern!r} matches no path; leave out the ./"
    try:
        compile_glob(pattern)
    except ValueError as error:
        return f"this is no path pattern: {error}; mend it"
    return None


def choose(rulebook: Rulebook, settings: Settings, text: str, path: str = CONFIG_PATH) -> Rulebook:
    """Return the rules that a configuration leaves on. Raises ConfigError with file and line for an unknown one."""
    try:
        chosen = select(rulebook, settings.selection)
        return chosen._replace(suppressions=settings.suppressions or "head")
    except ConfigError as error:
        documents = read_yaml(text)
        location = tuple(error.field.split(".", 1))
        line = documents[0].line_of(location) if documents else None
        raise ConfigError(error.message, path=path, line=line, field=error.field) from error


def schema() -> dict[str, Any]:
    """Return the JSON Schema of the configuration."""
    made = ConfigFile.model_json_schema(by_alias=True)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **made}


def _setting(pattern: str, entry: str | RuleEntry) -> RuleSetting:
    if isinstance(entry, RuleEntry):
        return RuleSetting(pattern, entry.enabled, entry.severity, tuple(entry.files), tuple(entry.ignores))
    if entry in {"on", "off"}:
        return RuleSetting(pattern, enabled=entry == "on")
    return RuleSetting(pattern, severity=entry)  # type: ignore[arg-type]  # one of the four severities
