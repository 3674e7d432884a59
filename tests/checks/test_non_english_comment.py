from __future__ import annotations

from review_bot.rules.examples import make_case
from tests.rule_cases import built_in, findings_in, findings_of

RULE = "style/non-english-comment"
SIX = "".join(f"# 第{n}步\nx{n} = {n}\n" for n in "一二三四五六")


def test_more_than_five_lines_make_one_finding_with_the_list() -> None:
    (finding,) = findings_of(RULE, SIX)

    assert finding.line == 1
    assert [place.line for place in finding.related] == [3, 5, 7, 9, 11]
    assert finding.message == (
        "At least 6 lines of comments and docstrings are not in English (Chinese or Japanese): lines 1, 3, 5, 7, 9, 11."
    )


def test_lines_that_follow_each_other_are_one_finding() -> None:
    (finding,) = findings_of(RULE, "# первая строка\n# вторая строка\nx = 1\n")

    assert (finding.line, finding.end_line) == (1, 2)
    assert "Cyrillic" in finding.message


def test_only_added_lines_count() -> None:
    assert findings_of(RULE, {"a.py": SIX + "y = 1\n# 注释\n"}, {"a.py": SIX}) == []

    (finding,) = findings_of(
        RULE,
        {"a.py": "# 旧的注释\ny = 2\n# 新的注释\n" + "# fine\n" * 1_200},
        {"a.py": "# 旧的注释\ny = 1\n" + "# fine\n" * 1_200},
    )
    assert finding.line == 3


def test_a_repository_that_writes_in_a_script_is_left_alone() -> None:
    def base(others: int) -> dict[str, str]:
        return {"a.py": "# 队列\n" + "# queue\n" * others}

    assert findings_of(RULE, {"b.py": "# 请求\n"}, base(998)) == []
    assert len(findings_of(RULE, {"b.py": "# 请求\n"}, base(999))) == 1
    assert len(findings_of(RULE, {"b.py": "# запрос\n"}, base(0))) == 1


def test_a_project_whose_readme_is_in_the_script_is_left_alone() -> None:
    english = "# Engine\n\nIt serves models.\n\n中文\n\nIt is fast.\n"

    assert findings_of(RULE, {"b.py": "# 请求\n"}, {"README.md": "# 引擎\n\n它运行模型。\n", "a.py": "x = 1\n"}) == []
    assert len(findings_of(RULE, {"b.py": "# 请求\n"}, {"README.md": english, "a.py": "x = 1\n"})) == 1


def test_examples_and_tests_are_a_nit() -> None:
    (library_finding,) = findings_of(RULE, {"package/a.py": "# 请求\n"})
    (example,) = findings_of(RULE, {"examples/a.py": "# 请求\n"})

    assert (library_finding.severity, example.severity) == ("info", "hint")


def test_a_script_that_works_as_it_is_read_is_left_to_its_author() -> None:
    assert findings_of(RULE, {"data/check.py": "# 检查每个文件\nfor name in names:\n    check(name)\n"}) == []


def test_it_runs_where_only_the_diff_is_known() -> None:
    case = make_case(built_in(RULE), "# 请求\n")
    unknown = case._replace(repository=case.repository._replace(available=False))

    assert len(findings_in(RULE, unknown)) == 1


def test_quoted_words_and_strings_are_samples() -> None:
    for text in (
        '# the prompt "你好世界" has two tokens\n',
        "# `你好` is one token\n",
        'x = "你好世界"  # greeting\n',
        'def f():\n    """Return the text of 《论语》."""\n',
        "# α and β in radians, 5 µs\n",
    ):
        assert findings_of(RULE, text) == [], text


def test_a_byte_order_mark_and_windows_line_ends_do_not_matter() -> None:
    (finding,) = findings_of(RULE, "\ufeff# 请求\r\nx = 1\r\n")

    assert finding.line == 1


def test_a_docstring_whose_words_the_function_shows_is_counted() -> None:
    (finding,) = findings_of(RULE, SIX + 'def check():\n    """检查数据"""\n    show("检查数据")\n')

    assert finding.message.startswith("At least 7 lines of comments and docstrings")
