"""A requirement without any bound of a package whose releases have broken projects that did not bound it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.project.requirements import is_manifest, is_of_users, requirements_of
from review_bot.analysis.project.third_party import normalised
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_FAST = frozenset(
    {
        *("accelerate", "bitsandbytes", "compressed-tensors", "datasets", "deepspeed", "diffusers", "flash-attn"),
        *("flashinfer-python", "gradio", "huggingface-hub", "kernels", "librosa", "lm-eval", "mistral-common", "numpy"),
        *("openai", "outlines", "peft", "pydantic", "ray", "sgl-kernel", "sglang", "tensordict", "timm", "tokenizers"),
        *("torch", "torchao", "torchaudio", "torchvision", "transformers", "triton", "trl", "vllm", "xformers"),
        *("xgrammar", "protobuf", "opencv-python"),
    }
)
"""Packages that fix commits of the projects in rules/evidence had to pin again after a release."""

_BARE = LazyRegex(r"([A-Za-z0-9][\w.-]*)\s*(?:\[[^\]]*\])?\s*(?:;.*)?")


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield each such requirement of a manifest from which users install. Raises CannotRead."""
    for name, line in _bare(source):
        if line in source.added and name in _FAST:
            yield Hit(line, values={"name": name}, statement=name)


def _bare(source: SourceFile) -> Iterator[tuple[str, int]]:
    """Yield the requirements without a bound, each with its line."""
    if source.path == "setup.py":
        for keyword in source.nodes(ast.keyword):
            if keyword.arg == "install_requires" and isinstance(keyword.value, (ast.List, ast.Tuple)):
                for each in keyword.value.elts:
                    text = each.value if isinstance(each, ast.Constant) else None
                    match = _BARE.fullmatch(text) if isinstance(text, str) else None
                    if match is not None:
                        yield normalised(match[1]), each.lineno
    elif is_manifest(source.path):
        for requirement in requirements_of(source.path, source.text or ""):
            if is_of_users(source.path, requirement.group) and not (requirement.bounds or requirement.url):
                yield requirement.name, requirement.line


CHECK = file_check(examine, CheckTraits(literals=None))
