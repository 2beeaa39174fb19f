"""`python -m pytest_retrieval_bench …`, one file a command."""
