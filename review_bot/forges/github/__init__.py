"""GitHub as a source of pull requests: all calls of its API are here."""
