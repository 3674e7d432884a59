"""The rules over pull requests of the past: what they would have said, counted."""
