"""Checks of the rules below ``rules/memory/``."""
