"""Lets ``python -m review_bot`` do what ``review-bot`` does."""

import sys

from review_bot.cli import main

if __name__ == "__main__":
    sys.exit(main())
