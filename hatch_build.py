"""Compiles the built-in rules into the wheel, so that an installed Review Bot starts without reading YAML."""

from __future__ import annotations

import importlib
import pathlib
import sys
import tempfile
from typing import Any

from hatchling.builders.config import BuilderConfig
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

if sys.version_info < (3, 11):  # noqa: UP036  # installers run this before they read `requires-python`
    sys.exit(
        f"Review Bot needs Python 3.11 to 3.14, and this is Python {sys.version_info[0]}.{sys.version_info[1]}: "
        "create the virtual environment with a newer one, such as `python3.11 -m venv review-bot-venv`"
    )


class CompiledRules(BuildHookInterface[BuilderConfig]):
    """Ships ``rules/`` as ``review_bot/builtin_rules.json``; an editable install reads ``rules/`` itself."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile the rules with the code that this wheel is made of."""
        if version == "editable":
            return
        self.folder = tempfile.TemporaryDirectory()
        compiled = pathlib.Path(self.folder.name) / "builtin_rules.json"
        compiled.write_bytes(self.compile())
        build_data["force_include"][str(compiled)] = "review_bot/builtin_rules.json"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:  # noqa: ARG002
        """Remove the temporary file once the wheel is written."""
        if version != "editable":
            self.folder.cleanup()

    def compile(self) -> bytes:
        """Import the package from this tree, never from an installed one."""
        sys.path.insert(0, self.root)
        try:
            registry = importlib.import_module("review_bot.configuration.rule_registry")
            compiled: bytes = registry.compile_rules(pathlib.Path(self.root) / "rules")
        finally:
            sys.path.remove(self.root)
        return compiled
