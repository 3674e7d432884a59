"""Checks of the rules below ``rules/kernels/``."""
