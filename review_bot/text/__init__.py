"""Text for people and patterns over text: the terminal, globs, regular expressions, near names."""
