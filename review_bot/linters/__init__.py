"""What the linters of the repository cover, so that nothing is reported twice.

::

    rules with ``mirror: true`` saw something ── configuration files, read now ──▶ Claims
    Findings × Claims ──▶ what a linter covers is left to it, and named; the rest stays open
"""
