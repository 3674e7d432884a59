"""Reads contract files: YAML to plain fields, with every mistake located by file, line and field."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from review_bot.contracts.contract import Contract, Requirement
from review_bot.errors import RuleError, together
from review_bot.files.yaml_file import Document, YamlError, errors_by_entry, read_yaml

if TYPE_CHECKING:
    from pathlib import Path

Dtype = Literal[
    "bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64", "complex64",
    "complex128", "float8_e4m3fn", "float8_e5m2", "floating",
]  # fmt: skip
"""``floating``: some dtype of floating-point numbers, such as that of ``torch.zeros(2)``."""

Given = Literal[
    "argument", "same", "promoted", "quotient", "kept", "truth",
    "bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64", "floating",
]  # fmt: skip
"""How the dtype of the result follows from the call."""

Sizes = Literal[
    "arguments", "first", "data", "range", "spaced", "same", "transposed", "permuted", "viewed", "squeezed",
    "unsqueezed", "flattened", "expanded", "reduced", "scalar", "concatenated", "stacked", "matmul", "reversed",
]  # fmt: skip
"""How the sizes of the result follow from the call; ``analysis/tensors/sizes.py`` computes them."""


LONGEST_NAME = 200
LONGEST_REASON = 200
LONGEST_PARAMETERS = 2_000


def _checked_name(text: str) -> str:
    if len(text) > LONGEST_NAME or not text.isidentifier():
        raise ValueError(f"{text[:40]!r} is not a name of Python")
    return text


def _checked_path(text: str) -> str:
    if len(text) > LONGEST_NAME or not all(part.isidentifier() for part in text.split(".")):
        raise ValueError(f"{text[:40]!r} is not a name of Python, or several with dots, such as `nn.functional.pad`")
    return text


def _checked_clause(text: str) -> str:
    if not text or len(text) > LONGEST_REASON or not text.isprintable():
        raise ValueError(f"this must be one line of at most {LONGEST_REASON} characters")
    return text


def _checked_parameters(text: str) -> str:
    if len(text) > LONGEST_PARAMETERS:
        raise ValueError(f"this must have at most {LONGEST_PARAMETERS:,} characters")
    try:
        (function,) = ast.parse(f"def f({text}): pass").body
    except (SyntaxError, ValueError):
        function = ast.Pass()
    plain = isinstance(function, ast.FunctionDef) and function.returns is None
    if not plain or "\n" in text or [type(each) for each in getattr(function, "body", ())] != [ast.Pass]:
        raise ValueError("not the parameters of a function; write them as in `path, *, timeout=None`")
    return text


def _checked_version(text: str) -> str:
    if not all(part.isdigit() for part in text.split(".")):
        raise ValueError(f"{text[:40]!r} is not a version, such as '2.0'")
    return text


Name = Annotated[str, AfterValidator(_checked_name)]
Parameters = Annotated[str, AfterValidator(_checked_parameters)]
Version = Annotated[str, AfterValidator(_checked_version)]
DottedName = Annotated[str, AfterValidator(_checked_path)]
Clause = Annotated[str, AfterValidator(_checked_clause)]


Effect = Literal[
    "writes self", "writes out", "synchronises", "blocks", "media", "collective", "schedules"
]  # fmt: skip


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ReturnsEntry(_Strict):
    """What a function returns."""

    kind: Literal["tensor", "array", "pair", "bytes", "object", "coroutine", "none"] = "tensor"
    type: DottedName = ""
    dtype: list[Given] = []
    device: list[Literal["argument", "same", "promoted", "default", "cpu", "cuda"]] = []
    sizes: Sizes | None = None
    layout: Literal["contiguous", "same", "permuted", "expanded", "backward"] | None = None
    memory: Literal["new", "view", "view if contiguous", "buffer", "either"] = "new"
    selects: bool = False
    read_only: Literal["always", "of bytes", "of image"] | None = None
    grad: Literal["unless argument", "argument"] | None = None
    items: list[Name] = []
    items_with: list[Name] = []


class RequirementEntry(_Strict):
    """What an operand must be."""

    of: Name
    at: int = Field(-1, ge=-1)
    dtype: list[Dtype] = []
    not_dtype: list[Dtype] = []
    device: Literal["cpu", "cuda"] | None = None
    contiguous: bool = False
    axes: list[Annotated[int, Field(ge=0)]] = []
    no_grad: bool = False
    forward: bool = False
    writable: bool = False
    like: Literal["dtype", "device", "both", "argument"] | None = None
    least_arguments: int = 0
    most_arguments: int = 0
    when: dict[Name, list[Clause]] = Field({}, max_length=1)
    without: Name = ""
    passed: Name = ""
    not_type: list[DottedName] = []
    absent: bool = False
    raises: DottedName
    reason: Clause


class ContractEntry(_Strict):
    """One contract, of all the functions that it names."""

    functions: list[DottedName] = []
    methods: list[Name] = []
    both: list[Name] = []
    type: DottedName = ""
    returns: ReturnsEntry | None = None
    requires: list[RequirementEntry] = []
    effects: list[Effect] = []
    none_if: Clause | None = None
    none_up_to: int = Field(0, ge=0)
    takes: Parameters | None = None
    gone: Version | None = None
    instead: Clause | None = None
    since: Version | None = None
    examples: list[str] = []
    fails: list[str] = []


class ContractFile(_Strict):
    """A whole file; ``since``: the oldest version of the library for which it holds."""

    library: DottedName
    since: Version | None = None
    type: DottedName = ""
    contracts: list[ContractEntry]


_OF_THE_OPERAND = frozenset(
    {"of", "at", "least_arguments", "most_arguments", "when", "without", "passed", "raises", "reason"}
)
_REQUIRES_NOTHING = "this requires nothing of the operand; add `dtype`, `device` or another field of docs/contracts.md"


def read_contracts(text: str, path: str) -> ContractFile:
    """Read one file. Raises RuleError with file, line and field."""
    return _read(text, path)[0]


def located_contracts(text: str, path: str) -> dict[str, tuple[Contract, int]]:
    """Return full name → contract and its line, of one file. Raises RuleError with file, line and field."""
    file, document = _read(text, path)
    return {
        name: (_contract(file, entry, is_method=is_method), document.line_of(("contracts", number)))
        for number, entry in enumerate(file.contracts)
        for name, is_method in names_of(file, entry)
    }


def _read(text: str, path: str) -> tuple[ContractFile, Document]:
    try:
        documents = read_yaml(text)
    except YamlError as error:
        raise RuleError(error.message, path=path, line=error.line) from error
    if len(documents) != 1 or not isinstance(documents[0].data, dict):
        raise RuleError("this must be one mapping with `library`, `since` and `contracts`", path=path, line=1)
    document = documents[0]
    try:
        file = ContractFile.model_validate(document.data)
    except ValidationError as error:
        raise together(
            RuleError(sentence, path=path, line=document.line_of(location), field=".".join(map(str, location)))
            for location, sentence in errors_by_entry(error.errors(), document.data)
        ) from error
    seen: dict[str, int] = {}
    for number, entry in enumerate(file.contracts):
        line = document.line_of(("contracts", number))
        if not (entry.functions or entry.methods or entry.both):
            raise RuleError(
                "a contract names `functions`, `methods` or `both`", path=path, line=line, field=f"contracts.{number}"
            )
        if (entry.methods or entry.both) and not (file.type or entry.type):
            raise RuleError("`methods` need the `type` whose methods they are", path=path, line=line, field="type")
        for place, required in enumerate(entry.requires):
            if required.model_fields_set <= _OF_THE_OPERAND:
                field = f"contracts.{number}.requires.{place}"
                line = document.line_of(("contracts", number, "requires", place))
                raise RuleError(_REQUIRES_NOTHING, path=path, line=line, field=field)
        for name, _ in names_of(file, entry):
            if name in seen:
                problem = f"`{name}` has a contract already, on line {seen[name]}; keep one"
                raise RuleError(problem, path=path, line=line, field=f"contracts.{number}")
            seen[name] = line
    return file, document


def names_of(file: ContractFile, entry: ContractEntry) -> list[tuple[str, bool]]:
    """Return the full name of each function of a contract, and whether it is a method."""
    functions = [(f"{file.library}.{each}", False) for each in (*entry.functions, *entry.both)]
    owner = entry.type or file.type
    return functions + [(f"{owner}.{each}", True) for each in (*entry.methods, *entry.both)]


def compile_contracts(folder: Path) -> dict[str, dict[str, list[Any]]]:
    """Return library → name → the fields of its contract, of every file of a folder. Raises RuleError."""
    compiled: dict[str, dict[str, list[Any]]] = {}
    for path in sorted(folder.glob("*.yaml")):
        file = read_contracts(path.read_text(encoding="utf-8"), f"{folder.name}/{path.name}")
        compiled[file.library] = {
            name: list(_contract(file, entry, is_method=is_method))
            for entry in file.contracts
            for name, is_method in names_of(file, entry)
        }
    return compiled


def _contract(file: ContractFile, entry: ContractEntry, *, is_method: bool) -> Contract:
    returns = entry.returns
    fields: dict[str, Any] = {} if returns is None else {k: v or "" for k, v in returns.model_dump().items()}
    for name in ("dtype", "device", "items", "items_with"):
        fields[name] = tuple(fields.get(name) or ())
    fields["selects"] = bool(fields.get("selects"))
    return Contract(
        **fields,
        requires=tuple(_requirement(each, shift=int(is_method and bool(entry.both))) for each in entry.requires),
        effects=tuple(entry.effects),
        none_if=entry.none_if or "",
        none_up_to=entry.none_up_to,
        is_method=is_method,
        takes=entry.takes,
        gone=entry.gone or "",
        instead=entry.instead or "",
        since=entry.since or file.since or "",
    )


def _requirement(entry: RequirementEntry, *, shift: int) -> Requirement:
    """Return the record; in a contract of ``both``, ``at`` counts the arguments of the function, the tensor too."""
    fields = entry.model_dump()
    for name in ("dtype", "not_dtype", "axes", "not_type"):
        fields[name] = tuple(fields[name])
    fields["when"] = tuple(part for name, words in fields["when"].items() for part in (name, *words))
    fields["device"], fields["like"] = fields["device"] or "", fields["like"] or ""
    fields["most_arguments"] = max(fields["most_arguments"] - shift, 0)
    at = fields["at"] - shift
    if shift and fields["at"] == 0:
        fields["of"], at = "self", -1
    return Requirement(**{**fields, "at": max(at, -1)})
