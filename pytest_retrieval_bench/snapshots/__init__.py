"""Repositories frozen at a commit: chunk files, directories and local clones; and disposable Git copies of them."""
