"""Checks of the rules below ``rules/testing/``."""
