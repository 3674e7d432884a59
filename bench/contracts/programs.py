"""Generates functions over the operations that contracts model, runs them, and compares each claim with the value.

A statement that raises is replaced by another one, so that most of a function runs.
"""

from __future__ import annotations

import ast
import random
import traceback
from typing import Any

import numpy as np
import torch

from bench.contracts.claims import false_claims
from review_bot.analysis.python.syntax import imported_names
from review_bot.analysis.tensors.flow import flow
from review_bot.analysis.tensors.requirements import mismatches
from review_bot.analysis.tensors.values import Value
from review_bot.records import NamedTuple

_HEAD = """import numpy as np
import PIL.Image
import torch
import torch.nn.functional as F

def f(x: torch.Tensor, i: torch.Tensor, u, w, flag, other):
"""
_NAMES = ("x", "i", "u", "w", "a", "b", "c", "d")
_OPERATIONS = (
    "{t}.half()", "{t}.float()", "{t}.double()", "{t}.long()", "{t}.int()", "{t}.bool()", "{t}.bfloat16()",
    "{t}.transpose(0, 1)", "{t}.transpose(-1, -2)", "{t}.permute(2, 0, 1)", "{t}.permute((1, 0))",
    "{t}.contiguous()", "{t}.clone()", "{t}.detach()", "{t}.reshape(-1)", "{t}.reshape(2, -1)", "{t}.view(-1)",
    "{t}.flatten()", "{t}.flatten(1)", "{t}.unsqueeze(0)", "{t}.unsqueeze(-1)", "{t}.squeeze()", "{t}.squeeze(0)",
    "{t}[0]", "{t}[:2]", "{t}[:, :2]", "{t}[..., 1]", "{t}[None]", "{t}.T", "{t}.t()", "{t}.mT", "{t} + 1",
    "{t} * 2.0", "{t} / 2", "{t} // 2", "{t} ** 2", "2 - {t}", "-{t}", "~{t}", "{t} > 0", "{t} == {s}", "{t} + {s}",
    "{t} * {s}", "{t} / {s}", "{t} @ {s}", "{t} - {s}", "({t} > 0) & ({s} > 0)", "{t} & {s}", "{t}.sum()",
    "{t}.sum(0)", "{t}.mean()", "{t}.mean(dim=-1, keepdim=True)", "{t}.max()", "{t}.max(0)", "{t}.max(dim=1)",
    "{t}.max(dim=1).values", "{t}.amax(dim=0)", "{t}.argmax(-1)", "{t}.argsort()", "{t}.sort(-1)",
    "{t}.sort(-1).values", "{t}.topk(1)", "{t}.any()", "{t}.all(0)", "{t}.cumsum(0)", "{t}.nonzero()", "{t}.exp()",
    "{t}.sqrt()", "{t}.sigmoid()", "{t}.abs()", "{t}.clamp(min=0)", "{t}.round()", "{t}.softmax(-1)", "{t}.isnan()",
    "{t}.masked_fill({s} > 0, 0)", "{t}.to(torch.float16)", "{t}.to('cpu')", "{t}.to({s})", "{t}.to({s}.dtype)",
    "{t}.to({s}.device, torch.float32)", "{t}.type_as({s})", "{t}.to(dtype=torch.int32, device='cpu')",
    "{t}.type(torch.int64)", "{t}.new_zeros(2, 3)", "{t}.new_ones((2,), dtype=torch.int32)",
    "{t}.new_full((2, 3), 1)", "torch.zeros(2, 3)", "torch.zeros((2, 4), dtype=torch.half)", "torch.ones_like({t})",
    "torch.zeros_like({t}, dtype=torch.int32)", "torch.arange(3)", "torch.arange(4, dtype=torch.float32)",
    "torch.full((2, 3), 2)", "torch.randint(5, (2, 3))", "torch.tensor([1, 2])", "torch.randn({t}.shape)",
    "torch.zeros({t}.shape[0], 2)", "torch.empty({t}.size())", "torch.eye(3)", "torch.linspace(0, 1, 4)",
    "torch.randperm(4)", "torch.cat([{t}, {s}])", "torch.cat([{t}, {t}], dim=-1)", "torch.stack([{t}, {s}])",
    "torch.matmul({t}, {s})", "torch.where({t} > 0, {t}, {s})", "torch.softmax({t}, -1)", "F.softmax({t}, dim=-1)",
    "F.gelu({t})", "F.relu({t})", "F.normalize({t})", "torch.gather({t}, 0, {s})", "torch.abs({t})",
    "torch.transpose({t}, 0, 1)", "torch.unsqueeze({t}, 1)", "torch.squeeze({t})", "torch.sum({t}, dim=0)",
    "torch.max({t}, 0)", "torch.max({t}, {s})", "torch.max({t})", "torch.sort({t})", "torch.isnan({t})",
    "torch.flatten({t}, 1)", "torch.argmax({t}, dim=-1)", "torch.mean({t}, dim=1)", "torch.sqrt({t})",
    "{t}.repeat(2, 1, 1)", "{t}.expand(2, 2, -1, -1)", "{t}.expand(3, -1)", "{t}.numpy()", "torch.from_numpy({t})",
    "{t}.astype(np.float32)", "{t}.astype('int64')", "np.zeros((2, 3))", "np.ones(3, dtype=np.float32)",
    "np.asarray({t})", "np.array({t})", "np.concatenate([{t}, {s}])", "np.stack([{t}, {s}])", "np.arange(4)",
    "{t}.copy()", "{t}.reshape(2, 2)", "{t}.mean(axis=0)", "{t}.transpose()", "{t}.squeeze(0)",
    "np.frombuffer(b'abcdefgh', dtype=np.uint8)", "np.broadcast_to({t}, (2, 3, 4))", "{t}.item()", "{t}.tolist()",
    "{t}.shape", "{t}.shape[0]", "{t}.size(1)", "{t}.ndim", "{t}.chunk(2)", "{t}.unbind(0)", "{t}.cpu()",
    "{t}.scatter(0, {s}, 1.0)", "{t}.zero_()", "{t}.add_(1)", "{t}.t().view(-1)", "{t}.view(torch.int32)",
    "{t}.view({s}.shape)", "{t}.reshape({s}.size(0), -1)", "F.pad({t}, (0, 1))", "{t}.roll(1, 0)", "{t}.flip(0)",
    "{t}.repeat_interleave(2)", "{t}.tril()", "{t}.data", "{t}.std()", "{t}.norm()", "{t}.prod()",
    "{t}.min(dim=0).indices", "{t}.median()", "{t}.median(dim=0)", "{t}.movedim(0, 1)", "{t}.unflatten(0, (1, 2))",
    "{t}.swapaxes(0, 1)", "{t}.index_select(0, torch.tensor([0]))", "{t}.masked_select({s} > 0)",
    "{t}.transpose_(0, 1)", "{t}.squeeze_()", "{t}.unsqueeze_(0)", "{t}.requires_grad_(False)",
    "torch.outer({t}, {s})", "torch.dot({t}, {s})", "torch.bmm({t}, {s})", "torch.as_tensor({t})",
    "torch.as_tensor({t}, dtype=torch.half)", "F.one_hot({t})", "({t} if flag else {s})",
    "{t}.contiguous().view(2, -1)", "{t}[{s} > 0]", "{t}[{s}]", "{t}[0, 1]", "{t}[-1]", "{t}[::2]", "{t}[1:, None]",
    "torch.zeros(3, 2) + {t}[0]", "{t}[::-1]", "{t}[:, ::-1]", "np.flip(np.asarray({t}), 0)", "{t}.ravel()",
    "np.asarray({t})[::-1]", "np.frombuffer({t}.tobytes(), dtype=np.uint8)", "{t}.swapaxes(0, 1)", "{t}.tobytes()",
    "np.asarray(PIL.Image.fromarray(np.zeros((4, 4, 3), dtype=np.uint8)))", "torch.nn.Parameter({t})",
    "{t}.requires_grad_()", "np.array({t}, copy=None)", "{t} - {s}", "1 - {t}", "-({t} > 0)", "{t} ^ {s}", "{t} @ {s}",
    "F.interpolate({t}, scale_factor=2)", "F.interpolate({t}, scale_factor=2, mode='linear')", "{t}[{s}]",
    "torch.randn(2, generator=torch.Generator().manual_seed(0), device='cpu')", "torch.quantile({t}, 0.5)",
    "{t}.cumsum()", "{t}.cumprod(0)", "{t}.cumprod(-1)", "{t}.argsort(0)", "{t}.argsort(axis=0)", "{t}.clip(0)",
    "{t}.clip({s})", "{t}.clamp(min={s})", "{t}.max(axis=0)", "{t}.sum(axis=0)", "{t}.repeat(2)", "{t}.diff()",
    "{t}.sort()", "{t}.var()", "{t}.argmin()", "{t}.sum().numpy()", "np.asarray({t}.mean())", "np.diff({t})",
    "np.cumsum({t})", "np.flip({t})", "np.sort({t})", "np.linspace(0, 1, 3)", "np.linspace({t}, {s}, 3)", "-{t}",
)  # fmt: skip
"""Expressions over two names, ``t`` and ``s``."""
_REPAIRS = 40


