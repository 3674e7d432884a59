"""A fake GitHub: real HTTP on loopback, real git repositories, GitHub's refusals, faults on demand."""
