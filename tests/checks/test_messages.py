"""Messages that do not say what they were meant to: log calls, strings without their f, words run together."""

from __future__ import annotations

import pytest

from tests.rule_cases import findings_of


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ('logger.error("failed:", error)', "This log message has no placeholders, but the call passes 1 argument"),
        ('logger.info("%s of %d", done)', "This log message has 2 placeholders, but the call passes 1 argument"),
        ('self._logger.info("%5.2f %%", a, b)', "This log message has 1 placeholder, but the call passes 2 arguments"),
    ],
)
def test_log_calls_are_counted(call: str, said: str) -> None:
    found = findings_of("errors/log-arguments", f"def f(self, logger, error, done, a, b):\n    {call}\n")
    assert [each.message.partition(";")[0] for each in found] == [said]


@pytest.mark.parametrize(
    "call",
    [
        'logger.info("%s %s", *both)',
        'logger.info("%(a)s", values)',
        'logger.info("%r", a, exc_info=True)',
        "logger.info(a, b)",
    ],
)
def test_log_calls_that_fit_or_hide_are_left_alone(call: str) -> None:
    assert not findings_of("errors/log-arguments", f"def f(logger, both, values, a, b):\n    {call}\n")


def test_loguru_has_placeholders_of_its_own() -> None:
    code = "from loguru import logger\n\n\ndef f(a):\n    logger.info('read {}', a)\n    logger.info('read', a)\n"

    assert findings_of("errors/log-arguments", code) == []


@pytest.mark.parametrize(
    ("statement", "shown"),
    [
        ('raise ValueError("bad entry: {line}")', "{line}"),
        ('raise ValueError("bad entry: " + "{line!r}")', "{line!r}"),
        ('assert line, "bad entry {line.strip()} of {values[0]:>3}"', "{line.strip()}"),
        ('print("read {line}")', "{line}"),
    ],
)
def test_braces_that_name_locals_want_an_f(statement: str, shown: str) -> None:
    (found,) = findings_of("errors/missing-f-prefix", f"def f(line, values):\n    {statement}\n")
    assert found.message.startswith(f"This string is not an f-string: it contains `{shown}` literally")


@pytest.mark.parametrize(
    "statement",
    [
        'raise ValueError(f"bad entry: {line}")',
        'raise ValueError("write {host} slots={slots}")',
        'raise ValueError("bad {line}".format(line=line))',
        'print("{line}", line)',
        'print("{}", line)',
        'template = "{line}"',
    ],
)
def test_other_braces_are_left_alone(statement: str) -> None:
    assert not findings_of("errors/missing-f-prefix", f"def f(line):\n    {statement}\n")


def test_words_that_run_together_are_shown_as_they_will_read() -> None:
    code = 'def f():\n    raise ValueError("the sizes are not equal"\n                     "to each other at all")\n'
    (found,) = findings_of("style/joined-words", code)
    assert (found.line, found.message) == (3, "Python joins these two strings into `equalto`.")


@pytest.mark.parametrize(
    ("call", "whose"),
    [
        ("AutoModel.from_pretrained(path, trust_remote_code=True)", "model"),
        ("load_dataset(path, trust_remote_code=True)", "dataset"),
    ],
)
def test_remote_code_is_that_of_the_model_or_the_dataset(call: str, whose: str) -> None:
    (found,) = findings_of("security/trust-remote-code", f"def load(path):\n    return {call}\n")
    assert f"code from the {whose}'s repository" in found.message


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("a - b.size", "is dropped: the line does nothing, or raises an error if the operands do not fit."),
        ("-a, b", "is dropped: the line does nothing, or raises an error if the operands do not fit."),
        ("a < b", "is dropped: the line does nothing, or raises an error if the operands do not fit."),
        ("2 * 3", "is computed and dropped, so it has no effect."),
        ("a == b", "is computed and dropped, so it has no effect."),
    ],
)
def test_what_is_dropped_may_have_raised(line: str, said: str) -> None:
    found = findings_of("errors/no-effect", f"def f(a, b):\n    {line}\n    return a\n")
    assert [each.message for each in found] == [f"The value of `{line}` {said}"]


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (
            "x[:2].unsqueeze(0)",
            "has set it to a value that is never None, and has already failed if `x` was None before.",
        ),
        ("x.strip()", "has set it to a value that is never None, and has already failed if `x` was None before."),
        (
            'x.get("a").strip()',
            "has set it to a value that is never None, and has already failed if `x.get('a')` was None before.",
        ),
        ("x[0].strip()", "has set it to a value that is never None, and has already failed if `x[0]` was None before."),
        ("y.get('a').strip()", "has already failed if `y.get('a')` is None."),
        ("y.strip()", "has already failed if `y` is None."),
    ],
)
def test_a_late_test_says_what_has_failed(value: str, said: str) -> None:
    code = f"def f(x, y):\n    x = {value}\n    if x is None:\n        return y\n    return x\n"
    found = findings_of("errors/none-test-too-late", code)
    assert [each.message for each in found] == [f"`x` is tested for None on line 3, but line 2 {said}"]
