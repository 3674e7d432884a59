"""Added code that stands in another file already, line by line."""

from __future__ import annotations

from review_bot.findings import Finding
from tests.rule_cases import findings_of

RULE = "pr/duplicate-code"


def block(count: int, name: str = "config") -> str:
    return "".join(f"    field_{n} = {name}.get('field_{n}') or fallback(field_{n})\n" for n in range(count))


def found(added: str, there: str, path: str = "pkg/new.py", twin: str = "pkg/old.py") -> list[Finding]:
    return findings_of(RULE, {path: added}, {twin: there})


def test_both_places_are_named() -> None:
    (finding,) = found("import os\n\n\ndef new(config):\n" + block(24), "def old(config):\n" + block(30))

    assert (finding.path, finding.line, finding.severity, finding.placement) == ("pkg/new.py", 5, "info", "summary")
    assert finding.message == "The code from here to line 28 duplicates that at `pkg/old.py:2` (up to line 25)."
    assert [(place.path, place.line) for place in finding.related] == [("pkg/old.py", 2)]


def test_what_differs_in_comments_alone_is_called_so() -> None:
    there = "def old(config):\n" + block(12) + "    # the second half\n" + block(12, "other")
    (finding,) = found("def new(config):\n" + block(12) + "    # the rest\n" + block(12, "other"), there)

    assert finding.message == (
        "The code from here to line 26 duplicates that at `pkg/old.py:2` (up to line 26), "
        "comments, docstrings, imports and decorators aside."
    )


def test_code_that_many_files_share_is_copied_on_purpose() -> None:
    copies = {f"pkg/model_{n}.py": f"def run_{n}(config):\n" + block(24) for n in range(3)}
    new = {"pkg/fast.py": "def new(config):\n" + block(24)}

    assert findings_of(RULE, new, copies) == []
    assert len(findings_of(RULE, new, dict(list(copies.items())[:2]))) == 1


def test_a_folder_whose_files_are_copies_of_one_another_is_left_alone() -> None:
    def other(number: int) -> str:
        return block(24).replace("field", f"part_{number}")

    copies = {f"pkg/models/{kind}_{n}.py": "def run(config):\n" + other(n) for n in range(2) for kind in ("a", "b")}
    single = {f"pkg/engine/step_{n}.py": "def run(config):\n" + other(n) for n in range(4)}
    new = "def new(config):\n" + block(24)

    for folder, reported in (("pkg/models", 0), ("pkg/engine", 1)):
        head = {f"{folder}/new.py": new}
        base = {**copies, **single, f"{folder}/old.py": "def old(config):\n" + block(30)}
        assert len(findings_of(RULE, head, base)) == reported, folder


def test_one_edit_in_two_files_of_such_a_folder_is_a_copy_all_the_same() -> None:
    def run(number: int, *, edited: bool) -> str:
        own = block(24).replace("field", f"part_{number}")
        return "def run(config):\n" + (block(24).replace("field", "split") if edited else "") + own

    files = {f"pkg/models/{kind}_{n}.py": n for n in range(2) for kind in ("a", "b")}
    base = {path: run(n, edited=False) for path, n in files.items()}
    head = {path: run(n, edited=True) for path, n in files.items() if path.startswith("pkg/models/a")}

    (finding,) = findings_of(RULE, head, base)
    assert (finding.path, finding.line) == ("pkg/models/a_1.py", 2)
    assert finding.message == "The code from here to line 25 duplicates that at `pkg/models/a_0.py:2` (up to line 25)."


def test_lines_that_are_moved_once_and_written_once_more_do_not_end_a_copy() -> None:
    def call(indent: str) -> str:
        return "".join(f"{indent}    part_{n}=config.get('part_{n}') or fallback(part_{n}),\n" for n in range(12))

    base = {f"pkg/{name}.py": f"def {name}(config):\n    step(\n{call('    ')}    )\n" for name in ("a", "b")}
    head = {
        path: text.partition("    step(")[0]
        + f"    if ready:\n        near = step(\n{call('        ')}        )\n"
        + f"    else:\n        far = other(\n{call('        ')}        )\n        send(near, far)\n"
        for path, text in base.items()
    }

    (finding,) = findings_of(RULE, head, base)
    assert finding.path == "pkg/b.py"


def test_comments_blank_lines_and_indentation_do_not_count() -> None:
    there = "class A:\n    def old(config):\n        # here\n\n" + block(24).replace("    field", "        field")
    assert len(found("def new(config):\n" + block(24), there)) == 1


def test_few_lines_or_other_lines_are_left_alone() -> None:
    assert found("def new(config):\n" + block(19), "def old(config):\n" + block(30)) == []
    assert found("def new(config):\n" + block(24), "def old(options):\n" + block(24, "options")) == []


def test_ports_tests_and_other_packages_are_left_alone() -> None:
    code = "def run(config):\n" + block(24)
    assert found(code, code, "pkg/npu/npu_run.py", "pkg/gpu/gpu_run.py") == []
    assert found(code, code, "pkg/models/a/run.py", "pkg/models/b/run.py") == []
    assert found(code, code, "pkg/new.py", "tests/test_old.py") == []
    assert found(code, code, "pkg/new.py", "other/old.py") == []


