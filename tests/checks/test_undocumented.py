"""New flags, settings and models against what the documents mention, and settings that go."""

from __future__ import annotations

import pytest

from review_bot.findings import Finding
from tests.rule_cases import findings_of

NEW = "docs/config-undocumented"
GONE = "api/config-key-removed"


def parser(*flags: str) -> str:
    return "".join(f"parser.add_argument('{flag}', type=int)\n" for flag in flags)


OLD_FLAGS = ("--host", "--port", "--cache-size")


def added(*flags: str, documents: dict[str, str]) -> list[Finding]:
    base = {"pkg/serve.py": parser(*OLD_FLAGS), **documents}
    return findings_of(NEW, {"pkg/serve.py": parser(*OLD_FLAGS, *flags)}, base)


def test_the_message_names_the_flag_and_where_the_others_stand() -> None:
    (finding,) = added("--ring-size", documents={"docs/serve.md": "--host --port", "README.md": "--host"})

    assert finding.message == (
        "The documentation does not mention `--ring-size`, but mentions other flags of this file (`--host`, `--port`), "
        "for example in `docs/serve.md`."
    )
    assert finding.line == 4


def test_flags_that_are_counted_are_those_like_the_new_one() -> None:
    old = ("--model", "--seed", "--steps", "--size", "--rate", "--use-fp8-path", "--use-fp4-path")
    documents = {"README.md": "--model --use-fp8-path --use-fp4-path"}
    (finding,) = findings_of(
        NEW, {"pkg/run.py": parser(*old, "--use-int8-path")}, {"pkg/run.py": parser(*old), **documents}
    )

    assert "but mentions similar ones (`--use-fp4-path`, `--use-fp8-path`), for example" in finding.message


@pytest.mark.parametrize(
    "text", ["`--ring-size`", "--ring_size", "set ring_size to 2", "| --ring-size=2 |", "  -ring-size  Rings"]
)
def test_a_flag_counts_in_any_of_its_spellings(text: str) -> None:
    assert added("--ring-size", documents={"docs/a.md": "--host --port --cache-size", "docs/b.rst": text}) == []


def test_a_notebook_that_holds_the_names_documents_nothing() -> None:
    assert added("--ring-size", documents={"serve.ipynb": "--host --port --cache-size"}) == []
    assert len(added("--ring-size", documents={"serve.md": "--host --port --cache-size"})) == 1


@pytest.mark.parametrize("place", ["tests/README.md", ".agents/notes.md", "CHANGELOG.md"])
def test_what_is_no_document_mentions_nothing(place: str) -> None:
    assert len(added("--ring-size", documents={"docs/a.md": "--host --port", place: "--ring-size"})) == 1


def test_the_same_setting_is_told_once() -> None:
    config = "class {0}Config:\n    host_name: str\n    port_range: str\n    cache_size: int\n{1}"
    base = {
        "pkg/a.py": config.format("A", ""),
        "pkg/b.py": config.format("B", ""),
        "docs/a.md": "host_name port_range cache_size",
    }
    new = "    ring_size: int\n"
    head = {"pkg/a.py": config.format("A", new), "pkg/b.py": config.format("B", new)}

    assert [each.path for each in findings_of(NEW, head, base)] == ["pkg/a.py"]


@pytest.mark.parametrize(
    ("other", "expected"),
    [
        ("class OtherConfig:\n    host_name: str\n    cache_size: int\n    port_range: str\n", 0),
        ("class OtherConfig:\n    host_name: str\n    cache_size: int\n", 0),
        ("class Other:\n    host_name: str\n    cache_size: int\n    port_range: str\n", 0),
        # Two of three are still this class's alone; plain annotations are no fields.
        ("class OtherConfig:\n    host_name: str\n", 1),
        ("host_name: str\ncache_size: int\nport_range: str = (\n", 1),
    ],
)
def test_names_that_another_class_has_too_do_not_show_that_this_one_is_documented(other: str, expected: int) -> None:
    config = "class AConfig:\n    host_name: str\n    port_range: str\n    cache_size: int\n"
    base = {"pkg/a.py": config, "pkg/other.py": other, "docs/a.md": "--a.host_name --a.port_range --a.cache_size"}

    found = findings_of(NEW, {"pkg/a.py": config + "    ring_size: int\n"}, base)

    assert len(found) == expected
    assert findings_of(NEW, {"pkg/a.py": config + "    ring_size: int\n"}, base | {"docs/b.md": "ring_size"}) == []


