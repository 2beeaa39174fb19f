"""Floors: what a retriever is held against because it is simple, or because chance alone decides."""
