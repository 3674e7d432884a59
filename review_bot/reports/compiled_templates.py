"""Keeps templates compiled, as Python keeps its modules: in ``__pycache__`` beside the sources.

Compiling the templates of a dossier takes longer than filling them in. Where the folder cannot be written, or Python
was told to write no bytecode, they are compiled anew each time. Whoever can write there can change our code as well.
"""

from __future__ import annotations

import os
import sys

import jinja2
from jinja2.bccache import Bucket, BytecodeCache


class BesideTheSources(BytecodeCache):
    """One file for each template; jinja2 itself checks that it fits the source and the version of Python."""

    def __init__(self, templates: str) -> None:
        self._folder = os.path.join(templates, "__pycache__")

    def load_bytecode(self, bucket: Bucket) -> None:
        """Read a template into its bucket, if it is there and whole."""
        try:
            with open(self._path(bucket), "rb") as stream:
                bucket.load_bytecode(stream)
        except OSError:
            return

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Write a template, if that can be done."""
        if sys.dont_write_bytecode:
            return
        path = self._path(bucket)
        temporary = f"{path}.{os.getpid()}"
        try:
            os.makedirs(self._folder, exist_ok=True)
            with open(temporary, "xb") as stream:
                bucket.write_bytecode(stream)
            os.replace(temporary, path)
        except OSError:
            return

    def _path(self, bucket: Bucket) -> str:
        return os.path.join(self._folder, f"{bucket.key}.{sys.implementation.cache_tag}.jinja2-{jinja2.__version__}")
