"""Making corpora and samples of one's own."""
