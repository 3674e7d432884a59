"""A relative link of a document that leads to no file of the tree."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from posixpath import basename, dirname, join
from typing import Any
from urllib.parse import unquote

from review_bot.analysis.project.doxygen import leads_to_doxygen_page
from review_bot.analysis.project.module_tree import module_tree
from review_bot.changes.codebase import Codebase, Snapshot, query
from review_bot.changes.source_file import SourceFile
from review_bot.findings import Related
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, change_check
from review_bot.rules.rule import Hit, Span, hit_over
from review_bot.rules.scope import is_vendored
from review_bot.text.lazy_regex import LazyRegex

_LINK = LazyRegex(r"""!?\[[^\[\]]*(?:\[[^\[\]]*\][^\[\]]*)?\]\(\s*<?([^()\s<>]+)>?(?:\s+["'][^"')]*["'])?\s*\)""")
_CODE = LazyRegex(r"`+[^`]*`+|<!--(?:[^-<]|<(?!!--)|-(?!->))*-->")
"""What is shown as it is written, or not at all."""
_FENCE = LazyRegex(r"\s{0,12}(?:[-*+>]\s+|\d+\.\s+)?(`{3,}|~{3,})")
_ELSEWHERE = LazyRegex(r"^[A-Za-z][A-Za-z0-9+.-]*:|^[/#]|[{}$*|\\]|^\.\.\.$|^@")
_MADE_BY_A_BUILD = LazyRegex(
    r"(?:^|/)(?:_?api|apidocs|generated|_build|_static|site|reference|autoapi)(?:/|$)|^docs?/(?:.*/)?examples(?:/|$)"
)
_TEMPLATE = LazyRegex(r"(?i)(?:^|[/_.-])templates?(?:[/_.-]|$)")
"""Pages that are copied to another folder, from which their links lead on."""
_PLUG_IN_THAT_WRITES_PAGES = "gen-files"
_KEPT_AS_IT_CAME = LazyRegex(r"(?:^|/)(?:[^/]*archive|node_modules|\.?old)/")
_PLACED_BY_AN_INSTALLER = LazyRegex(r"(?:^|/)(?:skills|\.claude|\.ai|\.cursor|\.agents?)/")
_MAY_BE_MISSING = LazyRegex(r"(?i)^[^\w(]*\(?(?:if|where|when) (?:it |they )?(?:exists?|present|available)\b")
_NOT_A_FILE = LazyRegex(r"(?i)^(?:link|url|path|todo|path/to/.*|your[-_/].*|x+)$")

_TRANSLATION = LazyRegex(r"(docs?/(?:source/)?)[a-z]{2}(?:[-_][A-Za-z]{2,4})?/(.+)")
_LABEL = LazyRegex(r"[^/.]+|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")
"""What a link of MyST may name as well as a file: a label, or an object of Python by its dotted name."""
_FILE = LazyRegex(
    r"(?i)\.(?:cfg|cpp|css|csv|cu|cuh|docx?|gif|go|h|hpp|html?|ico|ini|ipynb|jpe?g|js|jsonl?|md|mdx|mp[34]|pdf|png|pptx?"
    r"|pyi?|rs|rst|sh|svg|tex|toml|ts|tsx?|txt|wav|webp|xlsx?|xml|ya?ml|zip)$"
)
_PICTURE = LazyRegex(r"(?i)\.(?:png|jpe?g|gif|svg|webp)$")
_FEWEST_LIKE_IT = 3
"""Links of documents at the base into a folder that the tree lacks, from which on it is one that a build brings."""
_MOST_RELATED = 8
_IMPORTED = 4
"""New documents of one folder with broken links, from which on they were brought from elsewhere together."""
_SITES = ("mkdocs.yml", "mkdocs.yaml", "_config.yml", *(f"docusaurus.config.{end}" for end in ("js", "mjs", "ts")))
"""The settings of MkDocs, Jekyll and Docusaurus."""
_WITH_ENDINGS = LazyRegex(r"(?m)^use_directory_urls:[ \t]*(?:false|False|no|off)\b")
_FOLDER_PAGES = frozenset({"index", "readme"})
"""Pages that are served as the folder that they are in."""
_PAGES = (".md", ".rst", ".mdx", ".ipynb", ".inc.md", ".md.j2")


class Link(NamedTuple):
    """A link of a document."""

    target: str
    span: Span


def gather(source: SourceFile) -> tuple[Link, ...] | None:
    """Return the relative links on added lines, outside code and comments of a line.

    Those on the other lines as well if the document has moved to another folder: they lead elsewhere from there.
    """
    found: list[Link] = []
    fence, hidden = "", False
    moved = dirname(source.change.base_path) != dirname(source.path)
    if is_vendored(source.path) or any(
        each.search(source.path) for each in (_KEPT_AS_IT_CAME, _PLACED_BY_AN_INSTALLER, _TEMPLATE)
    ):
        return None
    for number, line in enumerate(source.lines, 1):
        mark = _FENCE.match(line)
        if mark is not None and (not fence or mark[1].startswith(fence)):
            fence = "" if fence else mark[1]
            continue
        begins, ends = line.rfind("<!--"), line.rfind("-->")
        if not fence and (hidden or begins > ends):
            hidden = ends < begins if begins >= 0 else ends < 0
            continue  # a comment of several lines
        if fence or not (moved or number in source.added):
            continue
        found += [
            Link(match[1], Span(number, number, match.start(1) + 1, match.end(1) + 1))
            for match in _LINK.finditer(_CODE.sub(lambda code: " " * len(code[0]), line))
            if not _ELSEWHERE.search(match[1])
            and not _NOT_A_FILE.search(match[1])
            and not _MAY_BE_MISSING.search(line[match.end() :])
        ]
    return tuple(found) or None


def relate(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    """Yield one hit for each document with links whose targets the head does not hold.

    It is on the first of them whose line was not merely moved, and names the others. Links on unchanged lines count if
    they led to a file from the folder that the document was in. Of many new documents in one
    folder, which come from elsewhere together, the first alone is reported.
    """
    hits = [*_hits(facts, codebase)]
    new = {file.path for file in codebase.change.files if file.status == "added"}
    folders = Counter(dirname(hit.path or "") for hit in hits if hit.path in new)
    reported: set[str] = set()
    for hit in hits:
        folder = dirname(hit.path or "")
        if hit.path not in new or folders[folder] < _IMPORTED or folder not in reported:
            yield hit
        reported |= {folder} if hit.path in new else set()


def _hits(facts: Mapping[str, Any], codebase: Codebase) -> Iterator[Hit]:
    tree, before, known = module_tree(codebase.head), module_tree(codebase.base), codebase.base.paths
    scripts = _BuildScripts(codebase.head)
    removed = {line.strip() for file in codebase.change.files for _, line in file.removed_lines()}
    for file in sorted(codebase.change.files, key=lambda file: file.path):
        if file.path in facts and (
            _is_placed_by_a_build(file.path, codebase.head) or _is_fetched_by_a_build(file.path, codebase.head)
        ):
            continue
        broken: list[tuple[Link, str]] = []
        added = {number for number, _ in file.added_lines()}
        for link in facts.get(file.path, ()):
            target = unquote(link.target.partition("#")[0].partition("?")[0])
            place = _resolve(dirname(file.path), target)
            if link.span.line not in added:
                old_place = _resolve(dirname(file.base_path), target)
                if old_place is None or (old_place not in known and before.at(old_place).kind == "missing"):
                    continue  # broken before
                place = place or target  # it leads out of the repository now
            if place is None or _MADE_BY_A_BUILD.search(place) or tree.at(place).kind != "missing":
                continue
            if place in codebase.head.paths or _is_rendered(place, codebase) or _is_copied(place, codebase):
                continue
            if _LABEL.fullmatch(link.target) and not _FILE.search(link.target) and _has_labels(file.path, codebase):
                continue
            if scripts.write(place) or leads_to_doxygen_page(file.path, link.target, codebase.head):
                continue
            if _is_served(file.path, link.target, codebase):
                continue
            if _PICTURE.search(place) and _is_shown_from_elsewhere(place, codebase):
                continue
            if _is_brought_by_a_build(place, file.path, codebase):
                continue
            if not (place.startswith("docs/") and _writes_pages(codebase)):
                broken.append((link, place))
        if broken:
            moved = {number for number, line in file.added_lines() if line.strip() in removed}
            first = min(broken, key=lambda each: (each[0].span.line not in added, each[0].span.line in moved))
            yield _hit(file.path, first, [each for each in broken if each is not first])


def _is_brought_by_a_build(place: str, path: str, codebase: Codebase) -> bool:
    """Return whether documents next to this one led into the same folder before, and the tree has no such folder.

    The source of a website is published with folders from elsewhere, such as one of pictures.
    """
    top = place.partition("/")[0] + "/"
    if top == place + "/" or any(each.startswith(top) for each in codebase.head.paths):
        return False
    folder, others = dirname(path), 0
    for each in sorted(codebase.base.paths):
        if dirname(each) == folder and each.endswith(_PAGES):
            targets = (match[1] for match in _LINK.finditer(codebase.base.text(each) or ""))
            others += sum((_resolve(folder, target) or "").startswith(top) for target in targets)
            if others >= _FEWEST_LIKE_IT:
                return True
    return False


def _is_copied(place: str, codebase: Codebase) -> bool:
    """Return whether the configuration of Sphinx names a folder of the root that a path means below its own."""
    home, _, original = place.partition("/")
    top, slash, _ = original.partition("/")
    if not slash or original not in codebase.head.paths:
        return False
    return re.search(rf"[\"'/]{re.escape(top)}[\"'/]", codebase.base.text(f"{home}/conf.py") or "") is not None


def _is_placed_by_a_build(path: str, side: Snapshot) -> bool:
    """Return whether a build copies a document by its path, so that its links lead on from another folder.

    ::

        cp docs/notebook_source/README.md docs/notebooks/README.md
    """
    copies = re.compile(rf"(?m)^.*\b(?:cp|ln|mv|rsync)\b[^\n]*?[\s\"'/]{re.escape(path)}(?![\w/.-])")
    builds = (each for each in side.paths if basename(each) == "Makefile" or each.startswith(".github/workflows/"))
    return "/" in path and any(copies.search(side.text(each) or "") for each in builds)


def _is_fetched_by_a_build(path: str, side: Snapshot) -> bool:
    """Return whether a document outside the documentation may be a page that a script of its build copies.

    Pages named ``README.md`` are read where they are.
    """
    settings = (each for each in side.paths if basename(each) in {"mkdocs.yml", "mkdocs.yaml"} and "/" in each)
    return basename(path).partition(".")[0].lower() not in _FOLDER_PAGES and any(
        not path.startswith(join(dirname(each), "")) and _PLUG_IN_THAT_WRITES_PAGES in (side.text(each) or "")
        for each in settings
    )


class _BuildScripts:
    """The scripts next to the configuration of Sphinx, which write pages at each build."""

    def __init__(self, side: Snapshot) -> None:
        self._side = side
        self._texts: dict[str, str] = {}

    def write(self, place: str) -> bool:
        """Return whether a script of the documentation around a page names it, or its folder in full.

        ::

            sphinx_gallery_conf = {"gallery_dirs": ["auto_examples"]}
        """
        folder, _, page = place.rpartition("/")
        while folder and f"{folder}/conf.py" not in self._side.paths:
            folder = folder.rpartition("/")[0]
        if folder not in self._texts:
            scripts = (each for each in self._side.paths if each.endswith(".py") and each.rpartition("/")[0] == folder)
            self._texts[folder] = "\n".join(self._side.text(each) or "" for each in sorted(scripts)) if folder else ""
        top = place.removeprefix(f"{folder}/").partition("/")[0]
        return page in self._texts[folder] or re.search(rf"[\"']{re.escape(top)}[\"']", self._texts[folder]) is not None


def _writes_pages(codebase: Codebase) -> bool:
    """Return whether the build of the documentation writes pages that are not in the tree.

    Source: https://oprypin.github.io/mkdocs-gen-files/
    """
    settings = (path for path in ("mkdocs.yml", "mkdocs.yaml") if path in codebase.head.paths)
    return any(_PLUG_IN_THAT_WRITES_PAGES in (codebase.head.text(path) or "") for path in settings)


def _is_shown_from_elsewhere(place: str, codebase: Codebase) -> bool:
    """Return whether a folder of the documentation holds a picture under the last two names of a path.

    The tool that builds it copies the document to there, as MosaicML's Composer does with the README of each method.
    """
    ending = "/".join(place.rsplit("/", 2)[-2:])
    return "/" in ending and any(path.startswith("doc") and path.endswith(f"/{ending}") for path in codebase.head.paths)


def _has_labels(path: str, codebase: Codebase) -> bool:
    """Return whether a link in a document may name a label: the folder around it is built with Sphinx or Jupyter Book.

    Source: https://myst-parser.readthedocs.io/en/latest/syntax/cross-referencing.html
    """
    folder = path
    while folder:
        folder = folder.rpartition("/")[0]
        if "myst" in (codebase.head.text(f"{folder}/conf.py".lstrip("/")) or ""):
            return True
        if f"{folder}/_toc.yml".lstrip("/") in codebase.head.paths:
            return True
    return False


def _hit(path: str, first: tuple[Link, str], others: list[tuple[Link, str]]) -> Hit:
    link, place = first
    lacking = "mailto:" if _is_mail(link) else "https://" if _WEB.match(link.target) else None
    more = f"; at least {len(others)} other links in this document are broken too"
    if len(others) < 2:
        more = "; at least one other link in this document is broken too" if others else ""
    return hit_over(
        link.span,
        values={"place": place, "more": more},
        message=None if lacking is None else f"The address `{link.target}` is not a link without `{lacking}` in front.",
        related=tuple(Related(path, each.span.line, f"links to {target}") for each, target in others[:_MOST_RELATED]),
        path=path,
    )


_WEB = LazyRegex(r"www\.\w|(?:[a-z0-9-]+\.)+(?:ai|com|dev|io|net|org)(?:/|$)")
"""What begins the address of a web site, written without its scheme."""


def _is_mail(link: Link) -> bool:
    name, at, host = link.target.partition("@")
    return bool(name and at) and "." in host and "/" not in link.target


def _resolve(folder: str, target: str) -> str | None:
    """Return the path that a target means from a folder; None for a page itself, the root, and what lies outside."""
    parts = folder.split("/") if folder else []
    if not target:
        return None
    for part in target.split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in {"", "."}:
            parts.append(part)
    return "/".join(parts) or None


def _is_rendered(place: str, codebase: Codebase) -> bool:
    """Return whether a target names a page by the form in which a documentation tool will serve it.

    A page that is not translated yet is served in English. A notebook of any folder is converted to the page with its
    name. Mintlify serves ``core.html.mdx`` as ``core.html``. The router of Docusaurus ignores case.
    Source: https://v5.reactrouter.com/web/api/Route/sensitive-bool
    """
    stem = place.removesuffix(".html").removesuffix(".md")
    translated = _TRANSLATION.match(stem)
    stems = [stem, place] if translated is None else [stem, place, f"{translated[1]}en/{translated[2]}"]
    if any(f"{each}{end}" in codebase.head.paths for each in stems for end in _PAGES):
        return True
    if place == stem and any(basename(path) == f"{basename(place)}.ipynb" for path in codebase.head.paths):
        return True
    site = next((each for each in _docusaurus_sites(codebase.head) if place.startswith(join(each, ""))), None)
    if site is None or place != stem:
        return False
    wanted = {f"{stem}{end}".casefold() for end in _PAGES}
    return any(path.startswith(join(site, "")) and path.casefold() in wanted for path in codebase.head.paths)


def _is_served(path: str, target: str, codebase: Codebase) -> bool:
    """Return whether a link without the ending of a file leads to a page on the site that a document is built for.

    A page ``docs/faq.md`` is served as ``/faq/``, from where ``../install`` is the page of ``docs/install.md``.
    Source: https://www.mkdocs.org/user-guide/configuration/#use_directory_urls
    """
    address = unquote(target.partition("#")[0].partition("?")[0])
    stem = path.rpartition(".")[0]
    if (
        _FILE.search(address)
        or basename(stem).lower() in _FOLDER_PAGES
        or not _has_pages_as_folders(path, codebase.head)
    ):
        return False
    place = _resolve(stem, address)
    return place is not None and (
        _is_rendered(place, codebase)
        or any(f"{place}/{name}{end}" in codebase.head.paths for name in ("index", "README") for end in _PAGES)
    )


def _has_pages_as_folders(path: str, side: Snapshot) -> bool:
    """Return whether a folder around a document has the settings of a tool that may serve each page as a folder."""
    folder = path
    while folder:
        folder = dirname(folder)
        for name in _SITES:
            settings = join(folder, name)
            if settings in side.paths and not _WITH_ENDINGS.search(side.text(settings) or ""):
                return True
    return False


@query
def _docusaurus_sites(side: Snapshot) -> tuple[str, ...]:
    """Return the folders with the configuration of Docusaurus."""
    return tuple(sorted(dirname(each) for each in side.paths if basename(each).startswith("docusaurus.config.")))


CHECK = change_check(gather, relate, CheckTraits(literals=("](",), doubted=True, by_folder=True))
