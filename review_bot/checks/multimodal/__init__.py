"""Checks of the rules below ``rules/multimodal/``."""
