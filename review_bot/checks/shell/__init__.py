"""Checks of the rules below ``rules/api/``."""
