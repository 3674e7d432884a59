"""Checks of the rules below ``rules/stage-config/``."""
