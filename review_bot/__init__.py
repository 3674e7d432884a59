"""Review Bot: reviews pull requests the way a demanding ML-systems expert does, without a language model."""
