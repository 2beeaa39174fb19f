"""Repositories frozen at a commit: chunk files, directories and local clones."""
