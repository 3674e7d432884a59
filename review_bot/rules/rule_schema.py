"""The grammar of a rule file, as pydantic models."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from review_bot.findings import ASPECTS

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
    to texts (null in ``head``: deleted), perhaps with the pull request's ``title``, ``body`` and ``commits``; or these
    alone. See ``examples.py``.
    """

    bad: list[Example] = []
    good: list[Example] = []


class Metadata(_Model):
    """All that is ours in a rule file.

    ``provable``: whatever the rule reports follows from the text that it reads, so that it cannot be false (that it is
    useful does not follow). ``exceptions``: when not to listen to it, for its page; ``lowered``: when a finding has a
    lower severity than the rule. ``opt_in``: the rule is built in, and runs only if the configuration switches it on by
    name.
    """

    title: Text | None = None
    aspect: Literal[ASPECTS] = "Code Quality"  # type: ignore[valid-type]  # a literal of the seven names
    confidence: Literal["high", "medium", "low"] = "high"
    show: Literal["line", "summary", "count"] = "summary"
    lines: Literal["first", "any", "most", "file"] = "first"
    one_per: Literal["place", "function", "evidence", "message"] = "place"
    scope: Literal["library", "tests", "all", "any"] = "any"
    requires: Requires = Requires()
    needs: list[Literal["tree", "text"]] = []
    suppressible: bool = True
    mirrors: list[Text] = []
    mirror: bool = False
    opt_in: bool = False
    effort: Annotated[int, Field(ge=0, le=10_000)] = 5
    why: str = ""
    references: list[Text] = []
    provable: bool = False
    exceptions: str = ""
    lowered: str = ""
    examples: Examples = Examples()


class TextMatcher(_Model):
    """A regular expression (RE2) over each added line, the names of changed files, or what people write.

    ``unless``: exceptions. ``match`` is looked for in the text that ``regex`` matched, so that nothing else on the line
    hides it; ``line`` in the whole line, ``file`` in the whole file. In a title, a description or a commit message, the
    exception is ``text``, looked for in all of it, and instead of ``regex`` there may be ``prefixes`` of the title or
    ``sections`` of the description.
    """

    regex: Text | None = None
    where: Literal["added", "filename", "title", "body", "commit"] = "added"
    unless: dict[Literal["match", "line", "file", "text"], Text] = {}
    prefixes: list[Text] | None = None
    sections: list[Text] | None = None


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
    lowered: str = ""
    bad: list[Example] = []
    good: list[Example] = []
    note: str = ""
