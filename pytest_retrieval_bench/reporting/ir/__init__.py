"""The metric set `ir` in the report and on the terminal."""
