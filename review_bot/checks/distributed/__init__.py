"""Checks of the rules below ``rules/distributed/``."""
