"""Checks of the rules below ``rules/quantization/``."""
