"""Rules times a pull request gives an examination; pure, in this process or in workers."""
