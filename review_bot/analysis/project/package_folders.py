"""Which folder a manifest gives for a package whose name is not its path.

::

    setup.py         setup(package_dir={"pkg": "pkg/python"})
    setup.cfg        [options]
                     package_dir =
                         pkg = pkg/python
    pyproject.toml   [tool.setuptools.package-dir]
                     pkg = "pkg/python"

https://setuptools.pypa.io/en/latest/userguide/package_discovery.html
"""

from __future__ import annotations

from collections.abc import Iterator

from review_bot.changes.codebase import Snapshot, query
from review_bot.text.lazy_regex import LazyRegex

_MANIFESTS = ("setup.py", "setup.cfg", "pyproject.toml")
_TABLE = LazyRegex(r"""\bpackage[_-]dir\b["']?(?: ?[=:]| ?\])[ \n]*(?:dict\(|\{)?([^{}()\[]{0,2000})""")
_PAIR = LazyRegex(r"""(?m)["']?\b([A-Za-z_]\w*)["']?[ ]?[=:][ ]?["']?([\w./-]+)["']?[ ]*(?:,|$)""")


@query
def package_folders(side: Snapshot) -> dict[str, str]:
    """Return the folders of the top-level packages that the manifests at the root name, by the name of each."""
    return dict(pair for name in _MANIFESTS if name in side.paths for pair in _pairs(side.text(name) or ""))


def _pairs(text: str) -> Iterator[tuple[str, str]]:
    if "package_dir" in text or "package-dir" in text:
        for table in _TABLE.finditer(text):
            for name, folder in _PAIR.findall(table[1]):
                yield name, folder.removeprefix("./").strip("/")
