"""``/review-bot explain``: what a rule reports, why, what to do, and how to suppress or dispute a finding of it."""

from __future__ import annotations

from review_bot.comments.model import Posted, PostedComment
from review_bot.configuration import rule_registry
from review_bot.configuration.rule_pages import Explanation, explanation
from review_bot.configuration.rule_registry import RulePage
from review_bot.engine.suppressions import PAGE
from review_bot.files.policy_paths import CONFIG_PATH, RULES_FOLDER
from review_bot.forges.github.pull_requests import GitHubPullRequest
from review_bot.github_action.command_context import Asked, Said
from review_bot.publishing import memory
from review_bot.reports.comments import rule_of
from review_bot.reports.markdown import Link, code, prose, show
from review_bot.reports.markdown import name as as_code
from review_bot.reports.wording import one_line
from review_bot.text.near_names import did_you_mean

_LONGEST_ID = 200
_OF_SUPPRESSIONS = "suppression/"


def explain(asked: Asked) -> Said:
    """Answer with the page of the rule that is named, or of the finding that is meant. Raises ForgeError, RuleError."""
    rule = asked.command.reason.partition(" ")[0]
    if not rule and (asked.command.finding or asked.in_thread):
        posted = asked.posted()
        comments = asked.meant(posted)
        if not comments:
            return asked.unknown()
        rule = _rule_of(comments[0], posted) or ""
    if not rule:
        return Said(
            f"Usage: {code(f'/{asked.name} explain RULE')}, {code(f'/{asked.name} explain ID')}, or "
            f"{code(f'/{asked.name} explain')} as a reply to a comment of Review Bot.",
            "explain: invalid arguments",
        )
    if rule.startswith(_OF_SUPPRESSIONS):
        page = f"{PAGE}#{rule.removeprefix(_OF_SUPPRESSIONS)}"
        return Said(f"{show(Link(as_code(rule), page))} is about a suppression.", f"explain: {one_line(rule, 60)}")
    pages = _pages(asked, rule)
    found = pages.get(rule)
    if found is None:
        near = did_you_mean(rule, pages) or "."
        return Said(f"There is no rule {code(one_line(rule, _LONGEST_ID))}{near}", "explain: no such rule")
    return Said(_written(asked, found, explanation(found)), f"explain: {found.rule.id}")


def _rule_of(comment: PostedComment, posted: Posted) -> str | None:
    """Return the rule of a comment, or of the row of the summary that it stands for."""
    if comment.kind != "summary":
        return rule_of(comment.body)
    pasts = [memory.read(each.body, each.fingerprints) for each in posted.comments if each.kind == "summary"]
    rows = [one for past in pasts if past is not None for one in past.open or ()]
    return next((one.rule for one in rows if one.fingerprint in comment.fingerprints), None)


def _pages(asked: Asked, rule: str) -> dict[str, RulePage]:
    """Return the built-in rules by id; with the repository's own of the default branch, if the rule is none of them."""
    pages = {page.rule.id: page for page in rule_registry.builtin_pages()}
    if rule in pages:
        return pages
    source = GitHubPullRequest(asked.client, asked.target.repository, asked.target.number)
    own = source.settings_on(source.open().default).own_files(RULES_FOLDER)
    return pages | {page.rule.id: page for page in rule_registry.own_pages(own, frozenset(pages))}


def _written(asked: Asked, page: RulePage, explained: Explanation) -> str:
    rule, command = page.rule, f"/{asked.name}"
    head = show(Link(as_code(rule.id), rule.url)) if rule.url else code(rule.id)
    parts = [f"**{head}: {prose(rule.title)}**"]
    for label, text in (("Reports", explained.reports), ("Why", rule.why), ("Instead", explained.instead)):
        if text:
            parts.append(f"**{label}.** {prose(one_line(text, 2_000))}")
    parts.append(
        f"**When to ignore it.** {prose(one_line(explained.exceptions.replace('*Fine*', 'Fine on its page'), 2_000))}"
    )
    ways = []
    if explained.suppression:
        ways.append(f"suppress it in the code with a reason: {code(explained.suppression)}")
    ways.append(f"people with write access can reply {code(f'{command} decline reason')} to its comment")
    if not rule.builtin or rule.severity != "error":
        ways.append(f"change or switch off the rule in {code(CONFIG_PATH)}: {code(f'rules: {{{rule.id}: off}}')}")
    parts.append("**If it is wrong here:**\n\n" + "\n".join(f"- {way}" for way in ways))
    return "\n\n".join(parts)
