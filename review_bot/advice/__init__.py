"""What follows from a review for those who act on it: criteria, next steps, effort, facts that are good."""
