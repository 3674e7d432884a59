"""Media encoding or decoding, or a wait, that an async function reaches through synchronous functions of its file."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.event_loop import BLOCKING, EventLoop
from review_bot.analysis.python.statements import Function, is_function, last_name
from review_bot.analysis.python.syntax import classes, full_name, hit_at, imported_names, own_nodes
from review_bot.changes.source_file import SourceFile
from review_bot.records import NamedTuple
from review_bot.rules.check import CheckTraits, FileCheck, without_options
from review_bot.rules.rule import Hit

_MEDIA = frozenset({
    "av.open", "cv2.VideoCapture", "cv2.VideoWriter", "decord.VideoReader", "imageio.get_writer", "imageio.mimsave",
    "imageio.mimwrite", "imageio.v3.imwrite", "librosa.load", "soundfile.write", "torchaudio.load", "torchaudio.save",
    "torchvision.io.read_video", "torchvision.io.write_video",
})  # fmt: skip
_MEDIA_ANYWHERE = frozenset({"export_to_gif", "export_to_video", "write_video"})
"""Functions that have this meaning in every package."""
_DEPTH = 3


class _Work(NamedTuple):
    """The slow function that is reached, and the line of its call."""

    name: str
    line: int


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each call, in an async function whose loop has other work, that leads to slow work. Raises CannotParse."""
    reached = _Reached(source)
    loop: EventLoop | None = None
    for function in source.nodes(ast.AsyncFunctionDef):
        owner = reached.owners.get(id(function))
        awaited = {id(node.value) for node in own_nodes(function.body) if isinstance(node, ast.Await)}
        for node in own_nodes(function.body):
            if not isinstance(node, ast.Call) or id(node) in awaited:
                continue
            called = reached.definition(node, owner)
            work = reached.work(called, owner, _DEPTH) if isinstance(called, ast.FunctionDef) else reached.media(node)
            if work is None:
                continue
            loop = loop or EventLoop(source, reached.imported)
            if loop.has_other_work(function):
                through = f" (line {work.line}) in `{called.name}`" if called is not None else ""
                yield hit_at(source, node, values={"work": work.name, "through": through, "async": function.name})


class _Reached:
    """The functions of a file, by what calls them."""

    def __init__(self, source: SourceFile) -> None:
        self.imported = imported_names(source.tree)
        self.owners: dict[int, ast.ClassDef] = {}
        self._methods: dict[tuple[int, str], Function] = {}
        for owner in classes(source.tree):
            for member in owner.body:
                if is_function(member):
                    self.owners[id(member)] = owner
                    self._methods[id(owner), member.name] = member
        plain = [each for each in source.functions if id(each) not in self.owners]
        self._functions: dict[str, Function] = {each.name: each for each in plain}

    def definition(self, call: ast.Call, owner: ast.ClassDef | None) -> Function | None:
        """Return the function of this file that a call runs: a name at the top, or a method of ``self``."""
        function = call.func
        if isinstance(function, ast.Name):
            return self._functions.get(function.id)
        is_own = isinstance(function, ast.Attribute) and last_name(function.value) in {"self", "cls"}
        if is_own and owner is not None:
            return self._methods.get((id(owner), last_name(function)))
        return None

    def media(self, call: ast.Call) -> _Work | None:
        """Return the work of a call itself, if it encodes or decodes media."""
        name = full_name(call.func, self.imported) or ""
        is_media = name in _MEDIA or name.rpartition(".")[2] in _MEDIA_ANYWHERE
        return _Work(ast.unparse(call.func), call.lineno) if is_media else None

    def work(self, function: ast.FunctionDef, owner: ast.ClassDef | None, depth: int) -> _Work | None:
        """Return the first slow work that a synchronous function does, also through others."""
        for node in own_nodes(function.body):
            if not isinstance(node, ast.Call):
                continue
            if BLOCKING.match(full_name(node.func, self.imported) or ""):
                return _Work(ast.unparse(node.func), node.lineno)
            if (found := self.media(node)) is not None:
                return found
            called = self.definition(node, owner) if depth > 1 else None
            if not isinstance(called, ast.FunctionDef) or called is function:
                continue
            if (found := self.work(called, owner, depth - 1)) is not None:
                return found
        return None


CHECK = FileCheck(without_options(examine), CheckTraits(literals=("async def",)))
