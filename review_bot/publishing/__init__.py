"""From a review and what is in the pull request to what has to be written."""
