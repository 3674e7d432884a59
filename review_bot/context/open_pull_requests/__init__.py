"""Other open pull requests that this change meets: what they bring it, what they remove, where both write.

::

    outline          the definitions and imports of a Python text, found without parsing it
    change_imports   what this change imports, and what it lacks
    comparison       the comparison, over plain data
    order            in which order to merge

All of it is advice: no finding and no verdict comes from here.
"""
