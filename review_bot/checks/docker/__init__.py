"""Checks of the rules below ``rules/docker/``."""
