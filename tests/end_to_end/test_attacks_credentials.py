"""Credentials of every common form, and what only looks like one, through the whole Action."""

from __future__ import annotations

from collections.abc import Mapping

from tests.action import Action

TOKEN = "hf_" + "QwErTyUiOpAsDfGhJkLzXcVbNmQwErTyUi"  # made up
OPENSSH = "b3BlbnNzaC1rZXktdjEAAAAA" + "BG5vbmUAAAAEbm9uZQAAAAAAAAAB"
BODY = "x7Rk2wZ9sLd0fXv3JtUcYb8HnPmQeWg5TiBoCxDa6SuVyKhjP4qN1rFzGlEoM"

SECRETS: Mapping[str, str] = {
    "OpenSSH, Ed25519": OPENSSH + "AAAAMwAAAAtzc2gtZW\n",
    "OpenSSH, RSA": OPENSSH + "AAABlwAAAAdzc2gtcn\n",
    "EC, P-256": f"MHcCAQEEI{BODY[:43]}oAoGCCqGSM49\n",
    "EC, P-384": f"MIGkAgEBBDD{BODY[:53]}\n",
    "EC, P-384, PKCS 8": f"MIG2AgEAMBAGByqGSM49AgEGBSuBBAAiBIGeMIGbAgEBBDD{BODY[:17]}\n",
    "EC, P-521": f"MIHcAgEBBEI{BODY[:53]}\n",
    "RSA, 1024 bits": f"MIICXAIBAAKBgQD{BODY[:49]}\n",
    "RSA, 3072 bits": f"MIIG5AIBAAKCAYEA{BODY[:48]}\n",
    "behind an escaped line feed": f'{{"text": "logged in\\n{TOKEN}"}}\n',
    "behind an escaped quote": f'{{"text": "\\u0022{TOKEN}\\u0022"}}\n',
    "in an address": f"https://example.org/?next=%2F%3Ftoken%3D{TOKEN}\n",
    "in colour": f"\x1b[1;32m{TOKEN}\x1b[0m\n",
}
HARMLESS: Mapping[str, str] = {
    "the start of an OpenSSH key in a manual": OPENSSH + "AAAA...\n",
    "a public key": "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE4n+rgt0Gz6/bADXt1DpY4xpu5ETl\n",
    "a certificate": "MIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQswCQYDVQQGEwJJ\n",
    "a placeholder": "AKIAAAAAAAAAAAAAAAAA and hf_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n",
}


def test_every_credential_fails_the_gate_and_nothing_else_does(action: Action):
    change = {f"notes/secret-{number}.txt": text for number, text in enumerate(SECRETS.values())}
    harmless = {f"notes/plain-{number}.txt": text for number, text in enumerate(HARMLESS.values())}
    result = action.run(action.open(change | harmless))
    found = {each["path"] for each in result.report()["findings"] if each["severity"] == "error"}
    assert result.code == 1
    assert found == set(change)
