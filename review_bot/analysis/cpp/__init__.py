"""What several checks ask of C++ and CUDA code."""
