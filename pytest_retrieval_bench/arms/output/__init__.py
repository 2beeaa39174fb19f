"""Reading what a retriever printed: paths, scores and lines from text or JSON."""
