"""A benchmark from a project's documentation; `build.py` draws its rooms."""
