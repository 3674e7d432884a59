"""The sample change that ``python -m fake_github.demo`` reviews."""
