"""Retrievers: an arm answers a query from a snapshot."""
