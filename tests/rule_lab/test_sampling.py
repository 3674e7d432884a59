"""The sample: the same for the same seed, spread over rules, files and pull requests, copies once."""

from __future__ import annotations

from collections import Counter

from review_bot.changes.pull_request import PullRequest
from review_bot.changes.unified_diff import parse_diff
from rule_lab.sampling import MOST_IN_A_FILE, sample, simple_random_sample, statement_digest
from tests.rule_lab.label_of import candidate, finding

MANY = [candidate("errors/many", f"pkg/m{n % 20}.py", n, pr=f"#{n % 7}") for n in range(200)]
FEW = [candidate("style/few", f"pkg/f{n}.py", n, pr="#1") for n in range(3)]


def places(candidates):
    return [(each.finding.rule, each.finding.path, each.finding.line) for each in candidates]


def test_the_seed_decides_whatever_the_order():
    one = sample(MANY + FEW, 20, seed="a")
    assert places(sample(FEW + MANY[::-1], 20, seed="a")) == places(one)
    assert places(sample(MANY + FEW, 20, seed="b")) != places(one)


def test_rules_take_turns():
    counted = Counter(each.finding.rule for each in sample(MANY + FEW, 20, seed="a"))
    assert counted == {"errors/many": 17, "style/few": 3}


def test_pull_requests_take_turns_within_a_rule():
    spread = [candidate("errors/many", f"pkg/{n}.py", n, pr=f"#{n % 7}") for n in range(70)]
    counted = Counter(each.pull_request for each in sample(spread, 14, seed="a"))
    assert set(counted.values()) == {2}


def test_a_file_has_few_of_a_rule():
    chosen = sample(MANY, 200, seed="a")
    assert max(Counter(each.finding.path for each in chosen).values()) == MOST_IN_A_FILE
    assert len(chosen) == 20 * MOST_IN_A_FILE


def test_copies_count_once_and_what_is_judged_not_at_all():
    copies = [candidate("errors/one", f"pkg/{n}.py", 1, same="the same lines") for n in range(5)]
    assert len(sample(copies, 5, seed="")) == 1
    assert sample(copies, 5, seed="", judged={("errors/one", copies[0].statement)}) == []
    assert len(sample(copies, 5, seed="", judged={("errors/other", copies[0].statement)})) == 1


DIFF = """\
--- /dev/null
+++ b/{path}
@@ -0,0 +1,{count} @@
"""


def change(path, lines):
    text = DIFF.format(path=path, count=len(lines)) + "".join(f"+{line}\n" for line in lines)
    return PullRequest(parse_diff(text).files, head="c" * 40)


HANDLER = ["def read(path):", "    try:", "        return parse(path)", "    except Exception:", "        return None"]


def test_copied_code_has_the_same_statement_wherever_it_stands():
    one = statement_digest(change("a.py", HANDLER), finding(path="a.py", line=4))
    elsewhere = change("b/c.py", ["import json", "", "", *("    " + line for line in HANDLER)])
    assert statement_digest(elsewhere, finding(path="b/c.py", line=7)) == one


def test_equal_lines_among_other_code_are_another_statement():
    other = [*HANDLER[:2], "        return fetch(path)", *HANDLER[3:]]
    one = statement_digest(change("a.py", HANDLER), finding(path="a.py", line=4))
    assert statement_digest(change("a.py", other), finding(path="a.py", line=4)) != one


def test_findings_about_whole_changes_are_told_apart_by_their_change():
    whole = finding(path=None, line=None)
    one, other = (statement_digest(PullRequest((), head=head * 40), whole) for head in "cd")
    assert one != other


def test_a_simple_random_sample_has_as_many_comments_as_rows_and_weighs_rules_by_their_findings():
    rows = [
        candidate(f"style/row-{n % 4 == 0}", f"pkg/r{n}.py", 1, pr=f"#{n}", placement="summary") for n in range(400)
    ]
    comments = [candidate("errors/many", f"pkg/c{n // 2}.py", n) for n in range(40)]
    chosen = simple_random_sample(rows + comments, 40, seed="a")
    assert Counter(each.finding.placement for each in chosen) == {"inline": 40, "summary": 40}
    by_rule = Counter(each.finding.rule for each in chosen)
    assert 3 <= by_rule["style/row-True"] <= 17, "a quarter of the rows, whatever the number of rules"
    assert places(simple_random_sample(comments[::-1] + rows[::-1], 40, seed="a")) == places(chosen)
    assert places(simple_random_sample(rows + comments, 40, seed="b")) != places(chosen)


def test_findings_of_a_change_that_share_a_message_are_one_row():
    rows = [candidate("style/row", f"pkg/r{n}.py", n, pr=f"#{n % 3}", placement="summary") for n in range(30)]
    chosen = simple_random_sample(rows, 30, seed="a")
    assert sorted(each.pull_request for each in chosen) == ["#0", "#1", "#2"]


def test_findings_that_share_a_comment_are_one_comment():
    shared = [candidate("errors/many", "pkg/one.py", n) for n in range(9)]
    alone = [candidate("errors/many", "pkg/two.py", n) for n in range(3)]
    chosen = simple_random_sample(shared + alone, 30, seed="a")
    assert Counter(each.finding.path for each in chosen) == {"pkg/one.py": 1, "pkg/two.py": 3}


def test_a_simple_random_sample_has_no_copy_and_nothing_judged():
    copies = [candidate("errors/one", f"pkg/{n}.py", 1, same="the same lines") for n in range(5)]
    assert len(simple_random_sample(copies, 5, seed="")) == 1
    assert simple_random_sample(copies, 5, seed="", judged={("errors/one", copies[0].statement)}) == []
