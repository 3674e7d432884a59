r"""The magics of notebooks that run a statement and measure it, with their options.

::

    %timeit -n 10 load(path)             load(path)
    found = %prun -s time load(path)     found = load(path)

Sources: ``IPython.core.magics.execution``, ``memory_profiler.py``, ``line_profiler/ipython_extension.py``.
"""

from __future__ import annotations

from review_bot.text.lazy_regex import LazyRegex

_OPTIONS = {
    "timeit": ("tcqo", "nrpv"),
    "prun": ("rq", "DlsT"),
    "memit": ("co", "rti"),
    "mprun": ("rc", "Tf"),
    "lprun": ("rsz", "fmDTu"),
}
"""For each: its options without a value, and those with one."""
_MEASURED = LazyRegex(
    r"^([\w., \t]+=[ \t]*|[ \t]*)%%?(?:time[ \t]+|"
    + "|".join(
        rf"{magic}[ \t]+(?:-(?=[a-zA-Z])[{plain}]*(?:[{valued}][ \t]*[^\s-]\S*)?[ \t]+)*"
        for magic, (plain, valued) in _OPTIONS.items()
    )
    + r")(?=[^\s%!-])"
)
PYTHON_CELL = LazyRegex(rf"%%(?:time|capture|{'|'.join(_OPTIONS)})\b")
"""The start of a cell whose other lines are Python."""


def without_measurement(line: str) -> str:
    """Return a line without the magic that measures its statement, also where the result is assigned."""
    return _MEASURED.sub(r"\1", line)
