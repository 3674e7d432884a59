"""Checks of the rules below ``rules/style/``."""