class Program(NamedTuple):
    """A function that ran. ``wrong``: (line, name, what is claimed of it and is not so)."""

    text: str
    claims: int
    wrong: tuple[tuple[int, str, str], ...]


def run(seed: int) -> Program:
    """Generate, run and compare one function."""
    text = _repaired(_generated(random.Random(seed)), seed)  # noqa: S311  # no secret depends on it
    tree = ast.parse(text)
    function = tree.body[-1]
    assert isinstance(function, ast.FunctionDef)  # noqa: S101  # we wrote it
    claims: dict[int, dict[str, Value]] = {
        statement.lineno: dict(names) for statement, names in flow(function, imported_names(tree))
    }
    wrong: list[tuple[int, str, str]] = []
    failing = {each.node.lineno: each for each in mismatches(function, imported_names(tree))}
    for attempt in (each for each in ast.walk(function) if isinstance(each, ast.Try)):
        for line in range(attempt.lineno, (attempt.end_lineno or 0) + 1):
            failing.pop(line, None)  # what is raised there is caught
    compared = 0
    sizes: dict[str, int] = {}

    def see(line: int, places: dict[str, Any]) -> None:
        nonlocal compared
        if line in failing:
            wrong.append((line, ast.unparse(failing[line].node), f"an error ({failing[line].found})"))
        for size in [each for each in sizes if each.endswith(f":{line}")]:
            del sizes[size]  # a loop gives the name to another size
        for name, claim in claims.get(line, {}).items():
            if name in places:
                compared += 1
                wrong.extend((line, name, each) for each in false_claims(claim, places[name], sizes))

    _call(ast.unparse(ast.fix_missing_locations(_Watched().visit(ast.parse(text)))), seed, {"_see": see})
    return Program(text, compared, tuple(wrong))


