"""What tensors a function works with: their dtypes, devices, sizes and memory, as the text and contracts prove them."""
