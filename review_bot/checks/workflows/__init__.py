"""Checks of the rules below ``rules/workflows/``."""
