"""What the linters of the repository answer for, so that nobody hears the same thing twice.

::

    rules with ``mirror: true`` saw something ── configuration files, read now ──▶ Claims
    Findings × Claims ──▶ what a linter answers for is left to it, and named; the rest stands
"""
