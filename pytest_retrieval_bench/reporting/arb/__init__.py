"""What a report says of the metric set `arb`: views of the measures, rank depths, selective retrieval."""
