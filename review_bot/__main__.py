"""Lets ``python -m review_bot`` do what ``review-bot`` does."""

from review_bot.cli import run_process

if __name__ == "__main__":
    run_process()
