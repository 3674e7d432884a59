"""Keeps compiled templates in ``__pycache__`` next to the templates, as Python keeps compiled modules.

Compiling the templates of a report takes longer than rendering them. jinja2 checks each file against the source of
its template and the version of Python. Anyone who can write to the folder can change our code as well.
"""

import os
import sys
from contextlib import suppress

import jinja2
from jinja2.bccache import Bucket, FileSystemBytecodeCache


class CompiledTemplates(FileSystemBytecodeCache):
    """A cache that is skipped where it cannot be read or written, or if Python writes no bytecode."""

    def __init__(self, templates: str) -> None:
        pattern = f"%s.{sys.implementation.cache_tag}.jinja2-{jinja2.__version__}"
        super().__init__(os.path.join(templates, "__pycache__"), pattern)

    def load_bytecode(self, bucket: Bucket) -> None:
        """Read a compiled template into its bucket, if there is one."""
        with suppress(OSError):
            super().load_bytecode(bucket)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Write a compiled template, if that is allowed and possible."""
        if not sys.dont_write_bytecode:
            with suppress(OSError):
                os.makedirs(self.directory, exist_ok=True)
                super().dump_bytecode(bucket)
