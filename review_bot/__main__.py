"""Lets ``python -m review_bot`` do what ``review-bot`` does.

Python puts the current folder in front of the module search path, and that may be the tree under review: the entry is
removed before anything else is imported. A folder that holds a package ``review_bot`` of its own has run by then;
``python -P -m review_bot`` and ``review-bot`` search neither.
"""

import sys

if __name__ == "__main__":
    if not sys.flags.safe_path:
        del sys.path[0]

    from review_bot.cli import run_process

    run_process()
