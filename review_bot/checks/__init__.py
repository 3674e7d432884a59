"""Rules in Python, for what no pattern can see."""
