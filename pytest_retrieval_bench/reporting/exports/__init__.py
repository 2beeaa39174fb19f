"""What a report is written as for other tools: a file a form, each a pure function of the report."""
