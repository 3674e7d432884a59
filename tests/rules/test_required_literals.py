"""What a rule is said to need is there whenever it matches; being wrong here would lose findings."""

from __future__ import annotations

import re
from typing import Any

import pytest
import re2
from ast_grep_py import SgRoot
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from review_bot.changes.vocabulary import Alternatives, Vocabulary
from review_bot.configuration import rule_registry
from review_bot.rules import structural_pattern, text_pattern
from review_bot.rules.examples import make_case
from review_bot.rules.matchers import RemovedCode, Structural, TextLine
from review_bot.rules.pattern_problem import problem_with
from review_bot.rules.regex_literals import of_regex
from review_bot.rules.required_literals import of_structural, opening_of
from review_bot.rules.rule import Rule
from tests.rule_cases import pattern_of
from tests.some import some

PAGES = rule_registry.builtin_pages()


def present(alternatives: Alternatives | None, text: str) -> bool:
    return Vocabulary(text).hold(alternatives)


def texts_of(rule: Rule, examples: list[Any]) -> list[str]:
    case_texts: list[str] = []
    for each in examples:
        case = make_case(rule, each)
        side = case.old if rule.kind == "removed" else case.new
        case_texts += [text for text in side.values() if text]
    return case_texts


def mutations(text: str) -> list[str]:
    """Write the same code otherwise: broken into more lines, in other company, with other line ends."""
    return [
        text,
        text.replace("(", "(\n        "),
        text.replace("(", "(  # a comment\n        ").replace(", ", ",\n        "),
        re.sub(r"(\w)\.(\w)", r"\1 \\\n        .\2", text),
        re.sub(r" (and|or|in|is|if|not) ", r" \\\n        \1 ", text),
        text.replace("\n", "\r\n"),
        text.replace("    ", "\t"),
        "import os\n\n" + text + "\nprint(1)\n",
        "\ufeff" + text,
    ]


def check_structural(config: dict[str, Any], language: str, text: str) -> int:
    held, opening = of_structural(config, language), opening_of(config, language)
    count = 0
    for match in structural_pattern.Tree(text, language).find(config):
        count += 1
        span = match.node.range()
        matched = text[span.start.index : span.end.index]
        line = text.split("\n")[match.line - 1]
        assert present(held, text), (config, matched, held)
        assert present(opening, line), (config, line, opening)
    return count


STRUCTURAL = [page for page in PAGES if isinstance(page.rule.matcher, Structural | RemovedCode)]


@pytest.mark.parametrize("page", STRUCTURAL, ids=[page.rule.id for page in STRUCTURAL])
def test_a_shipped_structural_rule_holds_what_it_needs_wherever_it_matches(page):
    rule = page.rule
    found = 0
    for text in texts_of(rule, [*page.documentation["bad"], *page.documentation["good"]]):
        for mutated in mutations(text):
            found += check_structural(dict(pattern_of(rule).config), pattern_of(rule).language, mutated)
    assert found or not any(isinstance(each, str) for each in page.documentation["bad"])


TEXT = [page for page in PAGES if isinstance(page.rule.matcher, TextLine)]


@pytest.mark.parametrize("page", TEXT, ids=[page.rule.id for page in TEXT])
def test_a_shipped_text_rule_holds_what_it_needs_wherever_it_matches(page):
    rule = page.rule
    for text in some(texts_of(rule, page.documentation["bad"])):
        numbered = enumerate(text.split("\n"), 1)
        for number, line in some(each for each in numbered if text_pattern.search(rule.matcher.regex, each[1])):
            assert present(rule.opening, line), (rule.matcher.regex, line)
            assert list(text_pattern.search_lines(rule.matcher.regex, [(number, line)], text))


CODE = """
import os, sys
from torch import load as L
@cache
async def f(a, *, b=1, **c) -> None:
    async with x.open("r", encoding='utf') as g, h: pass
    async for i in a: await i
    return torch.load(a, weights_only=False)
class C(Base, metaclass=M):
    def m(self): assert self.x is not None, "foo"; raise E from None
x = 0or y; z = 1if x else 2
try: eval(x)
except* ValueError: pass
except (A, B) as e: print(f"bar {e!r}", file=sys.stderr)
finally: del a, b
(torch
   .load(1)(2)).foo = lambda k: k
foo(
    bar(1),
    baz='q',
)
while not a and b: global n
if a == b: match(a)
with open(a) as h, \\
     open(b): yield x
"""
PIECES = ["torch", "load", "$X", "$$$A", "foo", "bar", "x", "a", "b", "1", "'q'", "None", "eval", "self", "e"]
FORMS = [
    "{}.{}({})", "{}({})", "{} = {}", "{} if {} else {}", "await {}", "return {}", "{} or {}", "not {}", "{}.{}", "{}({}, {})",
    "{}({})({})", "lambda {}: {}", "assert {}, {}", "raise {} from {}", "import {}, {}", "from {} import {} as {}", "{} is not {}",
    "del {}, {}", 'f"{} {}"', "with open({}) as {}: $$$B", "def {}($$$P): $$$B", "async def $F($$$P): $$$B", "class $C($$$P): $$$B",
    "while {}: $$$B", "if {} == {}: $$$B", "{}[{}]", "(\n{}\n.{}({}))", "{}  # {}", "global {}", "except {} as {}: pass",
]  # fmt: skip


