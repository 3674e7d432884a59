"""Checks of the rules below ``rules/shell/``."""
