"""What a change is like: its measures, its scores, and what a person should look at."""
