"""Which bytes were received: names are followed through the function that unpickles them."""

from __future__ import annotations

import pytest

from tests.rule_cases import findings_of

RULE = "security/pickle-load"


@pytest.mark.parametrize(
    "body",
    [
        "return pickle.loads(socket.recv())",
        "frames = socket.recv_multipart()\n    payload = frames[-1]\n    return pickle.loads(payload)",
        "for frame in socket.recv_multipart():\n        return pickle.loads(frame)",
        "(frame := socket.recv())\n    return pickle.loads(base64.b64decode(frame))",
    ],
)
def test_received_bytes(body: str) -> None:
    [finding] = findings_of(RULE, f"import base64\nimport pickle\n\n\ndef answer(socket):\n    {body}\n")

    assert finding.severity == "info"
    assert finding.message.startswith("`pickle.loads` unpickles data that `recv")


def test_the_module_under_another_name() -> None:
    [finding] = findings_of(
        RULE, "import cloudpickle as cp\n\n\ndef answer(socket):\n    return cp.loads(socket.recv())\n"
    )

    assert finding.message == "`cloudpickle.loads` unpickles data that `recv` returned."


def test_bytes_of_a_decoders_caller_are_a_lesser_matter() -> None:
    [finding] = findings_of(RULE, "import pickle\n\n\ndef decode(data):\n    return pickle.loads(data)\n")

    assert finding.severity == "info"


@pytest.mark.parametrize(
    "body",
    [
        "return pickle.loads(store.get(key))",
        "frame = socket.recv()\n    return json.loads(frame)",
        "frame = socket.recv()\n    return pickle.loads(CACHE)",
        "return pickle.loads(path.read_bytes())",
    ],
)
def test_bytes_from_elsewhere(body: str) -> None:
    text = f"import json\nimport pickle\n\n\ndef answer(socket, store, key, path):\n    {body}\n"

    assert findings_of(RULE, text) == []


@pytest.mark.parametrize(
    ("address", "fires"),
    [('"tcp://*:5555"', True), ('f"tcp://{host}:1"', True), ('"tcp://127.0.0.1:1"', False), ('"ipc:///x"', False)],
)
def test_sockets_that_unpickle_by_themselves(address: str, fires: bool) -> None:
    text = f"def serve(context, host):\n    s = context.socket()\n    s.bind({address})\n    return s.recv_pyobj()\n"

    assert len(findings_of(RULE, text)) == fires


def test_another_socket_of_the_file_does_not_count() -> None:
    text = "def serve(a, b):\n    a.bind('tcp://*:1')\n    b.bind('ipc:///b')\n    return b.recv_pyobj()\n"

    assert findings_of(RULE, text) == []
