"""Pure functions from an answer to its metrics."""
