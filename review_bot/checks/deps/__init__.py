"""Checks of the rules below ``rules/deps/``."""
