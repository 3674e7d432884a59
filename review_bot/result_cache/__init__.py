"""Keeps what local reviews found, so that the same or nearly the same change is reviewed again at little cost."""