def test_a_flag_that_goes_and_its_field_are_told_once() -> None:
    base = {
        "pkg/a.py": parser("--host", "--ring-size"),
        "pkg/b.py": "class EngineArgs:\n    ring_size: int\n    host_name: str\n",
        "examples/run.sh": "python -m pkg.a --ring-size 2\n",
    }
    head = {"pkg/a.py": parser("--host"), "pkg/b.py": "class EngineArgs:\n    host_name: str\n"}

    (finding,) = findings_of(GONE, head, base)

    assert finding.message == (
        "This change removes `--ring-size` from the options of this file, but `examples/run.sh` still mentions it."
    )
    assert (finding.severity, finding.side, finding.line) == ("info", "LEFT", 2)


def test_a_flag_that_its_help_calls_deprecated_may_go() -> None:
    before = parser("--host") + "parser.add_argument('--ring-size', help='Deprecated and ignored.')\n"

    assert findings_of(GONE, {"pkg/cli.py": parser("--host")}, {"pkg/cli.py": before}) == []


def test_a_flag_that_no_document_names_any_more_is_a_nit_of_a_command_and_nothing_of_another_script() -> None:
    before, after = parser("--host", "--ring-size"), parser("--host")

    (finding,) = findings_of(GONE, {"pkg/cli/run.py": after}, {"pkg/cli/run.py": before})

    assert finding.severity == "hint"
    assert findings_of(GONE, {"pkg/launch.py": after}, {"pkg/launch.py": before}) == []


@pytest.mark.parametrize(
    "head",
    [
        {"pkg/cli.py": parser("--host") + "if '--ring-size' in argv: warn('use --ring')\n"},
        {"pkg/cli.py": parser("--host"), "pkg/b.py": parser("--ring-size")},
        {"pkg/cli.py": parser("--host"), "docs/changes.md": "--ring-size is gone\n"},
        {"pkg/cli.py": None},
    ],
)
def test_a_flag_that_is_still_spoken_of_is_not_lost(head: dict[str, str | None]) -> None:
    assert findings_of(GONE, head, {"pkg/cli.py": parser("--host", "--ring-size")}) == []


def test_the_page_of_a_script_is_said_to_name_what_that_page_names() -> None:
    base = {
        "tools/load.py": parser("--rate", "--seed", "--model", "--out"),
        "tools/README.md": "```\npython load.py --rate 1 --seed 2 --model m\n```\n",
        "tools/more.md": "```\npython load.py --out o\n```\n",
    }
    head = {"tools/load.py": parser("--rate", "--seed", "--model", "--out", "--warmup")}
    (finding,) = findings_of("docs/script-option-undocumented", head, base)

    assert finding.message == (
        "No document mentions the new `--warmup` of this script, but `tools/README.md` names other flags of this file "
        "(`--model`, `--rate`, `--seed`)."
    )


def test_a_usage_that_lists_the_flags_with_one_dash_documents_them() -> None:
    options = ("--rate", "--seed", "--model", "--out", "--aligned")
    usage = "  -rate            Frames in a second\n  -seed number     The seed\n  -aligned         Faces are aligned\n"
    base = {
        "tools/load.py": parser(*options),
        "tools/README.md": f"```\npython load.py -o out\n```\n\n```\n{usage}```\n",
        "tools/more.md": "```\npython load.py --out o --seed 2\n```\n",
    }
    (finding,) = findings_of("docs/script-option-undocumented", {"tools/load.py": parser(*options, "--warmup")}, base)

    assert "but `tools/README.md` names other flags of this file (`--aligned`, `--rate`, `--seed`)" in finding.message
    base["tools/README.md"] += "\n  -warmup          Frames before the first\n"
    assert findings_of("docs/script-option-undocumented", {"tools/load.py": parser(*options, "--warmup")}, base) == []
