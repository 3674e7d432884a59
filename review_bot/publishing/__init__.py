"""From a review and what stands in the pull request to what has to be written."""
