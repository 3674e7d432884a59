"""Checks of the rules below ``rules/errors/``."""
