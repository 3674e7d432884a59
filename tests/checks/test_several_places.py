"""Findings about several places name each: all the variables, options, copies, and the parameter itself."""

from __future__ import annotations

from tests.rule_cases import findings_of

DOCUMENTS = {"README.md": "# Halcyon\n", "docs/a.md": "# A\n", "docs/b.md": "# B\n"}


def test_each_undocumented_variable_has_its_place() -> None:
    code = 'import os\n\nSTATS = os.getenv("HALCYON_STATS_PATH")\n\nPRINTS = os.getenv("HALCYON_PRINT_STATS", "1") == "1"\n'
    before = {"halcyon/__init__.py": "", **DOCUMENTS}

    (finding,) = findings_of("docs/variable-undocumented", {**before, "halcyon/serve.py": code}, before)

    assert (finding.line, [place.line for place in finding.related]) == (3, [5])
    assert "`HALCYON_PRINT_STATS` and `HALCYON_STATS_PATH`" in finding.message


def test_a_parameter_that_is_read_no_more_is_shown_where_it_is_taken() -> None:
    before = "class Runner:\n    def __init__(self, model, log_stats=False):\n        self.engine = start(model, log_stats)\n"
    after = "class Runner:\n    def __init__(self, model, log_stats=False):\n        self.engine = start(model)\n"

    (finding,) = findings_of("api/parameter-unread", {"pkg/a.py": after}, {"pkg/a.py": before})

    assert (finding.side, finding.line, [place.line for place in finding.related]) == ("LEFT", 3, [2])


def test_each_copied_element_has_its_place() -> None:
    code = "import torch\n\ndef forward(x, grid):\n    t = grid[0].item()\n    h = grid[1].item()\n    return x.view(t, h, grid[2].item())\n"

    (finding,) = findings_of("memory/copied-by-element", {"pkg/a.py": code}, {})

    assert (finding.line, [place.line for place in finding.related]) == (4, [5, 6])
    assert finding.message.startswith("3 elements of `grid`")


def test_a_place_on_the_line_of_the_finding_is_not_repeated() -> None:
    code = "import torch\n\ndef forward(x, grid):\n    t, h = int(grid[0].item()), grid[1].item()\n    return x.view(t, h, grid[2].item())\n"

    (finding,) = findings_of("memory/copied-by-element", {"pkg/a.py": code}, {})

    assert (finding.line, [place.line for place in finding.related]) == (4, [5])


def test_a_variable_that_only_a_check_still_reads_is_called_so() -> None:
    after = (
        "def run(shell, repo_of):\n    repo = repo_of('a')\n    if repo is None:\n        raise RuntimeError('no')\n"
    )

    (finding,) = findings_of("errors/variable-left-unread", {"a.py": after}, {"a.py": f"{after}    shell(repo)\n"})

    assert finding.message == (
        "`run` still sets `repo` (line 2), but only a check that it is set reads it now that this line is gone."
    )


def test_all_options_that_a_script_needs_are_one_finding() -> None:
    script = (
        "import argparse\n\nparser = argparse.ArgumentParser()\n"
        'parser.add_argument("--source")\nparser.add_argument("--target")\nparser.add_argument("--size", type=int)\n'
        'args = parser.parse_args()\nwith open(args.source) as file, open(args.target, "w") as copy:\n    copy.write(file.read())\n'
    )

    (finding,) = findings_of("errors/option-needed", {"scripts/copy.py": script}, {})

    assert (finding.line, {place.line for place in finding.related}) == (4, {8})
    assert finding.message.startswith(
        "Without this option, `args.source` is None (so is `args.target` without its own), and `open(args.source)` "
    )


def test_a_script_that_hands_its_arguments_to_another_module_is_left_alone() -> None:
    script = (
        "import argparse\n\nfrom pkg.defaults import complete\n\nparser = argparse.ArgumentParser()\n"
        'parser.add_argument("--source")\nargs = parser.parse_args()\ncomplete(args)\nopen(args.source)\n'
    )

    assert findings_of("errors/option-needed", {"scripts/copy.py": script}, {}) == []


def test_an_escape_in_a_long_string_shows_where_the_string_begins() -> None:
    code = 'def split(text):\n    """Splits.\n\n    By \\* alone.\n    """\n    return text\n'

    (finding,) = findings_of("errors/invalid-escape", {"pkg/a.py": code}, {})

    assert (finding.line, [place.line for place in finding.related]) == (4, [2])


def test_an_option_that_one_load_lacks_shows_the_one_that_passes_it() -> None:
    code = "def load(name, revision=None):\n    config = AutoConfig.from_pretrained(name)\n    return AutoModel.from_pretrained(name, config=config, revision=revision)\n"

    (finding,) = findings_of("errors/option-not-passed", {"pkg/a.py": code}, {})

    assert (finding.line, [place.line for place in finding.related]) == (2, [3])


def test_variables_of_one_function_that_nothing_reads_any_more_are_one_finding() -> None:
    after = "def forward(points):\n    rots = points[..., :3]\n    shift = points[..., 3]\n    size = len(points)\n"
    before = f"{after}    return place(rots, shift, size)\n"

    (finding,) = findings_of("errors/variable-left-unread", {"a.py": f"{after}    return size\n"}, {"a.py": before})

    assert finding.message == (
        "`forward` still sets `rots` (line 2) and `shift`, but nothing reads them now that these lines are gone."
    )
    assert [(place.line, place.note) for place in finding.related] == [
        (2, "`rots` is still set here"),
        (3, "`shift` is still set here"),
    ]
