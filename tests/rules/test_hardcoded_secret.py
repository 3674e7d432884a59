"""Each known format is found, nothing of the secret is repeated, and nothing silences the rule.

The made-up tokens are put together here, so that no scanner takes this file for a leak.
"""

from __future__ import annotations

import base64
import json
import random
import string

import pytest

from review_bot.findings import Finding
from tests.rule_cases import findings_of

RULE = "security/hardcoded-secret"
PLAIN = string.ascii_letters + string.digits


def token(prefix: str, length: int, alphabet: str = PLAIN, tail: str = "") -> str:
    return prefix + "".join(random.Random(prefix).choices(alphabet, k=length)) + tail


SECRETS = {
    "hugging face": token("hf_", 34, string.ascii_letters),
    "github": token("ghp_", 36),
    "github app": token("ghs_", 36),
    "github fine-grained": token("github_pat_", 22) + "_" + token("", 59),
    "gitlab": token("glpat-", 20),
    "aws": token("AKIA", 16, string.ascii_uppercase + "234567"),
    "openai": token("sk-proj-", 40) + "T3Blbk" + token("FJ", 40),
    "anthropic": token("sk-ant-api03-", 93, tail="AA"),
    "google": token("AIza", 35),
    "slack": "xoxb-" + "1" * 11 + "-" + "2" * 12 + "-" + token("", 24),
    "npm": token("npm_", 36),
    "pypi": "pypi-AgEIcHlwaS5" + token("vcmc", 60),
    "docker": token("dckr_pat_", 27),
    "nvidia": token("nvapi-", 64),
    "groq": token("gsk_", 52),
    "replicate": token("r8_", 37),
    "xai": token("xai-", 80),
    "perplexity": token("pplx-", 48),
    "databricks": token("dapi", 32, "abcdef23456789"),
    "digitalocean": token("dop_v1_", 64, "abcdef23456789"),
    "stripe": token("sk_live_", 30),
    "sendgrid": token("SG.", 22) + "." + token("", 43),
    "slack webhook": "hooks.slack.com/services/"
    + token("T", 10, "ABCDEF2345")
    + token("/B", 10, "ABCDEF2345")
    + token("/", 24),
    "ssh key": base64.b64encode(b"openssh-key-v1\0\0\0\0\4none" + bytes(range(40))).decode(),
    "rsa key": "MIIEow" + token("IBAAKCAQEA", 48),
    "pkcs8 key": "MIIEvQ" + token("IBADANBgkqhkiG9w0BAQEFAASC", 38),
}


def everything(finding: Finding) -> str:
    return json.dumps(finding, default=str)


@pytest.mark.parametrize("kind", SECRETS)
@pytest.mark.parametrize(
    "line", ['key = "{}"', "export KEY={}", "{}", "https://user:{}@example.com/x", "a: {}  # comment"]
)
def test_a_known_format_is_an_error_that_does_not_repeat_it(kind: str, line: str) -> None:
    secret = SECRETS[kind]

    [finding] = findings_of(RULE, {"deploy/settings.txt": line.format(secret) + "\n"})

    assert finding.severity == "error"
    assert secret[8:] not in everything(finding)
    assert secret[:12] not in everything(finding)


@pytest.mark.parametrize(
    "text",
    [
        "hf_" + "x" * 34,
        "ghp_" + "0" * 36,
        "ghp_" + "YourToken" * 4,
        "AKIA" + "IOSFODNN7EXAMPLE",
        token("hf_", 33, string.ascii_letters),
        token("hf_", 35, string.ascii_letters),
        token("my_hf_", 34, string.ascii_letters),
        "sk-" + "a-word-with-dashes-that-is-long-enough",
        "-----BEGIN " + "RSA PRIVATE KEY-----",
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + token("", 43),
        "sha256:" + token("", 64, "0123456789abcdef"),
    ],
)
def test_placeholders_and_look_alikes(text: str) -> None:
    assert findings_of(RULE, {"docs/guide.md": f"Set `{text}` first.\n"}) == []


def test_a_word_elsewhere_on_the_line_hides_nothing() -> None:
    line = f"HF_TOKEN={SECRETS['hugging face']} python examples/your_example.py  # dummy placeholder\n"

    assert len(findings_of(RULE, {"run.sh": line})) == 1


def test_no_comment_silences_it() -> None:
    line = f'key = "{SECRETS["github"]}"  # review-bot: ignore[{RULE}] only a test\n'

    assert RULE in [finding.rule for finding in findings_of(RULE, {"a.py": line})]


def test_a_deleted_or_old_secret_is_not_news() -> None:
    line = f"key = {SECRETS['github']}\n"

    assert findings_of(RULE, {"a.txt": "key = None\n"}, {"a.txt": line}) == []
    assert findings_of(RULE, {"a.txt": line + "more\n"}, {"a.txt": line}) == []
