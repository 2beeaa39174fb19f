"""Repositories frozen at a commit: chunk files and directories."""
