"""Measures the speed of Review Bot against anchors: ``make bench``, or ``python -m bench``."""
