"""The measures of Agent Retrieval Bench's own toolkit (arXiv 2607.24882), which look at whole answers."""
