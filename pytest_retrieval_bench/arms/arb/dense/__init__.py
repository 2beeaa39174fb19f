"""`dense:MODEL`: chunks by the vectors of an embedding model (ARB 3.5), with the extra `[dense]`."""
