"""Checks of the rules below ``rules/pr/``."""
