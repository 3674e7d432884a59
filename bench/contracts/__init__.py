"""Compares the contracts of libraries, and what the analysis claims by them, with PyTorch and NumPy on a CPU."""
