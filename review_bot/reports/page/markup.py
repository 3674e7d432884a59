"""The templates of the page, and the only functions that make markup of text.

Everything that a template prints passes through ``show``: text is disarmed and escaped there, ``Markup`` stays as it
is. Only this package makes ``Markup``.
"""

from __future__ import annotations

import os
import re
from functools import cache
from html import escape

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from review_bot.reports import wording
from review_bot.reports.compiled_templates import CompiledTemplates
from review_bot.text.console import disarm
from review_bot.text.listing import count

_ANCHOR = re.compile(r"#[A-Za-z0-9=&%./_~-]*")
_ADDRESS = re.compile(r"https://[!-~]+")


def show(value: object) -> Markup:
    """Return a value of a template as HTML. Raises TypeError for anything but text, markup, integers and None."""
    if isinstance(value, Markup):
        return value
    if isinstance(value, str):
        return Markup(escape(disarm(value)))  # noqa: S704  # escaped here
    if value is None or type(value) is int:
        return Markup("" if value is None else value)  # noqa: S704  # digits
    raise TypeError(f"the template prints a {type(value).__name__}")


def code(value: str) -> Markup:
    """Return a line of code, its tabs kept."""
    return Markup("\t").join(map(show, value.split("\t")))


def lines(value: str) -> Markup:
    """Return lines of code."""
    return Markup("\n").join(map(code, value.split("\n")))


def prose(value: str) -> Markup:
    """Return a sentence; text between single backticks becomes code."""
    parts = enumerate(wording.text_and_code(value))
    shown = (_code_element(part) if number % 2 else show(part) for number, part in parts)
    return Markup().join(shown)


def _code_element(value: str) -> Markup:
    return Markup("<code>{}</code>").format(show(value))


def path(value: str) -> Markup:
    """Return a path, or a place in it, as code that may wrap after a slash."""
    return _code_element(show(value).replace("/", Markup("/<wbr>")))


def link(address: str, content: str) -> Markup:
    """Return a link to a place on the page or to an ``https`` address; only the content for any other address."""
    if _ANCHOR.fullmatch(address):
        return Markup('<a href="{}">{}</a>').format(show(address), show(content))
    if _ADDRESS.fullmatch(address):
        return Markup('<a href="{}" rel="noreferrer noopener">{}</a>').format(show(address), show(content))
    return show(content)


def rule_link(rule: str) -> Markup:
    """Return the id of a rule that leads to its findings."""
    return link(f"#rule={rule}", _code_element(rule))


@cache
def environment() -> Environment:
    """Return the templates of the page."""
    folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "templates")
    made = Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        finalize=show,
        undefined=StrictUndefined,
        bytecode_cache=CompiledTemplates(folder),
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {"prose": prose, "path": path, "code_line": code, "code_lines": lines, "thousands": "{:,}".format}
    made.globals |= {
        "link": link,
        "rule_link": rule_link,
        "code": _code_element,
        "count": count,
        "duration": wording.duration,
    }
    return made
