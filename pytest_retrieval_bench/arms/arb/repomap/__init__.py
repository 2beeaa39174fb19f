"""`arb:repomap`: a graph of files, walked from those that the query is about (ARB 3.3)."""
