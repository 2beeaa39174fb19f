"""The rankers of Agent Retrieval Bench, as its own toolkit has them (ARB 3)."""
