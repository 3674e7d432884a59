"""GitHub as a place where pull requests live: everything here speaks its API, and nothing else does."""
