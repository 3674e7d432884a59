"""The page of a pull request shows what stands there, and runs nothing of it."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest

from fake_github import markdown_html
from fake_github.page import Check, render

ALLOWED = {
    "a",
    "article",
    "b",
    "body",
    "code",
    "del",
    "details",
    "div",
    "h1",
    "h2",
    "h3",
    "head",
    "header",
    "html",
    "i",
    "ins",
    "li",
    "meta",
    "p",
    "pre",
    "section",
    "span",
    "strong",
    "style",
    "sub",
    "summary",
    "table",
    "td",
    "th",
    "ol",
    "title",
    "tr",
    "ul",
    "br",
}


class Reader(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.links, self.text = set(), [], ""

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        self.links += [value for name, value in attributes if name in {"href", "src"}]
        assert not [name for name, _ in attributes if name.startswith("on")]

    def handle_data(self, data):
        self.text += data


def read(page):
    reader = Reader()
    reader.feed(page)
    return reader


def test_comments_stand_under_their_lines(api, pr, github, repo):
    comments = [
        {"path": "a.py", "line": 2, "side": "RIGHT", "body": "**Should fix.** Look at `two`."},
        {"path": "a.py", "line": 30, "side": "LEFT", "body": "Was this right?"},
    ]
    api.post("/pulls/1/reviews", json={"commit_id": pr.head_sha, "event": "COMMENT", "body": "x", "comments": comments})
    api.post("/statuses/" + pr.head_sha, json={"state": "failure", "context": "gate", "description": "One must fix"})
    pr.reply_as("grace", pr.review_comments[0].id, "Yes.")
    page = render(pr, [Check("Review / review-bot", "failure", "Changes required")])
    text = read(page).text
    order = [
        "Change two lines",
        "Review / review-bot",
        "One must fix",
        "+line two",
        "Look at two",
        "Yes.",
        "-line 30",
        "Was this right?",
    ]
    at = [text.index(words) for words in order]
    assert at == sorted(at)
    assert "<strong>Should fix.</strong>" in page
    pr.push({"a.py": "all new\n"})
    text = read(render(pr)).text
    assert text.index("a.py, line 2 Outdated") < text.index("Files changed")


def test_a_hostile_pull_request_makes_nothing_but_text(pr):
    evil = "<script>alert(1)</script><img src=x onerror=alert(1)> [a](javascript:alert(1)) ![i](https://e.example/i.png) &lt;b>"
    pr.edit(title=evil, body=evil)
    pr.comment_as("mallory", evil)
    pr.push({"<b>'\".py": evil + "\n"})
    reader = read(render(pr))
    assert reader.tags <= ALLOWED
    assert set(reader.links) <= {"https://e.example/i.png"}
    assert reader.text.count("<script>alert(1)</script>") == 5


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (
            "## Head\n\nText *is* and **bold `a*b`**.",
            "<h2>Head</h2>\n<p>Text <em>is</em> and <strong>bold <code>a*b</code></strong>.</p>",
        ),
        ("a \\*\\*b\\*\\* \\<i\\>", "<p>a **b** &lt;i&gt;</p>"),
        ("`` a ` b ``", "<p><code>a ` b</code></p>"),
        (
            "[`x`](https://e.example/a?b=1&c=2)",
            '<p><a href="https://e.example/a?b=1&amp;c=2" rel="noopener"><code>x</code></a></p>',
        ),
        (
            "- one\n  more\n  - deep\n- two",
            "<ul>\n<li>one\nmore\n<ul>\n<li>deep</li>\n</ul>\n</li>\n<li>two</li>\n</ul>",
        ),
        ("1. one\n2. two", "<ol>\n<li>one</li>\n<li>two</li>\n</ol>"),
        ("- [ ] open\n- [x] done", "<ul>\n<li>☐ open</li>\n<li>☑ done</li>\n</ul>"),
        (
            "| a | b |\n| --- | ---: |\n| `x` | y \\| z |\n\nafter",
            (
                '<table class="text">\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n'
                "<td><code>x</code></td>\n<td>y | z</td>\n</tr>\n</tbody>\n</table>\n<p>after</p>"
            ),
        ),
        ("```python\n<b>\n```", "<pre><code>&lt;b&gt;</code></pre>"),
        ("````\n```\n````", "<pre><code>```</code></pre>"),
        ("<!-- review-bot:1 x -->seen", "<p>seen</p>"),
        (
            "<details>\n<summary>More</summary>\n\n- a\n\n</details>",
            "<details>\n<summary>More</summary>\n<ul>\n<li>a</li>\n</ul>\n</details>",
        ),
        ("~~gone~~ <sub>small</sub>", "<p><del>gone</del> <sub>small</sub></p>"),
    ],
)
def test_the_markdown_that_we_write(text, shown):
    assert markdown_html.render(text) == shown


def test_a_suggestion_is_shown_as_one():
    assert "+ return 1" in markdown_html.render("```suggestion\nreturn 1\n```")
    assert "(delete these lines)" in markdown_html.render("```suggestion\n```")