def test_lines_that_stood_there_before_do_not_count() -> None:
    before = "def new(config):\n" + block(12)
    base = {"pkg/new.py": before, "pkg/old.py": "def old(config):\n" + block(30)}
    assert findings_of(RULE, {"pkg/new.py": "def new(config):\n" + block(24)}, base) == []


def test_a_run_ends_where_an_old_line_stands_between() -> None:
    half = block(24).splitlines(keepends=True)
    old = "def new(config):\n    check(config)\n"
    head = "def new(config):\n" + "".join(half[:12]) + "    check(config)\n" + "".join(half[12:])
    base = {"pkg/new.py": old, "pkg/old.py": "def old(config):\n" + block(30)}
    assert findings_of(RULE, {"pkg/new.py": head}, base) == []


def test_a_copy_that_a_tool_keeps_equal_is_left_alone() -> None:
    head = "# Copied from pkg.old.old\ndef new(config):\n" + block(24)
    assert found(head, "def old(config):\n" + block(24)) == []


def test_kernels_are_copied_on_purpose() -> None:
    there = "def old(config):\n" + block(30)
    assert found("def new(config):\n" + block(24), there, path="pkg/kernels/new.py") == []
    assert found("import triton\n\n\ndef new(config):\n" + block(24), there) == []


def test_a_copy_that_only_moves_is_not_new() -> None:
    shared = "def work(config):\n" + block(30)
    base = {"pkg/old.py": shared, "pkg/whole.py": "def run(config):\n" + block(24) + "    return 1\n"}
    head = {"pkg/part.py": "def run(config):\n" + block(24), "pkg/whole.py": "def run(config):\n    return 1\n"}
    assert findings_of(RULE, head, base) == []


def test_a_script_that_runs_alone_shares_no_module() -> None:
    code = "def new(config):\n" + block(24)

    assert found(f"# /// script\n# dependencies = ['torch']\n# ///\n\n{code}", code) == []
    assert len(found(f"# A script.\n{code}", code)) == 1


def test_code_for_two_languages_is_a_port() -> None:
    code = "def new(config):\n" + block(24)

    assert found(code, code, path="pkg/hi/date.py", twin="pkg/en/date.py") == []
    assert len(found(code, code, path="pkg/fast/date.py", twin="pkg/slow/date.py")) == 1


def test_a_copy_goes_on_with_a_line_that_the_change_removes_elsewhere() -> None:
    base = {
        "pkg/old.py": f"def old(config):\n{block(24)}\n    return field_1\n",
        "pkg/new.py": "def f(field_1):\n    return field_1\n",
    }
    head = {
        "pkg/new.py": f"def f(field_1):\n    return field_1 + 1\n\n\ndef new(config):\n{block(24)}\n    return field_1\n"
    }
    (finding,) = findings_of(RULE, head, base)

    assert finding.message == "The code from here to line 31 duplicates that at `pkg/old.py:2` (up to line 27)."


def advice(added: str, there: str) -> tuple[str, str]:
    """Return the range of the only finding, as its message names it, and what to do."""
    (finding,) = findings_of(RULE, {"pkg/new.py": added}, {"pkg/old.py": there})
    return f"{finding.line} to {finding.message.split(' line ')[1].split()[0]}", finding.instead


def test_the_whole_body_of_a_function_can_be_called() -> None:
    there = 'def old(config):\n    """Old."""\n    import os\n' + block(24)
    call = "If both must stay the same, call `old()` of `pkg/old.py` here, or move it to where both can import it."
    assert advice("def new(config):\n" + block(24) + "    return config\n", there) == ("2 to 25", call)


def test_statements_of_one_block_can_be_moved() -> None:
    usual = "If both must stay the same, let one call the other, or move the code to a shared place."
    ends = "    return config\n", "    return config.copy()\n"
    assert advice("def new(config):\n" + block(24) + ends[0], "def old(config):\n" + block(24) + ends[1])[1] == usual


def test_parts_of_statements_at_the_ends_are_cut() -> None:
    first, second = (
        f"def {name}(config):\n    start(\n        {name},\n        config.size_of_all,\n    )\n{block(24)}"
        f"    if config.size_of_all:\n        stop({name})\n"
        for name in ("new", "old")
    )
    assert advice(first, second)[0] == "6 to 29"


def test_a_first_else_is_cut_and_lines_of_two_blocks_are_no_statements_to_move() -> None:
    inner = block(12).replace("    field", "        field")
    rest = block(12, "other")
    first, second = (
        f"def {name}(config):\n    if config.{name}:\n        start_{name}()\n    else:\n{inner}{rest}    return {name}\n"
        for name in ("new", "old")
    )
    assert advice(first, second) == (
        "5 to 28",
        (
            "If both must stay the same, move the statements that are whole among them, or the code around both places, "
            "into a function that both places call."
        ),
    )


def test_too_few_whole_statements_leave_the_lines_as_they_are() -> None:
    rows = "".join(f"        'key_{n}': config.get('field_{n}', other_{n}),\n" for n in range(24))
    first, second = (
        f"def {name}(config):\n    return {name}.make(\n        {{\n{rows}            '{name}': 1,\n}})\n"
        for name in ("new", "old")
    )
    lines, instead = advice(first, second)
    assert lines == "4 to 27"
    assert "the statements that are whole among them, or the code around both places" in instead
