"""Sources in, where a name is defined out."""
