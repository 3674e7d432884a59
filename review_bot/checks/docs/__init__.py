"""Checks of the rules below ``rules/docs/``."""
