"""Review to text, one file per format."""
