"""Checks of the rules below ``rules/notebooks/``."""
