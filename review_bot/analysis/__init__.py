"""What code means: Python, C++ and CUDA, and a repository as a whole. Checks ask; nothing here reports."""
