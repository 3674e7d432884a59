"""What the code of a side says, asked by subject: classes, attributes and keys, settings. docs/facts.md lists it."""
