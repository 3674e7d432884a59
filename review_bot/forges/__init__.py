"""Where pull requests live: the only place with git and, later, the network."""
