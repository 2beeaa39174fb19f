"""Questions that a caller would type: the identifiers of a question, in four forms, with its gold (MINDEX 6)."""