class _Watched(ast.NodeTransformer):
    """Puts a look at all names before each statement of the function."""

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if isinstance(block, list) and block and not isinstance(node, ast.Module):
                looks = [ast.parse(f"_see({each.lineno}, locals())").body[0] for each in block]
                setattr(node, field, [each for pair in zip(looks, block, strict=True) for each in pair])
        return node


def _generated(choices: random.Random) -> str:
    lines: list[str] = []
    _add_block(lines, choices, choices.randint(4, 9), 1)
    return _HEAD + "\n".join(lines) + "\n    pass\n"


def _add_block(lines: list[str], choices: random.Random, count: int, depth: int) -> None:
    indent = "    " * depth
    for _ in range(count):
        kind = choices.random()
        if kind < 0.7 or depth > 3:
            lines.append(f"{indent}{_assignment(choices)}")
        elif kind < 0.76:
            names = choices.choice(("n, m", "n, m, k"))
            lines.append(f"{indent}{names} = {choices.choice(_NAMES)}.shape")
            made = choices.choice(("torch.zeros(n, m)", "a.view(m, n)", "b.reshape(n, -1)", "torch.full((n, 2), 0.5)"))
            lines.append(f"{indent}{choices.choice('abcd')} = {made}")
        elif kind < 0.82:
            operand = choices.choice((*_NAMES, "1", "2.0"))
            lines.append(f"{indent}{choices.choice('abcd')} {choices.choice('+*')}= {operand}")
        elif kind < 0.92:
            lines.append(f"{indent}if {choices.choice(('flag', 'other'))}:")
            _add_block(lines, choices, choices.randint(1, 2), depth + 1)
            if choices.random() < 0.5:
                lines.append(f"{indent}else:")
                _add_block(lines, choices, choices.randint(1, 2), depth + 1)
        elif kind < 0.96:
            lines.append(f"{indent}for _ in range(2):")
            _add_block(lines, choices, choices.randint(1, 2), depth + 1)
        else:
            lines.append(f"{indent}try:")
            _add_block(lines, choices, 2, depth + 1)
            lines.append(f"{indent}except Exception:")
            _add_block(lines, choices, 1, depth + 1)


def _assignment(choices: random.Random) -> str:
    operation = choices.choice(_OPERATIONS).format(t=choices.choice(_NAMES), s=choices.choice(_NAMES))
    return f"{choices.choice('abcd')} = {operation}"


def _repaired(text: str, seed: int) -> str:
    """Return a function with other statements in the place of those that raise."""
    choices = random.Random(f"repair {seed}")  # noqa: S311  # no secret depends on it
    for attempt in range(_REPAIRS):
        line = _call(text, seed, {})
        lines = text.split("\n")
        if line is None or not lines[line - 1].strip() or lines[line - 1].rstrip().endswith(":"):
            return text
        written = lines[line - 1]
        indent = written[: len(written) - len(written.lstrip())]
        lines[line - 1] = indent + (_assignment(choices) if attempt < _REPAIRS - 10 else "pass")
        text = "\n".join(lines)
    return text


def _call(text: str, seed: int, names: dict[str, Any]) -> int | None:
    """Run the function of a text, always alike for a seed; return the line that raises, or None."""
    exec(compile(text, "<generated>", "exec"), names)  # noqa: S102  # we wrote it
    choices = random.Random(seed)  # noqa: S311  # no secret depends on it
    torch.manual_seed(seed)
    operands = {
        "x": torch.rand(2, 3, 4) + 0.5,
        "i": torch.arange(24).reshape(2, 3, 4),
        "u": torch.rand(5, 3).double(),
        "w": choices.choice((np.float32(1.5), np.int64(2), np.array(0.5), np.arange(6.0).reshape(2, 3))),
        "flag": choices.random() < 0.5,
        "other": choices.random() < 0.5,
    }
    try:
        names["f"](**operands)
    except Exception as error:  # noqa: BLE001  # whatever the library raises
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == "<generated>"]
        return lines[-1] if lines else None
    return None
