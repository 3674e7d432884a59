"""What several checks ask of Python code."""
