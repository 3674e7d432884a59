"""What a Python project is: its modules, the names they bind, its manifests, and its public interface."""
