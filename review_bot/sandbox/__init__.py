"""The isolated worker that examines hostile changes: its process, its client, and what the client believes."""
