"""Checks of the rules below ``rules/precision/``."""
