"""What was probably meant by a name that is not known."""

from __future__ import annotations

import pytest

from review_bot.configuration import config_file
from review_bot.errors import ConfigError
from review_bot.text.near_names import MOST_PAIRS, NearNames, did_you_mean
from tests.command import run_command


def test_the_nearest_name_is_offered_and_no_far_one() -> None:
    assert did_you_mean("fail_on", ["fail-on", "families"]) == "; did you mean 'fail-on'?"
    assert did_you_mean("zebra", ["fail-on", "families"]) == ""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("fail_on: error\n", "did you mean 'fail-on'?"),
        (
            "resolve-threads: true\n",
            "'resolve-threads' is an input of the Action; set it below `with:` in the workflow",
        ),
        ("zebra: 3\n", "remove it"),
    ],
)
def test_a_key_that_is_not_known(text: str, said: str) -> None:
    with pytest.raises(ConfigError, match=said.replace("?", r"\?")):
        config_file.read(text)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("revieww",), "unknown command 'revieww'; did you mean 'review'?"),
        (("review", "--formt", "json"), "unrecognized arguments: --formt; did you mean '--format'?"),
        (("review", "--format", "jsn"), "invalid choice: 'jsn' (choose from terminal, concise, json, markdown, "),
        (("review", "--format", "jsn"), "; did you mean 'json'? See `review-bot review --help`."),
        (("rules", "shw"), "review-bot rules: error: argument ACTION: invalid choice: 'shw'"),
        (("rules", "shw"), "; did you mean 'show'? See `review-bot rules --help`."),
        (
            ("rules", "list", "--famly", "x"),
            "rules list: error: unrecognized arguments: --famly; did you mean '--family'?",
        ),
        (("init", "--workflow", "trustd"), "; did you mean 'trusted'?"),
        (("rules", "show", "errors/bare-excpet"), "did you mean 'errors/bare-except'?"),
        (("rules", "show", "bare-excpet"), "did you mean 'errors/bare-except'?"),
        (("rules", "show", "style/*"), "show explains one rule; `review-bot rules list 'style/*'` lists these"),
        (("rules", "show", "style"), "show explains one rule; `review-bot rules list 'style'` lists these"),
        (("replay", "--last", "-3"), "must be 0 or more, not '-3'"),
        (("replay", "--jobs", "0"), "must be at least 1, not '0'"),
    ],
)
def test_a_mistyped_command_line_is_exit_2(arguments: tuple[str, ...], said: str) -> None:
    done = run_command(arguments, text=True)
    assert (done.returncode, said in " ".join(done.stderr.split())) == (2, True), done.stderr
    assert "usage:" not in done.stderr, "an error is one line, and names where the options are listed"


def test_near_names_are_found_until_too_many_pairs_were_compared():
    known = NearNames([f"step_{number:04}.py" for number in range(1_000)], 0.8)
    assert known.nearest("step_0001.pyy") == "step_0001.py"
    assert known.nearest("other.md") == ""
    asked = [known.nearest(f"step_0001.{number}py") for number in range(MOST_PAIRS // 1_000)]
    assert asked[0] == "step_0001.py"
    assert asked[-1] == ""
    assert known.nearest("step_0001.pyy") == "step_0001.py"
    assert known.nearest("step_0001.py" * 1_000) == ""
