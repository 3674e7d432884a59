"""Checks of the rules below ``rules/security/``."""
