"""Looks at the files of a change, each by itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Protocol, TypeVar, get_type_hints

from review_bot.changes.codebase import Codebase
from review_bot.changes.pull_request import PullRequest, Unreviewed
from review_bot.changes.python_parsing import forget_trees
from review_bot.changes.repository import Repository, with_changed_links
from review_bot.changes.source_file import SourceFile
from review_bot.engine import file_examination
from review_bot.engine.base_findings import BaseFindings
from review_bot.engine.file_examination import FileInput, FileResult, FileTexts
from review_bot.engine.hit_findings import Base, Moved, OtherPlace
from review_bot.engine.moved_code import MovedLines, find_moved
from review_bot.engine.plan import FileTask
from review_bot.engine.suppressions import Known
from review_bot.engine.texts import Texts, text_from_diff
from review_bot.processes import typed_json
from review_bot.rules.check import ChangeCheck
from review_bot.rules.matchers import Checked
from review_bot.rules.rule import Rule
from review_bot.rules.rulebook import Rulebook

Task = TypeVar("Task")
Result = TypeVar("Result")


class Run(Protocol):
    """Runs tasks: ``run_in_process``, or a ``ProcessPool``, in which each dies alone (``processes.process_pool``)."""

    def __call__(
        self,
        tasks: Sequence[Task],
        work: Callable[[Task], Result],
        lost: Callable[[Task, str], Result],
        /,
        *,
        jobs: int = 1,
        weight: Callable[[Task], int] = ...,
        done: Callable[[int], None] = ...,
        read: Callable[[Task, Any], Result],
    ) -> list[Result]:
        """Return ``work(task)``, or ``lost(task, reason)``, for each task in the order of the tasks.

        ``read`` makes the result of a task of its parsed JSON, where it comes from a process that read hostile bytes.
        It raises ``typed_json.Mismatch`` for what no result can be.
        """


class Inspection:
    """Looks at the files of one change. ``known``: what its suppressions may name."""

    def __init__(
        self,
        pull_request: PullRequest,
        texts: Texts,
        repository: Repository,
        rulebook: Rulebook,
        run: Run,
        *,
        moved: MovedLines | None = None,
    ) -> None:
        self.pull_request = pull_request
        self.texts = texts
        self.repository = with_changed_links(repository, pull_request.files)
        self.codebase = Codebase(self.repository, pull_request)
        self.rulebook = rulebook
        self.run = run
        self.moved = find_moved(pull_request.files) if moved is None else moved
        self._base: dict[int, BaseFindings] = {}
        self._files: dict[int, FileTexts] = {}
        ids, unsuppressible = rulebook.known_ids, rulebook.unsuppressible
        self.known = Known(ids, unsuppressible, pull_request.base_date, rulebook.suppressions, rulebook.vouched)

    def lines_moved(self, index: int) -> Moved:
        """Return the lines of a file that only moved, with the other places."""
        files, moved = self.pull_request.files, self.moved
        added = {
            line: OtherPlace(there, files[there].base_path, old_line)
            for line, (there, old_line) in moved.added.get(index, {}).items()
        }
        removed = {
            line: OtherPlace(there, files[there].path, new_line)
            for line, (there, new_line) in moved.removed.get(index, {}).items()
        }
        return Moved(added, removed)

    def base_of(self, index: int) -> Base:
        """Return what was at the base, as seen from one file."""
        return Base(self.findings_at_base(index), self.lines_moved(index), self.findings_at_base, self._base)

    def findings_at_base(self, index: int) -> BaseFindings:
        """Return what the rules find in a file at the base, when they are asked."""
        if index not in self._base:
            self._base[index] = file_examination.findings_at_base(self._texts_of(index), self.rulebook)
        return self._base[index]

    def _texts_of(self, index: int) -> FileTexts:
        if index not in self._files:  # once, so that a file that lines moved to or from is one object in all inputs
            texts = self.text_of(index), self.texts.old.get(index)
            self._files[index] = FileTexts(self.pull_request.files[index], *texts)
        return self._files[index]

    def add_old_text(self, index: int, text: str) -> None:
        """Add the text of a file at the base, which had not been read."""
        self.texts = self.texts._replace(old={**self.texts.old, index: text})
        self._files.pop(index, None)
        self._base.pop(index, None)

    def forget_files(self) -> None:
        """Free what was read of files: syntax trees, and what the rules found at the base."""
        self._base.clear()
        forget_trees()

    def source_of(self, index: int) -> SourceFile:
        """Return a file with the texts that are known."""
        return SourceFile(self.pull_request.files[index], self.text_of(index), self.texts.old.get(index))

    def text_of(self, index: int) -> str | None:
        """Return the whole new text of a file as it is, or None where only a part of it is known."""
        text = self.texts.new.get(index)
        return text_from_diff(self.pull_request.files[index]) if text is None else text

    def input_of(self, task: FileTask, *, suggests: bool = True) -> FileInput:
        """Return all that the result for the file of a task depends on, besides the rulebook."""
        moved = self.lines_moved(task.file)
        others = {place.file for lines in moved for place in lines.values()} - {task.file}
        files = [task.file, *sorted(others)]
        position = {index: number for number, index in enumerate(files)}

        def here(lines: Mapping[int, OtherPlace]) -> dict[int, OtherPlace]:
            return {line: place._replace(file=position[place.file]) for line, place in lines.items()}

        return FileInput(
            task._replace(file=0),
            tuple(map(self._texts_of, files)),
            Moved(here(moved.added), here(moved.removed)),
            self.known,
            suggests,
        )

    def examine_file(self, task: FileTask, *, suggests: bool = True) -> FileResult:
        """Try the rules of a task on its file."""
        found = file_examination.examine_file(self.input_of(task, suggests=suggests), self.rulebook)
        return found.of_file(task.file)

    def read_result(self, data: Any) -> FileResult:
        """Return a result of one file from its parsed JSON; its facts are still text. Raises Mismatch."""
        return self.checked(typed_json.decode(FileResult, data))

    def checked(self, result: FileResult) -> FileResult:
        """Return a result that another process wrote, if its facts are of rules that gather some. Raises Mismatch."""
        rules = self.rulebook.rules
        for number, fact in result.facts:
            if not 0 <= number < len(rules) or not gathers(rules[number]):
                raise typed_json.Mismatch("a fact of a rule that gathers none")
            if type(fact) is not str:
                raise typed_json.Mismatch("a fact that is no text")
        return result._replace(written=True)

    def fact(self, rule: int, text: str) -> Any:
        """Return what a check gathered, from the text of its JSON, as it declares it. Raises Mismatch."""
        check = self.rulebook.check_of(self.rulebook.rules[rule])
        if not isinstance(check, ChangeCheck):
            raise typed_json.Mismatch("a fact of a check that gathers none")
        return typed_json.decode_text(_type_of_facts(check.gather), text)

    def file_failed(self, index: int, reason: str) -> FileResult:
        """Return what is known of a file that could not be looked at."""
        return FileResult(index, unreviewed=(Unreviewed(self.pull_request.files[index].path, reason),))


def gathers(rule: Rule) -> bool:
    """Return whether a rule gathers facts of each file, and looks at the whole change by them."""
    return isinstance(rule.matcher, Checked) and not rule.matcher.per_file


@cache
def _type_of_facts(gather: Any) -> Any:
    return get_type_hints(gather)["return"]


def own(result: FileResult, index: int, lost: Callable[[int, str], FileResult]) -> FileResult:
    """Refuse a result that is about another file than the one that was asked for."""
    return result if result.file == index else lost(index, "returned a result for another file")
