"""Pickles from another machine: anyone who can send them can run code in this process."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import suppress

from review_bot.analysis.python.statements import Function, last_name, mentions_of
from review_bot.analysis.python.syntax import full_name, hit_at, imported_names, own_nodes, source_text
from review_bot.analysis.python.value_origins import ValueOrigins
from review_bot.changes.python_parsing import CannotParse
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_LOADS = {"pickle.loads", "cloudpickle.loads", "dill.loads", "_pickle.loads", "torch.multiprocessing.pickle.loads"}
_RECEIVES = LazyRegex(r"recv(?:_multipart|_string|from|_bytes|_into|msg)?|receive(?:_bytes|_text|_json)?|get_notifs")
_LOCAL = LazyRegex(r"(?i)tcp://(?:127\.0\.0\.1|localhost)|ipc|inproc")
_NAMED_LOCAL = LazyRegex(r"(?i)(?:ipc|inproc)://|ipc_path|AF_UNIX")
_NETWORK = LazyRegex(r"(?i)tcp://(?!127\.0\.0\.1|localhost)|AF_INET|websocket|(?:host|ip)\b.{0,60}port\b")
_DECODERS = LazyRegex(r"_?(?:deserialize|decode|unpack|loads|from_bytes)\w*")
_FILE_READERS = frozenset({"open", "read_bytes", "tf_record_iterator", "TFRecordDataset"})
"""Functions that give what a file on disk holds."""


def _holds_pickle(source: SourceFile) -> bool:
    names = imported_names(source.tree)
    return any(_unpickles(call, names) for call in source.nodes(ast.Call))


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the first pickle in a function whose bytes were received, or come to a decoder from its caller.

    Silent where the file unpickled before: what its protocol is made of is not for this change to decide. Raises
    CannotParse.
    """
    if not _holds_pickle(source):
        return
    before = source.at_base()
    with suppress(CannotParse):  # a base that is no Python says nothing
        if before is not None and _holds_pickle(before):
            return
    names = imported_names(source.tree)
    is_local = _is_local(source)
    for function in source.functions:
        origins: ValueOrigins | None = None
        for node in own_nodes(function.body):
            if not isinstance(node, ast.Call):
                continue
            name = full_name(node.func, names) or ""
            if name in _LOADS and node.args:
                origins = origins or ValueOrigins(function)
                received = _received(origins, node.args[0])
                if received and not is_local:
                    yield hit_at(source, node, values={"call": name, "what": f"data that `{received}` returned"})
                    break
                handed = _DECODERS.fullmatch(function.name) and _is_handed_over(origins, node.args[0])
                if handed and not _is_given_files_alone(function, source):
                    what = f"whatever bytes the caller passes to `{function.name}`"
                    yield hit_at(source, node, values={"call": name, "what": what}, severity="info")
                    break
            elif isinstance(node.func, ast.Attribute) and node.func.attr == "recv_pyobj":
                address = _address(source, ast.unparse(node.func.value))
                if address:
                    what = f"messages from `{address}`"
                    yield hit_at(source, node, values={"call": "recv_pyobj", "what": what})
                    break


def _is_local(source: SourceFile) -> bool:
    """Return whether all sockets of a file are those of one machine or process, which ZeroMQ calls ipc and inproc.

    A file that is given its sockets may still name them: ``get_open_zmq_ipc_path()``, and no address of a network.
    """
    calls = [each for each in source.nodes(ast.Call) if last_name(each.func) in {"bind", "connect"}]
    addresses = [ast.unparse(call.args[0]) for call in calls if call.args]
    if addresses and all(_LOCAL.search(each) for each in addresses):
        return True
    text = source.text or ""
    return _NAMED_LOCAL.search(text) is not None and _NETWORK.search(text) is None


def _unpickles(call: ast.Call, names: dict[str, str]) -> bool:
    return full_name(call.func, names) in _LOADS or last_name(call.func) == "recv_pyobj"


def _address(source: SourceFile, socket: str) -> str:
    """Return the TCP address that a socket of this name is bound or connected to in the file; not this machine's."""
    for call in source.nodes(ast.Call):
        if not isinstance(call.func, ast.Attribute) or call.func.attr not in {"bind", "connect"} or not call.args:
            continue
        if ast.unparse(call.func.value) != socket or not isinstance(call.args[0], (ast.Constant, ast.JoinedStr)):
            continue
        address = source_text(source, call.args[0]).strip("f\"'")
        if address.startswith("tcp://") and not _LOCAL.match(address):
            return address
    return ""


def _received(origins: ValueOrigins, value: ast.expr) -> str:
    """Return the name of the call that brought the bytes in, or nothing."""
    for node in origins.of(value):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        if _RECEIVES.fullmatch(node.func.attr) and last_name(node.func.value) not in {"dist", "distributed"}:
            return node.func.attr
    return ""


def _is_handed_over(origins: ValueOrigins, value: ast.expr) -> bool:
    return isinstance(value, ast.Name) and value.id in origins.parameters


def _is_given_files_alone(function: Function, source: SourceFile) -> bool:
    """Return whether a private function of a file is called there, and each time with what a file on disk holds."""
    name, calls = function.name, list[bool]()
    for around in source.functions if name.startswith("_") else ():
        given = [each for each in own_nodes(around.body) if isinstance(each, ast.Call) and last_name(each.func) == name]
        origins = ValueOrigins(around) if given else None
        calls += [origins is not None and any(_reads_file(origins, value) for value in each.args) for each in given]
    mentions = sum(last_name(each) == name for each in mentions_of(source.tree))
    return bool(calls) and all(calls) and mentions == len(calls)


def _reads_file(origins: ValueOrigins, value: ast.expr) -> bool:
    found = [each for each in origins.of(value) if isinstance(each, ast.Call)]
    return any(last_name(each.func) in _FILE_READERS for each in found) and not _received(origins, value)


CHECK = file_check(examine, CheckTraits(literals=("loads", "recv_pyobj")))
