"""What we think of the findings."""
