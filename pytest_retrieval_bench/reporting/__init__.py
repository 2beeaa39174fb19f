"""Records, the registration and the canonical report."""
