"""Which languages and kinds of files a rule is about."""

from __future__ import annotations

from review_bot.rules.rule import Rule
from review_bot.text.globs import matches_any

_SAMPLES = {
    "python": ("pkg/module.py",),
    "cuda": ("csrc/kernel.cu", "csrc/kernel.cpp"),
    "dockerfile": ("Dockerfile",),
    "shell": ("run.sh",),
    "workflow": (".github/workflows/ci.yml",),
    "requirements": ("requirements.txt", "pyproject.toml"),
    "notebook": ("demo.ipynb",),
    "stage-config": ("stage_configs/model.yaml",),
    "markdown": ("README.md",),
}
"""Kind of file → paths of such files. A rule with path patterns is about the kinds that its patterns match."""

ANY = "any"
"""The language of a rule that reads every text file, or the change as a whole."""


def languages_of(rule: Rule) -> tuple[str, ...]:
    """Return the languages of a rule, at least one."""
    if rule.files and "python" not in rule.languages:
        found = [kind for kind, paths in _SAMPLES.items() if any(matches_any(rule.files, path) for path in paths)]
        return tuple(found) or rule.languages or (ANY,)
    return rule.languages or (ANY,)
