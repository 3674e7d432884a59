"""Files as they are read and written: YAML, JSON, names, and writes that follow no link."""
