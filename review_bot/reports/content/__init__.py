"""What reports contain, computed once as plain typed values; the formats only render it."""
