"""Our own comments on a pull request: their records, and the marker that identifies them."""
