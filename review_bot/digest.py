"""SHA-256 without OpenSSL: importing ``hashlib`` loads its libraries, which costs as much as reading a small diff.

The standard library does the same for ``random``. Where Python has no implementation of its own, ``hashlib``'s serves.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any


def sha256(data: bytes = b"") -> Any:
    """Return a hash object, with ``update`` and ``hexdigest``."""
    return _implementation(data)


def _find() -> Any:
    for name in ("_sha2", "_sha256", "hashlib"):  # Python 3.12 and newer, 3.11, any other
        try:
            return import_module(name).sha256
        except ImportError:
            continue
    raise ImportError("this Python has no SHA-256")


_implementation = _find()