@st.composite
def patterns(draw: st.DrawFn) -> str:
    form = draw(st.sampled_from(FORMS))
    while form.count("{}") and draw(st.integers(0, 4)) == 4:
        form = form.replace("{}", draw(st.sampled_from(FORMS)), 1)
    return form.format(*(draw(st.sampled_from(PIECES)) for _ in range(form.count("{}"))))


STRICTNESS = ["cst", "smart", "ast", "relaxed", "signature", "template"]
KINDS = ["call", "function_definition", "with_statement", "for_statement", "except_clause", "class_definition", "lambda",
         "await", "import_statement", "import_from_statement", "raise_statement", "return_statement", "identifier"]  # fmt: skip


@st.composite
def rules(draw: st.DrawFn, depth: int = 0) -> dict[str, Any]:  # noqa: PLR0911  # one return for each form
    which = draw(st.integers(0, 9 if depth < 2 else 3))
    inner = rules(depth=depth + 1)
    if which <= 1:
        return {"pattern": draw(patterns())}
    if which == 2:
        return {"pattern": {"context": draw(patterns()), "strictness": draw(st.sampled_from(STRICTNESS))}}
    if which == 3:
        return {"kind": draw(st.sampled_from(KINDS))}
    if which == 4:
        return {"any": draw(st.lists(inner, min_size=1, max_size=3))}
    if which == 5:
        return {"all": draw(st.lists(inner, min_size=1, max_size=2))}
    if which == 6:
        return {"kind": draw(st.sampled_from(KINDS)), "has": {**draw(inner), "stopBy": "end"}}
    if which >= 8:
        where = draw(st.sampled_from(["inside", "precedes", "follows"]))
        return {"kind": draw(st.sampled_from(KINDS)), where: {**draw(inner), "stopBy": "end"}}
    return {
        "kind": draw(st.sampled_from(KINDS)),
        "regex": draw(st.sampled_from(["^async", "(?m)^ +", "load|eval", "^(as|def|with)", "(?i)LOAD|Eval"])),
    }


@settings(max_examples=600, deadline=None, suppress_health_check=[HealthCheck.filter_too_much, HealthCheck.too_slow])
@given(rules())
@example({"pattern": "$A or $B"})
@example({"pattern": "torch.load($$$A)"})
def test_any_rule_holds_what_it_needs_wherever_it_matches(rule):
    assume(problem_with({"rule": rule}, "python") is None)
    check_structural({"rule": rule}, "python", CODE)


def test_code_of_the_property_is_rich_enough():
    matched = {kind for kind in KINDS if SgRoot(CODE, "python").root().find(kind=kind)}
    assert matched == set(KINDS)


def test_utils_that_name_each_other_end_in_no_answer():
    utils = {
        "u": {"any": [{"has": {"matches": "u"}}, {"has": {"matches": "v"}}, {"kind": "call"}]},
        "v": {"any": [{"matches": "u"}] * 5},
    }
    assert of_structural({"rule": {"matches": "u"}, "utils": utils}, "python") is None


@pytest.mark.parametrize(
    ("config", "language", "held", "opening"),
    [
        ({"rule": {"pattern": "torch.load($$$A)"}}, "python", (("load", "torch"),), (("torch",),)),
        ({"rule": {"pattern": "$X.load($$$A)"}}, "python", (("load",),), None),
        ({"rule": {"kind": "except_clause", "regex": r"^except\s*:"}}, "python", (("except", "~except"),), (("except",),)),
        ({"rule": {"kind": "class_definition", "has": {"pattern": "super($$$A)", "stopBy": "end"}}}, "python", (("super", "class"),), (("class",),)),
        ({"rule": {"pattern": {"context": "a b", "selector": "x"}}}, "python", None, None),
        ({"rule": {"pattern": {"context": "foo(bar)", "strictness": "signature"}}}, "python", None, None),
        ({"rule": {"pattern": "print('hello')"}}, "python", (("print",),), (("print",),)),
        ({"rule": {"pattern": "$X.to('cpu', non_blocking=True)"}}, "python", (("True", "non_blocking", "to"),), None),
        ({"rule": {"pattern": "f('it\"s', bar, \"x\")"}}, "python", (("f",),), (("f",),)),
        ({"rule": {"kind": "import_statement", "regex": r"^import\s+(i?pdb|pudb)$"}}, "python", (("~pdb", "import"), ("~pudb", "import")), (("import",),)),
        ({"rule": {"pattern": "$A_x = foo"}}, "javascript", (("~foo",),), None),
        ({"rule": {"pattern": "console.log($A)"}}, "javascript", (("~console", "~log"),), (("~console",),)),
        ({"rule": {"any": [{"pattern": "eval($X)"}, {"regex": "^exec"}]}}, "python", (("eval",), ("~exec",)), (("eval",), ("~exec",))),
        ({"rule": {"any": [{"pattern": "eval($X)"}, {"regex": "exec"}]}}, "python", (("eval",), ("~exec",)), None),
        ({"rule": {"not": {"pattern": "eval($X)"}, "inside": {"kind": "lambda"}}}, "python", (("lambda",),), None),
        ({"rule": {"pattern": "$G.f($A)"}, "constraints": {"G": {"regex": "(?i)(cfg|Guidance)"}}}, "python", (("f", "~~cfg"), ("f", "~~guidance")), None),
        ({"rule": {"pattern": "f($$$G)"}, "constraints": {"G": {"regex": "x"}}}, "python", (("f",),), (("f",),)),
    ],
)  # fmt: skip
def test_what_is_found(config, language, held, opening):
    assert of_structural(config, language) == held
    assert opening_of(config, language) == opening


