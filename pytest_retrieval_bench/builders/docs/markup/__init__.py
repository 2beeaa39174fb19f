"""Documents in, sections out."""
