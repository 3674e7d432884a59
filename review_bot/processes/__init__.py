"""Child processes: a pool of them, what confines one, and the typed records that go between."""
