"""An entry point of inference that calls a model of its object with gradients on, as far as the file shows."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from review_bot.analysis.python.statements import Function, is_function, last_name
from review_bot.analysis.python.syntax import attribute_of_self, classes, hit_at, own_nodes
from review_bot.changes.source_file import SourceFile
from review_bot.rules.check import CheckTraits, file_check
from review_bot.rules.rule import Hit
from review_bot.text.lazy_regex import LazyRegex

_ENTRIES = frozenset({"generate", "execute_model", "diffuse", "predict", "decode_latents", "run_inference"})
_MODELS = frozenset({"model", "transformer", "unet", "vae", "text_encoder", "dit", "vision_tower"})

_OFF = LazyRegex(r"inference_mode|no_grad|grad_enabled|requires_grad_?\(False|freeze|onnx|openvino")
"""What turns gradients off; anywhere in the file, for a caller or a base class there may do it."""

_TRAINS = LazyRegex(r"backward\(|optimizer|self\.training|loss\b")


def examine(source: SourceFile) -> Iterator[Hit]:
    """Yield the first such function of each class. Raises CannotParse."""
    text = source.text or ""
    if _OFF.search(text) or _TRAINS.search(text):
        return
    for owner in classes(source.tree):
        if any(last_name(base).endswith(("Module", "Model", "Mixin", "PreTrainedModel")) for base in owner.bases):
            continue
        for function in owner.body:
            if is_function(function) and function.name in _ENTRIES:
                called = _model_called(function)
                if called is not None:
                    values = {"function": function.name, "model": ast.unparse(called.func)}
                    yield hit_at(source, called, values=values)
                    break


def _model_called(function: Function) -> ast.Call | None:
    """Return the first call of a model that the object holds: ``self.model(...)``, ``self.vae.decode(...)``."""
    for node in own_nodes(function.body):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        callee = node.func
        if callee.attr in {"decode", "encode", "forward"} and isinstance(callee.value, ast.Attribute):
            callee = callee.value
        if attribute_of_self(callee) in _MODELS:
            return node
    return None


CHECK = file_check(examine, CheckTraits(literals=tuple(f"def {name}" for name in sorted(_ENTRIES))))
