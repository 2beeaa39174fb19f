"""Benchmark files: their rows become samples."""
