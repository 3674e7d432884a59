"""The rule laboratory: people label findings of past pull requests, and the labels give the precision of each rule.

It is used from a checkout and is not part of the package. ``docs/evidence.md`` describes how findings are labelled.
"""