LETTERS = st.sampled_from("abkKsS1_-.#[]{}/ \"'é漢ſß")


@st.composite
def regexes(draw: st.DrawFn, depth: int = 0) -> tuple[str, str]:  # noqa: PLR0911  # one return for each form
    """Draw a regular expression, and a text that it probably matches."""
    which = draw(st.integers(0, 13 if depth < 3 else 5))
    inner = regexes(depth=depth + 1)
    if which <= 2:
        text = "".join(draw(st.lists(LETTERS, min_size=1, max_size=4)))
        return re2.escape(text) if draw(st.booleans()) else re.escape(text), text
    if which == 3:
        char = draw(st.sampled_from("abk"))
        return draw(
            st.sampled_from(
                [f"[{char}]", f"[^{char.upper()}]", f"[a{char}-]", rf"[\w{char}]", ".", r"\w", "[[:alpha:]]", "[]a-z]"]
            )
        ), char
    if which == 4:
        return draw(
            st.sampled_from([r"\x61", r"\x{61}", r"\141", r"\pL", r"\p{Latin}", "(?:a)", r"\Qa\E", "(?P<n>a)", "(?i)A"])
        ), "a"
    if which == 5:
        return draw(st.sampled_from(["^", "$", r"\b", r"\A", r"\z", "", "a{0}", "(?m:^)"])), ""
    first, text = draw(inner)
    if which == 6:
        return f"(?:{first})" + draw(st.sampled_from(["?", "*", "{0,2}", "*?", "{,3}"])), draw(
            st.sampled_from(["", text])
        )
    if which == 7:
        return f"({first})" + draw(st.sampled_from(["+", "{1,}", "{2}", "+?"])), text + text
    if which == 8:
        return f"(?i:{first})", text.swapcase()
    if which == 9:
        second, other = draw(inner)
        return f"(?:{first}|{second})", draw(st.sampled_from([text, other]))
    if which == 10:
        return draw(st.sampled_from(["(?i)", "(?s)", "(?m)", "(?U)", "(?im)", "(?-i)"])) + first, draw(
            st.sampled_from([text, text.upper()])
        )
    second, other = draw(inner)
    return first + second, text + other


@settings(max_examples=1500, deadline=None)
@given(regexes(), st.sampled_from(["", "xx ", "é"]))
@example(("[[:alpha:]]x", "ax"), "")
@example(("(?i)kelvin", "\u212aelvin"), "")
@example((r"x{,3}y", "x{,3}y"), "")
@example((r"\x{61}b", "ab"), "")
@example((r"\\x{2}", r"\xx"), "")
@example((r"[\x{e9}\x{100}-\x{17f}]+", "\u00e9"), "")
@example((r"(?i)[\x{212a}]", "k"), "")
@example((r"(?i:\x{17f})", "s"), "")
@example((r"[^\n]\x{feff}|a[\x{200b}]?b", "ab"), "")
def test_any_regex_that_re2_matches_holds_what_it_needs(pair, before):
    regex, text = pair
    text = before + text
    try:
        found = text_pattern.search(regex, text)
    except re2.error:
        return
    if found:
        needed = of_regex(regex)
        assert present(needed, text), (regex, text, needed)
        if "\n" not in text:
            assert list(text_pattern.search_lines(regex, [(1, "zz"), (2, text)], "zz\n" + text))[-1][0] == 2


@settings(max_examples=600, deadline=None)
@given(regexes(), st.sampled_from(["", "xx ", "\n  "]))
@example(("(?x) a b # c", "ab"), "")
@example(("[a-z&&[^b]]]", "a]"), "")
@example((r"(?m)^b", "a\nb"), "")
def test_any_regex_that_rust_matches_holds_what_it_needs(pair, before):
    regex, text = pair
    assume("'''" not in text and "\\" not in text and not text.endswith("'"))
    code = f"x = r'''{before}{text}'''\n"
    for config in ({"rule": {"kind": "string_content", "regex": regex}}, {"rule": {"kind": "string", "regex": regex}}):
        if problem_with(config, "python") is None:
            check_structural(config, "python", code)
