"""Pure functions from many metrics to a summary."""
