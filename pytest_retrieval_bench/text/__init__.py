"""Tokens, identifiers, anchors: pure functions on strings."""
