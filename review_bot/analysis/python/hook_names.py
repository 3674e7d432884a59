"""Names of functions that a program looks for in a module or on an object, so that no code has to call them.

::

    def _jupyter_nbextension_paths()         ``jupyter nbextension install --py PACKAGE``
    def load_ipython_extension(ipython)      ``%load_ext MODULE``
    def pytest_collection_modifyitems()      pytest, in a plugin or ``conftest.py``
    def _repr_html_(self)                    notebooks
    def __getattr__(name)                    Python itself
"""

from __future__ import annotations

from review_bot.text.lazy_regex import LazyRegex

_HOOK = LazyRegex(
    r"_jupyter_[a-z]\w*|_?(?:un)?load_(?:jupyter_server|ipython)_extension|pytest_[a-z]\w*|_[a-z]\w*_|__[a-z]\w*__"
)


def is_hook(name: str) -> bool:
    """Return whether a program may call a function because of its name alone."""
    return _HOOK.fullmatch(name) is not None
