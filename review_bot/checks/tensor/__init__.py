"""Checks of the rules below ``rules/tensor/``."""
