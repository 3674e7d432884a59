"""Follows values along the paths through one function."""
