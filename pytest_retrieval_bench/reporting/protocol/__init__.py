"""Pre-registration: hypotheses that are stated before a run, and what the run says of each."""
