"""``review-bot review``: a branch, a range, a working tree or a diff."""

from __future__ import annotations

import argparse
import os
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from review_bot.commands import flags, source_options
from review_bot.comments.model import PostingOverrides, PublicationSettings
from review_bot.errors import UsageError
from review_bot.files.policy_paths import BASELINE_PATH
from review_bot.forges.local_git import LocalGit
from review_bot.pipeline import no_earlier
from review_bot.reports import catalog
from review_bot.review.review import Review
from review_bot.setting import declared
from review_bot.text import console

if TYPE_CHECKING:
    from review_bot.changes.source import LocalSource
    from review_bot.commands.source_options import Earlier

OLD_CODE = (
    "A review is about what the change adds. To accept what the repository already has, compare with its first commit: "
    "`review-bot review --base $(git rev-list --max-parents=0 HEAD | tail -1) --write-baseline`."
)
"""Said where a first baseline accepts nothing, as on a fresh default branch."""

_KNOWN_BY = "report.json"
"""The file of a dossier that shows whose its folder is."""

MOST_NAMED = 3
"""Rules of findings that a baseline cannot hold, which are named."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    source_options.add_arguments(parser)
    parser.add_argument(
        "--post", action="store_true", help="with --pr: post the comments; without it nothing is posted"
    )
    posting = parser.add_argument_group("what --post writes, like the inputs of the Action")
    flags.add(posting, (*declared(PostingOverrides), *declared(PublicationSettings)))
    parser.add_argument(
        "--format", choices=catalog.FORMATS, default="terminal", help="what to print (default: terminal)"
    )
    parser.add_argument(
        "--all", action="store_true", help="list every finding by itself, minor ones too (terminal and concise)"
    )
    parser.add_argument(
        "--output",
        action="append",
        default=[],
        metavar="FILE",
        help=f"also write a report to a file; its suffix selects the format ({' '.join(catalog.SUFFIXES)}); repeatable",
    )
    parser.add_argument(
        "--export",
        metavar="DIR",
        help="write the whole dossier into a folder; a name with the suffix of a format acts as --output",
    )
    parser.add_argument(
        "--earlier",
        action="append",
        default=[],
        metavar="FILE",
        help="a JSON report of an earlier push, oldest first, repeatable; report.html then shows what was open at each",
    )
    source_options.add_settings(parser)
    parser.add_argument("--write-baseline", action="store_true", help=f"accept all open findings, in {BASELINE_PATH}")


def run(options: argparse.Namespace) -> int:
    """Review, report, and return the exit code."""
    if options.export is not None and catalog.has_format(options.export):
        options.output, options.export = [*options.output, options.export], None
    for path in options.output:
        catalog.format_of(path)
    if options.export is not None:
        _check_export(options.export)
    if options.all and not catalog.FORMATS[options.format].lists:
        listing = " and ".join(sorted(name for name, each in catalog.FORMATS.items() if each.lists))
        raise UsageError(f"--all only affects {listing}; remove it or --format {options.format}")
    earlier = _earlier(options)
    publishing = [*flags.given(options, PostingOverrides), *flags.given(options, PublicationSettings)]
    if publishing and not options.post:
        raise UsageError(f"{publishing[0]} requires --post: it controls what --post writes")
    if options.pr is not None:
        return _run_remote(options, earlier)
    if options.post:
        raise UsageError("--post requires --pr: it comments on a pull request on GitHub")
    paths = source_options.paths_of(options)
    if options.write_baseline and (paths or options.select or options.ignore):
        raise UsageError("--write-baseline accepts all open findings; remove the paths, --select and --ignore")
    source = source_options.open_source(options)
    try:
        review = source_options.review(
            options,
            source,
            prove_fixes=wants_dossier(options),
            writes_baseline=options.write_baseline,
            with_context=wants_dossier(options) and not options.write_baseline,
            earlier=earlier,
            paths=paths,
        )
        if options.write_baseline:
            return _write_baseline(source, review)
        _report(options, review)
        source_options.warn_about_paths(review, paths)
        return review.verdict.exit_code
    finally:
        source.close()


def wants_dossier(options: argparse.Namespace) -> bool:
    """Return whether a report is wanted that says what is around the change."""
    formats = {options.format, *(catalog.format_of(path) for path in options.output)}
    return options.export is not None or any(catalog.FORMATS[name].shows_context for name in formats)


def _earlier(options: argparse.Namespace) -> Earlier:
    """Read the earlier reports, before anything else takes its time; return what checks that they are of a change."""
    if not options.earlier:
        return no_earlier
    from review_bot.reports import earlier

    formats = {options.format, *(catalog.format_of(path) for path in options.output)}
    if options.export is None and "html" not in formats:
        raise UsageError(
            "--earlier only affects the report page; add --output FILE.html, --format html or --export DIR"
        )
    return partial(earlier.of_change, [earlier.read(path) for path in options.earlier])


def _report(options: argparse.Namespace, review: Review) -> None:
    console.write(catalog.render(options.format, review, console.find_terminal(), everything=options.all))
    if options.output:
        from review_bot.files.file_writing import write_typed

        for path in options.output:
            write_typed(path, catalog.render(catalog.format_of(path), review))
    if options.export is not None:
        _export(options.export, review)
    source_options.print_coverage_notices(review)


def _check_export(folder: str) -> None:
    """Raise UsageError if the dossier would replace a file that no earlier one left in the folder."""
    with suppress(OSError), open(os.path.join(folder, _KNOWN_BY), "rb") as file:
        if file.read(200).lstrip(b"{ \n").startswith(b'"schema": "review-bot/report/'):
            return
    for name in catalog.EXPORTED:
        path = os.path.join(folder, name)
        if os.path.isfile(path) and not os.path.islink(path) and os.path.getsize(path):
            raise UsageError(
                f"--export {folder}: {name} exists there, and no earlier --export wrote it; name another folder"
            )


def _export(folder: str, review: Review) -> None:
    from review_bot.files.file_writing import make_folder, write_typed

    is_new = make_folder(folder)
    if is_new:
        # Within a working tree the next review would take the files for a part of the change.
        write_typed(os.path.join(folder, ".gitignore"), "*\n")
    texts = dict(catalog.dossier(review))
    # The report by which the next export knows the folder comes first: it may replace what this one leaves unfinished.
    for name in sorted(texts, key=lambda name: name != _KNOWN_BY):
        write_typed(os.path.join(folder, name), texts[name])
    written = [name for name, text in texts.items() if text]
    empty = [name for name, text in texts.items() if not text]
    without = f"; without content: {', '.join(empty)}" if empty else ""
    console.warn(f"Written to {console.disarm(folder)}: {', '.join(written)}{without}.")
    if not is_new and not _is_hidden(folder):
        console.warn("Unless git ignores these files, the next review of this working tree includes them.")


def _is_hidden(folder: str) -> bool:
    """Return whether a folder has the ``.gitignore`` of an export that made it."""
    try:
        with open(os.path.join(folder, ".gitignore"), "rb") as file:
            return file.read(3) == b"*\n"
    except OSError:
        return False


def _run_remote(options: argparse.Namespace, earlier: Earlier) -> int:
    """Review a pull request of GitHub by its API alone; the contents of this folder have no effect."""
    if options.write_baseline:
        raise UsageError("--write-baseline writes to a working tree; remove --pr")
    with source_options.on_github(options, writes=options.post, earlier=earlier) as found:
        if found.reviewed.review is None:
            console.say(found.closed)
            return 0
        _report(options, found.reviewed.review)
        outcome = found.publish()
        for problem in outcome.problems:
            console.warn(problem)
        if outcome.summary_url:
            console.warn(f"Summary: {outcome.summary_url}")
        return 3 if outcome.problems else found.reviewed.review.verdict.exit_code


def _write_baseline(source: LocalSource, review: Review) -> int:
    from review_bot.files.file_writing import write_below
    from review_bot.review import baseline

    if not isinstance(source, LocalGit) or source.bare:
        raise UsageError("--write-baseline needs a working tree to write to")
    before = source.settings(BASELINE_PATH)
    text = baseline.render(review.examination.findings, before, BASELINE_PATH)
    write_below(source.root, BASELINE_PATH, text.encode("utf-8", "backslashreplace"), makes_folders=True)
    console.say(_written(review, before, text))
    if before is None and not review.findings:
        console.warn(OLD_CODE)
    if review.verdict.decision != "incomplete":
        return 0
    console.warn(
        "Not everything could be reviewed, so the baseline may be incomplete; "
        "`review-bot review` lists what is missing."
    )
    return 3 if review.verdict.exit_code == 3 else 0


def _written(review: Review, before: str | None, after: str) -> str:
    """Return how many findings a new baseline adds to the one before, and which open ones it cannot hold."""
    from review_bot.reports.wording import listed_few
    from review_bot.review import baseline
    from review_bot.text.listing import count

    earlier = len(baseline.read(before, BASELINE_PATH)) if before is not None else 0
    added = len(baseline.read(after, BASELINE_PATH)) - earlier
    said = [f"{count(added, 'finding')} accepted in {BASELINE_PATH}"]
    if before is not None:
        said[0] += f", in addition to {earlier} accepted before"
    left = [finding for finding in review.findings if finding.baseline_entry is None]
    whole = [finding for finding in left if finding.path is None]
    for found, one, many in (
        (whole, "belongs to the change as a whole", "belong to the change as a whole"),
        ([finding for finding in left if finding.path is not None], "cannot be suppressed", "cannot be suppressed"),
    ):
        if found:
            rules = listed_few(sorted({finding.rule for finding in found}), MOST_NAMED)
            rest = "" if found is not whole else " and cannot be accepted"
            said.append(f"{count(len(found), one, many)}{rest} ({rules})")
    return "; ".join(said)
