"""What changed: pull requests, files, hunks, and the repository around them."""
