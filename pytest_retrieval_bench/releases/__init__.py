"""How a benchmark release is laid out, as a folder or as the archive itself (ARB 1.1)."""
