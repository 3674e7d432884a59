"""The Action: its environment, one review with its publication, and commands in comments."""
