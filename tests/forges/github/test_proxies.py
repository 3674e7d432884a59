"""Proxies of the environment: which servers are reached through one, and that the token does not go to it."""

import socket
import threading

import pytest

from review_bot.errors import Unreachable, UsageError
from review_bot.forges.github.client import Client, Limits
from review_bot.forges.github.proxies import proxy_of
from tests.action import VirtualClock


@pytest.fixture(autouse=True)
def _no_proxies(monkeypatch):
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.mark.parametrize(
    ("environment", "url", "proxy"),
    [
        ({}, "https://api.github.com/repos", None),
        ({"HTTPS_PROXY": "http://proxy:3128"}, "https://api.github.com/repos", "http://proxy:3128"),
        ({"https_proxy": "proxy:3128"}, "https://api.github.com/repos", "http://proxy:3128"),
        ({"ALL_PROXY": "http://proxy:3128"}, "https://api.github.com/repos", "http://proxy:3128"),
        ({"HTTP_PROXY": "http://proxy:3128"}, "https://api.github.com/repos", None),
        ({"HTTPS_PROXY": "http://proxy:3128", "NO_PROXY": ".github.com"}, "https://api.github.com/repos", None),
        ({"HTTPS_PROXY": "http://proxy:3128", "NO_PROXY": "example.com"}, "https://ghe.test/api", "http://proxy:3128"),
        ({"HTTPS_PROXY": "http://proxy:3128", "NO_PROXY": "*"}, "https://api.github.com/repos", None),
        ({"HTTP_PROXY": "http://proxy:3128"}, "http://127.0.0.1:8000/repos", None),
        ({"HTTPS_PROXY": ""}, "https://api.github.com/repos", None),
    ],
)
def test_the_environment_names_the_proxy_of_a_server(monkeypatch, environment, url, proxy):
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert proxy_of(url) == proxy


def test_a_proxy_of_another_kind_is_refused(monkeypatch):
    monkeypatch.setenv("HTTPS_PROXY", "socks5://proxy:1080")
    with pytest.raises(UsageError, match="check HTTPS_PROXY"):
        proxy_of("https://api.github.com/")


def test_a_request_goes_through_the_proxy_and_the_token_does_not_go_to_it(monkeypatch):
    seen: list[bytes] = []

    def answer(listener: socket.socket) -> None:
        for _ in range(2):
            connection, _address = listener.accept()
            with connection:
                seen.append(connection.recv(65_536))
                connection.sendall(b"HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n")

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=answer, args=(listener,))
        thread.start()
        monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{listener.getsockname()[1]}")
        client = Client("https://api.github.test", "secret-token", clock=VirtualClock(), limits=Limits(tries_read=2))
        with client, pytest.raises(Unreachable):
            client.get("/user", dict)
        thread.join()
    assert [each.split(b"\r\n")[0] for each in seen] == [b"CONNECT api.github.test:443 HTTP/1.1"] * 2
    assert not any(b"secret-token" in each for each in seen)
