"""A service of the user's own as an arm, asked over HTTP."""
