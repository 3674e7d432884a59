"""Checks of the rules below ``rules/kv-cache/``."""
