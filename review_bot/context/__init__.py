"""What surrounds a change and decides nothing: owners, related tests, coverage, other open pull requests."""
