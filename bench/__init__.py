"""Measures the speed of Review Bot beside anchors: ``make bench``, or ``python -m bench``."""
