"""The sample change that ``review-bot demo`` reviews."""
