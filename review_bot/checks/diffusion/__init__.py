"""Checks of the rules below ``rules/diffusion/``."""
